package wire

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"foreword/promptbuilder/history"

	"pgregory.net/rapid"
)

// drawMessages are conversations with calls, results that are missing, late, twice or in no order, bad ids,
// thinking, images and messages without a text, in the three shapes.
func drawMessages(t *rapid.T) []history.Message {
	var list []string
	n := 0
	text := func() string {
		n++
		return fmt.Sprintf("text%d.", n)
	}
	flip := func(percent int) bool { return rapid.IntRange(0, 99).Draw(t, "flip") < percent }
	ids := []string{"a", "b", "functions.ls:0", strings.Repeat("long", 20), ""}
	add := func(format string, arguments ...any) { list = append(list, fmt.Sprintf(format, arguments...)) }
	for range rapid.IntRange(0, 12).Draw(t, "steps") {
		extra := rapid.SampledFrom([]string{"", "", "", `"pinned":true,`, `"ephemeralTTL":1,`, `"model":"m",`, `"model":"other",`}).Draw(t, "extra")
		id := rapid.SampledFrom(ids).Draw(t, "id")
		switch rapid.IntRange(0, 8).Draw(t, "step") {
		case 0, 1:
			add(`{%s"role":"user","content":%q}`, extra, text())
		case 2:
			add(`{%s"role":"user","content":[{"type":"image","data":"aGk="},{"type":"text","text":%q,"cache_control":{"type":"ephemeral"}}]}`, extra, text())
		case 3:
			add(`{%s"role":"system","content":%q}`, extra, text())
		case 4:
			add(`{%s"role":"assistant","content":[{"type":"thinking","thinking":"h","signature":"s"},{"type":"text","text":%q}]}`, extra, text())
		case 5:
			add(`{%s"role":"user","content":""}`, extra)
		case 6:
			add(`{%s"role":"tool","toolCallID":%q,"content":%q}`, extra, id, text())
		case 7: // OpenAI, in order
			other := rapid.SampledFrom(ids).Draw(t, "other")
			add(`{%s"role":"assistant","content":null,"tool_calls":[{"id":%q,"function":{"name":"ls","arguments":"{}"}},{"id":%q,"function":{"name":"cat","arguments":"{\"broken\":"}}]}`, extra, id, other)
			if flip(80) {
				add(`{"role":"tool","tool_call_id":%q,"content":%q}`, id, text())
			}
			if flip(80) {
				add(`{"role":"tool","tool_call_id":%q,"content":[{"type":"text","text":%q}]}`, other, text())
			}
		case 8: // Anthropic, in any order
			add(`{%s"role":"assistant","content":[{"type":"text","text":%q},{"type":"tool_use","id":"x","name":"ls","input":{}},{"type":"tool_use","id":"y","name":"ls","input":{"p":1}}]}`, extra, text())
			result := func(id string) string {
				mark := rapid.SampledFrom([]string{"", "", `,"cache_control":{"type":"ephemeral"}`, `,"cache_control":{"type":"ephemeral","ttl":"1h"}`}).Draw(t, "mark")
				return fmt.Sprintf(`{"type":"tool_result","tool_use_id":%q,"content":[{"type":"text","text":%q`+mark+`},{"type":"image","source":{"type":"base64","media_type":"image/png","data":"aGk="}}]}`, id, text())
			}
			if flip(30) {
				add(`{"role":"system","content":%q}`, text())
			}
			switch {
			case flip(60):
				add(`{"role":"user","content":[%s,%s]}`, result("y"), result("x"))
			case flip(50):
				add(`{"role":"user","content":[%s,{"type":"text","text":%q}]}`, result("y"), text())
			}
		}
	}
	messages, err := history.ParseMessages([]byte("[" + strings.Join(list, ",") + "]"))
	if err != nil {
		t.Fatal(err)
	}
	return messages
}

// Every body is valid JSON, the same each time, has no orphans and at most four marks, and says all that the
// messages say.
func TestRenderProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		request := drawRequest(t)
		before, err := history.Encode(request.Messages)
		if err != nil {
			t.Fatal(err)
		}
		repaired, _, err := history.Repair(request.Messages)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range Names() {
			request.Wire = name
			result, err := Render(request)
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			again, err := Render(request)
			if err != nil || string(again.Body) != string(result.Body) || strings.Join(again.Downgrades, "\n") != strings.Join(result.Downgrades, "\n") {
				t.Fatalf("%s: the same request, two results", name)
			}
			var body any
			if err := json.Unmarshal(result.Body, &body); err != nil {
				t.Fatalf("%s: %v in %s", name, err, result.Body)
			}
			if n := strings.Count(string(result.Body), `"cache_control"`); n > maxCacheMarks || name != Anthropic && n > 0 {
				t.Fatalf("%s: %d cache marks", name, n)
			}
			checkTexts(t, name, body, request, repaired)
			checkPairs(t, name, result.Body)
			if fault := checkBody(request, result.Body); fault != "" {
				t.Fatalf("%s: %s in %s", name, fault, result.Body)
			}
		}
		if after, _ := history.Encode(request.Messages); string(after) != string(before) {
			t.Fatalf("rendering changed the messages to %s", after)
		}
	})
}

