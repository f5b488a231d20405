package history

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
)

// words counts a token per word; a message costs its words.
func words(text string) int { return len(strings.Fields(text)) }

func encodeAll(t *testing.T, messages []Message) string {
	t.Helper()
	raw, err := Encode(messages)
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}

// said is what was done, one line per action.
func said(report Report) string {
	var lines []string
	for _, a := range report.Actions {
		block := ""
		if a.Block != nil {
			block = fmt.Sprintf(".%d", *a.Block)
		}
		lines = append(lines, fmt.Sprintf("%d%s %s %s %d>%d", a.Index, block, a.Kind, a.Reason, a.Before, a.After))
	}
	return strings.Join(lines, "; ")
}

// outline is role and text of each message, for tests that read like a conversation.
func outline(messages []Message) string {
	var lines []string
	for _, m := range messages {
		var blocks []string
		for _, block := range m.Blocks() {
			switch block.Type {
			case PartToolUse:
				blocks = append(blocks, "call "+block.ID)
			case PartToolResult:
				blocks = append(blocks, block.ID+"="+block.Output.PlainText())
			case PartText:
				blocks = append(blocks, block.Text)
			default:
				blocks = append(blocks, block.Type)
			}
		}
		lines = append(lines, m.Role[:1]+": "+strings.Join(blocks, ", "))
	}
	return strings.Join(lines, " | ")
}

const anthropicTurns = `[
	{"role":"system","content":"be kind"},
	{"role":"user","content":"one two three"},
	{"role":"assistant","content":[{"type":"thinking","thinking":"hm","signature":"s"},{"type":"tool_use","id":"a","name":"ls","input":{}},{"type":"tool_use","id":"b","name":"ls","input":{}}]},
	{"role":"user","content":[{"type":"tool_result","tool_use_id":"a","content":"r1 r1"},{"type":"tool_result","tool_use_id":"b","content":"r2"},{"type":"text","text":"stop it"}]},
	{"role":"assistant","content":"fine then"},
	{"role":"user","content":"last question"}]`

func TestPrepareDropsTheOldestTurns(t *testing.T) {
	for _, test := range []struct {
		name, raw           string
		budget              int
		want, said, outcome string
	}{
		{
			"fits", anthropicTurns, 100,
			"s: be kind | u: one two three | a: thinking, call a, call b | u: a=r1 r1, b=r2, stop it | a: fine then | u: last question",
			"", StatusFit,
		},
		{
			"a result goes with its call, the words beside it stay", anthropicTurns, 12,
			"s: be kind | u: stop it | a: fine then | u: last question",
			"1 dropped over_budget 3>0; 2 dropped over_budget 5>0; 3.0 dropped tool_pair 2>0; 3.1 dropped tool_pair 1>0", StatusTrimmed,
		},
		{
			"only the newest turn is left", anthropicTurns, 4,
			"s: be kind | u: last question",
			"1 dropped over_budget 3>0; 2 dropped over_budget 5>0; 3 dropped over_budget 5>0; 4 dropped over_budget 2>0", StatusTrimmed,
		},
		{
			"a pinned result keeps its call and the call's other results",
			`[{"role":"user","content":"q q q"},{"role":"assistant","content":"","toolCalls":[{"id":"a","name":"ls"},{"id":"b","name":"ls"}]},
			{"role":"tool","toolCallID":"a","content":"ra"},{"role":"tool","toolCallID":"b","content":"rb","pinned":true},{"role":"assistant","content":"x x x"},
			{"role":"user","content":"new"}]`, 6,
			"a: call a, call b | t: a=ra | t: b=rb | u: new",
			"0 dropped over_budget 3>0; 1 kept tool_pair 2>2; 2 kept tool_pair 1>1; 3 kept pinned 1>1; 4 dropped over_budget 3>0", StatusTrimmed,
		},
		{
			"a system message in the middle stays",
			`[{"role":"user","content":"q q q"},{"role":"system","content":"note"},{"role":"assistant","content":"x"},{"role":"user","content":"new"}]`, 2,
			"s: note | u: new", "0 dropped over_budget 3>0; 2 dropped over_budget 1>0", StatusTrimmed,
		},
		{
			"what comes before the first user message goes first",
			`[{"role":"assistant","content":"hello there"},{"role":"user","content":"q"},{"role":"user","content":"new"}]`, 2,
			"u: q | u: new", "0 dropped over_budget 2>0", StatusTrimmed,
		},
		{
			"a made-up result goes with its call and is not mentioned",
			`[{"role":"user","content":"q q"},{"role":"assistant","content":"","toolCalls":[{"id":"a","name":"ls"}]},{"role":"user","content":"new"}]`, 1,
			"u: new", "0 dropped over_budget 2>0; 1 dropped over_budget 1>0", StatusTrimmed,
		},
		{"nothing at all", `[]`, 0, "", "", StatusFit},
	} {
		messages := parse(t, test.raw)
		prepared, report, err := Prepare(messages, Options{Budget: test.budget, Count: words})
		if err != nil {
			t.Errorf("%s: %v", test.name, err)
		}
		if got := outline(prepared); got != test.want {
			t.Errorf("%s\n got %s\nwant %s", test.name, got, test.want)
		}
		if got := said(report); got != test.said || report.Status != test.outcome {
			t.Errorf("%s: said %s\n got %s\nwant %s", test.name, report.Status, got, test.said)
		}
	}
}

