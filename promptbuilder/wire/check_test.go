package wire

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"foreword/promptbuilder/history"
)

// What services refuse although the types of their clients allow it, written from the providers' documents and apart
// from the renderers. Each function gives the first thing that is wrong, "" for nothing.

// checked is any body, as far as the rules look at it.
type checked struct {
	System   []checkedPart
	Messages []checkedMessage
	Tools    []checkedPart
	Contents []struct {
		Role  string
		Parts []map[string]json.RawMessage
	}
	SystemInstruction *struct{ Parts []map[string]json.RawMessage }
	Input             []struct {
		Type, Role string
		ID         string
		CallID     string `json:"call_id"`
	}
}

type checkedMessage struct {
	Role       string
	Content    json.RawMessage
	ToolCalls  []json.RawMessage `json:"tool_calls"`
	ToolCallID string            `json:"tool_call_id"`
	parts      []checkedPart     // of Content, where it is a list
}

type checkedPart struct {
	Type         string
	Text         string
	ID           string
	ToolUseID    string `json:"tool_use_id"`
	Content      json.RawMessage
	CacheControl json.RawMessage `json:"cache_control"`
}

// readBody reads a body as far as the rules look at it.
func readBody(raw json.RawMessage) (checked, error) {
	var body checked
	if err := json.Unmarshal(raw, &body); err != nil {
		return body, err
	}
	for i := range body.Messages {
		if content := body.Messages[i].Content; len(content) > 0 && content[0] == '[' {
			if err := json.Unmarshal(content, &body.Messages[i].parts); err != nil {
				return body, err
			}
		}
	}
	return body, nil
}

func checkBody(request Request, raw json.RawMessage) string {
	body, err := readBody(raw)
	if err != nil {
		return err.Error()
	}
	switch request.Wire {
	case Anthropic:
		return firstOf(body.anthropicSystem(request), body.anthropicTurns(), body.anthropicBlocks(), body.anthropicMarks(), body.anthropicEnd(request.Model))
	case Gemini:
		return body.gemini()
	case Ollama:
		return firstOf(body.oneSystem(), body.calls())
	case OpenAIChat:
		if request.OneSystem {
			return firstOf(body.oneSystem(), body.alternate(), body.calls())
		}
		return body.calls()
	case OpenAIResponses:
		return body.responses(request.OneSystem)
	case VSCodeLM:
		return body.vscode()
	}
	return ""
}

func firstOf(faults ...string) string {
	for _, fault := range faults {
		if fault != "" {
			return fault
		}
	}
	return ""
}

// anthropicTurns: the user begins, and the two take turns; a message has something in it; results stand first in the
// message after their calls, one for each call, and nowhere else.
func (b checked) anthropicTurns() string {
	var open map[string]bool
	turns := slices.DeleteFunc(slices.Clone(b.Messages), func(m checkedMessage) bool { return m.Role == history.RoleSystem })
	for i, message := range turns {
		want := []string{history.RoleUser, history.RoleAssistant}[i%2]
		if message.Role != want || len(message.parts) == 0 {
			return fmt.Sprintf("messages[%d] is of role %s with %d blocks", i, message.Role, len(message.parts))
		}
		calls := map[string]bool{}
		for k, part := range message.parts {
			switch part.Type {
			case "tool_use":
				if message.Role != history.RoleAssistant || !anthropicID(part.ID) || calls[part.ID] {
					return fmt.Sprintf("messages[%d]: a call by %s with id %q", i, message.Role, part.ID)
				}
				calls[part.ID] = true
			case "tool_result":
				if !open[part.ToolUseID] {
					return fmt.Sprintf("messages[%d]: result %q answers no call before it", i, part.ToolUseID)
				}
				delete(open, part.ToolUseID)
				if k > 0 && message.parts[k-1].Type != "tool_result" {
					return fmt.Sprintf("messages[%d]: a result stands after a block of type %s", i, message.parts[k-1].Type)
				}
			}
		}
		if len(open) > 0 {
			return fmt.Sprintf("messages[%d]: calls without results before it: %v", i, open)
		}
		open = calls
	}
	if len(open) > 0 {
		return "the last calls have no results"
	}
	return ""
}

