package wire

import (
	"encoding/json"

	"foreword/promptbuilder/history"
)

// VS Code's language model API. The body is not sent over a network: the extension makes a
// LanguageModelChatMessage of every message, and of every part the class that its type names
// (LanguageModelTextPart, …ToolCallPart, …ToolResultPart, …DataPart). There is no role for system text.

type vscodeTail struct {
	Tools   []vscodeTool   `json:"tools,omitempty"`
	Options *vscodeOptions `json:"modelOptions,omitempty"`
}

type vscodeOptions struct {
	MaxTokens int `json:"max_tokens"`
}

type vscodeTool struct {
	Name        string          `json:"name"`
	Description string          `json:"description"`
	InputSchema json.RawMessage `json:"inputSchema"`
}

type vscodeMessage struct {
	Role    string       `json:"role"`
	Content []vscodePart `json:"content"`
}

type vscodePart struct {
	// Type is text, toolCall, toolResult or data.
	Type    string          `json:"type"`
	Value   *string         `json:"value,omitempty"`
	CallID  string          `json:"callId,omitempty"`
	Name    string          `json:"name,omitempty"`
	Input   json.RawMessage `json:"input,omitempty"`
	Content []vscodePart    `json:"content,omitempty"`
	MIME    string          `json:"mimeType,omitempty"`
	// Data in base64.
	Data string `json:"data,omitempty"`
}

func outlineVSCodeLM(c *conversation) outline {
	var tail vscodeTail
	if c.MaxOutput > 0 {
		tail.Options = &vscodeOptions{c.MaxOutput}
	}
	for _, tool := range c.Tools {
		tail.Tools = append(tail.Tools, vscodeTool{tool.Name, tool.Description, tool.Parameters})
	}
	o := outline{head: chatHead{c.Model}, list: "messages", tail: tail}
	if system := c.systemText(); system != "" {
		c.note("vscode-lm has no system role: the system text is sent as the first user message")
		o.first = vscodeMessage{history.RoleUser, []vscodePart{vscodeText(system)}}
	}
	return o
}

func vscodeMessages(c *conversation, e entry) []any {
	message := vscodeMessage{Role: e.role, Content: []vscodePart{}}
	if e.role != history.RoleAssistant {
		message.Role = history.RoleUser
	}
	for _, part := range e.parts {
		message.Content = append(message.Content, c.vscodeParts(part)...)
	}
	if len(message.Content) == 0 {
		message.Content = append(message.Content, vscodeText(""))
	}
	return []any{message}
}

func vscodeText(text string) vscodePart { return vscodePart{Type: "text", Value: &text} }

func (c *conversation) vscodeParts(part history.Part) []vscodePart {
	switch {
	case part.Type == history.PartToolUse:
		return []vscodePart{{Type: "toolCall", CallID: part.ID, Name: part.Name, Input: c.arguments(part)}}
	case part.Type == history.PartToolResult:
		return []vscodePart{{Type: "toolResult", CallID: part.ID, Content: []vscodePart{vscodeText(c.outputText(part))}}}
	case c.takesImage(part) && part.Media.Data != "":
		return []vscodePart{{Type: "data", MIME: mimeOf(part), Data: part.Media.Data}}
	}
	if text := c.textOf(part); text != "" {
		return []vscodePart{vscodeText(text)}
	}
	return nil
}
