package history

import "slices"

// plan is what is going to be done to a list of messages. The steps write it, build carries it out.
type plan struct {
	options Options
	// originals are the messages as they came; messages are those with their attachments embedded.
	originals, messages []Message
	costs               costs
	pairs               pairs
	// before is what the originals cost. total is what the messages cost if the plan is carried out as it
	// stands; cost is that of each message.
	before, total int
	cost          []int
	// dropped is the reason why a message goes, "" while it stays.
	dropped []string
	// held messages are pinned, or call or answer what is. mandatory messages are never dropped: these, system messages,
	// the newest question, and the answer to it that is being worked on.
	held, mandatory []bool
	// question is the newest user message that says something, -1 when there is none; answer is the message that
	// calls or says something after it, -1 when there is none.
	question, answer int
	// fromCut are the messages that the cut changed inside.
	fromCut map[int]bool
	// edits are the changes of messages that stay.
	edits map[int][]edit
	// inserted are the new messages that stand before a message of the input, in order.
	inserted map[int][]insertion
	// made is what the insertions for the calls of a message cost; they go when it goes.
	made map[int]int
	// kept are messages that stay while their turn goes.
	kept map[int]bool
	// embedded are the actions of attached files, by message. carriers are the messages that have a text of a file,
	// referring are those that say in its place where it stands.
	embedded  map[int][]Action
	carriers  map[carried]int
	referring map[int][]int
	// weights are those of the strategy adaptive, nil by the others.
	weights *weights
	// fresh is the first message that the cut did not know to change.
	fresh int
}

// edit is one change inside a message that stays: a block that goes, or a text that becomes shorter.
type edit struct {
	place  place
	kind   string
	reason string
	// cut is what is left of the text; unused when the block goes.
	cut textCut
	// before and after are the tokens of the place.
	before, after int
}

type insertion struct {
	message Message
	reason  string
	cost    int
	// call is the message whose calls this answers, -1 for none.
	call int
}

func newPlan(messages []Message, o Options, going func(i int) bool) (*plan, error) {
	if o.Count == nil {
		return nil, errNoCounter
	}
	for i := range messages {
		if messages[i].validate("") != nil {
			return nil, messages[i].validate(indexed("messages", i)) // the path is put together only for an error
		}
	}
	p := &plan{
		options:   o,
		originals: messages,
		messages:  messages,
		held:      make([]bool, len(messages)),
		mandatory: make([]bool, len(messages)),
		dropped:   make([]string, len(messages)),
		edits:     map[int][]edit{},
		inserted:  map[int][]insertion{},
		made:      map[int]int{},
		kept:      map[int]bool{},
		carriers:  map[carried]int{},
		referring: map[int][]int{},
		fromCut:   map[int]bool{},
		fresh:     len(messages),
	}
	p.costs = count(messages, o)
	for _, cost := range p.costs.total {
		p.before += cost
	}
	if err := p.enrich(going); err != nil {
		return nil, err
	}
	p.pairs = pair(p.messages)
	p.cost = slices.Clone(p.costs.total)
	for _, cost := range p.cost {
		p.total += cost
	}
	return p, nil
}

// drop leaves a message out, with the results that were made up for its calls.
func (p *plan) drop(i int, reason string) {
	if p.dropped[i] != "" {
		return
	}
	p.dropped[i] = reason
	p.fresh = min(p.fresh, i)
	p.total -= p.cost[i] + p.made[i]
	p.cost[i], p.made[i] = 0, 0
}

// dropBlocks leaves blocks out of a message. A message of which nothing is left goes as a whole, and so does one
// of role tool without results, because it would be read as a result itself.
func (p *plan) dropBlocks(i int, blocks []int, reason string) {
	if p.dropped[i] != "" || len(blocks) == 0 {
		return
	}
	gone := map[int]bool{}
	for _, e := range p.edits[i] {
		if e.kind == KindDropped {
			gone[e.place.block] = true
		}
	}
	blocks = slices.DeleteFunc(slices.Clone(blocks), func(b int) bool { return gone[b] })
	for _, block := range blocks {
		gone[block] = true
	}
	message := p.messages[i]
	results := message.results()
	left := slices.ContainsFunc(results, func(r result) bool { return !gone[r.block] })
	if len(gone) == len(message.Blocks()) || message.Role == RoleTool && !left {
		p.drop(i, reason)
		return
	}
	for _, block := range blocks {
		// What a shortened block has lost already is not lost again.
		cost := p.costs.of(i, block)
		p.edits[i] = slices.DeleteFunc(p.edits[i], func(e edit) bool {
			if e.place.block == block {
				cost -= e.before - e.after
			}
			return e.place.block == block
		})
		p.edits[i] = append(p.edits[i], edit{place: place{block, whole}, kind: KindDropped, reason: reason, before: p.costs.of(i, block)})
		p.fresh = min(p.fresh, i)
		p.cost[i] -= cost
		p.total -= cost
	}
}