// anthropicSystem: the models that take system messages later take them behind a message of the user, with an answer or
// nothing behind them.
func (b checked) anthropicSystem(request Request) string {
	takes := request.Provider == "anthropic" && request.Model == systemModel
	for i, message := range b.Messages {
		switch {
		case message.Role != history.RoleSystem:
		case !takes:
			return fmt.Sprintf("messages[%d] is a system message, which %s by %q does not take", i, request.Model, request.Provider)
		case i == 0 || b.Messages[i-1].Role != history.RoleUser:
			return fmt.Sprintf("messages[%d] is a system message that stands behind none of the user", i)
		case i+1 < len(b.Messages) && b.Messages[i+1].Role != history.RoleAssistant:
			return fmt.Sprintf("messages[%d] is a system message with one of role %s behind it", i, b.Messages[i+1].Role)
		}
	}
	return ""
}

// systemModel is a model that takes system messages later.
const systemModel = "claude-opus-4-8"

// anthropicBlocks: no text is blank, and that of the last answer does not end in white space.
func (b checked) anthropicBlocks() string {
	for i, message := range b.Messages {
		for _, part := range message.parts {
			if part.Type == "text" && strings.TrimSpace(part.Text) == "" {
				return fmt.Sprintf("messages[%d] has a blank text", i)
			}
		}
	}
	for _, part := range b.System {
		if strings.TrimSpace(part.Text) == "" {
			return "the system text has a blank block"
		}
	}
	if len(b.Messages) > 0 {
		last := b.Messages[len(b.Messages)-1]
		text := last.parts[len(last.parts)-1]
		if last.Role == history.RoleAssistant && text.Type == "text" && strings.TrimSpace(text.Text) != strings.TrimLeft(text.Text, " \t\r\n") {
			return "the last answer ends in white space"
		}
	}
	return ""
}

// anthropicEnd: the newer models answer the user and continue no answer.
func (b checked) anthropicEnd(model string) string {
	if n := len(b.Messages); n > 0 && b.Messages[n-1].Role == history.RoleAssistant && !strings.HasPrefix(model, "claude-sonnet-4-5") {
		return "the last message is an answer"
	}
	return ""
}

// anthropicMarks: at most four, none inside of results or on thinking, none of an hour after one of five minutes.
func (b checked) anthropicMarks() string {
	count, short := 0, false
	mark := func(part checkedPart) string {
		if strings.Contains(string(part.Content), `"cache_control"`) {
			return "a mark stands inside of a result"
		}
		if part.CacheControl == nil {
			return ""
		}
		count++
		if strings.Contains(part.Type, "thinking") {
			return "thinking is marked"
		}
		hour := strings.Contains(string(part.CacheControl), `"1h"`)
		if hour && short {
			return "a mark of an hour stands after one of five minutes"
		}
		short = short || !hour
		return ""
	}
	all := append(append([]checkedPart{}, b.Tools...), b.System...)
	for _, message := range b.Messages {
		all = append(all, message.parts...)
	}
	for _, part := range all {
		if fault := mark(part); fault != "" {
			return fault
		}
	}
	if count > 4 {
		return fmt.Sprintf("%d marks", count)
	}
	return ""
}

// gemini: the user begins; a content has parts, and a part is one thing; the content after calls is of as many results
// and nothing else, and results stand nowhere else.
func (b checked) gemini() string {
	open := 0
	for i, content := range b.Contents {
		if i == 0 && content.Role != "user" || content.Role != "user" && content.Role != "model" {
			return fmt.Sprintf("contents[%d] is of role %q", i, content.Role)
		}
		count := map[string]int{}
		for _, part := range content.Parts {
			kinds := 0
			for _, kind := range []string{"text", "inlineData", "fileData", "functionCall", "functionResponse"} {
				if part[kind] != nil {
					kinds++
					count[kind]++
				}
			}
			if kinds != 1 {
				return fmt.Sprintf("contents[%d]: a part is %d things", i, kinds)
			}
		}
		switch calls, results := count["functionCall"], count["functionResponse"]; {
		case len(content.Parts) == 0:
			return fmt.Sprintf("contents[%d] is empty", i)
		case results != open, results > 0 && len(content.Parts) > results:
			return fmt.Sprintf("contents[%d] has %d results and %d parts, after %d calls", i, results, len(content.Parts), open)
		case calls > 0 && content.Role != "model", results > 0 && content.Role != "user":
			return fmt.Sprintf("contents[%d]: %d calls and %d results by %s", i, calls, results, content.Role)
		default:
			open = calls
		}
	}
	if open > 0 {
		return "the last calls have no results"
	}
	return ""
}

