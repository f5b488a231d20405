//go:build !race

package history

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

// inText are turns in the form in which gptme has them: calls and results in the text, a result as a message of the system.
func inText(t *testing.T, turns [][]Message) [][]Message {
	t.Helper()
	var out [][]Message
	for _, turn := range turns {
		var list []Message
		for _, m := range turn {
			switch {
			case len(m.ToolCalls) > 0:
				list = append(list, Message{ID: m.ID, Role: RoleAssistant, Content: Text("I read it:\n\n```read\n" + m.ToolCalls[0].Arguments + "\n```")})
			case m.Role == RoleTool:
				list = append(list, Message{ID: m.ID, Role: RoleSystem, Content: Text("It says:\n\n```go\n" + m.Content.PlainText() + "\n```")})
			default:
				list = append(list, Message{ID: m.ID, Role: m.Role, Content: Text(m.Content.PlainText())})
			}
		}
		raw, err := Encode(list)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, parse(t, string(raw)))
	}
	return out
}

// simulatedTurns are the turns of a long piece of work: a question, three reads of files and an answer each.
func simulatedTurns(t *testing.T, n int) [][]Message {
	t.Helper()
	r := rand.New(rand.NewPCG(5, 0x73696d))
	file := func(i, lines int) string {
		var b strings.Builder
		for line := range lines {
			fmt.Fprintf(&b, "\tline%d := compute(%d, %q) // of file %d\n", line, r.IntN(1000), strings.Repeat("x", r.IntN(20)), i)
		}
		return b.String()
	}
	var turns [][]Message
	for i := range n {
		turn := []Message{{ID: fmt.Sprint("u", i), Role: RoleUser, Content: Text(fmt.Sprintf("question %d: why does the test of module %d fail?", i, i%17))}}
		for k := range 3 {
			call := fmt.Sprintf("c%d.%d", i, k)
			turn = append(turn,
				Message{ID: "m" + call, Role: RoleAssistant, ToolCalls: []ToolCall{{ID: call, Name: "read", Arguments: fmt.Sprintf(`{"path":"f%d.go"}`, r.IntN(60))}}},
				Message{ID: "t" + call, Role: RoleTool, ToolCallID: call, Content: Text("package p\n\nfunc F() {\n" + file(i, 5+r.IntN(80)) + "}\n")})
		}
		turn = append(turn, Message{ID: fmt.Sprint("a", i), Role: RoleAssistant, Content: Text(fmt.Sprintf("answer %d: %s", i, strings.Repeat("it is because of the order. ", 5+r.IntN(10))))})
		raw, err := Encode(turn)
		if err != nil {
			t.Fatal(err)
		}
		turns = append(turns, parse(t, string(raw))) // as they come from a client
	}
	return turns
}

// A conversation of 200 turns, each of two requests, in a window that it outgrows many times: what of each request is the
// beginning of the one before it, and so in the provider's cache, by the strategies here and by the seeds' ways.
//
//	go test ./promptbuilder/history -run TestSimulatedConversation -v
func TestSimulatedConversation(t *testing.T) {
	const budget = 60_000
	turns := simulatedTurns(t, 200)
	type outcome struct {
		name                            string
		sent, cached, possible          int
		broken, requests, over, refused int
	}
	simulate := func(name string, session bool, turns [][]Message, o Options) outcome {
		got := outcome{name: name}
		o.Budget, o.Count, o.PerMessage = budget, lengthCount, 4
		o.Costs = NewCosts(20_000)
		if session {
			o.Cut = &Cut{}
		}
		type sent struct {
			key  Key
			cost int
		}
		var all []Message
		var before []sent
		request := func() {
			prepared, report, err := Prepare(all, o)
			var impossible *BudgetError
			if errors.As(err, &impossible) {
				got.refused++
				return
			}
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			if session {
				o.Cut = report.Cut
			}
			now := make([]sent, len(prepared))
			total := 0
			for i, m := range prepared {
				now[i] = sent{m.Key(), o.CostOf(m)}
				total += now[i].cost
			}
			if total > budget {
				got.over++
			}
			at := 0
			for at < len(before) && at < len(now) && before[at].key == now[at].key {
				got.cached += now[at].cost
				at++
			}
			for _, m := range before {
				got.possible += m.cost
			}
			if at < len(before) {
				got.broken++
			}
			got.requests++
			got.sent += total
			before = now
		}
		for _, turn := range turns {
			all = append(all, turn[0])
			request()
			all = append(all, turn[1:7]...)
			request()
			all = append(all, turn[7:]...)
		}
		return got
	}
	outcomes := []outcome{
		simulate("foreword, reduce", true, turns, Options{}),
		simulate("foreword, clear-tool-results", true, turns, Options{Trim: Trim{Strategy: StrategyClear}}),
		simulate("foreword, adaptive", true, turns, Options{Trim: Trim{Strategy: StrategyAdaptive}}),
		simulate("as gptme", false, inText(t, turns), Options{Compat: Compat{Name: CompatGptme}}),
		simulate("as opencode prunes", false, turns, Options{Compat: Compat{Name: CompatOpencode}}),
	}
	t.Logf("%-30s %10s %10s %9s %8s %8s %12s", "", "sent", "cached", "share", "breaks", "no fit", "full price")
	for _, o := range outcomes {
		t.Logf("%-30s %10d %10d %8.2f%% %8d %8d %12d", o.name, o.sent, o.cached, 100*float64(o.cached)/float64(o.possible), o.broken, o.over+o.refused, o.sent-o.cached)
		if o.requests+o.refused != 2*len(turns) {
			t.Errorf("%s: %d requests", o.name, o.requests)
		}
	}
	for _, o := range outcomes[:3] {
		if o.over+o.refused > 0 {
			t.Errorf("%s: %d requests do not fit", o.name, o.over+o.refused)
		}
		for _, seed := range outcomes[3:] {
			if float64(o.cached)/float64(o.possible) <= float64(seed.cached)/float64(seed.possible) {
				t.Errorf("%s keeps less of the cache than %s", o.name, seed.name)
			}
		}
	}
}