// change replaces what is done to one place of a message.
func (p *plan) change(i int, e edit) {
	saved := e.before - e.after
	for k, old := range p.edits[i] {
		if old.place == e.place {
			saved -= old.before - old.after
			p.edits[i] = slices.Delete(p.edits[i], k, k+1)
			break
		}
	}
	p.edits[i] = append(p.edits[i], e)
	p.fresh = min(p.fresh, i)
	p.cost[i] -= saved
	p.total -= saved
}

// undo takes back all that is done to message i inside.
func (p *plan) undo(i int) {
	saved := 0
	for _, e := range p.edits[i] {
		saved += e.before - e.after
	}
	delete(p.edits, i)
	p.cost[i] += saved
	p.total += saved
}

// insert puts a new message before message i of the input.
func (p *plan) insert(i int, added insertion) {
	added.cost, _ = p.options.costOf(&added.message)
	p.inserted[i] = append(p.inserted[i], added)
	p.total += added.cost
	if added.call >= 0 {
		p.made[added.call] += added.cost
	}
}

// build carries the plan out. origins are the input messages that the prepared ones come from, -1 for those
// that were made up.
func (p *plan) build() (prepared []Message, origins []int, actions []Action, err error) {
	going := 0
	for _, reason := range p.dropped {
		if reason != "" {
			going++
		}
	}
	if going+len(p.inserted)+len(p.edits)+len(p.kept)+len(p.embedded) == 0 {
		// Most turns change nothing: then the list itself is given, which nobody may write to.
		origins = make([]int, len(p.messages))
		for i := range origins {
			origins[i] = i
		}
		return slices.Clip(p.messages), origins, []Action{}, nil
	}
	staying := len(p.messages) - going + len(p.inserted)
	prepared, origins = make([]Message, 0, staying), make([]int, 0, staying)
	actions = make([]Action, 0, going+len(p.inserted)+len(p.edits)+len(p.kept)+len(p.embedded))
	for i := range len(p.messages) + 1 {
		for _, added := range p.inserted[i] {
			if added.call >= 0 && p.dropped[added.call] != "" {
				continue
			}
			prepared, origins = append(prepared, added.message), append(origins, -1)
			actions = append(actions, Action{Index: i, Kind: KindSynthesised, Reason: added.reason, After: added.cost})
		}
		if i == len(p.messages) {
			break
		}
		message, done, err := p.buildMessage(i)
		if err != nil {
			return nil, nil, nil, err
		}
		actions = append(actions, done...)
		if p.dropped[i] == "" {
			prepared, origins = append(prepared, message), append(origins, i)
		}
	}
	return prepared, origins, actions, nil
}

// buildMessage is message i as it goes out, and what was done to it.
func (p *plan) buildMessage(i int) (Message, []Action, error) {
	message := p.messages[i]
	if p.dropped[i] != "" {
		raw, err := p.originals[i].Raw()
		kind := KindDropped
		if p.dropped[i] == ReasonExpired {
			kind = KindPruned
		}
		return message, []Action{{Index: i, Kind: kind, Reason: p.dropped[i], Before: p.costs.total[i], Restore: raw}}, err
	}
	done := slices.Clone(p.embedded[i])
	if edits := p.edits[i]; len(edits) > 0 {
		slices.SortFunc(edits, func(a, b edit) int { return a.place.compare(b.place) })
		changed, err := message.edited(edits)
		if err != nil {
			return message, nil, err
		}
		message = changed
		for _, e := range edits {
			done = append(done, p.actionOf(i, e))
		}
	}
	if len(done) > 0 {
		raw, err := p.originals[i].Raw()
		if err != nil {
			return message, nil, err
		}
		done[0].Restore = raw
		return message, done, nil
	}
	if p.kept[i] {
		reason := ReasonToolPair
		if message.Pinned {
			reason = ReasonPinned
		}
		done = append(done, Action{Index: i, Kind: KindKept, Reason: reason, Before: p.costs.total[i], After: p.costs.total[i]})
	}
	return message, done, nil
}

func (p *plan) actionOf(i int, e edit) Action {
	action := Action{Index: i, Kind: e.kind, Reason: e.reason, Before: e.before, After: e.after}
	if len(p.messages[i].Blocks()) > 1 || e.kind == KindDropped {
		block := e.place.block
		action.Block = &block
	}
	return action
}
