package history

import "encoding/json"

// unknownTool is the name in a call that was made up for a pinned result whose own call is lost.
const unknownTool = "unknown_tool"

// Repair makes the list valid for a provider and does nothing else: every call has its result, every result
// its call, calls at the very end included (Prepare leaves those to the panel). Tokens in the actions are 0.
func Repair(messages []Message) ([]Message, []Action, error) {
	p, err := newPlan(messages, Options{Count: func(string) int { return 0 }}, nil)
	if err != nil {
		return nil, nil, err
	}
	p.pairs.pending = -1
	p.repair()
	prepared, _, actions, err := p.build()
	for i := range actions {
		actions[i].Before, actions[i].After = 0, 0 // images and opaque blocks cost something even uncounted
	}
	return prepared, actions, err
}

// repair plans results for calls that have none, and leaves out results that no call asked for. What is
// pinned stays as it is: a pinned result without a call gets a call.
func (p *plan) repair() {
	for i, message := range p.messages {
		if calls := p.pairs.open[i]; len(calls) > 0 && i != p.pairs.pending {
			if p.options.Orphans == OrphansDrop && !message.Pinned {
				p.dropCalls(i, calls)
			} else {
				for _, made := range makeResults(message, calls) {
					p.insert(p.pairs.after[i]+1, insertion{message: made, reason: ReasonOrphanCall, call: i})
				}
			}
		}
		blocks := p.pairs.orphans[i]
		if len(blocks) > 0 && message.Pinned {
			p.insert(i, insertion{message: makeCall(message, blocks), reason: ReasonOrphanResult, call: -1})
			continue
		}
		p.dropBlocks(i, blocks, ReasonOrphanResult)
	}
}

// dropCalls leaves calls out of message i; what would be left without them but thinking goes too.
func (p *plan) dropCalls(i int, calls []ToolCall) {
	open := map[ToolCall]int{}
	for _, call := range calls {
		open[call]++
	}
	var gone []int
	speaks := false
	for b, block := range p.messages[i].Blocks() {
		call := ToolCall{block.ID, block.Name, block.Arguments}
		switch {
		case block.Type == PartToolUse && open[call] > 0:
			open[call]--
			gone = append(gone, b)
		case block.Type != PartThinking:
			speaks = true
		}
	}
	if !speaks {
		p.drop(i, ReasonOrphanCall)
		return
	}
	p.dropBlocks(i, gone, ReasonOrphanCall)
}

// makeResults are the results that say that the calls of a message were cancelled, in the shape of the message.
// Where a shape has all results in one message there is one message for all of them.
func makeResults(m Message, calls []ToolCall) []Message {
	inContent := map[ToolCall]bool{}
	for _, part := range m.Content.Parts {
		if part.Type == PartToolUse {
			inContent[ToolCall{part.ID, part.Name, part.Arguments}] = true
		}
	}
	var parts, rest []ToolCall
	for _, call := range calls {
		if len(rest) == 0 && inContent[call] {
			parts = append(parts, call)
		} else {
			rest = append(rest, call)
		}
	}
	var made []Message
	if len(parts) > 0 {
		made = append(made, resultParts(m, parts))
	}
	for _, call := range rest {
		made = append(made, resultMessage(m, call))
	}
	return made
}

// resultParts is one message with a tool result part for every call.
func resultParts(m Message, calls []ToolCall) Message {
	anthropic := m.source != nil && m.source.shape == shapeAnthropic
	made := Message{Role: RoleTool}
	if anthropic {
		made.Role = RoleUser
	}
	for _, call := range calls {
		part := Part{Type: PartToolResult, ID: call.ID, Name: call.Name, Output: Text(cancelled), IsError: true}
		if anthropic {
			part.raw = mustEncode(struct {
				Type      string `json:"type"`
				ToolUseID string `json:"tool_use_id"`
				Content   string `json:"content"`
				IsError   bool   `json:"is_error"`
			}{"tool_result", call.ID, cancelled, true})
			part.Name = ""
		}
		made.Content.Parts = append(made.Content.Parts, part)
	}
	if anthropic {
		made.source = &source{raw: mustEncode(struct {
			Role    string  `json:"role"`
			Content Content `json:"content"`
		}{made.Role, made.Content}), shape: shapeAnthropic}
	}
	return made
}

// resultMessage is a message of role tool that answers one call.
func resultMessage(m Message, call ToolCall) Message {
	made := Message{Role: RoleTool, ToolCallID: call.ID, Content: Text(cancelled)}
	if m.source != nil && m.source.shape == shapeOpenAI {
		made.source = &source{raw: mustEncode(struct {
			Role       string `json:"role"`
			ToolCallID string `json:"tool_call_id"`
			Content    string `json:"content"`
		}{made.Role, call.ID, cancelled}), shape: shapeOpenAI}
	}
	return made
}

// makeCall is an assistant message with a call for each of the given result blocks, in the shape of the message
// that holds them.
func makeCall(m Message, blocks []int) Message {
	made := Message{Role: RoleAssistant}
	all := m.Blocks()
	shape := shapeOwn
	if m.source != nil {
		shape = m.source.shape
	}
	for _, block := range blocks {
		name := all[block].Name
		if name == "" {
			name = unknownTool
		}
		made.ToolCalls = append(made.ToolCalls, ToolCall{ID: all[block].ID, Name: name, Arguments: "{}"})
	}
	switch shape {
	case shapeOpenAI:
		type function struct {
			Name      string `json:"name"`
			Arguments string `json:"arguments"`
		}
		type call struct {
			ID       string   `json:"id"`
			Type     string   `json:"type"`
			Function function `json:"function"`
		}
		var calls []call
		for _, c := range made.ToolCalls {
			calls = append(calls, call{c.ID, "function", function{c.Name, c.Arguments}})
		}
		made.source = &source{raw: mustEncode(struct {
			Role    string  `json:"role"`
			Content *string `json:"content"`
			Calls   []call  `json:"tool_calls"`
		}{made.Role, nil, calls}), shape: shape}
	case shapeAnthropic:
		for _, c := range made.ToolCalls {
			made.Content.Parts = append(made.Content.Parts, Part{
				Type: PartToolUse, ID: c.ID, Name: c.Name, Arguments: c.Arguments,
				raw: mustEncode(struct {
					Type  string   `json:"type"`
					ID    string   `json:"id"`
					Name  string   `json:"name"`
					Input struct{} `json:"input"`
				}{"tool_use", c.ID, c.Name, struct{}{}}),
			})
		}
		made.ToolCalls = nil
		made.source = &source{raw: mustEncode(struct {
			Role    string  `json:"role"`
			Content Content `json:"content"`
		}{made.Role, made.Content}), shape: shape}
	}
	return made
}

// mustEncode encodes the fixed structs above, which hold nothing that cannot be encoded.
func mustEncode(value any) json.RawMessage {
	raw, err := encodeJSON(value)
	if err != nil {
		panic(err)
	}
	return raw
}
