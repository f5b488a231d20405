package history

import (
	"fmt"
	"strings"
	"testing"
)

// T23: a tool result of 200,000 tokens is capped, and the note names what is missing; of a file that is attached twice
// one copy is kept and the other refers to it.
func TestAGiantResultIsCapped(t *testing.T) {
	giant := strings.TrimSpace(strings.Repeat("word and word and\n", 50_000))
	messages := []Message{
		say("user", "look"), {Role: RoleAssistant, ToolCalls: []ToolCall{{ID: "a", Name: "ls"}}}, {Role: RoleTool, ToolCallID: "a", Content: Text(giant)},
		say("user", "and this"), say("user", "once more"),
	}
	messages[3].Files, messages[4].Files = []string{"f.go"}, []string{"f.go"}
	o := Options{Budget: 100_000, Count: words, Attach: reading(map[string]Attachment{"f.go": {Text: "package f"}})}
	prepared, report, err := Prepare(messages, o)
	if err != nil || report.Before < 200_000 || report.After > 100_000 {
		t.Fatalf("%v: %d, then %d", err, report.Before, report.After)
	}
	result := prepared[2].Content.Text
	if !strings.Contains(result, " lines left out ...]") || !strings.HasPrefix(result, "word and") || !strings.HasSuffix(result, "word and") {
		t.Errorf("%.200s", result)
	}
	if text := outline(prepared); strings.Count(text, "package f") != 1 || !strings.Contains(text, "f.go is attached here too") {
		t.Errorf("the file: %s", text[len(text)-300:])
	}
	// The newest result that is still to be read is capped, too, and not dropped.
	prepared, _, err = Prepare(messages[:3], o)
	if err != nil || !strings.Contains(prepared[2].Content.Text, "left out") {
		t.Errorf("the newest result: %v", err)
	}
}

// T19: thinking blocks keep their bytes when the texts around them are shortened, and go only with their message.
func TestShorteningLeavesThinkingAlone(t *testing.T) {
	block := `{"type":"thinking","thinking":"so \u003c \"x\"","signature":"Eq+/=","x-extra" : [1.50]}`
	long := strings.Repeat("one line of the answer\\n", 400)
	raw := fmt.Sprintf(`[{"role":"user","content":"q"},{"role":"assistant","content":[%s,{"type":"text","text":"%s"}]},{"role":"assistant","content":[%s,{"type":"text","text":"%s"}]},{"role":"user","content":"n"}]`, block, long, block, long)
	messages := parse(t, raw)
	shortened := 0
	for budget := 0; budget < 5_000; budget += 97 {
		prepared, report, _ := Prepare(messages, Options{Budget: budget, Count: words})
		for _, m := range prepared {
			if m.Role != RoleAssistant {
				continue
			}
			if got, _ := m.Content.Parts[0].MarshalJSON(); string(got) != block || len(m.Content.Parts) != 2 {
				t.Fatalf("budget %d: the block became %s", budget, got)
			}
		}
		for _, a := range report.Actions {
			if a.Kind == KindTruncated {
				shortened++
			}
		}
	}
	if shortened == 0 {
		t.Error("nothing was ever shortened")
	}
}

// T16: system text, pinned messages and the newest question alone are more than the budget: the error names them, and
// the question is shortened before it is said that nothing helps.
func TestTheNewestQuestionIsShortened(t *testing.T) {
	messages := []Message{say("system", prose(20)), say("user", prose(3_000))}
	prepared, report, err := Prepare(messages, Options{Budget: 400, Count: words})
	if err != nil || report.Status != StatusTrimmed || !strings.Contains(prepared[1].Content.Text, "bytes left out") {
		t.Errorf("%v %s", err, said(report))
	}
	if _, _, err := Prepare(messages, Options{Budget: 30, Count: words}); err == nil || !strings.Contains(err.Error(), "system messages 20") {
		t.Errorf("%v", err)
	}
}

