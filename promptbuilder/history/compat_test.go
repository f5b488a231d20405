package history

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// Whatever gptme and opencode would do can be undone, and twice the same input gives the same.
func TestCompatProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		messages := parseDrawn(t, drawConversation(t))
		o := drawOptions(t)
		o.Compat.Name = rapid.SampledFrom([]string{CompatGptme, CompatOpencode}).Draw(t, "compat")
		o.Compat.Provider = rapid.SampledFrom([]string{"", "anthropic"}).Draw(t, "provider")
		o.Alternate = false
		prepared, report, err := Prepare(messages, o)
		var impossible *BudgetError
		if err != nil && !errors.As(err, &impossible) {
			t.Fatal(err)
		}
		if got := cost(prepared, o); got != report.After {
			t.Fatalf("the result costs %d, the report says %d", got, report.After)
		}
		back, err := Restore(prepared, report)
		if err != nil || mustEncodeAll(t, back) != mustEncodeAll(t, messages) {
			t.Fatalf("not restored: %v\n%s\nfrom\n%s\n%s", err, outline(back), outline(messages), said(report))
		}
		for _, action := range report.Actions {
			// gptme merges pinned messages, and drops those that call what has lost its result.
			if action.Kind == KindSynthesised || action.Kind == KindMerged || action.Kind == KindKept {
				continue
			}
			if messages[action.Index].Pinned && o.Compat.Name != CompatGptme {
				t.Fatalf("pinned, but %+v", action)
			}
		}
		again, _, _ := Prepare(messages, o)
		if mustEncodeAll(t, again) != mustEncodeAll(t, prepared) {
			t.Fatal("twice the same input, two results")
		}
	})
}

// prose and code are as long in tokens as the names say; a word is a token.
func prose(n int) string { return strings.TrimSpace(strings.Repeat("word ", n)) }

func code(n int) string {
	var all strings.Builder
	for i := range n {
		fmt.Fprintf(&all, "line%d\n", i)
	}
	return "```python\n" + all.String() + "```"
}

func say(role, text string) Message { return Message{Role: role, Content: Text(text)} }

// Where our ways differ from gptme's on purpose: each line is one of gptme's vectors with what it does, what we do, and
// why. The vectors themselves are held in package gptme.
func TestDifferencesFromGptme(t *testing.T) {
	pinned := func(m Message) Message { m.Pinned = true; return m }
	ttl := func(m Message, n int) Message { m.EphemeralTTL = &n; return m }
	for _, test := range []struct {
		vector, why string
		messages    []Message
		budget      int
		theirs      string
		ours        string
	}{
		{
			"L8", "the newest question always stays; it is shortened when it must be",
			[]Message{say("system", "s"), say("user", prose(10)), say("user", prose(4))}, 5,
			"s: s", "s: s | u: word word word word",
		},
		{
			"L15", "what does not fit is skipped, what comes before it is not",
			[]Message{say("system", "s"), say("user", "q"), say("assistant", prose(41)), say("user", "n")}, 6,
			"s: s | u: n", "s: s | u: n", // question and answer are one group here
		},
		{
			"L15 with a group before", "what does not fit is skipped, what comes before it is not",
			[]Message{say("system", "s"), say("user", "p"), say("assistant", "a"), say("user", "q"), say("assistant", prose(41)), say("user", "n")}, 6,
			"s: s | u: n", "s: s | u: p | a: a | u: n",
		},
		{
			"L10", "a system message is an instruction, not the result of what came before it",
			[]Message{say("system", "s"), say("user", "u"), say("system", prose(3)), say("assistant", prose(2))}, 7,
			"s: s | u: u | s: word word word | a: word word", "s: s | u: u | s: word word word | a: word word",
		},
		{
			"E1", "messages of one role are merged only for a provider that refuses them",
			[]Message{say("system", "S"), say("user", "Q0"), ttl(say("assistant", "x"), 0), say("user", "Q1"), say("assistant", "A")}, 100,
			"s: S | u: Q0\n\nQ1 | a: A", "s: S | u: Q0 | u: Q1 | a: A",
		},
		{
			"E4", "what is pruned does not count, as there",
			[]Message{ttl(say("assistant", "A0"), 2), ttl(say("assistant", "A1"), 1), say("assistant", "A2"), say("assistant", "A3")}, 100,
			"a: A0\n\nA2\n\nA3", "a: A0 | a: A2 | a: A3",
		},
		{
			"E5", "as there",
			[]Message{pinned(ttl(say("assistant", "x"), 0)), say("user", "q"), say("assistant", "A")}, 100,
			"a: x | u: q | a: A", "a: x | u: q | a: A",
		},
		{
			"E9", "the cache boundary between the system messages is not merged away",
			[]Message{pinned(say("system", "S1")), pinned(say("system", "S2")), ttl(say("system", "note"), 3), say("user", "a"), ttl(say("user", "b"), 5)}, 100,
			"s: S1\n\nS2\n\nnote | u: a\n\nb", "s: S1 | s: S2 | s: note | u: a | u: b",
		},
		{
			"E12", "the newest message stays whatever its time says",
			[]Message{say("user", "q"), ttl(say("user", "x"), -1)}, 100,
			"u: q", "u: q | u: x",
		},
	} {
		for _, side := range []struct{ compat, want string }{{CompatGptme, test.theirs}, {"", test.ours}} {
			prepared, _, err := Prepare(test.messages, Options{Budget: test.budget, Count: words, Compat: Compat{Name: side.compat}})
			var impossible *BudgetError
			if err != nil && !errors.As(err, &impossible) {
				t.Fatal(err)
			}
			if got := outline(prepared); got != side.want {
				t.Errorf("%s (%s), compat %q\n got %s\nwant %s", test.vector, test.why, side.compat, got, side.want)
			}
		}
	}
}

