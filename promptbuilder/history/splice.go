package history

import (
	"bytes"
	"encoding/json"
	"slices"
)

// AppendText is the message with text at the end of its content, after a blank line. All other bytes of a
// parsed message stay as they were; in a message with parts it becomes a new text part, or, where the last
// part is a tool result, the end of that result.
func (m Message) AppendText(text string) (Message, error) {
	content := m.Content
	switch {
	case content.Parts == nil:
		content.Text = joinText(content.Text, text)
	case len(content.Parts) > 0 && content.Parts[len(content.Parts)-1].Type == PartToolResult:
		content.Parts = slices.Clone(content.Parts)
		last := &content.Parts[len(content.Parts)-1]
		output, err := last.appendOutput(text)
		if err != nil {
			return m, err
		}
		*last = output
	default:
		raw, err := encodeJSON(textPart{PartText, text})
		if err != nil {
			return m, err
		}
		content.Parts = append(slices.Clip(content.Parts), Part{Type: PartText, Text: text, raw: raw})
	}
	return m.withContent(content)
}

type textPart struct {
	Type string `json:"type"`
	Text string `json:"text"`
}

func joinText(before, after string) string {
	if before == "" {
		return after
	}
	return before + "\n\n" + after
}

func (p Part) appendOutput(text string) (Part, error) {
	if p.Output.Parts == nil {
		p.Output.Text = joinText(p.Output.Text, text)
	} else {
		raw, err := encodeJSON(textPart{PartText, text})
		if err != nil {
			return p, err
		}
		p.Output.Parts = append(slices.Clip(p.Output.Parts), Part{Type: PartText, Text: text, raw: raw})
	}
	if p.raw == nil {
		return p, nil
	}
	value, err := encodeContent(p.Output)
	if err != nil {
		return p, err
	}
	p.raw = replaceField(p.raw, "content", value)
	return p, nil
}

// withContent is the message with other content; the other fields keep their bytes and their order.
func (m Message) withContent(content Content) (Message, error) {
	m.Content = content
	if m.source == nil {
		return m, nil
	}
	value, err := encodeContent(content)
	if err != nil {
		return m, err
	}
	m.source = &source{raw: replaceField(m.source.raw, "content", value), shape: m.source.shape}
	return m, nil
}

// encodeContent writes content with every parsed part as the bytes that it came in.
func encodeContent(content Content) (json.RawMessage, error) {
	if content.Parts == nil {
		return encodeJSON(content.Text)
	}
	var out bytes.Buffer
	out.WriteByte('[')
	for i, part := range content.Parts {
		if i > 0 {
			out.WriteByte(',')
		}
		raw := part.raw
		if raw == nil {
			var err error
			if raw, err = encodeJSON(part.own()); err != nil {
				return nil, err
			}
		}
		out.Write(raw)
	}
	out.WriteByte(']')
	return out.Bytes(), nil
}

// replaceField replaces the value of one field of a JSON object, or adds the field at the end; every other
// byte stays. Of a field that is given twice the last one counts, as it does when it is read.
func replaceField(object json.RawMessage, name string, value json.RawMessage) json.RawMessage {
	from, to, count := -1, -1, 0
	fields(object, func(f field) {
		count++
		if string(f.key) == name {
			from, to = f.from, f.from+len(f.value)
		}
	})
	if from < 0 {
		end := bytes.LastIndexByte(object, '}')
		field := `"` + name + `":` + string(value)
		if count > 0 {
			field = "," + field
		}
		return slices.Concat(object[:end], []byte(field), object[end:])
	}
	return slices.Concat(object[:from], value, object[to:])
}

// withoutField is the object without a field; the other fields keep their bytes.
func withoutField(object json.RawMessage, name string) json.RawMessage {
	var out bytes.Buffer
	out.WriteByte('{')
	fields(object, func(f field) {
		if string(f.key) == name {
			return
		}
		if out.Len() > 1 {
			out.WriteByte(',')
		}
		key, err := encodeJSON(string(f.key))
		if err != nil { // a string always encodes
			panic(err)
		}
		out.Write(key)
		out.WriteByte(':')
		out.Write(f.value)
	})
	out.WriteByte('}')
	return out.Bytes()
}