// T14: parallel and interrupted calls and results without calls, and what the report says of them.
func TestPrepareRepairs(t *testing.T) {
	for _, test := range []struct{ name, raw, want, said string }{
		{
			"interrupted: two of three results",
			`[{"role":"user","content":"q"},{"role":"assistant","content":null,"tool_calls":[{"id":"a","type":"function","function":{"name":"ls","arguments":"{}"}},{"id":"b","type":"function","function":{"name":"ls","arguments":"{}"}},{"id":"c","type":"function","function":{"name":"ls","arguments":"{}"}}]},
			{"role":"tool","tool_call_id":"c","content":"rc"},{"role":"tool","tool_call_id":"a","content":"ra"},{"role":"user","content":"go on"}]`,
			`u: q | a: call a, call b, call c | t: c=rc | t: a=ra | t: b=Cancelled | u: go on`,
			"4 synthesised orphan_call 0>1",
		},
		{
			"interrupted at the very end",
			`[{"role":"user","content":"q"},{"role":"assistant","content":"","toolCalls":[{"id":"a","name":"ls"},{"id":"b","name":"ls"}]},{"role":"tool","toolCallID":"a","content":"ra"}]`,
			"u: q | a: call a, call b | t: a=ra | t: b=Cancelled", "3 synthesised orphan_call 0>1",
		},
		{
			"calls that the panel is about to run are left alone",
			`[{"role":"user","content":"q"},{"role":"assistant","content":"","toolCalls":[{"id":"a","name":"ls"}]}]`,
			"u: q | a: call a", "",
		},
		{
			"in Anthropic's shape one message has all missing results and stands before the others",
			`[{"role":"assistant","content":[{"type":"tool_use","id":"a","name":"ls","input":{}},{"type":"tool_use","id":"b","name":"ls","input":{}},{"type":"tool_use","id":"c","name":"ls","input":{}}]},
			{"role":"user","content":[{"type":"tool_result","tool_use_id":"b","content":"rb"},{"type":"text","text":"stop"}]}]`,
			"a: call a, call b, call c | u: a=Cancelled, c=Cancelled | u: b=rb, stop", "1 synthesised orphan_call 0>2",
		},
		{
			"a result without a call",
			`[{"role":"user","content":"q"},{"role":"tool","toolCallID":"x","content":"rx"},{"role":"assistant","content":"a"}]`,
			"u: q | a: a", "1 dropped orphan_result 1>0",
		},
		{
			"a result too late",
			`[{"role":"assistant","content":"","toolCalls":[{"id":"a","name":"ls"}]},{"role":"user","content":"wait"},{"role":"tool","toolCallID":"a","content":"ra"},{"role":"assistant","content":"a"}]`,
			"a: call a | t: a=Cancelled | u: wait | a: a", "1 synthesised orphan_call 0>1; 2 dropped orphan_result 1>0",
		},
		{
			"a result twice",
			`[{"role":"assistant","content":"","toolCalls":[{"id":"a","name":"ls"}]},{"role":"tool","toolCallID":"a","content":"r1"},{"role":"tool","toolCallID":"a","content":"r2"}]`,
			"a: call a | t: a=r1", "2 dropped orphan_result 1>0",
		},
		{
			"a result that comes after it was given up",
			`[{"role":"assistant","content":"","toolCalls":[{"id":"a","name":"ls"}]},{"role":"tool","toolCallID":"a","content":"Cancelled"},{"role":"tool","toolCallID":"a","content":"r2"}]`,
			"a: call a | t: a=r2", "1 dropped orphan_result 1>0",
		},
		{
			"ids that every answer uses again",
			`[{"role":"assistant","content":"","toolCalls":[{"id":"0","name":"ls"}]},{"role":"tool","toolCallID":"0","content":"r1"},{"role":"assistant","content":"","toolCalls":[{"id":"0","name":"ls"}]},{"role":"tool","toolCallID":"0","content":"r2"}]`,
			"a: call 0 | t: 0=r1 | a: call 0 | t: 0=r2", "",
		},
		{
			"no ids at all: by position",
			`[{"role":"assistant","content":"","toolCalls":[{"name":"ls"},{"name":"cat"}]},{"role":"tool","content":"r1"},{"role":"user","content":"q"}]`,
			"a: call , call  | t: =r1 | t: =Cancelled | u: q", "2 synthesised orphan_call 0>1",
		},
		{
			"a pinned result without a call gets a call",
			`[{"role":"user","content":"q"},{"role":"user","content":[{"type":"tool_result","tool_use_id":"x","content":"rx"}],"pinned":true},{"role":"assistant","content":"a"}]`,
			"u: q | a: call x | u: x=rx | a: a", "1 synthesised orphan_result 0>2",
		},
		{
			"a system note between results does no harm",
			`[{"role":"assistant","content":"","toolCalls":[{"id":"a","name":"ls"},{"id":"b","name":"ls"}]},{"role":"tool","toolCallID":"a","content":"ra"},{"role":"system","content":"note"},{"role":"tool","toolCallID":"b","content":"rb"}]`,
			"a: call a, call b | t: a=ra | s: note | t: b=rb", "",
		},
	} {
		messages := parse(t, test.raw)
		prepared, report, err := Prepare(messages, Options{Budget: 1000, Count: words})
		if err != nil || report.Status != StatusFit {
			t.Errorf("%s: %s, %v", test.name, report.Status, err)
		}
		if got := outline(prepared); got != test.want {
			t.Errorf("%s\n got %s\nwant %s", test.name, got, test.want)
		}
		if got := said(report); got != test.said {
			t.Errorf("%s\n got %s\nwant %s", test.name, got, test.said)
		}
		if problem := findOrphan(prepared); problem != "" {
			t.Errorf("%s: %s", test.name, problem)
		}
	}
}

