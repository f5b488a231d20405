package history

import (
	"errors"
	"strings"
	"testing"
)

// Every error says where and what is allowed.
func TestParseErrors(t *testing.T) {
	for _, test := range []struct{ raw, want string }{
		{`{"messages":[]}`, "messages: a list of messages is needed, not an object"},
		{``, "messages: a list of messages is needed, not nothing"},
		{`null`, "messages: a list of messages is needed, not null"},
		{`[`, "messages: not valid JSON: unexpected end of JSON input"},
		{`["hi"]`, "messages[0]: a message is an object with role and content, not a string"},
		{`[{"content":"x"}]`, "messages[0].role: missing; allowed are system, developer, user, assistant, tool"},
		{`[{"role":"user","content":"a"},{"role":"robot","content":"x"}]`, `messages[1].role: "robot" is not a role; allowed are system, developer, user, assistant, tool`},
		{`[{"role":3,"content":"x"}]`, "messages[0].role: a string is needed, not a number"},
		{`[{"role":"user"}]`, "messages[0].content: missing; a string or a list of parts is needed"},
		{`[{"role":"user","content":null}]`, "messages[0].content: missing; a string or a list of parts is needed"},
		{`[{"role":"user","content":{"text":"x"}}]`, "messages[0].content: a string or a list of parts is needed, not an object"},
		{`[{"role":"user","content":"x","pinned":"yes"}]`, "messages[0].pinned: a boolean is needed, not a string"},
		{`[{"role":"user","content":"x","ephemeralTTL":1.5}]`, "messages[0].ephemeralTTL: a number is needed: json: cannot unmarshal number 1.5 into Go value of type int"},
		{`[{"role":"user","content":"x","files":["a",2]}]`, "messages[0].files: a list is needed: json: cannot unmarshal number into Go value of type string"},
		{`[{"role":"user","content":["x"]}]`, "messages[0].content[0]: a part is an object with a type, not a string"},
		{`[{"role":"user","content":[{"text":"x"}]}]`, "messages[0].content[0].type: missing; allowed are " + allowedParts},
		{`[{"role":"user","content":[{"type":"video"}]}]`, `messages[0].content[0].type: "video" is not a part type; allowed are ` + allowedParts},
		{`[{"role":"user","content":[{"type":"text"}]}]`, "messages[0].content[0].text: missing"},
		{`[{"role":"user","content":[{"type":"image"}]}]`, "messages[0].content[0]: empty; data (base64), url, uri or text is needed"},
		{`[{"role":"user","content":[{"type":"image_url","image_url":7}]}]`, "messages[0].content[0].image_url: an object is needed, not a number"},
		{`[{"role":"assistant","content":[{"type":"tool_use","id":"a","name":"ls","input":[1]}]}]`, "messages[0].content[0].input: an object or a string with JSON is needed, not a list"},
		{`[{"role":"assistant","content":[{"type":"tool_use","id":"a","input":{}}]}]`, "messages[0].content[0].name: missing; the name of the tool is needed"},
		{`[{"role":"user","content":[{"type":"tool_use","id":"a","name":"ls","input":{}}]}]`, "messages[0].content[0].type: only an assistant message can hold a tool call, this one is of role user"},
		{`[{"role":"assistant","content":[{"type":"tool_result","tool_use_id":"a"}]}]`, "messages[0].content[0].type: only a message of role user or tool can hold a tool result, this one is of role assistant"},
		{`[{"role":"user","content":[{"type":"tool_result","tool_use_id":"a","content":[{"type":"tool_result"}]}]}]`, `messages[0].content[0].content[0].type: "tool_result" cannot stand in a tool result; allowed are ` + allowedOutput},
		{`[{"role":"user","content":[{"type":"tool_result","tool_use_id":"a","content":5}]}]`, "messages[0].content[0].content: a string or a list of parts is needed, not a number"},
		{`[{"role":"assistant","content":"","tool_calls":{}}]`, "messages[0].tool_calls: a list of calls is needed, not an object"},
		{`[{"role":"assistant","content":"","tool_calls":[{"id":"a","function":"ls"}]}]`, "messages[0].tool_calls[0].function: an object with name and arguments is needed, not a string"},
		{`[{"role":"assistant","content":"","tool_calls":[{"id":"a","function":{"arguments":"{}"}}]}]`, "messages[0].tool_calls[0].function.name: missing; the name of the tool is needed"},
		{`[{"role":"assistant","content":"","toolCalls":[{"id":1,"name":"ls"}]}]`, "messages[0].toolCalls[0].id: a string is needed, not a number"},
		{`[{"role":"assistant","content":"","toolCalls":[],"tool_calls":[]}]`, "messages[0].tool_calls: toolCalls is given too; use one of them"},
		{`[{"role":"user","content":"","toolCalls":[{"name":"ls"}]}]`, "messages[0].toolCalls: only an assistant message can call tools, this one is of role user"},
		{`[{"role":"tool","content":"","toolCallID":"a","tool_call_id":"b"}]`, "messages[0].tool_call_id: toolCallID is given too; use one of them"},
		{`[{"role":"assistant","content":"","function_call":{}}]`, "messages[0].function_call: this old form is not read; use tool_calls"},
	} {
		_, err := ParseMessages([]byte(test.raw))
		var parse *ParseError
		if !errors.As(err, &parse) || err.Error() != test.want {
			t.Errorf("%s\n got %v\nwant %s", test.raw, err, test.want)
		}
	}
}

