package history

import "slices"

// cancelled is the result of a call that was never answered.
const cancelled = "Cancelled"

// pairs say which tool result answers which tool call.
//
// A call is answered by results that follow it before the next message of the user or the assistant; system
// messages in between do no harm. A user message that holds results and says something of its own is the last
// that can answer. A result is tied to its call by id, and by position where it has none.
type pairs struct {
	// group is, for every message, the message whose calls it answers (a message with calls is in its own
	// group), or -1. A message answers the calls of one message at most.
	group []int
	// open are the calls that have no result, by the message that made them.
	open map[int][]ToolCall
	// after is, for a message in open, the last message that holds nothing but results for it, or the message
	// itself: where the missing results belong.
	after map[int]int
	// orphans are the result blocks without a call, by message.
	orphans map[int][]int
	// pending is the message at the very end whose calls nobody has begun to answer, or -1.
	pending int
	// names are the tools of the calls of a message by id; name fills it.
	names map[int]map[string]string
}

// result is one tool result of a message.
type result struct {
	block     int
	id, name  string
	cancelled bool
}

// asked is a call that waits for its result.
type asked struct {
	call ToolCall
	// message is the one that answered (-1: none yet), block its block.
	message, block int
	cancelled      bool
}

func pair(messages []Message) pairs {
	p := pairs{
		group:   make([]int, len(messages)),
		open:    map[int][]ToolCall{},
		after:   map[int]int{},
		orphans: map[int][]int{},
		pending: -1,
	}
	current, after := -1, -1
	waiting := &waiting{}
	finish := func() {
		for _, a := range waiting.calls {
			if a.message < 0 {
				p.open[current] = append(p.open[current], a.call)
				p.after[current] = after
			}
		}
		current = -1
		waiting.reset()
	}
	var scratch []result // of one message at a time
	for i := range messages {
		message := &messages[i]
		p.group[i] = -1
		switch {
		case message.Role == RoleAssistant:
			finish()
			waiting.add(message)
			if len(waiting.calls) > 0 {
				current, after, p.group[i] = i, i, i
			}
			continue
		case message.IsSystem():
			continue
		}
		scratch = message.appendResults(scratch[:0])
		results := scratch
		orphans := p.answer(i, results, waiting, message.Pinned, messages)
		if len(orphans) > 0 {
			p.orphans[i] = orphans
		}
		if len(orphans) < len(results) {
			p.group[i] = current
		}
		switch {
		case message.hasOwnContent() && message.Role == RoleUser:
			finish()
		case len(orphans) > 0 && message.Pinned:
			// A call will be put before this message (repair.go), which ends the answers to the earlier one.
			finish()
		case len(orphans) < len(results):
			after = i
		}
	}
	if current >= 0 && !slices.ContainsFunc(waiting.calls, func(a asked) bool { return a.message >= 0 }) {
		p.pending = current
	}
	finish()
	return p
}

// answer ties the results of message i to the calls that wait, and returns the blocks that answer none of
// them. A pinned message is all or nothing: it must not be changed, so when one of its results is an orphan
// they all are, and a call for all of them is made up.
func (p *pairs) answer(i int, results []result, waiting *waiting, pinned bool, messages []Message) (orphans []int) {
	var taken []int
	for _, r := range results {
		k := waiting.find(r)
		if k < 0 {
			k = waiting.supersede(r)
			if k < 0 || messages[waiting.calls[k].message].Pinned || waiting.calls[k].message == i {
				orphans = append(orphans, r.block)
				continue
			}
			// The call had been given up as cancelled, and here is its result after all.
			old := waiting.calls[k]
			p.orphans[old.message] = append(p.orphans[old.message], old.block)
			if len(p.orphans[old.message]) == len(messages[old.message].results()) {
				p.group[old.message] = -1
			}
		}
		call := &waiting.calls[k]
		call.message, call.block, call.cancelled = i, r.block, r.cancelled
		taken = append(taken, k)
	}
	if !pinned || len(orphans) == 0 {
		return orphans
	}
	for _, k := range taken {
		waiting.calls[k].message = -1
	}
	orphans = orphans[:0]
	for _, r := range results {
		orphans = append(orphans, r.block)
	}
	return orphans
}

