// Package wire renders the request body that a provider takes.
//
// A body is made in two steps. conversation.go brings the history into one form that all providers share:
// every tool call with its result, ids that are valid, thinking only where its own model reads it. Then one
// file per wire writes that form in the provider's words (body.go puts the pieces together). Whatever a provider
// cannot be told as it was meant is said in Result.Downgrades. The bodies are encoded from structs, so the same
// request gives the same bytes. memory.go remembers the beginning of a conversation in its encoded form, so that
// a turn costs what is new in it; the bytes are the same with and without.
//
// To add a provider, write one file with functions like outlineOpenAIChat and openAIChatMessages, name them in the
// table of Render with what the provider takes (abilities), and add golden files: go test ./promptbuilder/wire
// -update, then read them.
package wire

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"foreword/promptbuilder/history"
)

// Names of the wires.
const (
	OpenAIChat      = "openai-chat"
	OpenAIResponses = "openai-responses"
	Anthropic       = "anthropic"
	Gemini          = "gemini"
	Ollama          = "ollama"
	VSCodeLM        = "vscode-lm"
	PlainText       = "text"
)

// Names are all wires, sorted.
func Names() []string {
	return []string{Anthropic, Gemini, Ollama, OpenAIChat, OpenAIResponses, PlainText, VSCodeLM}
}

// Request is what a body is rendered from.
type Request struct {
	// Wire is the shape of the body, one of Names.
	Wire string
	// Model is the provider's id of the model. Gemini and vscode-lm have it outside the body.
	Model string
	// Provider is who serves the model, empty where that is not known. Anthropic's own API takes more than others that
	// serve its models do.
	Provider string
	// System is the system text in blocks, the cacheable ones first.
	System   []Block
	Messages []history.Message
	// OneSystem says that the model may sit behind a chat template that takes one system message, as the first, and
	// wants the user to begin and the two to take turns. It counts for OpenAI's wires, which other servers speak too;
	// the other wires are as strict as their providers are.
	OneSystem bool
	// Tools are sent sorted by name.
	Tools []Tool
	// MaxOutput is the most tokens that the model may answer; 0 leaves it to the provider.
	MaxOutput int
	// NumCtx is the context window in tokens that Ollama shall load the model with; 0 leaves it to Ollama.
	NumCtx int
	// Estimate is what the whole request costs in tokens, 0 when that is not known. It is compared with NumCtx.
	Estimate int
	// Memory of what was rendered before; nil renders all anew. The result is the same.
	Memory *Memory
}

// Block is a piece of the system text.
type Block struct {
	Text string
	// Cacheable blocks do not change within a session.
	Cacheable bool
}

// Tool is a tool that the model may call.
type Tool struct {
	Name        string
	Description string
	// Parameters is the JSON Schema of the arguments; nil is a tool without any.
	Parameters json.RawMessage
}

// Result is a body that is ready to be sent. Whether the answer is streamed is the panel's choice, and so is
// the key; both are added by it.
type Result struct {
	Body    json.RawMessage
	Headers map[string]string
	// Downgrades say what was not sent as it was meant, in the order in which it was noticed.
	Downgrades []string
}

// abilities are what a wire takes. What it does not take is rewritten before it is rendered.
type abilities struct {
	// laterSystem says where system messages may stand between other messages.
	laterSystem laterSystem
	// resultMedia: a tool result may hold images and files.
	resultMedia bool
	// opaque: blocks of the provider's own tools are read back.
	opaque bool
	// userFirst: the first message must be the user's, and none may be blank.
	userFirst bool
	// thinking says whether a block is taken back; same is whether it is stamped with the request's model,
	// unstamped that nobody said whose it is. nil takes none.
	thinking func(part history.Part, same, unstamped bool) bool
	// callID is what an id of a tool call must look like; nil means that ids are not sent.
	callID func(id string) bool
}

// laterSystem is where a system message may stand behind the first message of a conversation.
type laterSystem uint8

const (
	systemNowhere laterSystem = iota
	systemBehindUser
	systemAnywhere
)

type renderer struct {
	abilities
	headers map[string]string
	// outline is the body without the conversation, messages what an entry of that is in the body.
	outline  func(*conversation) outline
	messages func(*conversation, entry) []any
	// seal, where it is set, makes the last changes of a list of messages. It says no where that takes messages
	// that were encoded before.
	seal func(*conversation, *outline, []any) bool
	// end, where it is set, adds to the end of the conversation what the provider wants there.
	end func(*conversation)
	// whole renders a body that has no list of messages, in place of all three.
	whole func(*conversation) any
}

