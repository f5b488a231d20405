package history

import (
	"bytes"
	"encoding/json"
	"fmt"
)

// Encode writes messages as one JSON list. A message that was parsed is written as the bytes that it came in,
// white space included; json.Marshal of the same list writes the same values, but in compact form.
func Encode(messages []Message) (json.RawMessage, error) {
	var out bytes.Buffer
	out.WriteByte('[')
	for i, message := range messages {
		if i > 0 {
			out.WriteByte(',')
		}
		raw, err := message.Raw()
		if err != nil {
			return nil, fmt.Errorf("messages[%d]: %w", i, err)
		}
		out.Write(raw)
	}
	out.WriteByte(']')
	return out.Bytes(), nil
}

// Raw is the message as JSON: as it came, or in our own shape when it was made in Go. The caller must not
// change it.
func (m Message) Raw() (json.RawMessage, error) {
	if m.source != nil {
		return m.source.raw, nil
	}
	return encodeJSON(m.own())
}

// MarshalJSON writes what Raw gives.
func (m Message) MarshalJSON() ([]byte, error) { return m.Raw() }

// MarshalJSON writes a string or a list of parts.
func (c Content) MarshalJSON() ([]byte, error) {
	if c.Parts == nil {
		return encodeJSON(c.Text)
	}
	return encodeJSON(c.Parts)
}

// MarshalJSON writes the part as it came, or in our own shape when it was made in Go.
func (p Part) MarshalJSON() ([]byte, error) {
	if p.raw != nil {
		return p.raw, nil
	}
	return encodeJSON(p.own())
}

// MarshalJSON writes {id, name, arguments} with the arguments as an object where they are one.
func (c ToolCall) MarshalJSON() ([]byte, error) {
	return encodeJSON(struct {
		ID        string          `json:"id,omitempty"`
		Name      string          `json:"name"`
		Arguments json.RawMessage `json:"arguments,omitempty"`
	}{c.ID, c.Name, encodeArguments(c.Arguments)})
}

func (m Message) own() any {
	content := &m.Content
	if len(m.ToolCalls) > 0 && content.Parts == nil && content.Text == "" {
		content = nil
	}
	return struct {
		ID           string     `json:"id,omitempty"`
		Role         string     `json:"role"`
		Content      *Content   `json:"content,omitempty"`
		Pinned       bool       `json:"pinned,omitempty"`
		Hide         bool       `json:"hide,omitempty"`
		Files        []string   `json:"files,omitempty"`
		EphemeralTTL *int       `json:"ephemeralTTL,omitempty"`
		ToolCalls    []ToolCall `json:"toolCalls,omitempty"`
		ToolCallID   string     `json:"toolCallID,omitempty"`
		Model        string     `json:"model,omitempty"`
		Time         string     `json:"time,omitempty"`
	}{m.ID, m.Role, content, m.Pinned, m.Hide, m.Files, m.EphemeralTTL, m.ToolCalls, m.ToolCallID, m.Model, m.Time}
}

func (p Part) own() any {
	own := struct {
		Type         string          `json:"type"`
		Text         *string         `json:"text,omitempty"`
		ID           string          `json:"id,omitempty"`
		ToolCallID   string          `json:"toolCallID,omitempty"`
		Name         string          `json:"name,omitempty"`
		Arguments    json.RawMessage `json:"arguments,omitempty"`
		Content      *Content        `json:"content,omitempty"`
		IsError      bool            `json:"isError,omitempty"`
		MIME         string          `json:"mimeType,omitempty"`
		Data         string          `json:"data,omitempty"`
		URL          string          `json:"url,omitempty"`
		Signature    string          `json:"signature,omitempty"`
		Model        string          `json:"model,omitempty"`
		CacheControl json.RawMessage `json:"cache_control,omitempty"`
	}{Type: p.Type, ID: p.ID, Name: p.Name, IsError: p.IsError, Signature: p.Signature, Model: p.Model, CacheControl: p.CacheControl}
	if p.Type == PartText || p.Text != "" {
		own.Text = &p.Text
	}
	switch p.Type {
	case PartToolUse:
		own.Arguments = encodeArguments(p.Arguments)
	case PartToolResult:
		own.ID, own.ToolCallID, own.Content = "", p.ID, &p.Output
	}
	if p.Media != nil {
		own.MIME, own.Data, own.URL = p.Media.MIME, p.Media.Data, p.Media.URL
		if p.Media.Name != "" {
			own.Name = p.Media.Name
		}
	}
	return own
}

// encodeArguments is the JSON object that the model wrote, or a string of what it wrote instead.
func encodeArguments(arguments string) json.RawMessage {
	if kindOf(json.RawMessage(arguments)) == "object" && json.Valid([]byte(arguments)) {
		return json.RawMessage(arguments)
	}
	raw, err := encodeJSON(arguments)
	if err != nil { // a string always encodes
		panic(err)
	}
	return raw
}

// encodeJSON is json.Marshal that leaves <, > and & as they are: prompts are full of them.
func encodeJSON(value any) (json.RawMessage, error) {
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(out.Bytes(), []byte("\n")), nil
}
