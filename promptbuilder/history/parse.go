package history

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
)

// ParseError says what is wrong with a message that a client sent, and where.
type ParseError struct {
	// Path of the offending value, like messages[3].content[0].type.
	Path string
	// Problem in words, with what is allowed.
	Problem string
}

func (e *ParseError) Error() string { return e.Path + ": " + e.Problem }

func problem(path, format string, arguments ...any) error {
	return &ParseError{Path: path, Problem: fmt.Sprintf(format, arguments...)}
}

// ParseMessages reads a JSON list of messages in our own, OpenAI's chat or Anthropic's shape; shapes may be
// mixed in one list. Fields that are not known are kept. An error is a *ParseError.
func ParseMessages(raw json.RawMessage) ([]Message, error) {
	const path = "messages"
	if got := kindOf(raw); got != "list" {
		return nil, problem(path, "a list of messages is needed, not %s", withArticle(got))
	}
	var items []json.RawMessage
	if err := json.Unmarshal(raw, &items); err != nil {
		return nil, problem(path, "not valid JSON: %v", err)
	}
	messages := make([]Message, len(items))
	for i, item := range items {
		if err := parseMessage(item, path+"["+strconv.Itoa(i)+"]", &messages[i]); err != nil {
			return nil, err
		}
	}
	return messages, nil
}

// UnmarshalJSON reads one message; paths in errors begin with "message".
func (m *Message) UnmarshalJSON(raw []byte) error {
	return parseMessage(bytes.Clone(raw), "message", m)
}

// fields of a message in any of the shapes; what is not named here stays in the bytes of the message.
type messageFields struct {
	ID             json.RawMessage `json:"id"`
	Role           json.RawMessage `json:"role"`
	Content        json.RawMessage `json:"content"`
	Refusal        json.RawMessage `json:"refusal"`
	Pinned         json.RawMessage `json:"pinned"`
	Hide           json.RawMessage `json:"hide"`
	Files          json.RawMessage `json:"files"`
	EphemeralTTL   json.RawMessage `json:"ephemeralTTL"`
	ToolCallID     json.RawMessage `json:"toolCallID"`
	Model          json.RawMessage `json:"model"`
	Time           json.RawMessage `json:"time"`
	ToolCalls      json.RawMessage `json:"toolCalls"`
	OpenAICalls    json.RawMessage `json:"tool_calls"`
	OpenAICallID   json.RawMessage `json:"tool_call_id"`
	OpenAIFunction json.RawMessage `json:"function_call"`
}

func parseMessage(raw json.RawMessage, path string, m *Message) error {
	if got := kindOf(raw); got != "object" {
		return problem(path, "a message is an object with role and content, not %s", withArticle(got))
	}
	var fields messageFields
	if err := json.Unmarshal(raw, &fields); err != nil {
		return problem(path, "not valid JSON: %v", err)
	}
	r := reader{}
	*m = Message{
		ID:         r.text(fields.ID, path+".id"),
		Role:       r.text(fields.Role, path+".role"),
		Pinned:     r.flag(fields.Pinned, path+".pinned"),
		Hide:       r.flag(fields.Hide, path+".hide"),
		Files:      r.texts(fields.Files, path+".files"),
		ToolCallID: r.text(fields.ToolCallID, path+".toolCallID"),
		Model:      r.text(fields.Model, path+".model"),
		Time:       r.text(fields.Time, path+".time"),
	}
	if present(fields.EphemeralTTL) {
		ttl := r.number(fields.EphemeralTTL, path+".ephemeralTTL")
		m.EphemeralTTL = &ttl
	}
	if present(fields.OpenAIFunction) {
		r.fail(path+".function_call", "this old form is not read; use tool_calls")
	}
	if present(fields.OpenAICallID) {
		if present(fields.ToolCallID) {
			r.fail(path+".tool_call_id", "toolCallID is given too; use one of them")
		}
		m.ToolCallID = r.text(fields.OpenAICallID, path+".tool_call_id")
	}
	if r.err != nil {
		return r.err
	}
	if !knownRole(m.Role) {
		if m.Role == "" {
			return problem(path+".role", "missing; allowed are system, developer, user, assistant, tool")
		}
		return problem(path+".role", "%q is not a role; allowed are system, developer, user, assistant, tool", m.Role)
	}
	m.source = &source{raw: raw}
	if err := m.parseCalls(fields, path); err != nil {
		return err
	}
	if err := m.parseContent(fields, path); err != nil {
		return err
	}
	if present(fields.OpenAICalls) || present(fields.OpenAICallID) {
		m.source.shape = shapeOpenAI
	}
	return m.validate(path)
}