// What is made up comes in the shape of the message that it is made for.
func TestSynthesisedShapes(t *testing.T) {
	for _, test := range []struct{ raw, want string }{
		{
			`{"role":"assistant","content":"","toolCalls":[{"id":"a","name":"ls","arguments":{}}]}`,
			`{"role":"tool","content":"Cancelled","toolCallID":"a"}`,
		},
		{
			`{"role":"assistant","content":[{"type":"tool-use","id":"a","name":"ls"}]}`,
			`{"role":"tool","content":[{"type":"tool-result","toolCallID":"a","name":"ls","content":"Cancelled","isError":true}]}`,
		},
		{
			`{"role":"assistant","tool_calls":[{"id":"a","type":"function","function":{"name":"ls","arguments":""}}]}`,
			`{"role":"tool","tool_call_id":"a","content":"Cancelled"}`,
		},
		{
			`{"role":"assistant","content":[{"type":"tool_use","id":"a","name":"ls","input":{}}]}`,
			`{"role":"user","content":[{"type":"tool_result","tool_use_id":"a","content":"Cancelled","is_error":true}]}`,
		},
	} {
		messages := parse(t, "["+test.raw+`,{"role":"user","content":"q"}]`)
		prepared, _, err := Prepare(messages, Options{Budget: 1000, Count: words})
		if err != nil {
			t.Fatal(err)
		}
		if raw, _ := prepared[1].Raw(); string(raw) != test.want {
			t.Errorf("%s\n got %s\nwant %s", test.raw, raw, test.want)
		}
	}
	for _, test := range []struct{ raw, want string }{
		{`{"role":"tool","toolCallID":"a","content":"r","pinned":true}`, `{"role":"assistant","toolCalls":[{"id":"a","name":"unknown_tool","arguments":{}}]}`},
		{`{"role":"tool","tool_call_id":"a","content":"r","pinned":true}`, `{"role":"assistant","content":null,"tool_calls":[{"id":"a","type":"function","function":{"name":"unknown_tool","arguments":"{}"}}]}`},
		{`{"role":"user","content":[{"type":"tool_result","tool_use_id":"a"}],"pinned":true}`, `{"role":"assistant","content":[{"type":"tool_use","id":"a","name":"unknown_tool","input":{}}]}`},
	} {
		prepared, _, err := Prepare(parse(t, "["+test.raw+"]"), Options{Budget: 1000, Count: words})
		if err != nil {
			t.Fatal(err)
		}
		if raw, _ := prepared[0].Raw(); string(raw) != test.want {
			t.Errorf("%s\n got %s\nwant %s", test.raw, raw, test.want)
		}
	}
}