// calls of chat: the answer with calls is followed by the result of each and nothing else; content is not missing, and
// null only beside calls.
func (b checked) calls() string {
	open := 0
	for i, message := range b.Messages {
		if (message.Role == history.RoleTool) != (open > 0) {
			return fmt.Sprintf("messages[%d] is of role %s, where %d results are missing", i, message.Role, open)
		}
		if message.Role == history.RoleTool {
			open--
		}
		if message.Content == nil || string(message.Content) == "[]" || string(message.Content) == "null" && len(message.ToolCalls) == 0 {
			return fmt.Sprintf("messages[%d] has no content", i)
		}
		if len(message.ToolCalls) > 0 {
			if message.Role != history.RoleAssistant {
				return fmt.Sprintf("messages[%d]: calls by %s", i, message.Role)
			}
			open = len(message.ToolCalls)
		}
	}
	if open > 0 {
		return "the last calls have no results"
	}
	return ""
}

// oneSystem: one system message at most, and only as the first.
func (b checked) oneSystem() string {
	for i, message := range b.Messages {
		if i > 0 && message.Role == history.RoleSystem || message.Role == history.RoleDeveloper {
			return fmt.Sprintf("messages[%d] is a later system message", i)
		}
	}
	return ""
}

// alternate: after the system message, the user begins, and no two messages of the user, or answers, stand in a row.
func (b checked) alternate() string {
	before := history.RoleAssistant
	for i, message := range b.Messages {
		if message.Role == history.RoleSystem {
			continue
		}
		if message.Role == before && message.Role != history.RoleTool {
			return fmt.Sprintf("messages[%d] and the one before are of role %s", i, message.Role)
		}
		before = message.Role
	}
	return ""
}

// responses: every call has one result behind it; reasoning has its id and something behind it that it led to; with
// one system text there is no message of a system role.
func (b checked) responses(oneSystem bool) string {
	open := map[string]bool{}
	for i, item := range b.Input {
		if item.Role == history.RoleSystem || item.Role == history.RoleDeveloper && oneSystem {
			return fmt.Sprintf("input[%d] is of role %s", i, item.Role)
		}
		switch item.Type {
		case "function_call":
			if open[item.CallID] || item.CallID == "" || len(item.CallID) > 64 {
				return fmt.Sprintf("input[%d]: a call with id %q", i, item.CallID)
			}
			open[item.CallID] = true
		case "function_call_output":
			if !open[item.CallID] {
				return fmt.Sprintf("input[%d]: result %q answers no call", i, item.CallID)
			}
			delete(open, item.CallID)
		case "reasoning":
			if item.ID == "" {
				return fmt.Sprintf("input[%d]: reasoning without an id", i)
			}
			if i+1 == len(b.Input) || b.Input[i+1].Role == history.RoleUser || b.Input[i+1].Type == "function_call_output" {
				return fmt.Sprintf("input[%d]: reasoning %s without what it led to", i, item.ID)
			}
		}
	}
	if len(open) > 0 {
		return fmt.Sprintf("calls without results: %v", open)
	}
	return ""
}

// vscode: results are the user's and stand in the message after their calls.
func (b checked) vscode() string {
	open := 0
	for i, message := range b.Messages {
		calls, results := 0, 0
		for _, part := range message.parts {
			switch part.Type {
			case "toolCall":
				calls++
			case "toolResult":
				results++
			}
		}
		if results != open || len(message.parts) == 0 {
			return fmt.Sprintf("messages[%d] has %d results and %d parts, after %d calls", i, results, len(message.parts), open)
		}
		if calls > 0 && message.Role != history.RoleAssistant || results > 0 && message.Role != history.RoleUser {
			return fmt.Sprintf("messages[%d]: %d calls and %d results by %s", i, calls, results, message.Role)
		}
		open = calls
	}
	if open > 0 {
		return "the last calls have no results"
	}
	return ""
}
