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
	if err := checkJSON(raw); err != nil {
		return nil, problem(path, "not valid JSON: %v", err)
	}
	list := items(raw)
	messages := make([]Message, len(list))
	for i, item := range list {
		if err := parseMessage(item, path+"["+strconv.Itoa(i)+"]", &messages[i]); err != nil {
			return nil, err
		}
	}
	return messages, nil
}

// checkJSON is the syntax error of invalid JSON.
func checkJSON(raw []byte) error {
	if json.Valid(raw) {
		return nil
	}
	var value json.RawMessage
	return json.Unmarshal(raw, &value)
}

// UnmarshalJSON reads one message; paths in errors begin with "message".
func (m *Message) UnmarshalJSON(raw []byte) error {
	if err := checkJSON(raw); err != nil {
		return problem("message", "not valid JSON: %v", err)
	}
	return parseMessage(bytes.Clone(raw), "message", m)
}

// messageFields are the fields of a message in any of the shapes; what is not named here stays in the bytes of
// the message. Names count as they are written, and of a field that is given twice the last one counts.
type messageFields struct {
	id, role, content, pinned, hide, files, ephemeralTTL, toolCalls, toolCallID, model, time json.RawMessage

	openAI struct{ refusal, calls, callID, function json.RawMessage }
}

func (f *messageFields) set(field field) {
	switch string(field.key) {
	case "id":
		f.id = field.value
	case "role":
		f.role = field.value
	case "content":
		f.content = field.value
	case "pinned":
		f.pinned = field.value
	case "hide":
		f.hide = field.value
	case "files":
		f.files = field.value
	case "ephemeralTTL":
		f.ephemeralTTL = field.value
	case "toolCalls":
		f.toolCalls = field.value
	case "toolCallID":
		f.toolCallID = field.value
	case "model":
		f.model = field.value
	case "time":
		f.time = field.value
	case "refusal":
		f.openAI.refusal = field.value
	case "tool_calls":
		f.openAI.calls = field.value
	case "tool_call_id":
		f.openAI.callID = field.value
	case "function_call":
		f.openAI.function = field.value
	}
}

func parseMessage(raw json.RawMessage, path string, m *Message) error {
	if got := kindOf(raw); got != "object" {
		return problem(path, "a message is an object with role and content, not %s", withArticle(got))
	}
	var f messageFields
	fields(raw, f.set)
	r := reader{path: path}
	*m = Message{
		ID:         r.text(f.id, ".id"),
		Role:       r.text(f.role, ".role"),
		Pinned:     r.flag(f.pinned, ".pinned"),
		Hide:       r.flag(f.hide, ".hide"),
		Files:      r.texts(f.files, ".files"),
		ToolCallID: r.text(f.toolCallID, ".toolCallID"),
		Model:      r.text(f.model, ".model"),
		Time:       r.text(f.time, ".time"),
	}
	if present(f.ephemeralTTL) {
		ttl := r.number(f.ephemeralTTL, ".ephemeralTTL")
		m.EphemeralTTL = &ttl
	}
	if present(f.openAI.function) {
		r.fail(".function_call", "this old form is not read; use tool_calls")
	}
	if present(f.openAI.callID) {
		if present(f.toolCallID) {
			r.fail(".tool_call_id", "toolCallID is given too; use one of them")
		}
		m.ToolCallID = r.text(f.openAI.callID, ".tool_call_id")
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
	if err := m.parseCalls(f, path); err != nil {
		return err
	}
	if err := m.parseContent(f, path); err != nil {
		return err
	}
	if present(f.openAI.calls) || present(f.openAI.callID) {
		m.source.shape = shapeOpenAI
	}
	return m.validate(path)
}

func (m *Message) parseContent(f messageFields, path string) error {
	switch kindOf(f.content) {
	case "string":
		r := reader{path: path}
		m.Content.Text = r.text(f.content, ".content")
		return r.err
	case "list":
		parts, shape, err := parseParts(f.content, path+".content", false)
		m.Content.Parts = parts
		m.source.shape = max(m.source.shape, shape)
		return err
	case "null", "nothing":
		// OpenAI leaves the content out when an answer is only tool calls or a refusal.
		if len(m.ToolCalls) > 0 || m.Role == RoleAssistant && present(f.openAI.refusal) {
			r := reader{path: path}
			m.Content.Text = r.text(f.openAI.refusal, ".refusal")
			return r.err
		}
		return problem(path+".content", "missing; a string or a list of parts is needed")
	default:
		return problem(path+".content", "a string or a list of parts is needed, not %s", withArticle(kindOf(f.content)))
	}
}

func (m *Message) parseCalls(f messageFields, path string) error {
	if present(f.toolCalls) && present(f.openAI.calls) {
		return problem(path+".tool_calls", "toolCalls is given too; use one of them")
	}
	raw, key := f.toolCalls, ".toolCalls"
	if present(f.openAI.calls) {
		raw, key = f.openAI.calls, ".tool_calls"
	}
	if !present(raw) {
		return nil
	}
	path += key
	if kindOf(raw) != "list" {
		return problem(path, "a list of calls is needed, not %s", withArticle(kindOf(raw)))
	}
	list := items(raw)
	m.ToolCalls = make([]ToolCall, len(list))
	for i, item := range list {
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
	var id, name, arguments, function json.RawMessage
	set := func(field field) {
		switch string(field.key) {
		case "id":
			id = field.value
		case "name":
			name = field.value
		case "arguments":
			arguments = field.value
		case "function":
			function = field.value
		}
	}
	fields(raw, set)
	r := reader{path: path}
	call.ID = r.text(id, ".id")
	if present(function) {
		path += ".function"
		r.path = path
		if kindOf(function) != "object" {
			return problem(path, "an object with name and arguments is needed, not %s", withArticle(kindOf(function)))
		}
		name, arguments = nil, nil
		fields(function, set)
	}
	call.Name = r.text(name, ".name")
	call.Arguments = r.arguments(arguments, ".arguments")
	if r.err == nil && call.Name == "" {
		r.fail(".name", "missing; the name of the tool is needed")
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