func renderers() map[string]renderer {
	jsonBody := map[string]string{"content-type": "application/json"}
	return map[string]renderer{
		OpenAIChat: {
			abilities: abilities{laterSystem: systemAnywhere, callID: atMost(40)}, headers: jsonBody,
			outline: outlineOpenAIChat, messages: openAIChatMessages,
		},
		OpenAIResponses: {
			abilities: abilities{laterSystem: systemAnywhere, resultMedia: true, callID: atMost(64), thinking: encryptedReasoning}, headers: jsonBody,
			outline: outlineOpenAIResponses, messages: openAIResponsesItems,
		},
		Anthropic: {
			abilities: abilities{resultMedia: true, opaque: true, userFirst: true, callID: anthropicID, thinking: signedThinking},
			headers:   map[string]string{"anthropic-version": anthropicVersion, "content-type": "application/json"},
			outline:   outlineAnthropic, messages: anthropicMessages, end: endWithUser, seal: sealAnthropic,
		},
		Gemini: {
			abilities: abilities{userFirst: true, callID: atMost(64), thinking: ownThinking}, headers: jsonBody,
			outline: outlineGemini, messages: geminiContents,
		},
		Ollama: {
			abilities: abilities{callID: atMost(64), thinking: ownThinking}, headers: jsonBody,
			outline: outlineOllama, messages: ollamaMessages,
		},
		VSCodeLM: {
			abilities: abilities{callID: atMost(64)}, headers: map[string]string{},
			outline: outlineVSCodeLM, messages: vscodeMessages,
		},
		PlainText: {
			abilities: abilities{laterSystem: systemAnywhere, resultMedia: true}, headers: map[string]string{},
			whole: renderText,
		},
	}
}

// Render renders the body of a request.
func Render(request Request) (Result, error) {
	r, ok := renderers()[request.Wire]
	if !ok {
		return Result{}, fmt.Errorf("wire %q is not known; allowed are %s", request.Wire, strings.Join(Names(), ", "))
	}
	if request.Model == "" && request.Wire != PlainText {
		return Result{}, fmt.Errorf("wire %s: no model is given", request.Wire)
	}
	if request.OneSystem {
		switch request.Wire {
		case OpenAIChat:
			r.laterSystem, r.userFirst = systemNowhere, true
		case OpenAIResponses:
			r.laterSystem = systemNowhere
		}
	}
	if SystemBehindUser(request.Wire, request.Provider, request.Model) {
		r.laterSystem = systemBehindUser
	}
	tools, err := sortedTools(request.Tools)
	if err != nil {
		return Result{}, fmt.Errorf("wire %s: %w", request.Wire, err)
	}
	request.Tools = tools
	if request.Memory != nil && r.outline != nil {
		if result, ok := request.Memory.render(r, request); ok {
			return result, nil
		}
	}
	result, err := r.render(request, &beginning{})
	if err != nil {
		return Result{}, fmt.Errorf("wire %s: %w", request.Wire, err)
	}
	return result, nil
}

// encode is json.Marshal that leaves <, > and & as they are, so that prompts are sent, and can be read, as
// they were written.
func encode(value any) (json.RawMessage, error) {
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(out.Bytes(), []byte("\n")), nil
}

// sortedTools checks the tools and sorts them by name: providers cache tools before everything else, so their
// order must not depend on who registered first.
func sortedTools(tools []Tool) ([]Tool, error) {
	sorted := slices.Clone(tools)
	for i, tool := range sorted {
		if tool.Name == "" {
			return nil, fmt.Errorf("tools[%d].name: missing", i)
		}
		if len(tool.Parameters) == 0 || string(tool.Parameters) == "null" {
			sorted[i].Parameters = json.RawMessage(`{"type":"object","properties":{}}`)
			continue
		}
		if object := bytes.TrimLeft(tool.Parameters, " \t\r\n"); bytes.HasPrefix(object, []byte("{")) && json.Valid(object) {
			continue
		}
		var object map[string]json.RawMessage
		if err := json.Unmarshal(tool.Parameters, &object); err != nil {
			return nil, fmt.Errorf("tools[%d].parameters of %s: a JSON Schema object is needed: %w", i, tool.Name, err)
		}
	}
	slices.SortStableFunc(sorted, func(a, b Tool) int { return strings.Compare(a.Name, b.Name) })
	for i := 1; i < len(sorted); i++ {
		if sorted[i].Name == sorted[i-1].Name {
			return nil, fmt.Errorf("tools: %q is given twice", sorted[i].Name)
		}
	}
	return sorted, nil
}

// joinBlocks joins the blocks of the system text with a blank line, for providers that take one text only.
func joinBlocks(pieces []string) string {
	return strings.Join(slices.DeleteFunc(pieces, func(piece string) bool { return piece == "" }), "\n\n")
}
