package history

import (
	"strings"
	"testing"

	"foreword/promptbuilder/compress"
)

// What repeats, what was thought aloud and what says little goes before what the task is about.
func TestAdaptiveWeighs(t *testing.T) {
	log := strings.Repeat("ERROR: total is 3, want 4 in cart_test.go\n", 12) + strings.Repeat("at step in runner\n", 30)
	same := "The same long explanation of how the cart works. " + strings.Repeat("It goes on about carts and totals and taxes. ", 30)
	var other strings.Builder
	for i := range 60 {
		other.WriteString("sentence number " + strings.Repeat(string(rune('a'+i%26)), i%9+3) + " says something new. ")
	}
	messages := []Message{
		say("user", same),
		say("assistant", "<think>"+strings.Repeat("hm, let me see. ", 80)+"</think>The total is wrong."),
		{Role: RoleAssistant, ToolCalls: []ToolCall{{ID: "a", Name: "test", Arguments: "{}"}}},
		{Role: RoleTool, ToolCallID: "a", Content: Text(log)},
		say("user", same),
		say("assistant", other.String()),
		say("assistant", "one more"),
		say("assistant", "and one more"),
		say("user", "debug this error, why is the test failing?"),
	}
	o := Options{Count: func(text string) int { return len(text) }, Trim: Trim{Strategy: StrategyAdaptive, ProtectTokens: -1}}
	o.Budget = cost(messages, o) - 2_500
	prepared, report, err := Prepare(messages, o)
	if err != nil {
		t.Fatal(err)
	}
	reasons := map[int]string{}
	for _, a := range report.Actions {
		reasons[a.Index] = a.Reason
	}
	if reasons[0] != RungRepeated || reasons[1] != RungThoughts || reasons[4] != "" {
		t.Errorf("%s", said(report))
	}
	if !strings.Contains(outline(prepared), "The total is wrong.") || strings.Contains(outline(prepared), "hm, let me see") {
		t.Errorf("%s", outline(prepared))
	}
	// The log has the error that the task is about: it goes later than under a task that is not about it.
	p, err := newPlan(messages, o, nil)
	if err != nil {
		t.Fatal(err)
	}
	p.repair()
	p.markMandatory()
	p.weigh()
	weigh := func(prompt string, near ...string) float64 {
		p.options.Trim.Weigh = Weigh{Task: prompt, Near: near}
		p.weigh()
		return p.weights.of(&candidate{message: 3, placed: placed{text: log, result: true}})
	}
	if about, not := weigh("debug this error, why is it failing?"), weigh("implement a new feature"); about >= not {
		t.Errorf("a log with errors weighs %v for a diagnosis, %v for a feature", about, not)
	}
	if near, far := weigh("hello", "cart_test.go"), weigh("hello", "other.go"); near >= far {
		t.Errorf("a text about a changed file weighs %v, else %v", near, far)
	}
	p.options.Trim.Weigh = Weigh{Task: "investigate this", Facts: compress.Facts{Errors: 3}}
	if p.weigh(); p.weights.task.Class != compress.Diagnostic {
		t.Errorf("what the editor knows is not used: %+v", p.weights.task)
	}
}

// Prose is shortened by sentences before it is cut by length.
func TestAdaptiveExtracts(t *testing.T) {
	var prose strings.Builder
	for i := range 40 {
		prose.WriteString("This is a plain sentence of no importance at all, number " + strings.Repeat("i", i%5+1) + ". ")
	}
	text := "The goal is to fix `cart.go`. " + prose.String() + "The result must be stored in `total.go` because of the error."
	messages := []Message{say("user", text), say("assistant", "ok"), say("user", "and now?")}
	o := Options{Count: func(text string) int { return len(text) }, Trim: Trim{Strategy: StrategyAdaptive, ProtectTokens: -1}}
	o.Budget = cost(messages, o) * 2 / 3
	prepared, report, err := Prepare(messages, o)
	if err != nil || len(report.Actions) != 1 || report.Actions[0].Reason != RungExtract {
		t.Fatalf("%v %s", err, said(report))
	}
	got := prepared[0].Content.Text
	if !strings.Contains(got, "fix `cart.go`") || !strings.Contains(got, "`total.go` because of the error") {
		t.Errorf("%s", got)
	}
}
