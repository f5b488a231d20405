package hooks

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"unicode/utf8"

	"foreword/promptbuilder/history"
)

// Messages asks the hooks of the event messages about the messages of a request, and gives those that are to be sent
// in their place. A pinned message keeps its bytes, the role of a message and what a provider signed stay, and no
// tool result loses its call: an answer that would do that is left out whole.
func (s *Set) Messages(ctx context.Context, messages []history.Message) ([]history.Message, Outcome) {
	var o Outcome
	for _, h := range s.For(Messages) {
		if ctx.Err() != nil {
			break
		}
		out, ok := s.call(ctx, h, Input{Event: Messages, Messages: messages}, &o)
		if !ok {
			continue
		}
		change := messageChange{name: h.About().Name, before: messages}
		changed := change.apply(out)
		if orphans(changed) > orphans(messages) {
			o.warn("hook-refused", "the changes of the hook %s to the messages are left out: a tool result would lose its call, or a call its result", h.About().Name)
			o.Changes = append(o.Changes, Change{Hook: h.About().Name, Event: Messages, Kind: Refused, Index: -1, Why: "a tool result would lose its call, or a call its result"})
			continue
		}
		for _, c := range change.refused {
			o.refuse(c, "%s", c.Why)
		}
		o.Changes = append(o.Changes, change.made...)
		messages = changed
	}
	return messages, o
}

// messageChange applies the answer of one hook.
type messageChange struct {
	name          string
	before        []history.Message
	made, refused []Change
}

func (c *messageChange) refuse(index int, format string, arguments ...any) {
	c.refused = append(c.refused, Change{Hook: c.name, Event: Messages, Index: index, Why: fmt.Sprintf(format, arguments...)})
}

func (c *messageChange) note(kind string, index int) {
	c.made = append(c.made, Change{Hook: c.name, Event: Messages, Kind: kind, Index: index})
}

// apply makes the changes in the order edit, remove, add; all indexes are those of the messages that the hook saw.
func (c *messageChange) apply(out Output) []history.Message {
	now := slices.Clone(c.before)
	for _, e := range out.EditMessages {
		if !c.touches(e.Index) {
			continue
		}
		edited, err := withContent(now[e.Index], e.Content)
		if err != nil {
			c.refuse(e.Index, "%v", err)
			continue
		}
		now[e.Index] = edited
		c.note(Edited, e.Index)
	}
	gone := map[int]bool{}
	for _, index := range out.RemoveMessages {
		switch {
		case !c.touches(index):
		case index == c.newestOfUser():
			c.refuse(index, "the newest message of the user cannot be taken out")
		case !gone[index]:
			gone[index] = true
			c.note(Removed, index)
		}
	}
	added := map[int][]history.Message{}
	for _, a := range out.AddMessages {
		text := tidy(a.Text)
		switch {
		case a.Before < 0 || a.Before > len(c.before):
			c.refuse(a.Before, "there is no such place")
		case a.Role != history.RoleUser && a.Role != history.RoleSystem:
			c.refuse(a.Before, "a hook can add messages of role user and system, not %.40q", a.Role)
		case text == "":
			c.refuse(a.Before, "the message is empty")
		case utf8.RuneCountInString(text) > maxText:
			c.refuse(a.Before, "the message has more than %d characters", maxText)
		case a.Before < len(c.before) && hasResults(c.before[a.Before]):
			c.refuse(a.Before, "nothing may stand between a tool call and its result")
		default:
			added[a.Before] = append(added[a.Before], history.Message{Role: a.Role, Content: history.Text(text)})
			c.note(Added, a.Before)
		}
	}
	var all []history.Message
	for i := range len(now) + 1 {
		all = append(all, added[i]...)
		if i < len(now) && !gone[i] {
			all = append(all, now[i])
		}
	}
	return all
}