// waiting are the calls of one message.
type waiting struct {
	calls []asked
	// byID are the calls of an id in order, where there are so many calls that looking through them would take long.
	byID map[string][]int
}

// manyCalls is from where on calls are looked up by their id.
const manyCalls = 16

func (w *waiting) reset() {
	w.calls = w.calls[:0]
	clear(w.byID)
}

func (w *waiting) add(m *Message) {
	for i := range m.Content.Parts {
		if part := &m.Content.Parts[i]; part.Type == PartToolUse {
			w.calls = append(w.calls, asked{call: ToolCall{ID: part.ID, Name: part.Name, Arguments: part.Arguments}, message: -1})
		}
	}
	for _, call := range m.ToolCalls {
		w.calls = append(w.calls, asked{call: call, message: -1})
	}
	if len(w.calls) < manyCalls {
		return
	}
	if w.byID == nil {
		w.byID = map[string][]int{}
	}
	for k, a := range w.calls {
		w.byID[a.call.ID] = append(w.byID[a.call.ID], k)
	}
}

// withID is the first call of an id that is wanted, or -1.
func (w *waiting) withID(id string, wanted func(*asked) bool) int {
	if len(w.calls) >= manyCalls {
		for _, k := range w.byID[id] {
			if wanted(&w.calls[k]) {
				return k
			}
		}
		return -1
	}
	for k := range w.calls {
		if w.calls[k].call.ID == id && wanted(&w.calls[k]) {
			return k
		}
	}
	return -1
}

// find is the call that a result answers, or -1.
func (w *waiting) find(r result) int {
	if r.id != "" {
		return w.withID(r.id, func(a *asked) bool { return a.message < 0 })
	}
	byPosition := -1
	for k, a := range w.calls {
		if a.message >= 0 {
			continue
		}
		if r.name == "" || a.call.Name == r.name {
			return k
		}
		if byPosition < 0 {
			byPosition = k
		}
	}
	return byPosition
}

// supersede is the call of the same id that was answered only by a Cancelled, or -1.
func (w *waiting) supersede(r result) int {
	if r.id == "" || r.cancelled {
		return -1
	}
	return w.withID(r.id, func(a *asked) bool { return a.cancelled })
}

// calls are all tool calls of the message, those in the content first, as in Blocks.
func (m Message) calls() []ToolCall {
	var calls []ToolCall
	for _, part := range m.Content.Parts {
		if part.Type == PartToolUse {
			calls = append(calls, ToolCall{ID: part.ID, Name: part.Name, Arguments: part.Arguments})
		}
	}
	return append(calls, m.ToolCalls...)
}

// results are all tool results of the message.
func (m Message) results() []result { return m.appendResults(nil) }

func (m *Message) appendResults(results []result) []result {
	if m.isResult() {
		return append(results, result{id: m.ToolCallID, cancelled: m.Content.isCancelled()})
	}
	for i := range m.Content.Parts {
		if part := &m.Content.Parts[i]; part.Type == PartToolResult {
			results = append(results, result{block: i, id: part.ID, name: part.Name, cancelled: part.Output.isCancelled()})
		}
	}
	return results
}

func (c Content) isCancelled() bool { return c.Parts == nil && c.Text == cancelled }

// name is the tool that message i called with an id. Names are gathered once per message.
func (p *pairs) name(i int, id string, messages []Message) string {
	if p.names == nil {
		p.names = map[int]map[string]string{}
	}
	names, ok := p.names[i]
	if !ok {
		names = map[string]string{}
		for _, call := range messages[i].calls() {
			names[call.ID] = call.Name
		}
		p.names[i] = names
	}
	return names[id]
}
