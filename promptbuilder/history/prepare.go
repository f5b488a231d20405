package history

import (
	"encoding/json"
	"errors"
	"slices"
)

// largestParts is how many of the largest parts a report of an impossible budget names: enough to act on, few
// enough to read in one message of an editor.
const largestParts = 5

// Options of Prepare.
type Options struct {
	// Budget is how many tokens the messages may cost together.
	Budget int
	// Count counts the tokens of a text. It is called once for every text of every message.
	Count func(text string) int
	// CounterKind is what the report calls the counter: exact or estimate.
	CounterKind string
	// PerMessage is the overhead in tokens of one message beside its content.
	PerMessage int
	// PerImage is what one image costs in tokens; 0 is DefaultPerImage.
	PerImage int
}

// Prepare makes the messages valid and fit the budget, and says what it did. The messages given are not changed.
//
// When what must stay costs more than the budget, the error is a *BudgetError, the report has status
// impossible, and the messages returned are the smallest valid list.
func Prepare(messages []Message, o Options) ([]Message, Report, error) {
	p, err := newPlan(messages, o)
	if err != nil {
		return nil, Report{}, err
	}
	report := Report{Status: StatusFit, Before: p.total, Budget: o.Budget, Counter: o.CounterKind}
	p.repair()
	repaired := p.total
	fits := p.limit(o.Budget)
	prepared, actions, err := p.build()
	if err != nil {
		return nil, Report{}, err
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
	if fits {
		return prepared, report, nil
	}
	report.Status = StatusImpossible
	report.Largest = p.costs.largest(messages, func(i int) bool { return p.dropped[i] == "" }, largestParts)
	report.Help = p.help(o.Budget)
	return prepared, report, &BudgetError{Need: p.total, Budget: o.Budget, Largest: report.Largest, Help: report.Help}
}

// plan is what is going to be done to a list of messages. The steps write it, build carries it out.
type plan struct {
	messages []Message
	options  Options
	costs    costs
	pairs    pairs
	// total is what the messages cost if the plan is carried out as it stands; cost is that of each message.
	total int
	cost  []int
	// dropped is the reason why a message goes, "" while it stays.
	dropped []string
	// blocks are the blocks that go from a message that stays, in order.
	blocks map[int][]blockDrop
	// inserted are the new messages that stand before a message of the input, in order.
	inserted map[int][]insertion
	// made is what the insertions for the calls of a message cost; they go when it goes.
	made map[int]int
	// kept are messages that stay while their turn goes.
	kept map[int]bool
}

type blockDrop struct {
	block  int
	reason string
}

type insertion struct {
	message Message
	reason  string
	cost    int
	// call is the message whose calls this answers, -1 for none.
	call int
}

func newPlan(messages []Message, o Options) (*plan, error) {
	if o.Count == nil {
		return nil, errors.New("history: no function to count tokens with; set Options.Count")
	}
	for i := range messages {
		if err := messages[i].validate(indexed("messages", i)); err != nil {
			return nil, err
		}
	}
	p := &plan{
		messages: messages,
		options:  o,
		costs:    count(messages, o),
		pairs:    pair(messages),
		dropped:  make([]string, len(messages)),
		blocks:   map[int][]blockDrop{},
		inserted: map[int][]insertion{},
		made:     map[int]int{},
		kept:     map[int]bool{},
	}
	p.cost = slices.Clone(p.costs.total)
	for _, cost := range p.cost {
		p.total += cost
	}
	return p, nil
}

// drop leaves a message out, with the results that were made up for its calls.
func (p *plan) drop(i int, reason string) {
	p.dropped[i] = reason
	p.total -= p.cost[i] + p.made[i]
	p.cost[i], p.made[i] = 0, 0
}

// dropBlocks leaves tool results out of a message. A message of which nothing is left goes as a whole, and so
// does one of role tool without results, because it would be read as a result itself.
func (p *plan) dropBlocks(i int, blocks []int, reason string) {
	if p.dropped[i] != "" || len(blocks) == 0 {
		return
	}
	message := p.messages[i]
	gone := len(p.blocks[i]) + len(blocks)
	if gone == len(message.Blocks()) || message.Role == RoleTool && gone == len(message.results()) {
		p.drop(i, reason)
		return
	}
	for _, block := range blocks {
		p.blocks[i] = append(p.blocks[i], blockDrop{block, reason})
		p.cost[i] -= p.costs.of(i, block)
		p.total -= p.costs.of(i, block)
	}
}

// insert puts a new message before message i of the input.
func (p *plan) insert(i int, added insertion) {
	added.cost, _ = countMessage(added.message, p.options)
	p.inserted[i] = append(p.inserted[i], added)
	p.total += added.cost
	if added.call >= 0 {
		p.made[added.call] += added.cost
	}
}

// keep notes that a message stays while its turn goes.
func (p *plan) keep(i int) { p.kept[i] = true }

// build carries the plan out.
func (p *plan) build() ([]Message, []Action, error) {
	prepared := make([]Message, 0, len(p.messages))
	actions := []Action{}
	for i := range len(p.messages) + 1 {
		for _, added := range p.inserted[i] {
			if added.call >= 0 && p.dropped[added.call] != "" {
				continue
			}
			prepared = append(prepared, added.message)
			actions = append(actions, Action{Index: i, Kind: KindSynthesised, Reason: added.reason, After: added.cost})
		}
		if i == len(p.messages) {
			break
		}
		message := p.messages[i]
		cost := p.costs.total[i]
		switch {
		case p.dropped[i] != "":
			raw, err := message.Raw()
			if err != nil {
				return nil, nil, err
			}
			actions = append(actions, Action{Index: i, Kind: KindDropped, Reason: p.dropped[i], Before: cost, Restore: raw})
			continue
		case len(p.blocks[i]) > 0:
			changed, done, err := p.buildBlocks(i)
			if err != nil {
				return nil, nil, err
			}
			message = changed
			actions = append(actions, done...)
		case p.kept[i]:
			reason := ReasonToolPair
			if message.Pinned {
				reason = ReasonPinned
			}
			actions = append(actions, Action{Index: i, Kind: KindKept, Reason: reason, Before: cost, After: cost})
		}
		prepared = append(prepared, message)
	}
	return prepared, actions, nil
}

// buildBlocks is message i without the blocks that go.
func (p *plan) buildBlocks(i int) (Message, []Action, error) {
	drops := slices.SortedFunc(slices.Values(p.blocks[i]), func(a, b blockDrop) int { return a.block - b.block })
	original, err := p.messages[i].Raw()
	if err != nil {
		return Message{}, nil, err
	}
	var blocks []int
	var actions []Action
	var restore json.RawMessage = original
	for _, drop := range drops {
		blocks = append(blocks, drop.block)
		actions = append(actions, Action{
			Index: i, Block: &drop.block, Kind: KindDropped, Reason: drop.reason,
			Before: p.costs.of(i, drop.block), Restore: restore,
		})
		restore = nil
	}
	message, err := p.messages[i].withoutBlocks(blocks)
	return message, actions, err
}
