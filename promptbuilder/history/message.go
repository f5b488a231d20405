package history

import (
	"encoding/json"
	"strings"
	"sync"
)

// Roles of messages. Developer is OpenAI's newer word for system and is treated like it.
const (
	RoleSystem    = "system"
	RoleDeveloper = "developer"
	RoleUser      = "user"
	RoleAssistant = "assistant"
	RoleTool      = "tool"
)

// Types of parts.
const (
	PartText       = "text"
	PartImage      = "image"
	PartFile       = "file"
	PartToolUse    = "tool-use"
	PartToolResult = "tool-result"
	PartThinking   = "thinking"
	// PartOpaque is a block that only the provider that made it understands (a search that the provider ran
	// itself, for example). It is carried along unread.
	PartOpaque = "opaque"
)

// Message is one message of a conversation.
//
// A message that was parsed keeps the bytes that it came in and is encoded as those bytes. Change such a
// message only through its methods (AppendText): a field that is assigned is seen by Prepare and by the wire,
// not by the encoder.
type Message struct {
	ID   string
	Role string
	// Content is what was said. For role tool without tool-result parts it is the result of call ToolCallID.
	Content Content
	// Pinned messages are never shortened and never dropped.
	Pinned bool
	// Hide is for the panel alone (the user does not see the message); the model gets it.
	Hide bool
	// Files are the paths or URIs attached to the message.
	Files []string
	// EphemeralTTL is for how many assistant turns the message is worth keeping; nil is for ever.
	EphemeralTTL *int
	ToolCalls    []ToolCall
	// ToolCallID names the call that a message of role tool answers; "" ties it by position.
	ToolCallID string
	// Model is the model that wrote the message; its thinking is of use to that model only.
	Model string
	Time  string
	// InPlace marks a system message that the server put between the panel's: it is a change that was said at
	// this point of the conversation, so it never moves into the system text, not even from the beginning.
	InPlace bool

	source *source
}

// source is what a parsed message came as.
type source struct {
	raw   json.RawMessage
	shape shape
	// key is made by once, when somebody asks.
	once sync.Once
	key  Key
}

// shape is whose message format a message came in. The order is that of precedence: the higher one wins when
// a message has marks of two.
type shape uint8

const (
	shapeOwn shape = iota
	shapeOpenAI
	shapeAnthropic
)

// Content is a string or a list of parts.
type Content struct {
	// Text is the content when it was given as a string; Parts is nil then.
	Text  string
	Parts []Part
}

// Text is content of a plain string.
func Text(text string) Content { return Content{Text: text} }

// Part is one block of a message's content. Which fields have a meaning depends on Type.
type Part struct {
	Type string
	// Text of a text part, of a file given as text, or what can be read of a thinking part.
	Text string
	// ID of a call (tool-use), of the call that is answered (tool-result), or of a thinking part where its
	// provider numbers them.
	ID string
	// Name of the tool (tool-use, and tool-result where known).
	Name string
	// Arguments of a tool-use: JSON text as the model wrote it, which may be broken JSON.
	Arguments string
	// Output of a tool-result.
	Output Content
	// IsError says that the tool failed.
	IsError bool
	// Media is the payload of image and file parts.
	Media *Media
	// Signature of a thinking part, or the token that a provider wants back with a call.
	Signature string
	// Model that a thinking part belongs to, when it is not the message's.
	Model string
	// CacheControl is the mark that the caller set for Anthropic's cache, as it came.
	CacheControl json.RawMessage

	raw json.RawMessage
}

// Media is the payload of an image or file: inline data, or where it can be fetched.
type Media struct {
	// MIME type; may be empty when only URL is known.
	MIME string
	// Data in standard base64. For encrypted thinking it is the provider's own encoding.
	Data string
	// URL or the provider's file id.
	URL string
	// Name of the file for the reader.
	Name string
}

// ToolCall is a tool call that stands beside the content, not in it.
type ToolCall struct {
	ID   string
	Name string
	// Arguments is JSON text as the model wrote it, which may be broken JSON.
	Arguments string
}

// Raw is the part as it came, nil for a part made in Go. The caller must not change it.
func (p Part) Raw() json.RawMessage { return p.raw }

// Blocks is the message as a uniform list of parts: the text or the parts of the content, then the tool calls;
// a message of role tool is one tool-result. Block numbers in reports are indexes into this list.
func (m Message) Blocks() []Part {
	if m.isResult() {
		return []Part{{Type: PartToolResult, ID: m.ToolCallID, Output: m.Content}}
	}
	blocks := m.Content.Parts
	if blocks == nil && m.Content.Text != "" {
		blocks = []Part{{Type: PartText, Text: m.Content.Text}}
	}
	if len(m.ToolCalls) == 0 {
		return blocks
	}
	all := make([]Part, 0, len(blocks)+len(m.ToolCalls))
	all = append(all, blocks...)
	for _, call := range m.ToolCalls {
		all = append(all, Part{Type: PartToolUse, ID: call.ID, Name: call.Name, Arguments: call.Arguments})
	}
	return all
}

// IsSystem says whether the message is an instruction to the model (role system or developer).
func (m Message) IsSystem() bool { return m.Role == RoleSystem || m.Role == RoleDeveloper }

// StartsTurn says whether a turn begins here: a user message that says something of its own and does not only
// carry tool results.
func (m Message) StartsTurn() bool { return m.Role == RoleUser && m.hasOwnContent() }

// isResult says whether the whole message is one tool result (role tool without tool-result parts).
func (m Message) isResult() bool {
	if m.Role != RoleTool {
		return false
	}
	for _, part := range m.Content.Parts {
		if part.Type == PartToolResult {
			return false
		}
	}
	return true
}

// hasOwnContent says whether the message has anything but tool results. An empty message counts: it is there
// because somebody sent it.
func (m Message) hasOwnContent() bool {
	if m.isResult() {
		return false
	}
	if len(m.Content.Parts) == 0 {
		return true
	}
	for _, part := range m.Content.Parts {
		if part.Type != PartToolResult {
			return true
		}
	}
	return len(m.ToolCalls) > 0
}

// PlainText is all text of the content, parts joined by a blank line; results of tools included, thinking and
// media left out.
func (c Content) PlainText() string {
	if c.Parts == nil {
		return c.Text
	}
	var all strings.Builder
	for _, part := range c.Parts {
		said := ""
		switch part.Type {
		case PartText, PartFile:
			said = part.Text
		case PartToolResult:
			said = part.Output.PlainText()
		}
		if said == "" {
			continue
		}
		if all.Len() > 0 {
			all.WriteString("\n\n")
		}
		all.WriteString(said)
	}
	return all.String()
}
