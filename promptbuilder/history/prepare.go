package history

import (
	"errors"
	"math"
)

// largestParts is how many of the largest parts a report of an impossible budget names: enough to act on, few
// enough to read in one message of an editor.
const largestParts = 5

// Marks of a session, as shares of the budget. The distance between them is what a session can grow before its
// prefix breaks again: at 0.7 to 0.9 of a budget of 150,000 tokens that is 30,000, some twenty calls of an agent.
const (
	DefaultHighWater = 0.9
	DefaultLowWater  = 0.7
)

// Options of Prepare.
type Options struct {
	// Budget is how many tokens the messages may cost together.
	Budget int
	// Count counts the tokens of a text. It is called once for every text of every message, and for what is
	// left of a text that is shortened.
	Count func(text string) int
	// CounterKind is what the report calls the counter: exact or estimate.
	CounterKind string
	// PerMessage is the overhead in tokens of one message beside its content.
	PerMessage int
	// PerImage is what one image costs in tokens; 0 is DefaultPerImage.
	PerImage int
	// Costs remembers what messages cost from one call to the next; nil counts anew.
	Costs CostCache

	// Cut is what an earlier call of the same session did (Report.Cut); an empty one begins a session. With a
	// cut nothing more is taken away until the messages pass the high-water mark, and then the cost goes down
	// to the low-water mark in one step. Without one the messages are made to fit the budget, no more.
	Cut *Cut
	// HighWater and LowWater are the marks as shares of the budget; 0 is the default.
	HighWater, LowWater float64

	// Trim says what goes first when something must go.
	Trim Trim
	// Attach reads attached files; without it they stay names.
	Attach *Attachments
	// Compat asks for the ways of another tool in place of ours.
	Compat Compat
	// Orphans says what becomes of calls without results.
	Orphans Orphans
	// Alternate merges adjacent messages of one role, for providers that refuse them.
	Alternate bool
}

// Orphans is a way to deal with calls that have no results.
type Orphans string

const (
	// OrphansCancel makes up results that say Cancelled.
	OrphansCancel Orphans = ""
	// OrphansDrop leaves the calls out with their message, where nothing else of the message is answered.
	OrphansDrop Orphans = "drop"
)

// Prepare makes the messages valid and fit the budget, and says what it did. The messages given are not changed;
// where there is nothing to do they are what is returned.
//
// When what must stay costs more than the budget, the error is a *BudgetError, the report has status
// impossible, and the messages returned are the smallest valid list.
func Prepare(messages []Message, o Options) ([]Message, Report, error) {
	prepared, _, report, err := prepare(messages, o)
	return prepared, report, err
}

// prepare is Prepare, and says of each prepared message which one of the input it was, -1 for none.
func prepare(messages []Message, o Options) ([]Message, []int, Report, error) {
	p, repaired, err := makePlan(messages, o)
	if err != nil {
		return nil, nil, Report{}, err
	}
	report := Report{Status: StatusFit, Before: p.before, Budget: o.Budget, Counter: o.CounterKind}
	prepared, origins, actions, err := p.build()
	if o.Compat.Name == CompatGptme {
		prepared, actions, err = p.prepareAsGptme(o.Compat)
	}
	if err != nil {
		return nil, nil, Report{}, err
	}
	if o.Alternate && o.Compat.Name != CompatGptme {
		if prepared, actions, err = p.merge(prepared, origins, actions); err != nil {
			return nil, nil, Report{}, err
		}
	}
	report.After, report.Actions, report.PrefixKept = p.total, actions, len(messages)
	for _, action := range actions {
		if action.Kind != KindKept {
			report.PrefixKept = min(report.PrefixKept, action.Index)
		}
	}
	if p.total < repaired {
		report.Status = StatusTrimmed
	}
	report.FreshFrom = p.fresh
	if o.Cut != nil {
		report.Cut = p.cut()
	}
	if p.total <= o.Budget {
		return prepared, origins, report, nil
	}
	report.Status = StatusImpossible
	report.Largest = p.largest()
	report.Help = p.help(o.Budget)
	return prepared, origins, report, &BudgetError{Need: p.total, Budget: o.Budget, Largest: report.Largest, Help: report.Help}
}

// makePlan plans all steps. repaired is what the messages cost when they were only made valid.
func makePlan(messages []Message, o Options) (p *plan, repaired int, err error) {
	high, low := o.marks()
	going := map[int]bool{}
	for {
		p, err = newPlan(messages, o, func(i int) bool { return going[i] })
		if err != nil {
			return nil, 0, err
		}
		if o.Compat.Name == CompatGptme {
			return p, p.total, nil
		}
		p.repair()
		repaired = p.total
		p.markMandatory()
		if o.Compat.Name == CompatOpencode {
			p.pruneAsOpencode()
			return p, repaired, nil
		}
		p.applyCut(o.Cut)
		p.fresh = len(messages)
		if o.Cut == nil {
			p.expire()
		}
		if o.Trim.Strategy == StrategyClear {
			p.clearEarly()
		}
		switch {
		case o.Cut == nil && p.total > o.Budget:
			p.trim(o.Budget)
		case o.Cut != nil && p.total > high:
			p.trim(low)
		}
		dangling := p.dangling()
		if len(dangling) == 0 {
			return p, repaired, nil
		}
		// The text of a file goes with its message, and a later message only says where it stood: that one has to
		// have it. More messages are known to go each time, so this ends.
		for _, i := range dangling {
			going[i] = true
		}
	}
}

// marks are the high-water and the low-water mark in tokens.
func (o Options) marks() (high, low int) {
	share := func(mark, usual float64) int {
		if mark <= 0 || mark > 1 {
			mark = usual
		}
		return int(math.Floor(mark * float64(max(o.Budget, 0))))
	}
	high = share(o.HighWater, DefaultHighWater)
	return high, min(high, share(o.LowWater, DefaultLowWater))
}

// trim takes away what costs most and matters least, step by step, until the cost is down to the target or
// nothing more can go. A step that is not needed does nothing.
func (p *plan) trim(target int) {
	p.expire()
	p.leaveHopeless(target)
	p.strategy(target)
	p.limit(target)
	// What must stay is shortened only for the budget, not for the low-water mark.
	p.shortenMandatory(p.options.Budget)
	p.giveBack(target)
	p.expire() // what has lost the results that held it
	p.noteKept()
}

var errNoCounter = errors.New("history: no function to count tokens with; set Options.Count")
