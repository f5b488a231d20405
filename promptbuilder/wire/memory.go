package wire

import (
	"encoding/json"
	"maps"
	"slices"
	"sync"

	"foreword/promptbuilder/history"
)

// Memory remembers the beginnings of conversations as they were rendered. A request whose messages begin with one
// of them costs what follows; where what follows would change what was encoded, the request is rendered anew as a
// whole. Several goroutines may use it.
type Memory struct {
	limit int

	mu   sync.Mutex
	held []*beginning // from the one used longest ago to the newest
}

// NewMemory makes a memory of at most limit bytes of bodies, of which each conversation takes about as much as its
// request is long. It holds on to the messages that were rendered, too.
func NewMemory(limit int) *Memory { return &Memory{limit: limit} }

// maxHeld bounds how many beginnings are compared with a request.
const maxHeld = 64

// beginning is the first messages of a conversation, rendered. What they are in a body depends on the wire, the
// model and nothing that follows them (see boundary).
type beginning struct {
	wire, model, provider string
	oneSystem             bool
	messages              []history.Message
	// encoded are the messages of the body with commas between them; last is the last one.
	encoded []byte
	last    any
	// lead are the system messages that stand in the system text.
	lead []string
	// begun tells that there is an entry, spoken that there is one that was not left out.
	begun, spoken bool
	notes         notes
	noted         map[noted]bool
	ids           ids
	// marks are the cache marks of the caller.
	marks []json.RawMessage
}

// render renders a request with what is remembered. It says no where the request must be rendered as a whole.
func (m *Memory) render(r renderer, request Request) (Result, bool) {
	to := boundary(request.Messages)
	b := m.take(request, to)
	if b == nil {
		b = &beginning{wire: request.Wire, model: request.Model, provider: request.Provider, oneSystem: request.OneSystem, noted: map[noted]bool{}, ids: ids{given: map[string]bool{}, made: map[string]bool{}}}
	}
	extended := b.extend(r, request, to)
	if n := len(b.messages); n > 0 {
		// They are the same, and those of the newest request are likely to be the very ones of the next: then a look
		// at each is enough to see that.
		b.messages = request.Messages[:n:n]
		defer m.put(b) // nobody else changes it while it is taken
	}
	if !extended {
		return Result{}, false
	}
	result, err := r.render(request, b)
	return result, err == nil
}

// take finds the longest beginning of a request, of the messages up to a boundary, and takes it out.
func (m *Memory) take(request Request, to int) *beginning {
	m.mu.Lock()
	defer m.mu.Unlock()
	best := -1
	for i, b := range m.held {
		if b.wire == request.Wire && b.model == request.Model && b.provider == request.Provider && b.oneSystem == request.OneSystem && len(b.messages) <= to && (best < 0 || len(b.messages) > len(m.held[best].messages)) && b.begins(request.Messages) {
			best = i
		}
	}
	if best < 0 {
		return nil
	}
	taken := m.held[best]
	m.held = slices.Delete(m.held, best, best+1)
	return taken
}

// put gives a beginning back as the newest, and forgets the oldest ones that are too many.
func (m *Memory) put(b *beginning) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.held = append(m.held, b)
	total, from := 0, len(m.held)
	for from > 0 && len(m.held)-from < maxHeld {
		if total += m.held[from-1].size(); total > m.limit {
			break
		}
		from--
	}
	m.held = slices.Delete(m.held, 0, from)
}

// size is about how many bytes a beginning takes beside the texts of the messages, which it shares.
func (b *beginning) size() int {
	const perMessage, perID = 256, 64
	return cap(b.encoded) + perMessage*cap(b.messages) + perID*len(b.ids.given)
}

// begins tells whether messages begin with those of b. The last ones are looked at first: conversations that are
// not the same mostly end otherwise.
func (b *beginning) begins(messages []history.Message) bool {
	if !apart(messages, len(b.messages)) {
		return false
	}
	for i := len(b.messages) - 1; i >= 0; i-- {
		if !b.messages[i].Same(&messages[i]) {
			return false
		}
	}
	return true
}

// extend renders the messages of a request up to a boundary, which will stay as they are in later requests. It says
// no where that would change what is encoded; b is not changed then.
func (b *beginning) extend(r renderer, request Request, to int) bool {
	from := len(b.messages)
	if to <= from {
		return true
	}
	request.Messages = request.Messages[:to]
	c, err := newConversation(request, r.abilities, b)
	if err != nil {
		return false
	}
	list := r.list(c)
	if !b.admits(c, list) {
		return false
	}
	encoded, err := encodeList(b.encoded, list)
	if err != nil {
		return false
	}
	for _, message := range list {
		if marked, ok := message.(interface{ callerMarks() []json.RawMessage }); ok {
			b.marks = append(b.marks, marked.callerMarks()...)
		}
		b.last = message
	}
	b.encoded, b.lead = encoded, c.lead
	b.messages = request.Messages
	b.begun, b.spoken = c.begun, b.spoken || len(c.entries) > 0
	for step := range c.notes {
		b.notes[step] = append(b.notes[step], c.notes[step]...)
	}
	maps.Copy(b.noted, c.noted)
	maps.Copy(b.ids.given, c.ids.given)
	maps.Copy(b.ids.made, c.ids.made)
	return true
}

// admits tells whether what follows leaves what is encoded as it is.
func (b *beginning) admits(c *conversation, list []any) bool {
	if c.ids.clash {
		return false
	}
	if last, ok := b.last.(joiner); ok && len(list) > 0 {
		return !last.joins(list[0])
	}
	return true
}

// boundary finds the place up to which messages are what they are in a body, whatever follows them; 0 for none.
//
// What follows changes what stands before in three ways: tool results look for their calls, messages of one role
// become one, and the cache marks stand at the ends of the newest two messages of the user that stay. So it is a
// place that no result looks back over, between an answer and something else, with two such messages behind it.
func boundary(messages []history.Message) int {
	end := len(messages)
	if passing := slices.IndexFunc(messages, func(m history.Message) bool { return m.EphemeralTTL != nil }); passing >= 0 {
		end = passing
	}
	stable := 0
	for at := end - 1; at > 0; at-- {
		if !answer(messages, at) && answer(messages, at-1) {
			stable++
		}
		if stable >= 2 && apart(messages, at) {
			return at
		}
	}
	return 0
}

// apart tells whether the messages before a place do not depend on those behind it, but for the cache marks.
func apart(messages []history.Message, at int) bool {
	if at < 1 || at >= len(messages) || answer(messages, at) == answer(messages, at-1) {
		return false
	}
	return answer(messages, at) || !calls(&messages[at-1])
}

func answer(messages []history.Message, at int) bool {
	return messages[at].Role == history.RoleAssistant
}

func calls(m *history.Message) bool {
	return len(m.ToolCalls) > 0 || slices.ContainsFunc(m.Content.Parts, func(p history.Part) bool { return p.Type == history.PartToolUse })
}
