package wire

import (
	"encoding/json"
	"strings"

	"foreword/promptbuilder/history"
)

// Gemini's generateContent. The model is part of the URL. All results of one answer are one content, in the
// order of the calls' results.

// geminiSkipSignature stands for the signature of a call that Gemini 3 did not make itself. It refuses a call
// without a signature, and this is the value that Google documents for histories of other models.
const geminiSkipSignature = "skip_thought_signature_validator"

type geminiHead struct {
	System *geminiContent `json:"systemInstruction,omitempty"`
}

type geminiTail struct {
	Tools  []geminiTools    `json:"tools,omitempty"`
	Config *geminiGenerated `json:"generationConfig,omitempty"`
}

type geminiContent struct {
	Role  string       `json:"role,omitempty"`
	Parts []geminiPart `json:"parts"`
}

type geminiPart struct {
	Text             *string         `json:"text,omitempty"`
	Thought          bool            `json:"thought,omitempty"`
	InlineData       *geminiInline   `json:"inlineData,omitempty"`
	FileData         *geminiFile     `json:"fileData,omitempty"`
	FunctionCall     *geminiCall     `json:"functionCall,omitempty"`
	FunctionResponse *geminiResponse `json:"functionResponse,omitempty"`
	ThoughtSignature string          `json:"thoughtSignature,omitempty"`
}

type geminiInline struct {
	MIME string `json:"mimeType"`
	Data string `json:"data"`
}

type geminiFile struct {
	MIME string `json:"mimeType,omitempty"`
	URI  string `json:"fileUri"`
}

type geminiCall struct {
	ID   string          `json:"id,omitempty"`
	Name string          `json:"name"`
	Args json.RawMessage `json:"args"`
}

type geminiResponse struct {
	ID       string       `json:"id,omitempty"`
	Name     string       `json:"name"`
	Response geminiOutput `json:"response"`
}

type geminiOutput struct {
	Output *string `json:"output,omitempty"`
	Error  *string `json:"error,omitempty"`
}

type geminiTools struct {
	Declarations []geminiFunction `json:"functionDeclarations"`
}

type geminiFunction struct {
	Name        string `json:"name"`
	Description string `json:"description,omitempty"`
	// Parameters is a JSON Schema as it is; the older field parameters takes a subset only.
	Parameters json.RawMessage `json:"parametersJsonSchema"`
}

type geminiGenerated struct {
	MaxOutput int `json:"maxOutputTokens"`
}

// ownThinking: thinking is taken back from the same model.
func ownThinking(_ history.Part, same, _ bool) bool { return same }

func outlineGemini(c *conversation) outline {
	var head geminiHead
	for _, block := range c.System {
		head.addSystem(block.Text)
	}
	for _, text := range c.lead {
		head.addSystem(text)
	}
	var tail geminiTail
	if len(c.Tools) > 0 {
		tail.Tools = []geminiTools{{}}
		for _, tool := range c.Tools {
			tail.Tools[0].Declarations = append(tail.Tools[0].Declarations, geminiFunction{tool.Name, tool.Description, tool.Parameters})
		}
	}
	if c.MaxOutput > 0 {
		tail.Config = &geminiGenerated{c.MaxOutput}
	}
	return outline{head: head, list: "contents", tail: tail}
}

func geminiContents(c *conversation, e entry) []any {
	content := geminiContent{Role: "user", Parts: []geminiPart{}}
	if e.role == history.RoleAssistant {
		content.Role = "model"
	}
	for _, part := range e.parts {
		content.Parts = append(content.Parts, c.geminiParts(part)...)
	}
	if content.Role == "model" {
		c.geminiSign(content.Parts)
	}
	return []any{content}
}

func (b *geminiHead) addSystem(text string) {
	if text == "" {
		return
	}
	if b.System == nil {
		b.System = &geminiContent{}
	}
	b.System.Parts = append(b.System.Parts, geminiPart{Text: &text})
}

func (c *conversation) geminiParts(part history.Part) []geminiPart {
	switch {
	case part.Type == history.PartThinking:
		return []geminiPart{{Text: &part.Text, Thought: true, ThoughtSignature: part.Signature}}
	case part.Type == history.PartToolUse:
		return []geminiPart{{FunctionCall: &geminiCall{part.ID, part.Name, c.arguments(part)}, ThoughtSignature: part.Signature}}
	case part.Type == history.PartToolResult:
		response := geminiResponse{ID: part.ID, Name: part.Name}
		text := c.outputText(part)
		if part.IsError {
			response.Response.Error = &text
		} else {
			response.Response.Output = &text
		}
		return []geminiPart{{FunctionResponse: &response}}
	case c.takesImage(part), isDocument(part):
		if part.Media.Data == "" {
			return []geminiPart{{FileData: &geminiFile{part.Media.MIME, part.Media.URL}}}
		}
		return []geminiPart{{InlineData: &geminiInline{mimeOf(part), part.Media.Data}}}
	}
	if text := c.textOf(part); text != "" {
		return []geminiPart{{Text: &text}}
	}
	return nil
}

// geminiSign signs the first call of an answer that has no signature, for the models that want one.
func (c *conversation) geminiSign(parts []geminiPart) {
	if !strings.Contains(strings.ToLower(c.Model), "gemini-3") {
		return
	}
	for i := range parts {
		if parts[i].FunctionCall == nil {
			continue
		}
		if parts[i].ThoughtSignature == "" {
			parts[i].ThoughtSignature = geminiSkipSignature
			c.note("gemini: calls that came without a signature are sent without the thinking that led to them")
		}
		return
	}
}