// Structure says more than the beginning and the end: what is declared, what went wrong, what a diff changes.
func TestStructureIsKept(t *testing.T) {
	var source, log, diff strings.Builder
	context := strings.Repeat(" a line of context that stays as it is\n", 3)
	for i := range 40 {
		fmt.Fprintf(&source, "// f%d does.\nfunc f%d(a int) error {\n\tx := a\n\ty := x\n\tz := y\n\tw := z\n\treturn nil\n}\n\n", i, i)
		fmt.Fprintf(&log, "step %d ok\n", i)
		fmt.Fprintf(&diff, "@@ -%d,7 +%d,7 @@\n%s-old%d\n+new%d\n%s", i, i, context, i, i, context)
	}
	logged := log.String() + "ERROR: cannot open total.go\n" + log.String()
	for name, test := range map[string]struct {
		text  string
		wants []string
	}{
		"code": {source.String(), []string{"func f7(a int) error {", "func f39("}},
		"log":  {logged, []string{"ERROR: cannot open total.go", "step 0 ok", "step 39 ok"}},
		"diff": {diff.String(), []string{"-old17\n+new17\n", "@@ -3,7 +3,7 @@"}},
	} {
		cut, ok := structureOf(test.text)
		got := cut.apply(test.text)
		if !ok || len(got) > len(test.text)*3/4 {
			t.Errorf("%s: %v, %d of %d bytes", name, ok, len(got), len(test.text))
		}
		for _, want := range test.wants {
			if !strings.Contains(got, want) {
				t.Errorf("%s: lacks %q\n%s", name, want, got)
			}
		}
	}
	if _, ok := structureOf(strings.Repeat("A line of prose that says what somebody thinks.\n", 60)); ok {
		t.Error("prose has no structure")
	}
}

// By clear-tool-results old results go first, not those of protected tools and not the newest, and only when it is
// worth it.
func TestClearingOldResults(t *testing.T) {
	var messages []Message
	for i, tool := range []string{"read", "skill", "read", "read", "read"} {
		id := fmt.Sprint("c", i)
		messages = append(messages, say("user", fmt.Sprint("q", i)), Message{Role: RoleAssistant, ToolCalls: []ToolCall{{ID: id, Name: tool, Arguments: "{}"}}},
			Message{Role: RoleTool, ToolCallID: id, Content: Text(prose(1_000))})
	}
	messages = append(messages, say("user", "and?"))
	o := Options{Budget: 100_000, Count: words, Trim: Trim{Strategy: StrategyClear, ProtectTokens: 1_500, ProtectTools: []string{"skill"}, ClearAtLeast: 1_500}}
	prepared, report, err := Prepare(messages, o)
	if err != nil {
		t.Fatal(err)
	}
	if got := said(report); got != "2 cleared old_result 1000>14; 8 cleared old_result 1000>14; 11 cleared old_result 1000>14" {
		t.Errorf("%s", got)
	}
	if !strings.HasPrefix(prepared[2].Content.Text, "[result of read left out: 4,999 bytes") {
		t.Errorf("%s", prepared[2].Content.Text)
	}
	if back, err := Restore(prepared, report); err != nil || outline(back) != outline(messages) {
		t.Errorf("not restored: %v", err)
	}
	o.Trim.ClearAtLeast = 5_000
	if _, report, _ = Prepare(messages, o); len(report.Actions) != 0 {
		t.Errorf("not worth it: %s", said(report))
	}
}

// What was changed first is changed back when what is left still fits and a longer prefix is worth more.
func TestALongPrefixIsWorthMore(t *testing.T) {
	// The first message is the longest, but cutting its block saves little; the next longest saves all that is needed.
	first := prose(2_500) + "\n```\n" + strings.Repeat("a line of ten words that stands in the block\n", 30) + "```"
	messages := []Message{say("user", first)}
	for range 60 {
		messages = append(messages, say("assistant", prose(40)), say("user", prose(40)))
	}
	messages = append(messages, say("assistant", prose(2_750)), say("user", prose(20)), say("assistant", prose(60)), say("user", "n"))
	o := Options{Budget: cost(messages, Options{Count: words}) - 1_000, Count: words, Trim: Trim{ProtectTokens: 100}}
	_, report, err := Prepare(messages, o)
	if err != nil || report.PrefixKept != 121 || len(report.Actions) != 1 {
		t.Errorf("%v, prefix %d: %s", err, report.PrefixKept, said(report))
	}
}

// Texts that are too short to be cut become notes before whole groups go.
func TestNotesBeforeGroups(t *testing.T) {
	var messages []Message
	for i := range 20 {
		id := fmt.Sprint("c", i)
		messages = append(messages, say("user", fmt.Sprint("q", i)), Message{Role: RoleAssistant, ToolCalls: []ToolCall{{ID: id, Name: "read", Arguments: "{}"}}},
			Message{Role: RoleTool, ToolCallID: id, Content: Text(prose(200))})
	}
	_, report, err := Prepare(messages, Options{Budget: 2_500, Count: words, Trim: Trim{ProtectTokens: 400}})
	if err != nil {
		t.Fatal(err)
	}
	for _, a := range report.Actions {
		if a.Kind != KindTruncated || a.Reason != RungReference {
			t.Errorf("%s", said(report))
			break
		}
	}
	if len(report.Actions) < 8 {
		t.Errorf("%s", said(report))
	}
}