// checkTexts: every text of a message that was not left out as an orphan is in the body, and none twice.
func checkTexts(t *rapid.T, name string, body any, request Request, repaired []history.Message) {
	var all strings.Builder
	collectStrings(body, &all)
	for _, block := range request.System {
		if !strings.Contains(all.String(), block.Text) {
			t.Fatalf("%s: the system text %q is missing", name, block.Text)
		}
	}
	for _, message := range repaired {
		for _, text := range strings.Fields(message.Content.PlainText()) {
			if !strings.HasPrefix(text, "text") {
				continue
			}
			if n := strings.Count(all.String(), text); n != 1 {
				t.Fatalf("%s: %q stands %d times in %s", name, text, n, all.String())
			}
		}
	}
}

func collectStrings(value any, into *strings.Builder) {
	switch v := value.(type) {
	case string:
		into.WriteString(v + "\n")
	case []any:
		for _, item := range v {
			collectStrings(item, into)
		}
	case map[string]any:
		for _, item := range v {
			collectStrings(item, into)
		}
	}
}

// item is a call or a result in a body, seen from outside: written apart from the renderers, from the
// providers' documents.
type item struct {
	kind, id string
	message  int
}

func checkPairs(t *rapid.T, name string, body json.RawMessage) {
	items := toolItems(t, name, body)
	seen := map[string]bool{}
	for i := 0; i < len(items); {
		calls := map[string]bool{}
		start := items[i].message
		for ; i < len(items) && items[i].kind == "call" && (items[i].message == start || name == OpenAIResponses); i++ {
			if seen[items[i].id] || items[i].id == "" {
				t.Fatalf("%s: two calls have the id %q in %s", name, items[i].id, body)
			}
			seen[items[i].id], calls[items[i].id] = true, true
		}
		if len(calls) == 0 {
			t.Fatalf("%s: result %q without a call in %s", name, items[i].id, body)
		}
		for next := start + 1; i < len(items) && items[i].kind == "result"; i++ {
			if !calls[items[i].id] {
				t.Fatalf("%s: result %q answers no call in %s", name, items[i].id, body)
			}
			if name != OpenAIResponses {
				if name == OpenAIChat || name == Ollama {
					if items[i].message != next {
						t.Fatalf("%s: something stands between calls and results in %s", name, body)
					}
					next++
				} else if items[i].message != start+1 {
					t.Fatalf("%s: results are not in the message after their calls in %s", name, body)
				}
			}
			delete(calls, items[i].id)
		}
		if len(calls) > 0 {
			t.Fatalf("%s: calls without results %v in %s", name, calls, body)
		}
	}
}

// toolItems are all calls and results of a body in order.
func toolItems(t *rapid.T, name string, raw json.RawMessage) []item {
	type part struct {
		Type, ID, CallID string
		ToolUseID        string               `json:"tool_use_id"`
		Call             *struct{ ID string } `json:"functionCall"`
		Response         *struct{ ID string } `json:"functionResponse"`
	}
	var body struct {
		Messages []struct {
			Role    string
			Content json.RawMessage
			Calls   []struct{ ID string } `json:"tool_calls"`
			Result  string                `json:"tool_call_id"`
		}
		Contents []struct{ Parts []part }
		Input    []struct {
			Type   string
			CallID string `json:"call_id"`
		}
	}
	if err := json.Unmarshal(raw, &body); err != nil {
		t.Fatal(err)
	}
	var items []item
	add := func(kind, id string, message int) { items = append(items, item{kind, id, message}) }
	for i, message := range body.Messages {
		for _, call := range message.Calls {
			add("call", call.ID, i)
		}
		if message.Role == "tool" {
			add("result", message.Result, i)
		}
		var parts []part
		if json.Unmarshal(message.Content, &parts) != nil {
			continue
		}
		for _, p := range parts {
			switch p.Type {
			case "tool_use":
				add("call", p.ID, i)
			case "tool_result":
				add("result", p.ToolUseID, i)
			case "toolCall":
				add("call", p.CallID, i)
			case "toolResult":
				add("result", p.CallID, i)
			}
		}
	}
	for i, content := range body.Contents {
		for _, p := range content.Parts {
			if p.Call != nil {
				add("call", p.Call.ID, i)
			}
			if p.Response != nil {
				add("result", p.Response.ID, i)
			}
		}
	}
	for i, in := range body.Input {
		switch in.Type {
		case "function_call":
			add("call", in.CallID, i)
		case "function_call_output":
			add("result", in.CallID, i)
		}
	}
	return items
}
