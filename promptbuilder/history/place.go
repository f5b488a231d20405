package history

import (
	"bytes"
	"cmp"
	"slices"
)

// place is where a text stands in a message: a block (an index into Message.Blocks), and where the block is a tool
// result with parts of its own, one of these. sub is whole for a block that has one text.
type place struct{ block, sub int }

const whole = -1

func (a place) compare(b place) int {
	return cmp.Or(cmp.Compare(a.block, b.block), cmp.Compare(a.sub, b.sub))
}

// placed is a text of a message that could be shortened.
type placed struct {
	place
	text string
	// result says that it is what a tool answered.
	result bool
}

// texts are the texts of a message that could be shortened: never a call, never thinking, never what only a
// provider can read.
func (m Message) texts() []placed {
	var all []placed
	add := func(block int, content Content, result bool) {
		if content.Parts == nil && content.Text != "" {
			all = append(all, placed{place{block, whole}, content.Text, result})
		}
		for k, part := range content.Parts {
			if part.shortens() {
				all = append(all, placed{place{block, k}, part.Text, result})
			}
		}
	}
	if m.isResult() {
		add(0, m.Content, true)
		return all
	}
	if m.Content.Parts == nil {
		add(0, m.Content, false)
		return all
	}
	for b, part := range m.Content.Parts {
		switch {
		case part.Type == PartToolResult:
			add(b, part.Output, true)
		case part.shortens():
			all = append(all, placed{place{b, whole}, part.Text, false})
		}
	}
	return all
}

// shortens says whether the part holds a text that can be replaced where it stands.
func (p Part) shortens() bool {
	if p.Text == "" {
		return false
	}
	switch p.Type {
	case PartText:
		return true
	case PartFile:
		// Anthropic's document keeps its text in an object of its own.
		return p.raw == nil || present(fieldsOf(p.raw).get("text"))
	}
	return false
}

// edited is the message with the edits carried out; they are in the order of their places.
func (m Message) edited(edits []edit) (Message, error) {
	content, err := m.Content.edited(edits, m.isResult())
	if err != nil {
		return m, err
	}
	calls := len(m.Content.Parts)
	if m.Content.Parts == nil && m.Content.Text != "" {
		calls = 1
	}
	var gone []int
	for _, e := range edits {
		if e.kind == KindDropped && e.place.block >= calls && !m.isResult() {
			gone = append(gone, e.place.block-calls)
		}
	}
	if m, err = m.withContent(content); err != nil || len(gone) == 0 {
		return m, err
	}
	return m.withoutCalls(gone)
}

// edited is the content with the edits carried out. In the content of a message that is one tool result the
// places count its parts as parts of the result.
func (c Content) edited(edits []edit, isResult bool) (Content, error) {
	if isResult {
		return c.editedOutput(edits)
	}
	if c.Parts == nil {
		for _, e := range edits {
			if e.place.block == 0 && c.Text != "" {
				if e.kind == KindDropped {
					return Content{}, nil
				}
				c.Text = e.cut.apply(c.Text)
			}
		}
		return c, nil
	}
	parts := make([]Part, 0, len(c.Parts))
	for b, part := range c.Parts {
		var mine []edit
		for _, e := range edits {
			if e.place.block == b {
				mine = append(mine, e)
			}
		}
		switch {
		case len(mine) == 0:
		case mine[0].kind == KindDropped:
			continue
		case part.Type == PartToolResult:
			output, err := part.Output.editedOutput(mine)
			if err != nil {
				return c, err
			}
			if part, err = part.withOutput(output); err != nil {
				return c, err
			}
		default:
			var err error
			if part, err = part.withText(mine[0].cut.apply(part.Text)); err != nil {
				return c, err
			}
		}
		parts = append(parts, part)
	}
	c.Parts = parts
	return c, nil
}

func (c Content) editedOutput(edits []edit) (Content, error) {
	for _, e := range edits {
		if e.kind == KindCleared {
			return Text(e.cut.note), nil
		}
	}
	if c.Parts == nil {
		for _, e := range edits {
			c.Text = e.cut.apply(c.Text)
		}
		return c, nil
	}
	c.Parts = slices.Clone(c.Parts)
	for _, e := range edits {
		part, err := c.Parts[e.place.sub].withText(e.cut.apply(c.Parts[e.place.sub].Text))
		if err != nil {
			return c, err
		}
		c.Parts[e.place.sub] = part
	}
	return c, nil
}

// withText is the part with another text; its other fields keep their bytes.
func (p Part) withText(text string) (Part, error) {
	p.Text = text
	if p.raw == nil {
		return p, nil
	}
	value, err := encodeJSON(text)
	if err != nil {
		return p, err
	}
	field := "text"
	if present(fieldsOf(p.raw).get("refusal")) {
		field = "refusal"
	}
	p.raw = replaceField(p.raw, field, value)
	return p, nil
}

// withOutput is the tool result with another output.
func (p Part) withOutput(output Content) (Part, error) {
	p.Output = output
	if p.raw == nil {
		return p, nil
	}
	value, err := encodeContent(output)
	if err != nil {
		return p, err
	}
	p.raw = replaceField(p.raw, "content", value)
	return p, nil
}

// withoutCalls is the message without some of the calls that stand beside its content.
func (m Message) withoutCalls(gone []int) (Message, error) {
	kept := make([]ToolCall, 0, len(m.ToolCalls))
	for k, call := range m.ToolCalls {
		if !slices.Contains(gone, k) {
			kept = append(kept, call)
		}
	}
	if m.source != nil {
		name := "toolCalls"
		if m.source.shape == shapeOpenAI && present(fieldsOf(m.source.raw).get("tool_calls")) {
			name = "tool_calls"
		}
		var list [][]byte
		for k, item := range items(fieldsOf(m.source.raw).get(name)) {
			if !slices.Contains(gone, k) {
				list = append(list, item)
			}
		}
		raw := slices.Concat([]byte{'['}, bytes.Join(list, []byte{','}), []byte{']'})
		object := replaceField(m.source.raw, name, raw)
		if len(list) == 0 {
			object = withoutField(m.source.raw, name) // OpenAI refuses an empty list
		}
		m.source = &source{raw: object, shape: m.source.shape}
	}
	m.ToolCalls = kept
	return m, nil
}