func (m *Message) parseContent(fields messageFields, path string) error {
	path += ".content"
	switch kindOf(fields.Content) {
	case "string":
		r := reader{}
		m.Content.Text = r.text(fields.Content, path)
		return r.err
	case "list":
		parts, shape, err := parseParts(fields.Content, path, false)
		m.Content.Parts = parts
		m.source.shape = max(m.source.shape, shape)
		return err
	case "null", "nothing":
		// OpenAI leaves the content out when an answer is only tool calls or a refusal.
		if len(m.ToolCalls) > 0 || m.Role == RoleAssistant && present(fields.Refusal) {
			r := reader{}
			m.Content.Text = r.text(fields.Refusal, path)
			return r.err
		}
		return problem(path, "missing; a string or a list of parts is needed")
	default:
		return problem(path, "a string or a list of parts is needed, not %s", withArticle(kindOf(fields.Content)))
	}
}

func (m *Message) parseCalls(fields messageFields, path string) error {
	if present(fields.ToolCalls) && present(fields.OpenAICalls) {
		return problem(path+".tool_calls", "toolCalls is given too; use one of them")
	}
	raw, key := fields.ToolCalls, ".toolCalls"
	if present(fields.OpenAICalls) {
		raw, key = fields.OpenAICalls, ".tool_calls"
	}
	if !present(raw) {
		return nil
	}
	path += key
	if kindOf(raw) != "list" {
		return problem(path, "a list of calls is needed, not %s", withArticle(kindOf(raw)))
	}
	var items []json.RawMessage
	if err := json.Unmarshal(raw, &items); err != nil {
		return problem(path, "not valid JSON: %v", err)
	}
	m.ToolCalls = make([]ToolCall, len(items))
	for i, item := range items {
		if err := parseCall(item, path+"["+strconv.Itoa(i)+"]", &m.ToolCalls[i]); err != nil {
			return err
		}
	}
	return nil
}

// parseCall reads {id, name, arguments} and OpenAI's {id, type, function: {name, arguments}}.
func parseCall(raw json.RawMessage, path string, call *ToolCall) error {
	if kindOf(raw) != "object" {
		return problem(path, "a call is an object with id, name and arguments, not %s", withArticle(kindOf(raw)))
	}
	var fields struct {
		ID        json.RawMessage `json:"id"`
		Name      json.RawMessage `json:"name"`
		Arguments json.RawMessage `json:"arguments"`
		Function  json.RawMessage `json:"function"`
	}
	if err := json.Unmarshal(raw, &fields); err != nil {
		return problem(path, "not valid JSON: %v", err)
	}
	r := reader{}
	call.ID = r.text(fields.ID, path+".id")
	if present(fields.Function) {
		path += ".function"
		if kindOf(fields.Function) != "object" {
			return problem(path, "an object with name and arguments is needed, not %s", withArticle(kindOf(fields.Function)))
		}
		fields.Name, fields.Arguments = nil, nil
		if err := json.Unmarshal(fields.Function, &fields); err != nil {
			return problem(path, "not valid JSON: %v", err)
		}
	}
	call.Name = r.text(fields.Name, path+".name")
	call.Arguments = r.arguments(fields.Arguments, path+".arguments")
	if r.err == nil && call.Name == "" {
		r.fail(path+".name", "missing; the name of the tool is needed")
	}
	return r.err
}

func knownRole(role string) bool {
	switch role {
	case RoleSystem, RoleDeveloper, RoleUser, RoleAssistant, RoleTool:
		return true
	}
	return false
}

// validate refuses what no provider can be told: calls that nobody made and results that nobody asked for.
func (m *Message) validate(path string) error {
	if !knownRole(m.Role) {
		return problem(path+".role", "%q is not a role; allowed are system, developer, user, assistant, tool", m.Role)
	}
	if len(m.ToolCalls) > 0 && m.Role != RoleAssistant {
		return problem(path+".toolCalls", "only an assistant message can call tools, this one is of role %s", m.Role)
	}
	for i, part := range m.Content.Parts {
		switch {
		case part.Type == PartToolUse && m.Role != RoleAssistant:
			return problem(path+".content["+strconv.Itoa(i)+"].type", "only an assistant message can hold a tool call, this one is of role %s", m.Role)
		case part.Type == PartToolResult && m.Role != RoleUser && m.Role != RoleTool:
			return problem(path+".content["+strconv.Itoa(i)+"].type", "only a message of role user or tool can hold a tool result, this one is of role %s", m.Role)
		}
	}
	return nil
}
