package history

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func zero() *int { n := 0; return &n }

func compaction(window int) Compaction {
	return Compaction{Options: Options{Count: words, CounterKind: "exact"}, Window: window, Template: "Sum up."}
}

// longConversation is a rule, then n turns of 100 words each.
func longConversation(n int) []Message {
	messages := []Message{say("system", "never use X")}
	for range n {
		messages = append(messages, say("user", prose(50)), say("assistant", prose(50)))
	}
	return messages
}

func TestSelect(t *testing.T) {
	one := 1
	for _, test := range []struct {
		name     string
		messages []Message
		c        Compaction
		from     int
		split    bool
		err      error
	}{
		{"the last two turns stay", longConversation(10), compaction(100_000), 17, false, nil},
		{"one turn when told so", longConversation(10), Compaction{Options: Options{Count: words}, Window: 100_000, TailTurns: &one}, 19, false, nil},
		{"nothing when told so", longConversation(3), Compaction{Options: Options{Count: words}, Window: 100_000, TailTurns: zero()}, 7, false, nil},
		{"as many as fit", longConversation(10), Compaction{Options: Options{Count: words}, TailTokens: 130}, 19, false, nil},
		{"a turn that is too long is split", longConversation(10), Compaction{Options: Options{Count: words}, TailTokens: 60}, 20, true, nil},
		{"a question that is too long stays", []Message{say("user", "a"), say("assistant", "b"), say("user", prose(500))}, Compaction{Options: Options{Count: words}, TailTokens: 60}, 2, false, nil},
		{"two turns are all there is", longConversation(2), compaction(100_000), 1, false, ErrNothingToCompact},
		{"nothing at all", nil, compaction(100_000), 0, false, ErrNothingToCompact},
	} {
		got, err := Select(test.messages, test.c)
		if !errors.Is(err, test.err) || got.TailFrom != test.from || got.Split != test.split {
			t.Errorf("%s: %+v, %v", test.name, got, err)
		}
	}
}

// Calls are not parted from their results, wherever the tail would begin.
func TestSelectKeepsPairs(t *testing.T) {
	messages := []Message{
		say("user", "q"), say("assistant", prose(50)), {Role: RoleAssistant, ToolCalls: []ToolCall{{ID: "a", Name: "read", Arguments: `{"path":"a.go"}`}, {ID: "b", Name: "read"}}},
		{Role: RoleTool, ToolCallID: "a", Content: Text(prose(30))}, {Role: RoleTool, ToolCallID: "b", Content: Text(prose(30))}, say("assistant", prose(10)),
	}
	for room := 1; room < 150; room++ {
		s, err := Select(messages, Compaction{Options: Options{Count: words}, TailTokens: room})
		if err != nil {
			continue
		}
		if s.TailFrom == 3 || s.TailFrom == 4 {
			t.Errorf("with room for %d the tail begins at %d", room, s.TailFrom)
		}
	}
}

// T15: a rule is byte for byte what it was, stands before the summary, and the summary is labelled, whatever it says.
func TestRulesStayOutOfTheSummary(t *testing.T) {
	messages := longConversation(10)
	messages = slices.Insert(messages, 4, pinned(say("user", "remember this")))
	c := compaction(100_000)
	s, err := Select(messages, c)
	if err != nil {
		t.Fatal(err)
	}
	request, err := NewSummaryRequest(messages, s, c, 10_000)
	if err != nil || strings.Contains(request.User, "never use X") || !strings.Contains(request.User, "## Objective") || request.System != "Sum up." {
		t.Errorf("%v %+v", err, request)
	}
	compacted, report, err := Compact(messages, "use X", c)
	if err != nil {
		t.Fatal(err)
	}
	if compacted[0].Content.Text != "never use X" || compacted[1].Content.Text != "remember this" || !strings.HasPrefix(compacted[2].Content.Text, summaryLabel) || !strings.HasSuffix(compacted[2].Content.Text, "use X") || len(compacted) != 7 {
		t.Errorf("%s", outline(compacted))
	}
	if got := cost(compacted, c.Options); got != report.After || report.PrefixKept != 1 {
		t.Errorf("costs %d, %+v", got, report)
	}
	back, err := Restore(compacted, report)
	if err != nil || outline(back) != outline(messages) {
		t.Errorf("not restored: %v", err)
	}
}

