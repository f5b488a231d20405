package history

import (
	"errors"
	"math"
	"slices"
)

// Running is the prepared history of a session that grows at its end. Until the high-water mark is passed, a message
// more costs what is new and not the whole history; then the history is prepared as a whole.
//
// It is for one goroutine. What it returns is not changed by it later.
type Running struct {
	options  Options
	messages []Message
	prepared []Message
	report   Report
	err      error

	// What comes before the message open is settled: nothing that is appended changes it. The three are what of the
	// prepared messages, of the actions and of the cost belongs to it. open is -1 when nothing can be said.
	open                  int
	settled, acted, spent int
	// touched is the first message that a settled action is about, or more than there are.
	touched int
}

// Run prepares the history of a session, which goes on from options.Cut.
func Run(messages []Message, o Options) (*Running, error) {
	if o.Cut == nil {
		o.Cut = &Cut{}
	}
	r := &Running{options: o}
	if err := r.whole(messages); err != nil {
		return nil, err
	}
	return r, nil
}

// Prepared is the history as it is to be sent, with its report. The error is a *BudgetError or nil.
func (r *Running) Prepared() ([]Message, Report, error) {
	report := r.report
	report.Actions = slices.Clip(report.Actions)
	return slices.Clip(r.prepared), report, r.err
}

// Append adds messages at the end. An error other than a *BudgetError leaves the history as it was.
func (r *Running) Append(more ...Message) ([]Message, Report, error) {
	if done, err := r.grow(more); err != nil {
		return nil, Report{}, err
	} else if !done {
		r.options.Cut = r.report.Cut
		messages := slices.Concat(r.messages, more)
		if err := r.whole(messages); err != nil {
			return nil, Report{}, err
		}
	}
	return r.Prepared()
}

// whole prepares everything.
func (r *Running) whole(messages []Message) error {
	prepared, origins, report, err := prepare(messages, r.options)
	var impossible *BudgetError
	if err != nil && !errors.As(err, &impossible) {
		return err
	}
	r.messages, r.prepared, r.report, r.err = slices.Clip(messages), prepared, report, err
	return r.settle(origins)
}

// settle finds what nothing that comes can change: all before the last answer, whose calls may still get results, or
// before the last question, which ends the results of the answer before it.
func (r *Running) settle(origins []int) error {
	r.open = -1
	if r.err != nil || r.options.Alternate || r.options.Compat.Name != "" || r.options.Trim.Strategy == StrategyClear {
		return nil
	}
	open := len(r.messages) - 1
	for open >= 0 && !r.messages[open].startsAnew() {
		open--
	}
	if open < 0 {
		return nil
	}
	acted := 0
	r.touched = math.MaxInt
	for _, action := range r.report.Actions {
		switch {
		case action.Index < open || action.Index == open && action.Kind == KindSynthesised:
			acted++
			r.touch(action)
		case action.Kind != KindSynthesised && action.Reason != ReasonOrphanResult:
			return nil // trimming reached what is still open
		}
	}
	tail, err := r.plan(r.messages[open:])
	if err != nil {
		return err
	}
	r.open, r.acted, r.settled, r.spent = open, acted, len(r.prepared), r.report.After-tail.total
	for k, origin := range origins {
		if origin >= open {
			r.settled = k
			break
		}
	}
	return nil
}

// startsAnew says whether no result from here on can belong to a call before it.
func (m *Message) startsAnew() bool {
	return m.Role == RoleAssistant || m.StartsTurn() && len(m.appendResults(nil)) == 0
}

// plan repairs messages and does nothing else.
func (r *Running) plan(messages []Message) (*plan, error) {
	p, err := newPlan(messages, r.options, nil)
	if err == nil {
		p.repair()
	}
	return p, err
}

// grow adds messages without looking at what is settled; false when that cannot be.
func (r *Running) grow(more []Message) (bool, error) {
	if r.open < 0 {
		return false, nil
	}
	for _, m := range more {
		if len(m.Files) > 0 && r.options.Attach != nil {
			return false, nil // whether a text was attached before, only the whole history knows
		}
	}
	messages := r.messages
	messages = append(messages, more...) // a Running owns what is behind its messages
	p, err := r.plan(messages[r.open:])
	if err != nil {
		return false, err
	}
	if high, _ := r.options.marks(); r.spent+p.total > high {
		return false, nil
	}
	tail, origins, actions, err := p.build()
	if err != nil {
		return false, err
	}
	before := r.report.Before
	for _, i := range p.costs.total[len(r.messages)-r.open:] {
		before += i
	}
	r.prepared = r.joined(tail)
	if len(r.report.Actions) > r.acted { // what was given out stays as it is
		r.report.Actions = slices.Clone(r.report.Actions[:r.acted])
	}
	r.report.PrefixKept = min(r.touched, len(messages))
	for _, action := range actions {
		action.Index += r.open
		r.report.Actions = append(r.report.Actions, action)
		if action.Kind != KindKept {
			r.report.PrefixKept = min(r.report.PrefixKept, action.Index)
		}
	}
	r.messages = messages
	r.report.Before, r.report.After, r.report.FreshFrom = before, r.spent+p.total, len(messages)
	for k := range origins {
		if origins[k] >= 0 {
			origins[k] += r.open
		}
	}
	return true, r.advance(p, origins)
}

// joined is what is settled with a new tail. The list is continued in place when nothing of what was given out changes.
func (r *Running) joined(tail []Message) []Message {
	old := r.prepared[r.settled:]
	same := 0
	for same < len(old) && same < len(tail) && old[same].Key() == tail[same].Key() {
		same++
	}
	if same == len(old) {
		return append(r.prepared, tail[same:]...)
	}
	return append(append(make([]Message, 0, len(r.prepared)+len(tail)), r.prepared[:r.settled]...), tail...)
}

// advance settles what the newest messages have settled; p is the plan of the messages from open on.
func (r *Running) advance(p *plan, origins []int) error {
	next := len(p.messages) - 1
	for next > 0 && !p.messages[next].startsAnew() {
		next--
	}
	if next <= 0 {
		return nil
	}
	last, err := r.plan(p.messages[next:])
	if err != nil {
		return err
	}
	from := r.open
	r.open += next
	r.spent = r.report.After - last.total
	settled := r.settled
	for k, origin := range origins {
		if origin >= from+next {
			r.settled = settled + k
			break
		}
	}
	for _, action := range r.report.Actions[r.acted:] {
		if action.Index < r.open || action.Index == r.open && action.Kind == KindSynthesised {
			r.acted++
			r.touch(action)
		}
	}
	return nil
}

// touch notes that a settled action changed a message.
func (r *Running) touch(action Action) {
	if action.Kind != KindKept {
		r.touched = min(r.touched, action.Index)
	}
}