// T16: when what must stay does not fit, the error has the numbers and the list is the smallest valid one.
func TestPrepareImpossible(t *testing.T) {
	messages := parse(t, `[{"role":"system","content":"s s"},{"role":"user","content":"old"},{"role":"user","content":"p p p","pinned":true},
		{"role":"user","content":[{"type":"text","text":"n n n n n"},{"type":"image","data":"aGk="}]}]`)
	prepared, report, err := Prepare(messages, Options{Budget: 9, Count: words, PerImage: 4, CounterKind: "exact"})
	var impossible *BudgetError
	if !errors.As(err, &impossible) || impossible.Code() != "budget_impossible" || impossible.Need != 14 || impossible.Budget != 9 {
		t.Fatalf("error %v", err)
	}
	want := "the messages that must stay cost 14 tokens, the budget is 9; largest: messages[3] (user text) 5, messages[3] (user image) 4, messages[2] (user text) 3, messages[0] (system text) 2; " +
		"5 tokens too many (newest turn 9, pinned 3, system messages 2): shorten the largest parts, unpin messages, lower the reserve or take a model with a larger window"
	if err.Error() != want {
		t.Errorf("error\n got %v\nwant %s", err, want)
	}
	if got := outline(prepared); got != "s: s s | u: p p p | u: n n n n n, image" {
		t.Errorf("list %s", got)
	}
	if report.Status != StatusImpossible || report.Before != 15 || report.After != 14 || report.Counter != "exact" || len(report.Largest) != 4 || *report.Largest[1].Block != 1 || !report.Largest[2].Pinned {
		t.Errorf("report %+v", report)
	}
	if _, _, err := Prepare(messages, Options{Budget: -3, Count: words}); !errors.As(err, &impossible) {
		t.Errorf("a budget below zero: %v", err)
	}
	if _, _, err := Prepare(messages, Options{Budget: 9}); err == nil || !strings.Contains(err.Error(), "Options.Count") {
		t.Errorf("no counter: %v", err)
	}
}

