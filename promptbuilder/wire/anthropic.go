package wire

import (
	"bytes"
	"encoding/json"
	"strings"

	"foreword/promptbuilder/history"
)

// Anthropic's messages. The system text is a list of blocks, so the cache boundary is the end of a block;
// results stand first in the user message after their calls; messages of one role in a row are merged, because
// gateways in front of the model refuse them. Cache marks are in anthropic_cache.go.

// anthropicVersion is the only version of the API that there is.
const anthropicVersion = "2023-06-01"

// anthropicMaxTokens is sent when nobody said how long the answer may be, because the API wants a number: the
// most that every model of Anthropic's that takes tools can answer.
const anthropicMaxTokens = 4096

type anthropicHead struct {
	Model     string           `json:"model"`
	MaxTokens int              `json:"max_tokens"`
	System    []anthropicBlock `json:"system,omitempty"`
	// boundary is the mark of the last cacheable block, nil for none.
	boundary *json.RawMessage
}

type anthropicTail struct {
	Tools []*anthropicTool `json:"tools,omitempty"`
}

type anthropicMessage struct {
	Role    string           `json:"role"`
	Content []anthropicBlock `json:"content"`
	// passing messages are gone in a later turn.
	passing bool
}

type anthropicTool struct {
	Name        string          `json:"name"`
	Description string          `json:"description,omitempty"`
	InputSchema json.RawMessage `json:"input_schema"`
	cacheMark
}

// anthropicBlock is one of the blocks below. They are pointers, because marks are set after all are made.
type anthropicBlock interface{ mark() *json.RawMessage }

// cacheMark is the cache_control of a block; nil is no mark.
type cacheMark struct {
	CacheControl json.RawMessage `json:"cache_control,omitempty"`
}

func (m *cacheMark) mark() *json.RawMessage { return &m.CacheControl }

type anthropicText struct {
	Type string `json:"type"`
	Text string `json:"text"`
	cacheMark
}

type anthropicThinking struct {
	Type      string     `json:"type"`
	Thinking  string     `json:"thinking"`
	Signature string     `json:"signature"`
	cacheMark `json:"-"` // thinking cannot be marked
}

type anthropicRedacted struct {
	Type      string `json:"type"`
	Data      string `json:"data"`
	cacheMark `json:"-"`
}

type anthropicUse struct {
	Type  string          `json:"type"`
	ID    string          `json:"id"`
	Name  string          `json:"name"`
	Input json.RawMessage `json:"input"`
	cacheMark
}

type anthropicResult struct {
	Type      string           `json:"type"`
	ToolUseID string           `json:"tool_use_id"`
	Content   []anthropicBlock `json:"content,omitempty"`
	IsError   bool             `json:"is_error,omitempty"`
	cacheMark
}

type anthropicMedia struct {
	Type   string          `json:"type"`
	Source anthropicSource `json:"source"`
	Title  string          `json:"title,omitempty"`
	cacheMark
}

type anthropicSource struct {
	Type      string `json:"type"`
	MediaType string `json:"media_type,omitempty"`
	Data      string `json:"data,omitempty"`
	URL       string `json:"url,omitempty"`
}

// anthropicRaw is a block that is sent as it came.
type anthropicRaw struct {
	raw json.RawMessage
	cacheMark
}

// MarshalJSON writes the bytes that came. Only when the mark is another than the caller's are they written anew.
func (b *anthropicRaw) MarshalJSON() ([]byte, error) {
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(b.raw, &fields); err != nil {
		return nil, err
	}
	if bytes.Equal(fields["cache_control"], b.CacheControl) {
		return b.raw, nil
	}
	if b.CacheControl == nil {
		delete(fields, "cache_control")
	} else {
		fields["cache_control"] = b.CacheControl
	}
	return encode(fields)
}

// signedThinking: Anthropic checks the signature of a thinking block, so a block without one is refused. A
// block that nobody stamped is taken for its own.
func signedThinking(part history.Part, same, unstamped bool) bool {
	signed := part.Signature != "" || part.Media != nil && part.Media.Data != ""
	return signed && (same || unstamped)
}

func outlineAnthropic(c *conversation) outline {
	head := &anthropicHead{Model: c.Model, MaxTokens: c.MaxOutput}
	if head.MaxTokens == 0 {
		head.MaxTokens = anthropicMaxTokens
		c.note("anthropic wants a limit for the answer: %d tokens was set", anthropicMaxTokens)
	}
	for _, block := range c.System {
		if strings.TrimSpace(block.Text) == "" {
			continue // blank blocks are refused
		}
		text := &anthropicText{Type: "text", Text: block.Text}
		head.System = append(head.System, text)
		if block.Cacheable {
			head.boundary = text.mark()
		}
	}
	for _, text := range c.lead {
		if strings.TrimSpace(text) != "" {
			head.System = append(head.System, &anthropicText{Type: "text", Text: text})
		}
	}
	tail := &anthropicTail{}
	for _, tool := range c.Tools {
		tail.Tools = append(tail.Tools, &anthropicTool{Name: tool.Name, Description: tool.Description, InputSchema: tool.Parameters})
	}
	return outline{head: head, list: "messages", tail: tail}
}