// touches tells whether the hook may touch a message.
func (c *messageChange) touches(index int) bool {
	switch {
	case index < 0 || index >= len(c.before):
		c.refuse(index, "there is no such message")
	case c.before[index].Pinned:
		c.refuse(index, "it is pinned")
	default:
		return true
	}
	return false
}

func (c *messageChange) newestOfUser() int {
	for i, m := range slices.Backward(c.before) {
		if m.StartsTurn() {
			return i
		}
	}
	return -1
}

// withContent is a message with another content and everything else as it came.
func withContent(m history.Message, content json.RawMessage) (history.Message, error) {
	for _, block := range m.Blocks() {
		if block.Type == history.PartThinking || block.Type == history.PartOpaque || block.Signature != "" {
			return m, fmt.Errorf("it holds what its provider made and wants back as it is")
		}
	}
	raw, err := m.Raw()
	if err != nil {
		return m, err
	}
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(raw, &fields); err != nil {
		return m, err
	}
	if len(content) == 0 {
		return m, fmt.Errorf("the edit has no content")
	}
	fields["content"] = content
	raw, err = json.Marshal(fields)
	if err != nil {
		return m, err
	}
	var edited history.Message
	if err := edited.UnmarshalJSON(raw); err != nil {
		return m, fmt.Errorf("its new content is wrong: %w", err)
	}
	return edited, nil
}

func hasResults(m history.Message) bool {
	return slices.ContainsFunc(m.Blocks(), func(p history.Part) bool { return p.Type == history.PartToolResult })
}

// orphans counts tool results without a call before them, and calls without a result behind them while others
// follow: what providers refuse.
func orphans(messages []history.Message) (n int) {
	var open []string // calls that wait for their result; "" where a call has no id
	for _, m := range messages {
		for _, p := range m.Blocks() {
			switch p.Type {
			case history.PartToolUse:
				open = append(open, p.ID)
			case history.PartToolResult:
				i := slices.Index(open, p.ID)
				if i < 0 && p.ID == "" && len(open) > 0 {
					i = 0 // tied by position
				}
				if i < 0 {
					n++
					continue
				}
				open = slices.Delete(open, i, i+1)
			}
		}
	}
	return n + len(open)
}

// Compaction is what hooks add to the request for a summary.
type Compaction struct {
	// Context are texts to be taken into account, each with the hook that gave it.
	Context []Contribution
	// Prompt takes the place of the whole request; empty to keep it. PromptFrom is the hook that gave it, the last
	// that did.
	Prompt, PromptFrom string
}

// Contribution is a text and the hook that it is from.
type Contribution struct{ Hook, Text string }

// Compacting asks the hooks of the event compacting about a history that is to be summed up.
func (s *Set) Compacting(ctx context.Context, messages []history.Message, previousSummary string) (Compaction, Outcome) {
	var o Outcome
	var c Compaction
	for _, h := range s.For(Compacting) {
		if ctx.Err() != nil {
			break
		}
		name := h.About().Name
		out, ok := s.call(ctx, h, Input{Event: Compacting, Messages: messages, PreviousSummary: previousSummary}, &o)
		if !ok {
			continue
		}
		for _, text := range append(slices.Clone(out.Context), out.Prompt) {
			if utf8.RuneCountInString(text) > maxText {
				o.refuse(Change{Hook: name, Event: Compacting, Key: "the summary", Index: -1}, "its text has more than %d characters", maxText)
				out = Output{}
				break
			}
		}
		for _, text := range out.Context {
			if text = tidy(text); text != "" {
				c.Context = append(c.Context, Contribution{name, text})
				o.Changes = append(o.Changes, Change{Hook: name, Event: Compacting, Kind: Added, Index: -1})
			}
		}
		if prompt := tidy(out.Prompt); prompt != "" {
			c.Prompt, c.PromptFrom = prompt, name
			o.Changes = append(o.Changes, Change{Hook: name, Event: Compacting, Kind: Edited, Index: -1})
		}
	}
	return c, o
}