// T19: a thinking block with its signature keeps its bytes or goes as a unit with its message.
func TestThinkingKeepsItsBytes(t *testing.T) {
	block := `{"type":"thinking","thinking":"so \u003c \"x\"","signature":"Eq+/=","x-extra" : [1.50]}`
	messages := parse(t, `[{"role":"user","content":"q q q q"},{"role":"user","content":"w"},{"role":"assistant","content":[`+block+`,{"type":"redacted_thinking","data":"AA=="},{"type":"text","text":"a"}]},{"role":"user","content":"n"}]`)
	for budget := range 12 {
		prepared, _, _ := Prepare(messages, Options{Budget: budget, Count: words})
		raw := encodeAll(t, prepared)
		if strings.Contains(raw, "Eq+/=") && !strings.Contains(raw, block+`,{"type":"redacted_thinking","data":"AA=="},`) {
			t.Errorf("budget %d: the block became %s", budget, raw)
		}
	}
}

// Every text is counted once, however much has to go: counting is what preparing costs.
func TestEveryTextIsCountedOnce(t *testing.T) {
	for _, budget := range []int{0, 50, 400, 1 << 20} {
		counted := map[string]int{}
		_, _, _ = Prepare(agentConversation(40), Options{Budget: budget, Count: func(text string) int {
			counted[text]++
			return words(text)
		}})
		if len(counted) == 0 {
			t.Fatal("nothing was counted")
		}
		for text, n := range counted {
			if n > 1 {
				t.Errorf("budget %d: %q was counted %d times", budget, text, n)
			}
		}
	}
}

// agentConversation is n messages in turns of eight: a question, three times a call with its result, an answer.
// All texts are different.
func agentConversation(n int) []Message {
	messages := make([]Message, 0, n)
	for i := 0; len(messages) < n; i++ {
		switch i % 8 {
		case 0:
			messages = append(messages, Message{Role: RoleUser, Content: Text(fmt.Sprintf("question %d about the code in this file", i))})
		case 7:
			messages = append(messages, Message{Role: RoleAssistant, Content: Text(fmt.Sprintf("answer %d with some words", i))})
		case 1, 3, 5:
			messages = append(messages, Message{Role: RoleAssistant, ToolCalls: []ToolCall{{ID: fmt.Sprint("call", i), Name: "read", Arguments: fmt.Sprintf(`{"path":"f%d.go"}`, i)}}})
		default:
			messages = append(messages, Message{Role: RoleTool, ToolCallID: fmt.Sprint("call", i-1), Content: Text(fmt.Sprintf("package p%d\n\nfunc f() {}\n", i))})
		}
	}
	return messages
}

func TestRestoreRefusesAnotherHistory(t *testing.T) {
	messages := parse(t, anthropicTurns)
	prepared, report, err := Prepare(messages, Options{Budget: 12, Count: words})
	if err != nil {
		t.Fatal(err)
	}
	bad := report
	bad.Actions = append([]Action{{Index: 40, Kind: KindSynthesised}}, report.Actions...)
	if _, err := Restore(prepared, bad); err == nil {
		t.Error("an action beyond the end was accepted")
	}
	bad.Actions = []Action{{Index: 0, Kind: KindDropped, Reason: ReasonOverBudget}}
	if _, err := Restore(prepared, bad); err == nil {
		t.Error("a dropped message without its bytes was accepted")
	}
	bad.Actions = []Action{{Index: 0, Kind: KindDropped, Restore: json.RawMessage(`{"role":"robot"}`)}}
	if _, err := Restore(prepared, bad); err == nil || !strings.Contains(err.Error(), "messages[0].role") {
		t.Errorf("broken restore data: %v", err)
	}
}