// One conversation in each shape reads the same.
func TestParseShapes(t *testing.T) {
	for name, raw := range map[string]string{
		"own": `[
			{"role":"user","content":[{"type":"text","text":"look"},{"type":"image","mimeType":"image/png","data":"aGk="}]},
			{"role":"assistant","content":"ok","toolCalls":[{"id":"a","name":"ls","arguments":{"p":1}}]},
			{"role":"tool","toolCallID":"a","content":"x.go"}]`,
		"own parts": `[
			{"role":"user","content":[{"type":"text","text":"look"},{"type":"image","mimeType":"image/png","data":"aGk="}]},
			{"role":"assistant","content":[{"type":"text","text":"ok"},{"type":"tool-use","id":"a","name":"ls","arguments":{"p":1}}]},
			{"role":"tool","content":[{"type":"tool-result","toolCallID":"a","content":"x.go"}]}]`,
		"openai": `[
			{"role":"user","content":[{"type":"text","text":"look"},{"type":"image_url","image_url":{"url":"data:image/png;base64,aGk="}}]},
			{"role":"assistant","content":"ok","tool_calls":[{"id":"a","type":"function","function":{"name":"ls","arguments":"{\"p\":1}"}}]},
			{"role":"tool","tool_call_id":"a","content":"x.go"}]`,
		"anthropic": `[
			{"role":"user","content":[{"type":"text","text":"look"},{"type":"image","source":{"type":"base64","media_type":"image/png","data":"aGk="}}]},
			{"role":"assistant","content":[{"type":"text","text":"ok"},{"type":"tool_use","id":"a","name":"ls","input":{"p":1}}]},
			{"role":"user","content":[{"type":"tool_result","tool_use_id":"a","content":"x.go"}]}]`,
	} {
		messages := parse(t, raw)
		image := messages[0].Blocks()[1]
		if image.Type != PartImage || image.Media.MIME != "image/png" || image.Media.Data != "aGk=" {
			t.Errorf("%s: image read as %+v", name, image)
		}
		blocks := messages[1].Blocks()
		if blocks[0].Text != "ok" || blocks[1].ID != "a" || blocks[1].Name != "ls" || compactText(blocks[1].Arguments) != `{"p":1}` {
			t.Errorf("%s: call read as %+v", name, blocks)
		}
		result := messages[2].Blocks()[0]
		if result.Type != PartToolResult || result.ID != "a" || result.Output.PlainText() != "x.go" {
			t.Errorf("%s: result read as %+v", name, result)
		}
		if !messages[0].StartsTurn() || messages[2].StartsTurn() {
			t.Errorf("%s: the turn begins with the user's message and nowhere else", name)
		}
	}
}

