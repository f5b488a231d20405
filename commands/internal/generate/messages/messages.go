// Package messages describes the JSON of conversations for the generator.
// The types of promptbuilder/history encode themselves, because a message goes
// back in the shape in which it came; what a client may rely on is foreword's
// own shape, and these structs are that shape. Nothing else uses them. A test
// holds them against what promptbuilder/history writes.
package messages

import "encoding/json"

// Message is one message of a conversation, in foreword's own shape. Messages in the shape of OpenAI's chat
// API and of Anthropic's are accepted as well, and come back in the shape in which they came; members that
// are not known are kept.
type Message struct {
	// ID names the message in a session.
	ID string `json:"id,omitempty"`
	// Role of the speaker; developer is treated like system.
	Role string `json:"role" enum:"system,developer,user,assistant,tool"`
	// Content is what was said; it may be missing where an assistant only calls tools.
	Content *Content `json:"content,omitempty"`
	// Pinned messages are never shortened and never dropped.
	Pinned bool `json:"pinned,omitempty"`
	// Hide is for the panel: the user does not see the message, the model does.
	Hide bool `json:"hide,omitempty"`
	// Files are the paths or URIs attached to the message.
	Files []string `json:"files,omitempty"`
	// EphemeralTTL is for how many assistant turns the message is worth keeping; for ever without one.
	EphemeralTTL *int `json:"ephemeralTTL,omitempty"`
	// ToolCalls of an assistant that stand beside the content.
	ToolCalls []MessageToolCall `json:"toolCalls,omitempty"`
	// ToolCallID names the call that a message of role tool answers.
	ToolCallID string `json:"toolCallID,omitempty"`
	// Model that wrote the message.
	Model string `json:"model,omitempty"`
	// Time at which it was written.
	Time string `json:"time,omitempty"`
}

// Content stands for a string or a list of parts; the generator writes it as that union.
type Content struct {
	Text  string
	Parts []MessagePart
}

// UnmarshalJSON reads either.
func (c *Content) UnmarshalJSON(raw []byte) error {
	if json.Unmarshal(raw, &c.Text) == nil {
		return nil
	}
	return json.Unmarshal(raw, &c.Parts)
}

// MessagePart is one block of a message. Which members have a meaning depends on the type. OpenAI's and
// Anthropic's own part types are accepted as well.
type MessagePart struct {
	// Type of the part, or one of OpenAI's or Anthropic's own types.
	Type string `json:"type"`
	// Text of a text part, of a file given as text, or what can be read of a thinking part.
	Text string `json:"text,omitempty"`
	// ID of a tool-use, or of a thinking part where its provider numbers them.
	ID string `json:"id,omitempty"`
	// ToolCallID names the call that a tool-result answers.
	ToolCallID string `json:"toolCallID,omitempty"`
	// Name of the tool, or of the file.
	Name string `json:"name,omitempty"`
	// Arguments of a tool-use: an object, or the text that the model wrote where it is no JSON object.
	Arguments any `json:"arguments,omitempty"`
	// Content is the output of a tool-result.
	Content *Content `json:"content,omitempty"`
	// IsError tells that the tool failed.
	IsError bool `json:"isError,omitempty"`
	// MIMEType of an image or file.
	MIMEType string `json:"mimeType,omitempty"`
	// Data of an image or file, in base64.
	Data string `json:"data,omitempty"`
	// URL of an image or file, or the provider's id of it.
	URL string `json:"url,omitempty"`
	// Signature of a thinking part; it goes back to the provider as it came.
	Signature string `json:"signature,omitempty"`
	// Model that a thinking part belongs to, where it is not the message's.
	Model string `json:"model,omitempty"`
	// CacheControl is the caller's own mark for Anthropic's cache.
	CacheControl json.RawMessage `json:"cache_control,omitempty"`
}

// MessageToolCall is a tool call that stands beside the content.
type MessageToolCall struct {
	// ID that the result will name.
	ID string `json:"id,omitempty"`
	// Name of the tool.
	Name string `json:"name"`
	// Arguments are an object, or the text that the model wrote where it is no JSON object.
	Arguments any `json:"arguments,omitempty"`
}
