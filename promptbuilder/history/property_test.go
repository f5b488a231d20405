package history

import (
	"encoding/json"
	"errors"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

func drawOptions(t *rapid.T) Options {
	return Options{
		Budget:      rapid.SampledFrom([]int{0, 40, 100, 300, 600, 1500, 4000}).Draw(t, "budget"),
		Count:       func(text string) int { return len(text) },
		CounterKind: "exact",
		PerMessage:  rapid.IntRange(0, 4).Draw(t, "per message"),
		PerImage:    50,
		Trim: Trim{
			Strategy:      rapid.SampledFrom([]string{"", StrategyClear, StrategyAdaptive}).Draw(t, "strategy"),
			ProtectTokens: rapid.SampledFrom([]int{0, -1, 500}).Draw(t, "protect"),
			ClearAtLeast:  rapid.SampledFrom([]int{0, 300}).Draw(t, "clear at least"),
		},
		Orphans:   rapid.SampledFrom([]Orphans{OrphansCancel, OrphansDrop}).Draw(t, "orphans"),
		Alternate: rapid.Bool().Draw(t, "alternate"),
	}
}

func parseDrawn(t *rapid.T, raw string) []Message {
	messages, err := ParseMessages([]byte(raw))
	if err != nil {
		t.Fatalf("%v in %s", err, raw)
	}
	return messages
}

func mustEncodeAll(t *rapid.T, messages []Message) string {
	raw, err := Encode(messages)
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}

func rawOf(t *rapid.T, m Message) string {
	raw, err := m.Raw()
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}

func cost(messages []Message, o Options) int {
	total := 0
	for _, n := range count(messages, o).total {
		total += n
	}
	return total
}

// Whatever conversation comes in, what goes out fits or is said to be impossible, is valid, and can be undone.
func TestPrepareProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		raw := drawConversation(t)
		messages, o := parseDrawn(t, raw), drawOptions(t)
		before := mustEncodeAll(t, messages)
		prepared, report, err := Prepare(messages, o)

		var impossible *BudgetError
		switch {
		case errors.As(err, &impossible):
			if report.Status != StatusImpossible || impossible.Need != report.After || report.After <= o.Budget {
				t.Fatalf("impossible, but %+v", report)
			}
			if report.Help == "" || report.After > 0 && len(report.Largest) == 0 && cost(prepared, o) > len(prepared)*o.PerMessage+len(cancelled)*len(report.Actions) {
				t.Fatalf("impossible without help: %+v", report)
			}
		case err != nil:
			t.Fatal(err)
		case report.After > o.Budget || report.Status == StatusImpossible:
			t.Fatalf("no error, but %+v", report)
		}
		if got := cost(prepared, o); got != report.After {
			t.Fatalf("the result costs %d, the report says %d", got, report.After)
		}
		if got := cost(messages, o); got != report.Before {
			t.Fatalf("the input costs %d, the report says %d", got, report.Before)
		}
		if problem := findOrphan(prepared); problem != "" {
			t.Fatalf("%s in %s", problem, mustEncodeAll(t, prepared))
		}
		if after := mustEncodeAll(t, messages); after != before {
			t.Fatalf("the input was changed to %s", after)
		}
		checkOrder(t, messages, prepared, report)
		checkFixed(t, messages, prepared, report)
		checkReplay(t, before, prepared, report)
		checkAgain(t, messages, prepared, report, o)
	})
}

// checkOrder: the result is the input in its order, without what the report says is gone.
func checkOrder(t *rapid.T, messages, prepared []Message, report Report) {
	touched := map[string]bool{}
	for _, action := range report.Actions {
		if action.Restore != nil {
			touched[string(action.Restore)] = true
		}
	}
	next := 0
	for _, message := range messages {
		raw := rawOf(t, message)
		found := slices.IndexFunc(prepared[next:], func(m Message) bool { return rawOf(t, m) == raw })
		if found >= 0 && !touched[raw] {
			next += found + 1
		} else if !touched[raw] {
			t.Fatalf("not in the result and not in the report, or out of order: %s", raw)
		}
	}
	for i := range report.PrefixKept {
		if rawOf(t, messages[i]) != rawOf(t, prepared[i]) {
			t.Fatalf("prefixKept is %d, but messages[%d] changed", report.PrefixKept, i)
		}
	}
	if k := report.PrefixKept; k < min(len(messages), len(prepared)) && len(report.Actions) == 0 {
		t.Fatalf("prefixKept is %d without an action", k)
	}
}

// checkFixed: system and pinned messages and the newest turn's own message are there, byte for byte.
func checkFixed(t *rapid.T, messages, prepared []Message, report Report) {
	for _, action := range report.Actions {
		touched := action.Kind != KindKept && action.Kind != KindSynthesised
		if touched && (messages[action.Index].Pinned || messages[action.Index].IsSystem()) {
			t.Fatalf("pinned or system message touched: %+v", action)
		}
		if action.removes() && action.Kind != KindMerged && action.Index == newestQuestion(messages) {
			t.Fatalf("the newest question is gone: %+v", action)
		}
	}
}

