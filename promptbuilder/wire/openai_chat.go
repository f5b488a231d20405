package wire

import (
	"encoding/json"
	"strings"

	"foreword/promptbuilder/history"
)

// OpenAI's chat completions, which many other servers speak too. So the body has nothing that only OpenAI
// knows: one leading system message, content as a string wherever it is text only, and the role system where
// OpenAI's newer word is developer (it takes both for the same; the templates of other models know system only).
//
// Later system messages are right for OpenAI's own models. Many chat templates refuse them ("System message must be
// at the beginning", Qwen 3.5 and 3.6 in vllm-project/vllm#41114), and refuse two messages of the user in a row
// ("Conversation roles must alternate", Gemma 3, Mistral); others drop them without a word, or move them to the
// front. Where that may be (Request.OneSystem), they are the user's, tagged, and what stands in a row is one message.

type chatHead struct {
	Model string `json:"model"`
}

type chatTail struct {
	Tools     []chatTool `json:"tools,omitempty"`
	MaxTokens int        `json:"max_tokens,omitempty"`
	// OpenAI's reasoning models refuse max_tokens; most other servers know nothing else.
	MaxCompletionTokens int `json:"max_completion_tokens,omitempty"`
}

type chatMessage struct {
	Role string `json:"role"`
	// Content is a string, a list of chatPart, or null beside tool calls.
	Content    any        `json:"content"`
	ToolCalls  []chatCall `json:"tool_calls,omitempty"`
	ToolCallID string     `json:"tool_call_id,omitempty"`
	// turns says that no two messages of this role may stand in a row.
	turns bool
}

// joins tells of a message of the same role, where the two take turns.
func (m *chatMessage) joins(next any) bool {
	return m.turns && next.(*chatMessage).Role == m.Role
}

// join takes in what another message says.
func (m *chatMessage) join(next any) {
	other := next.(*chatMessage)
	m.ToolCalls = append(m.ToolCalls, other.ToolCalls...)
	was, isText := m.Content.(string)
	adds, addsText := other.Content.(string)
	switch {
	case other.Content == nil:
	case m.Content == nil:
		m.Content = other.Content
	case isText && addsText:
		m.Content = joinBlocks([]string{was, adds})
	default:
		m.Content = append(contentParts(m.Content), contentParts(other.Content)...)
	}
}

// contentParts is the content of a message as a list.
func contentParts(content any) []chatPart {
	switch content := content.(type) {
	case []chatPart:
		return content
	case string:
		if content != "" {
			return []chatPart{{Type: "text", Text: content}}
		}
	}
	return nil
}

type chatPart struct {
	Type     string     `json:"type"`
	Text     string     `json:"text,omitempty"`
	ImageURL *chatImage `json:"image_url,omitempty"`
	File     *chatFile  `json:"file,omitempty"`
}

type chatImage struct {
	URL string `json:"url"`
}

type chatFile struct {
	Name string `json:"filename,omitempty"`
	Data string `json:"file_data,omitempty"`
}

type chatCall struct {
	ID       string           `json:"id"`
	Type     string           `json:"type"`
	Function chatCallFunction `json:"function"`
}

type chatCallFunction struct {
	Name      string `json:"name"`
	Arguments string `json:"arguments"`
}

type chatTool struct {
	Type     string       `json:"type"`
	Function chatFunction `json:"function"`
}

type chatFunction struct {
	Name        string          `json:"name"`
	Description string          `json:"description,omitempty"`
	Parameters  json.RawMessage `json:"parameters"`
}

func outlineOpenAIChat(c *conversation) outline {
	tail := chatTail{Tools: chatTools(c.Tools)}
	if reasoningModel(c.Model) {
		tail.MaxCompletionTokens = c.MaxOutput
	} else {
		tail.MaxTokens = c.MaxOutput
	}
	if c.NumCtx > 0 {
		c.note("openai-chat cannot set num_ctx: the server loads the model with a window of its own and may cut the beginning of the prompt")
	}
	o := outline{head: chatHead{c.Model}, list: "messages", tail: tail}
	if system := c.systemText(); system != "" {
		o.first = &chatMessage{Role: history.RoleSystem, Content: system}
	}
	return o
}

func openAIChatMessages(c *conversation, e entry) []any {
	switch e.role {
	case history.RoleTool:
		results := make([]any, 0, len(e.parts))
		for _, result := range e.parts {
			results = append(results, &chatMessage{Role: e.role, ToolCallID: result.ID, Content: c.outputText(result)})
		}
		return results
	case history.RoleAssistant:
		return []any{c.chatAnswer(e)}
	case history.RoleSystem:
		return []any{&chatMessage{Role: e.role, Content: c.plainText(e.parts)}}
	}
	return []any{&chatMessage{Role: e.role, Content: c.chatContent(e.parts), turns: c.OneSystem}}
}

func (c *conversation) chatAnswer(e entry) *chatMessage {
	message := &chatMessage{Role: e.role, turns: c.OneSystem}
	for _, part := range e.parts {
		if part.Type == history.PartToolUse {
			message.ToolCalls = append(message.ToolCalls, chatCall{part.ID, "function", chatCallFunction{part.Name, c.argumentText(part)}})
		}
	}
	if text := c.plainText(e.parts); text != "" || len(message.ToolCalls) == 0 {
		message.Content = text
	}
	return message
}

// chatContent is a string where there is only text.
func (c *conversation) chatContent(parts []history.Part) any {
	var list []chatPart
	media := false
	for _, part := range parts {
		switch {
		case c.takesImage(part):
			media = true
			list = append(list, chatPart{Type: "image_url", ImageURL: &chatImage{mediaURL(part)}})
		case isDocument(part) && part.Media.Data != "":
			media = true
			list = append(list, chatPart{Type: "file", File: &chatFile{Name: mediaName(part), Data: mediaURL(part)}})
		default:
			if text := c.textOf(part); text != "" {
				list = append(list, chatPart{Type: "text", Text: text})
			}
		}
	}
	if media {
		return list
	}
	texts := make([]string, len(list))
	for i, part := range list {
		texts[i] = part.Text
	}
	return strings.Join(texts, "\n\n")
}

func chatTools(tools []Tool) []chatTool {
	var list []chatTool
	for _, tool := range tools {
		list = append(list, chatTool{"function", chatFunction{tool.Name, tool.Description, tool.Parameters}})
	}
	return list
}

// reasoningModel says whether a model is one of OpenAI's that take max_completion_tokens only: the o series
// and GPT-5.
func reasoningModel(model string) bool {
	model = strings.ToLower(model[strings.LastIndexByte(model, '/')+1:])
	for _, prefix := range []string{"o1", "o3", "o4", "gpt-5"} {
		if model == prefix || strings.HasPrefix(model, prefix+"-") || strings.HasPrefix(model, prefix+".") {
			return true
		}
	}
	return false
}