func anthropicMessages(c *conversation, e entry) []any { return []any{c.anthropicMessage(e)} }

// joins tells of a message of the same role.
func (m *anthropicMessage) joins(next any) bool { return next.(*anthropicMessage).Role == m.Role }

// join appends the blocks of a message to the one before it.
func (m *anthropicMessage) join(next any) {
	following := next.(*anthropicMessage)
	m.Content = append(m.Content, following.Content...)
	m.passing = m.passing || following.passing
}

// callerMarks are the marks that the caller set in a message.
func (m *anthropicMessage) callerMarks() []json.RawMessage {
	var marks []json.RawMessage
	for _, block := range m.Content {
		if mark := *block.mark(); mark != nil {
			marks = append(marks, mark)
		}
	}
	return marks
}

// sealAnthropic trims the end and sets the cache marks.
func sealAnthropic(c *conversation, o *outline, list []any) bool {
	messages := make([]*anthropicMessage, len(list))
	for i := range list {
		messages[i] = list[i].(*anthropicMessage)
	}
	if len(messages) > 0 {
		trimEnd(messages[len(messages)-1])
	}
	return setMarks(c, o.head.(*anthropicHead), o.tail.(*anthropicTail), messages)
}

// trimEnd takes the blanks from the end of an answer that the model shall continue: they are refused there.
func trimEnd(last *anthropicMessage) {
	if text, ok := last.Content[len(last.Content)-1].(*anthropicText); ok && last.Role == history.RoleAssistant {
		text.Text = strings.TrimRight(text.Text, " \t\r\n")
	}
}

func (c *conversation) anthropicMessage(e entry) *anthropicMessage {
	message := &anthropicMessage{Role: e.role, Content: c.anthropicBlocks(e.parts), passing: e.passing}
	if e.role == history.RoleTool {
		message.Role = history.RoleUser
	}
	return message
}

func (c *conversation) anthropicBlocks(parts []history.Part) []anthropicBlock {
	var blocks []anthropicBlock
	for _, part := range parts {
		if block := c.anthropicBlock(part); block != nil {
			if part.CacheControl != nil && part.Type != history.PartThinking {
				*block.mark() = part.CacheControl
			}
			blocks = append(blocks, block)
		}
	}
	return blocks
}

// anthropicBlock is nil for a part that says nothing.
func (c *conversation) anthropicBlock(part history.Part) anthropicBlock {
	switch {
	case part.Type == history.PartOpaque:
		return &anthropicRaw{raw: part.Raw()}
	case part.Type == history.PartThinking && anthropicOwn(part):
		return &anthropicRaw{raw: part.Raw()}
	case part.Type == history.PartThinking && part.Signature == "":
		return &anthropicRedacted{Type: "redacted_thinking", Data: part.Media.Data}
	case part.Type == history.PartThinking:
		return &anthropicThinking{Type: "thinking", Thinking: part.Text, Signature: part.Signature}
	case part.Type == history.PartToolUse:
		return &anthropicUse{Type: "tool_use", ID: part.ID, Name: part.Name, Input: c.arguments(part)}
	case part.Type == history.PartToolResult:
		return c.anthropicResult(part)
	case c.takesImage(part):
		return &anthropicMedia{Type: "image", Source: anthropicSourceOf(part)}
	case isDocument(part) && anthropicOwn(part):
		return &anthropicRaw{raw: part.Raw()} // citations and context are the caller's choice
	case isDocument(part) && (mimeOf(part) == "application/pdf" || part.Media.Data == ""):
		return &anthropicMedia{Type: "document", Source: anthropicSourceOf(part), Title: part.Media.Name}
	}
	text := c.textOf(part)
	if strings.TrimSpace(text) == "" {
		return nil // blank text is refused
	}
	return &anthropicText{Type: "text", Text: text}
}

func (c *conversation) anthropicResult(part history.Part) *anthropicResult {
	result := &anthropicResult{Type: "tool_result", ToolUseID: part.ID, IsError: part.IsError}
	output := part.Output.Parts
	if output == nil && strings.TrimSpace(part.Output.Text) != "" {
		output = []history.Part{{Type: history.PartText, Text: part.Output.Text}}
	}
	for _, block := range c.anthropicBlocks(output) {
		// A mark inside a result counts like any other; the result as a whole has it instead.
		if inner := block.mark(); *inner != nil {
			result.CacheControl, *inner = *inner, nil
		}
		result.Content = append(result.Content, block)
	}
	return result
}

func anthropicSourceOf(part history.Part) anthropicSource {
	if part.Media.Data == "" {
		return anthropicSource{Type: "url", URL: part.Media.URL}
	}
	return anthropicSource{Type: "base64", MediaType: mimeOf(part), Data: part.Media.Data}
}

// anthropicOwn says whether a part came in Anthropic's shape.
func anthropicOwn(part history.Part) bool {
	var fields struct {
		Type     string          `json:"type"`
		Thinking json.RawMessage `json:"thinking"`
	}
	if part.Raw() == nil || json.Unmarshal(part.Raw(), &fields) != nil {
		return false
	}
	return fields.Type == "redacted_thinking" || fields.Type == "document" || fields.Type == "thinking" && fields.Thinking != nil
}