// R6: prose that gptme cannot cut stops it, although a block could be cut. T2: blocks that it does not see.
func TestAStuckMessageDoesNotStopTheRest(t *testing.T) {
	block := code(102)
	messages := []Message{pinned(say("system", "S")), say("user", prose(601)), say("assistant", block), say("user", "and now?")}
	prepared, report, err := Prepare(messages, Options{Budget: 690, Count: words, Trim: Trim{ProtectTokens: -1}})
	if err != nil || report.Status != StatusTrimmed || report.After > 690 {
		t.Fatalf("%v %+v", err, report.Status)
	}
	if !strings.Contains(outline(prepared), "bytes left out") || !strings.Contains(outline(prepared), "and now?") {
		t.Errorf("%s", said(report))
	}
	// A text that is all note cannot be cut any more, and is passed over.
	messages[1] = say("user", "["+strings.Repeat("w ", 90)+"byte left out]")
	prepared, report, err = Prepare(messages, Options{Budget: 130, Count: words, Trim: Trim{ProtectTokens: -1}})
	if err != nil || !strings.Contains(outline(prepared), "lines left out") {
		t.Errorf("%v %s", err, said(report))
	}
	theirs, _, _ := Prepare(messages, Options{Budget: 770, Count: words, Compat: Compat{Name: CompatGptme}})
	if strings.Contains(outline(theirs), "[...]") {
		t.Error("compat gptme cut the block")
	}
	for name, text := range map[string]string{
		"closing fence followed by text": "```python\n" + strings.Repeat("x = 1\n", 40) + "```\ntext",
		"space before the language":      "``` python\n" + strings.Repeat("x = 1\n", 40) + "```\n",
		"CRLF":                           "```python\r\n" + strings.Repeat("x = 1\r\n", 40) + "```\r\n",
		"unclosed":                       "```python\n" + strings.Repeat("x = 1\n", 40),
		"indented":                       "- list\n\n  ```python\n" + strings.Repeat("  x = 1\n", 40) + "  ```\n",
		"nested":                         "````md\n```py\n" + strings.Repeat("x = 1\n", 40) + "```\n````\n",
		"details in capitals":            "<DETAILS>\n<summary>s</summary>\n" + strings.Repeat("x = 1\n", 40) + "</DETAILS>\n",
	} {
		cut, ok := middleOf(text)
		if got := cut.apply(text); !ok || !strings.Contains(got, "lines left out") || len(got) > len(text)*3/4 {
			t.Errorf("%s: %v\n%s", name, ok, got)
		}
	}
}

func pinned(m Message) Message { m.Pinned = true; return m }

func TestOpencodeOverflow(t *testing.T) {
	for _, test := range []struct {
		limits OpencodeLimits
		usable int
	}{
		{OpencodeLimits{100_000, 0, 32_000, -1}, 68_000}, {OpencodeLimits{200_000, 0, 32_000, -1}, 168_000},
		{OpencodeLimits{400_000, 272_000, 128_000, -1}, 252_000}, {OpencodeLimits{200_000, 200_000, 32_000, -1}, 180_000},
		{OpencodeLimits{32_768, 0, 32_768, -1}, 768}, {OpencodeLimits{1_000_000, 0, 64_000, 800_000}, 968_000},
		{OpencodeLimits{0, 0, 0, -1}, 0},
	} {
		if got := test.limits.Usable(); got != test.usable {
			t.Errorf("%+v: %d, want %d", test.limits, got, test.usable)
		}
	}
	for _, test := range []struct {
		limits OpencodeLimits
		tokens int
		want   bool
	}{
		{OpencodeLimits{100_000, 0, 32_000, -1}, 80_000, true}, {OpencodeLimits{200_000, 0, 32_000, -1}, 110_000, false},
		{OpencodeLimits{400_000, 272_000, 128_000, -1}, 274_000, true}, {OpencodeLimits{200_000, 0, 32_000, -1}, 230_000, true},
		{OpencodeLimits{200_000, 200_000, 32_000, -1}, 198_000, true}, {OpencodeLimits{0, 0, 0, -1}, 1 << 30, false},
	} {
		if got := test.limits.Overflows(test.tokens); got != test.want {
			t.Errorf("%+v, %d tokens: %v", test.limits, test.tokens, got)
		}
	}
}

// A result of 200,000 characters that is older than two turns of the user is cleared; that of the tool skill is not.
func TestOpencodePrune(t *testing.T) {
	for _, test := range []struct {
		tool    string
		cleared bool
	}{{"bash", true}, {"skill", false}} {
		messages := []Message{
			say("user", "1"), {Role: RoleAssistant, ToolCalls: []ToolCall{{ID: "a", Name: test.tool}}},
			{Role: RoleTool, ToolCallID: "a", Content: Text(strings.Repeat("x", 200_000))}, say("assistant", "done"),
			say("user", "2"), say("assistant", "ok"), say("user", "3"), say("assistant", "ok"),
		}
		prepared, _, err := Prepare(messages, Options{Budget: 1 << 20, Count: words, Compat: Compat{Name: CompatOpencode}})
		if err != nil {
			t.Fatal(err)
		}
		if got := prepared[2].Content.Text == opencodeCleared; got != test.cleared {
			t.Errorf("%s: %v", test.tool, got)
		}
	}
	if EstimateAsOpencode("") != 0 || EstimateAsOpencode("ab") != 1 || EstimateAsOpencode("日本語😀") != 1 {
		t.Error("the estimate")
	}
}