// newestQuestion is the newest message in which the user says something, -1 when there is none.
func newestQuestion(messages []Message) int {
	for i := len(messages) - 1; i >= 0; i-- {
		if messages[i].StartsTurn() {
			return i
		}
	}
	return -1
}

// checkReplay: from the result and the report, both sent through JSON, the input comes back.
func checkReplay(t *rapid.T, before string, prepared []Message, report Report) {
	raw, err := json.Marshal(report)
	if err != nil {
		t.Fatal(err)
	}
	var sent Report
	if err := json.Unmarshal(raw, &sent); err != nil {
		t.Fatal(err)
	}
	back, err := Restore(prepared, report)
	if err != nil {
		t.Fatal(err)
	}
	if got := mustEncodeAll(t, back); got != before {
		t.Fatalf("restored\n%s\nfrom\n%s", got, before)
	}
	if back, err = Restore(parseDrawn(t, mustEncodeAll(t, prepared)), sent); err != nil {
		t.Fatal(err)
	}
	if got, want := compact(t, mustEncodeAll(t, back)), compact(t, before); got != want {
		t.Fatalf("restored after JSON\n%s\nfrom\n%s", got, want)
	}
}

func compact(t *rapid.T, raw string) string {
	var value any
	if err := json.Unmarshal([]byte(raw), &value); err != nil {
		t.Fatal(err)
	}
	out, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

// checkAgain: the same input gives the same bytes, and a result is not prepared further.
func checkAgain(t *rapid.T, messages, prepared []Message, report Report, o Options) {
	again, second, _ := Prepare(messages, o)
	a, _ := json.Marshal(report)
	b, _ := json.Marshal(second)
	if mustEncodeAll(t, again) != mustEncodeAll(t, prepared) || string(a) != string(b) {
		t.Fatalf("twice the same input, two results")
	}
	again, second, _ = Prepare(parseDrawn(t, mustEncodeAll(t, prepared)), o)
	if mustEncodeAll(t, again) != mustEncodeAll(t, prepared) || len(second.Actions) > 0 {
		t.Fatalf("prepared again: %s\n%s\nfrom\n%s\nfrom\n%s", said(second), outline(again), outline(prepared), outline(messages))
	}
}

// A conversation cut anywhere, at either end, is made valid.
func TestCutAnywhere(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		messages := parseDrawn(t, drawConversation(t))
		o := Options{Budget: 1 << 20, Count: func(text string) int { return len(text) }}
		for cut := range len(messages) + 1 {
			for _, piece := range [][]Message{messages[:cut], messages[cut:]} {
				prepared, report, err := Prepare(piece, o)
				if err != nil {
					t.Fatal(err)
				}
				if problem := findOrphan(prepared); problem != "" {
					t.Fatalf("cut at %d: %s\n%s\nfrom %s", cut, problem, outline(prepared), outline(piece))
				}
				back, err := Restore(prepared, report)
				if err != nil || mustEncodeAll(t, back) != mustEncodeAll(t, piece) {
					t.Fatalf("cut at %d: not restored: %v", cut, err)
				}
				repaired, _, err := Repair(piece)
				if err != nil {
					t.Fatal(err)
				}
				if problem := findOrphan(append(repaired, Message{Role: RoleUser, Content: Text("go on")})); problem != "" {
					t.Fatalf("repaired, cut at %d: %s", cut, problem)
				}
			}
		}
	})
}

// Whatever is parsed is given back byte for byte, also one by one through a change that is undone.
func TestEncodeGivesBackWhatCame(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		raw := drawConversation(t)
		messages := parseDrawn(t, raw)
		var items []json.RawMessage
		if err := json.Unmarshal([]byte(raw), &items); err != nil {
			t.Fatal(err)
		}
		for i, message := range messages {
			if rawOf(t, message) != string(items[i]) {
				t.Fatalf("messages[%d]: %s came back as %s", i, items[i], rawOf(t, message))
			}
			if len(message.Content.Parts) > 0 {
				same, err := message.withContent(message.Content)
				if err != nil {
					t.Fatal(err)
				}
				if compact(t, rawOf(t, same)) != compact(t, string(items[i])) {
					t.Fatalf("rewriting the content changed %s to %s", items[i], rawOf(t, same))
				}
			}
			made := Message{Role: message.Role, Content: message.Content, Pinned: message.Pinned, ToolCalls: message.ToolCalls, ToolCallID: message.ToolCallID}
			back := parseDrawn(t, "["+rawOf(t, made)+"]")
			if len(back[0].Blocks()) != len(message.Blocks()) || back[0].Pinned != made.Pinned || back[0].Role != made.Role {
				t.Fatalf("a message made in Go came back as %s", rawOf(t, back[0]))
			}
		}
	})
}