func compactText(text string) string { return strings.ReplaceAll(text, " ", "") }

// Appending to a message changes its content and no other byte.
func TestAppendText(t *testing.T) {
	for _, test := range []struct{ raw, want string }{
		{`{"role": "user", "content": "a<b", "x" : 1 }`, `{"role": "user", "content": "a<b\n\n<more>", "x" : 1 }`},
		{`{"content":"", "role":"user"}`, `{"content":"<more>", "role":"user"}`},
		{`{"role":"assistant","tool_calls":[{"id":"a","function":{"name":"ls"}}]}`, `{"role":"assistant","tool_calls":[{"id":"a","function":{"name":"ls"}}],"content":"<more>"}`},
		{`{"role":"user","content":[ {"type":"text" , "text":"a"} ]}`, `{"role":"user","content":[{"type":"text" , "text":"a"},{"type":"text","text":"<more>"}]}`},
		{`{"role":"user","content":[{"type":"tool_result", "tool_use_id":"a","content":"r"}]}`, `{"role":"user","content":[{"type":"tool_result", "tool_use_id":"a","content":"r\n\n<more>"}]}`},
		{`{"role":"user","content":[{"type":"tool_result","tool_use_id":"a","content":[{"type":"text","text":"r"}]}]}`, `{"role":"user","content":[{"type":"tool_result","tool_use_id":"a","content":[{"type":"text","text":"r"},{"type":"text","text":"<more>"}]}]}`},
		{`{"role":"user","content":[]}`, `{"role":"user","content":[{"type":"text","text":"<more>"}]}`},
	} {
		message := parse(t, "["+test.raw+"]")[0]
		changed, err := message.AppendText("<more>")
		if err != nil {
			t.Fatal(err)
		}
		raw, err := changed.Raw()
		if err != nil || string(raw) != test.want {
			t.Errorf("%s\n got %s (%v)\nwant %s", test.raw, raw, err, test.want)
		}
		if !strings.HasSuffix(changed.Content.PlainText(), "<more>") {
			t.Errorf("%s: the content reads %q", test.raw, changed.Content.PlainText())
		}
		if raw, _ := message.Raw(); string(raw) != test.raw {
			t.Errorf("the original became %s", raw)
		}
	}
}

func FuzzParseMessages(f *testing.F) {
	f.Add(`[{"role":"user","content":"x"},{"role":"assistant","content":[{"type":"tool_use","id":"a","name":"ls","input":{}}]}]`)
	f.Add(`[{"role":"tool","toolCallID":"","content":[]},{"role":"user","content":[{"type":"tool-result"},{"type":"text","text":""}]}]`)
	f.Add(`[{"role":"assistant","content":"","tool_calls":[{"id":"","function":{"name":"l","arguments":"{"}}],"ROLE":"x","content":null}]`)
	f.Fuzz(func(t *testing.T, raw string) {
		messages, err := ParseMessages([]byte(raw))
		if err != nil {
			return
		}
		before, err := Encode(messages)
		if err != nil {
			t.Fatal(err)
		}
		prepared, report, err := Prepare(messages, Options{Budget: len(raw) / 3, Count: func(text string) int { return len(text) }})
		var impossible *BudgetError
		if err != nil && !errors.As(err, &impossible) {
			t.Fatal(err)
		}
		back, err := Restore(prepared, report)
		if err != nil {
			t.Fatal(err)
		}
		if after, err := Encode(back); err != nil || string(after) != string(before) {
			t.Fatalf("%s restored as %s (%v)", before, after, err)
		}
	})
}
