package wire

import (
	"encoding/json"
	"strings"

	"foreword/promptbuilder/history"
)

// Ollama's own /api/chat, and not its OpenAI-compatible path: only here can the window be set. When the prompt
// is longer than the window, Ollama cuts its beginning, the system text first, and does not say so.
//
// Later system messages would not stay where they are: Ollama collects all of them, and most templates print the
// collection at the beginning (collate in template/template.go of ollama/ollama), which says a change before its
// time and throws the server's cache away; the newest renderers refuse them.

type ollamaTail struct {
	Tools   []chatTool     `json:"tools,omitempty"`
	Options *ollamaOptions `json:"options,omitempty"`
}

type ollamaOptions struct {
	NumCtx     int `json:"num_ctx,omitempty"`
	NumPredict int `json:"num_predict,omitempty"`
}

type ollamaMessage struct {
	Role       string       `json:"role"`
	Content    string       `json:"content"`
	Thinking   string       `json:"thinking,omitempty"`
	Images     []string     `json:"images,omitempty"`
	ToolCalls  []ollamaCall `json:"tool_calls,omitempty"`
	ToolName   string       `json:"tool_name,omitempty"`
	ToolCallID string       `json:"tool_call_id,omitempty"`
}

type ollamaCall struct {
	ID       string         `json:"id,omitempty"`
	Function ollamaFunction `json:"function"`
}

type ollamaFunction struct {
	Name      string          `json:"name"`
	Arguments json.RawMessage `json:"arguments"`
}

func outlineOllama(c *conversation) outline {
	tail := ollamaTail{Tools: chatTools(c.Tools)}
	if c.NumCtx > 0 || c.MaxOutput > 0 {
		tail.Options = &ollamaOptions{c.NumCtx, c.MaxOutput}
	}
	switch {
	case c.NumCtx == 0:
		c.note("ollama: num_ctx is not set, so the model is loaded with Ollama's default window; a longer prompt loses its beginning without a word")
	case c.Estimate > 0 && c.Estimate+c.MaxOutput > c.NumCtx:
		c.note("ollama: about %d tokens and %d for the answer do not fit num_ctx %d: the beginning of the prompt will be lost without a word; raise num_ctx or shorten the history",
			c.Estimate, c.MaxOutput, c.NumCtx)
	}
	o := outline{head: chatHead{c.Model}, list: "messages", tail: tail}
	if system := c.systemText(); system != "" {
		o.first = ollamaMessage{Role: history.RoleSystem, Content: system}
	}
	return o
}

func ollamaMessages(c *conversation, e entry) []any {
	if e.role != history.RoleTool {
		return []any{c.ollamaMessage(e)}
	}
	results := make([]any, 0, len(e.parts))
	for _, result := range e.parts {
		results = append(results, ollamaMessage{
			Role: e.role, Content: c.outputText(result), ToolName: result.Name, ToolCallID: result.ID,
		})
	}
	return results
}

func (c *conversation) ollamaMessage(e entry) ollamaMessage {
	message := ollamaMessage{Role: e.role}
	var texts []string
	for _, part := range e.parts {
		switch {
		case part.Type == history.PartThinking:
			message.Thinking += part.Text
		case part.Type == history.PartToolUse:
			message.ToolCalls = append(message.ToolCalls, ollamaCall{part.ID, ollamaFunction{part.Name, c.arguments(part)}})
		case c.takesImage(part) && part.Media.Data != "":
			message.Images = append(message.Images, part.Media.Data)
		default:
			if text := c.textOf(part); text != "" {
				texts = append(texts, text)
			}
		}
	}
	message.Content = strings.Join(texts, "\n\n")
	return message
}
