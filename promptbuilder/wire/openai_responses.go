package wire

import (
	"encoding/json"
	"strings"

	"foreword/promptbuilder/history"
)

// OpenAI's responses. The whole system text is the instructions; later system messages are of role developer.

type responsesHead struct {
	Model        string `json:"model"`
	Instructions string `json:"instructions,omitempty"`
}

type responsesTail struct {
	Tools     []responsesTool `json:"tools,omitempty"`
	MaxOutput int             `json:"max_output_tokens,omitempty"`
	// Store is false: the panel keeps the history, and nothing shall stay with the provider unasked.
	Store bool `json:"store"`
}

type responsesTool struct {
	Type        string          `json:"type"`
	Name        string          `json:"name"`
	Description string          `json:"description,omitempty"`
	Parameters  json.RawMessage `json:"parameters"`
	// Strict is said because its default is true, and a strict schema has rules that tools of panels break.
	Strict bool `json:"strict"`
}

type responsesMessage struct {
	Type string `json:"type"`
	Role string `json:"role"`
	// Content is a list of responsesPart, or a string where the model speaks: its parts are of a type that wants
	// the id and the state that OpenAI gave them, which a panel does not have.
	Content any `json:"content"`
}

type responsesPart struct {
	Type     string  `json:"type"`
	Text     *string `json:"text,omitempty"`
	ImageURL string  `json:"image_url,omitempty"`
	Detail   string  `json:"detail,omitempty"`
	FileName string  `json:"filename,omitempty"`
	FileData string  `json:"file_data,omitempty"`
	FileURL  string  `json:"file_url,omitempty"`
}

type responsesCall struct {
	Type      string `json:"type"`
	CallID    string `json:"call_id"`
	Name      string `json:"name"`
	Arguments string `json:"arguments"`
}

type responsesResult struct {
	Type   string `json:"type"`
	CallID string `json:"call_id"`
	// Output is a string or a list of responsesPart.
	Output any `json:"output"`
}

type responsesReasoning struct {
	Type      string          `json:"type"`
	ID        string          `json:"id"`
	Summary   []responsesPart `json:"summary"`
	Encrypted string          `json:"encrypted_content"`
}

// encryptedReasoning: reasoning is taken back from the same model, by its id and in its encrypted form.
func encryptedReasoning(part history.Part, same, _ bool) bool {
	return same && part.ID != "" && part.Media != nil && part.Media.Data != ""
}

func outlineOpenAIResponses(c *conversation) outline {
	tail := responsesTail{MaxOutput: c.MaxOutput}
	for _, tool := range c.Tools {
		tail.Tools = append(tail.Tools, responsesTool{"function", tool.Name, tool.Description, tool.Parameters, false})
	}
	if c.NumCtx > 0 {
		c.note("openai-responses cannot set num_ctx")
	}
	return outline{head: responsesHead{c.Model, c.systemText()}, list: "input", tail: tail}
}

func openAIResponsesItems(c *conversation, e entry) []any {
	switch e.role {
	case history.RoleTool:
		results := make([]any, 0, len(e.parts))
		for _, result := range e.parts {
			results = append(results, responsesResult{"function_call_output", result.ID, c.responsesOutput(result)})
		}
		return results
	case history.RoleAssistant:
		return c.responsesAnswer(e)
	}
	role := e.role
	if role == history.RoleSystem {
		role = history.RoleDeveloper
	}
	return []any{responsesMessage{"message", role, c.responsesContent(e.parts)}}
}

// responsesAnswer is an answer as items: reasoning, text and calls in the order in which they were written.
func (c *conversation) responsesAnswer(e entry) []any {
	var items []any
	var said []string
	flush := func() {
		if len(said) > 0 {
			items = append(items, responsesMessage{"message", e.role, strings.Join(said, "\n\n")})
			said = nil
		}
	}
	for _, part := range e.parts {
		switch part.Type {
		case history.PartThinking:
			flush()
			summary := []responsesPart{}
			if part.Text != "" {
				summary = append(summary, responsesPart{Type: "summary_text", Text: &part.Text})
			}
			items = append(items, responsesReasoning{"reasoning", part.ID, summary, part.Media.Data})
		case history.PartToolUse:
			flush()
			items = append(items, responsesCall{"function_call", part.ID, part.Name, c.argumentText(part)})
		default:
			if text := c.textOf(part); text != "" {
				said = append(said, text)
			}
		}
	}
	flush()
	// OpenAI refuses reasoning without the item that it led to, and an answer that was stopped has none.
	for len(items) > 0 {
		if _, ok := items[len(items)-1].(responsesReasoning); !ok {
			break
		}
		items = items[:len(items)-1]
		c.note("messages[%d]: thinking that led to nothing is left out: %s refuses it", e.index, c.Wire)
	}
	return items
}

func (c *conversation) responsesContent(parts []history.Part) []responsesPart {
	content := []responsesPart{}
	for _, part := range parts {
		switch {
		case c.takesImage(part):
			content = append(content, responsesPart{Type: "input_image", ImageURL: mediaURL(part), Detail: "auto"})
		case isDocument(part) && part.Media.Data != "":
			content = append(content, responsesPart{Type: "input_file", FileName: mediaName(part), FileData: mediaURL(part)})
		case isDocument(part):
			content = append(content, responsesPart{Type: "input_file", FileURL: part.Media.URL})
		default:
			if text := c.textOf(part); text != "" {
				content = append(content, responsesPart{Type: "input_text", Text: &text})
			}
		}
	}
	if len(content) == 0 {
		empty := ""
		content = append(content, responsesPart{Type: "input_text", Text: &empty})
	}
	return content
}

func (c *conversation) responsesOutput(result history.Part) any {
	for _, part := range result.Output.Parts {
		if c.takesImage(part) || isDocument(part) {
			return c.responsesContent(result.Output.Parts)
		}
	}
	return c.outputText(result)
}