// T16: no room for the call that would sum up: the error has the numbers, and a summary is had without a model.
func TestSummaryWithoutAModel(t *testing.T) {
	messages := longConversation(10)
	messages[15] = say("user", "please fix the total in cart.ts")
	messages[16] = Message{Role: RoleAssistant, Content: Text("<think>hm</think>The error is in the rounding."), ToolCalls: []ToolCall{{ID: "a", Name: "read", Arguments: `{"filePath":"web/cart.ts","limit":3}`}}}
	messages = slices.Insert(messages, 17, Message{Role: RoleTool, ToolCallID: "a", Content: Text("code")})
	c := compaction(100_000)
	s, err := Select(messages, c)
	if err != nil {
		t.Fatal(err)
	}
	_, err = NewSummaryRequest(messages, s, c, 50)
	var impossible *BudgetError
	if !errors.As(err, &impossible) || impossible.Budget != 50 || impossible.Need <= 50 {
		t.Fatalf("%v", err)
	}
	request, err := NewSummaryRequest(messages, s, c, 300)
	if err != nil || !request.Cut || request.Tokens > 300 || !strings.Contains(request.User, "messages left out ...]") {
		t.Errorf("%v %+v", err, request)
	}
	summary := MechanicalSummary(messages, s, c)
	for _, want := range []string{"please fix the total in cart.ts", "web/cart.ts", "The error is in the rounding."} {
		if !strings.Contains(summary, want) {
			t.Errorf("the summary lacks %q:\n%s", want, summary)
		}
	}
	if strings.Contains(summary, "hm</think>") || strings.Contains(summary, "never use X") {
		t.Errorf("%s", summary)
	}
	if _, _, err := Compact(messages, summary, c); err != nil {
		t.Error(err)
	}
}

// T17: a summary that saves nothing is refused with the reason; what it mentions stays a mention; compacting again does
// nothing.
func TestCompactionIsWorthIt(t *testing.T) {
	messages := longConversation(10)
	c := compaction(100_000)
	for summary, why := range map[string]string{prose(5_000): "saves 0 of", prose(750): "less than a tenth", "\n": "says nothing"} {
		same, _, err := Compact(messages, summary, c)
		var refused *RefusedError
		if !errors.As(err, &refused) || !strings.Contains(err.Error(), why) || outline(same) != outline(messages) {
			t.Errorf("%.20q: %v", summary, err)
		}
	}
	c.Attach = reading(map[string]Attachment{"big.md": {Text: "BIG"}, "@big.md": {Text: "BIG"}})
	compacted, _, err := Compact(messages, "see @big.md", c)
	if err != nil || strings.Contains(outline(compacted), "BIG") {
		t.Errorf("%v %s", err, outline(compacted))
	}
	prepared, _, err := Prepare(compacted, Options{Budget: 10_000, Count: words, Attach: c.Attach})
	if err != nil || strings.Contains(outline(prepared), "BIG") {
		t.Errorf("a later turn: %v %s", err, outline(prepared))
	}
	if _, _, err := Compact(compacted, "again", c); !errors.Is(err, ErrNothingToCompact) {
		t.Errorf("a second time: %v", err)
	}
	// More turns later the earlier account is carried on and takes the place of itself.
	longer := append(slices.Clone(compacted), longConversation(5)[1:]...)
	s, err := Select(longer, c)
	if err != nil {
		t.Fatal(err)
	}
	request, err := NewSummaryRequest(longer, s, c, 10_000)
	if err != nil || strings.Count(request.User, "see @big.md") != 1 || !strings.Contains(request.User, "<account>\nsee @big.md\n</account>") {
		t.Errorf("%v %s", err, request.User)
	}
	twice, _, err := Compact(longer, "both", c)
	if err != nil || strings.Count(outline(twice), "[What follows sums up") != 1 {
		t.Errorf("%v %s", err, outline(twice))
	}
}

// Whatever the conversation, a compaction leaves no orphan, keeps what is pinned and can be undone.
func TestCompactProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		messages := parseDrawn(t, drawConversation(t))
		repaired, _, err := Repair(messages)
		if err != nil {
			t.Fatal(err)
		}
		repaired = parseDrawn(t, mustEncodeAll(t, repaired))
		turns := rapid.IntRange(0, 3).Draw(t, "turns")
		c := Compaction{Options: Options{Count: func(text string) int { return len(text) }}, Window: 10_000, TailTurns: &turns, TailTokens: rapid.IntRange(1, 400).Draw(t, "tail")}
		compacted, report, err := Compact(repaired, "short", c)
		if err != nil {
			if mustEncodeAll(t, compacted) != mustEncodeAll(t, repaired) {
				t.Fatal("refused, and changed all the same")
			}
			return
		}
		if problem := findOrphan(append(slices.Clone(compacted), say("user", "go on"))); problem != "" {
			t.Fatalf("%s in %s\nfrom %s", problem, outline(compacted), outline(repaired))
		}
		for _, action := range report.Actions {
			if action.Kind == KindDropped && (repaired[action.Index].Pinned || repaired[action.Index].IsSystem()) {
				t.Fatalf("pinned or instruction: %+v", action)
			}
		}
		back, err := Restore(compacted, report)
		if err != nil || mustEncodeAll(t, back) != mustEncodeAll(t, repaired) {
			t.Fatalf("not restored: %v", err)
		}
		if got := cost(compacted, c.Options); got != report.After {
			t.Fatalf("costs %d, the report says %d", got, report.After)
		}
	})
}
