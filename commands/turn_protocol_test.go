package commands

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"foreword/promptbuilder/epoch"
)

// said are the roles and texts of an OpenAI body after its system message.
func said(t *testing.T, r *PrepareTurnResult) (system string, rest []string) {
	t.Helper()
	for i, m := range sent(t, r) {
		if i == 0 && m.Role == "system" {
			system = m.Content
			continue
		}
		rest = append(rest, m.Role+": "+m.Content)
	}
	return system, rest
}

func calls(id, path string) message {
	return message{"id": id, "role": "assistant", "content": "", "toolCalls": []any{map[string]any{"id": "call-" + id, "name": "read", "arguments": `{"path":"` + path + `"}`}}}
}

func answers(id, call, text string) message {
	return message{"id": id, "role": "tool", "toolCallID": "call-" + call, "content": text}
}

func says(id, text string) message { return message{"id": id, "role": "assistant", "content": text} }

// oneOf finds the only message that holds a text.
func oneOf(t *testing.T, messages []string, text string) int {
	t.Helper()
	found := -1
	for i, m := range messages {
		if strings.Contains(m, text) {
			if found >= 0 {
				t.Fatalf("%q stands in messages %d and %d", text, found, i)
			}
			found = i
		}
	}
	return found
}

// TestTheFiveTurns holds the example of the turn protocol, row by row.
func TestTheFiveTurns(t *testing.T) {
	r := newRepo(t, map[string]string{"AGENTS.md": "Rule A one.\n", "pay/AGENTS.md": "Rule P.\n", "main.go": "package main\n", "pay/x.go": "package pay\n", "pay/y.go": "package pay\n"})
	now := noon
	s := r.openClock(func() time.Time { return now })
	base := map[string]any{"session": "s", "uri": r.uri("main.go"), "context": "selective", "include": []string{"instructions", "date", "git"}}
	next := func(more map[string]any) *PrepareTurnResult {
		params := map[string]any{}
		for _, m := range []map[string]any{base, more} {
			for k, v := range m {
				params[k] = v
			}
		}
		return turn(t, s, params)
	}

	one := next(map[string]any{"append": []message{user("u1", "first question")}})
	system, rest := said(t, one)
	if one.Turn != 1 || one.Epoch.Number != 1 || one.Epoch.Status != "begun" || !strings.Contains(system, "Rule A one.") || strings.Contains(system, "Rule P.") {
		t.Fatalf("turn 1: %+v\n%s", one.Epoch, system)
	}
	if diff := cmp.Diff([]string{"user: first question"}, rest); diff != "" {
		t.Error(diff)
	}

	// The model reads pay/x.go.
	if got := touch(t, s, TouchContextParams{Message: "t1", URIs: []string{r.uri("pay/x.go")}}); len(got.Injections) != 1 {
		t.Fatalf("touch: %+v", got)
	}
	r.edit(s, "AGENTS.md", "Rule A two.\n")
	now = now.Add(13 * time.Hour)
	two := next(map[string]any{"append": []message{calls("m1", "pay/x.go"), answers("t1", "m1", "package pay"), says("m2", "read it"), user("u2", "second question")}})
	system2, rest := said(t, two)
	if system2 != system {
		t.Errorf("turn 2 says another system text:\n%s", cmp.Diff(system, system2))
	}
	if two.Epoch.Number != 1 || two.Epoch.Status != "updated" {
		t.Errorf("turn 2: %+v", two.Epoch)
	}
	at := oneOf(t, rest, "Rule A two.")
	if at < 0 || !strings.HasPrefix(rest[at], "system: ") || rest[at+1] != "user: second question" || !strings.Contains(rest[at], "1 December 2026") {
		t.Errorf("turn 2: %q", rest)
	}
	if i := oneOf(t, rest, "Rule P."); i < 0 || !strings.HasPrefix(rest[i], "tool: package pay\n\n") {
		t.Errorf("turn 2: the injection does not stand at the end of t1: %q", rest)
	}
	keys := []string{}
	for _, u := range two.Updates {
		keys = append(keys, u.Key+" "+u.Kind+" "+u.Message)
	}
	if diff := cmp.Diff([]string{"instructions/AGENTS.md update u2", "core/date update u2"}, keys); diff != "" {
		t.Error(diff)
	}

	// Another read in pay/ says nothing new, and neither does the turn.
	if got := touch(t, s, TouchContextParams{Message: "t3", URIs: []string{r.uri("pay/y.go")}}); len(got.Injections) != 0 {
		t.Errorf("P was said again: %+v", got)
	}
	big := strings.Repeat("a line of the file that was read\n", 60)
	three := next(map[string]any{"append": []message{calls("m3", "pay/y.go"), answers("t3", "m3", big), says("m4", "done"), user("u3", "third question")}})
	system3, rest3 := said(t, three)
	if system3 != system || three.Epoch.Status != "unchanged" || len(three.Updates) != 0 {
		t.Errorf("turn 3: %+v %+v", three.Epoch, three.Updates)
	}
	if diff := cmp.Diff(rest, rest3[:len(rest)]); diff != "" {
		t.Errorf("turn 3 does not begin as turn 2 did:\n%s", diff)
	}
	if three.Cache.Tokens < two.Tokens.Total-10 || three.Cache.Broken != "" {
		t.Errorf("turn 3 is forecast as %+v, turn 2 was %d tokens", three.Cache, two.Tokens.Total)
	}

	// Compaction: a new epoch says A as it is now, and P among the instructions,
	// for a file of pay/ is still part of the conversation.
	run[RebaseSessionResult](t, s, "foreword.session.rebase", map[string]any{"session": "s"})
	four := next(map[string]any{"append": []message{says("m5", "ok"), user("u4", "fourth question")}})
	system4, rest4 := said(t, four)
	if four.Epoch.Number != 2 || four.Epoch.Status != "replaced" || !strings.Contains(system4, "Rule A two.") || !strings.Contains(system4, "Rule P.") || strings.Contains(system4, "Rule A one.") {
		t.Errorf("turn 4: %+v\n%s", four.Epoch, system4)
	}
	if oneOf(t, rest4, "Rule ") >= 0 {
		t.Errorf("turn 4 still says in the history what its system text says: %q", rest4)
	}
}

// TestTrimmingSaysAgainWhatIsNeeded holds the fourth row: the message that
// carried P goes, and pay/ is still touched by one that stays.
func TestTrimmingSaysAgainWhatIsNeeded(t *testing.T) {
	for _, needed := range []bool{true, false} {
		r := newRepo(t, map[string]string{"AGENTS.md": "Rule A.\n", "pay/AGENTS.md": "Rule P.\n", "main.go": "", "pay/x.go": "", "pay/y.go": "", "z.go": ""})
		s := r.open()
		params := map[string]any{"session": "s", "uri": r.uri("main.go"), "context": "selective", "include": []string{"instructions"}, "window": 4000, "reserve": 500}
		next := func(messages ...message) *PrepareTurnResult {
			params["append"] = messages
			return turn(t, s, params)
		}
		next(user("u1", "look"))
		touch(t, s, TouchContextParams{Message: "t1", URIs: []string{r.uri("pay/x.go")}})
		first := next(calls("m1", "pay/x.go"), answers("t1", "m1", "package pay"), says("m2", "ok"), user("u2", "go on"))
		_, rest := said(t, first)
		if i := oneOf(t, rest, "Rule P."); i < 0 || !strings.HasPrefix(rest[i], "tool:") {
			t.Fatalf("turn 2: %q", rest)
		}
		// Many messages too short to be shortened, so that the oldest go.
		var many []message
		for i := range 80 {
			many = append(many, says(fmt.Sprint("a", i), "an answer of a few words, and some more of them"), user(fmt.Sprint("q", i), "a question of a few words, and some more of them"))
		}
		file := "z.go"
		if needed {
			file = "pay/y.go"
		}
		touch(t, s, TouchContextParams{Message: "t2", URIs: []string{r.uri(file)}})
		last := next(append(many, calls("m3", file), answers("t2", "m3", "text"), says("m4", "ok"), user("u4", "and now?"))...)
		_, rest = said(t, last)
		if last.History.Report.Status != "trimmed" {
			t.Fatalf("nothing was trimmed: %+v", last.Tokens)
		}
		carried := oneOf(t, rest, "Rule P.")
		again := slices.ContainsFunc(last.Updates, func(u Update) bool { return u.Key == "instructions/pay/AGENTS.md" && u.Kind == "new" })
		if needed && (carried < 0 || !again) || !needed && (carried >= 0 || again) {
			t.Errorf("needed %v, in message %d, said again %v: %q", needed, carried, again, rest)
		}
		if then := next(says("m6", "ok"), user("u5", "more")); needed {
			_, rest = said(t, then)
			if oneOf(t, rest, "Rule P.") < 0 {
				t.Errorf("P was lost again: %q", rest)
			}
		}
	}
}

// TestSessionsOutliveTheProcess holds that a second server takes a session up
// where the first left it, byte for byte.
func TestSessionsOutliveTheProcess(t *testing.T) {
	r := newRepo(t, map[string]string{"AGENTS.md": "Rule A.\n", "pay/AGENTS.md": "Rule P.\n", "main.go": "", "pay/x.go": ""})
	params := func(messages ...message) map[string]any {
		return map[string]any{"session": "s", "uri": r.uri("main.go"), "append": messages}
	}
	first := r.open()
	one := turn(t, first, params(user("u1", "one")))
	touch(t, first, TouchContextParams{Message: "t1", URIs: []string{r.uri("pay/x.go")}})
	two := turn(t, first, params(calls("m1", "pay/x.go"), answers("t1", "m1", "x"), user("u2", "two")))
	must(t, first.Close())

	second := r.open()
	if got := touch(t, second, TouchContextParams{Message: "t9", URIs: []string{r.uri("pay/x.go")}}); len(got.Injections) != 0 {
		t.Errorf("the second server does not know that P was said: %+v", got)
	}
	three := turn(t, second, params(says("m2", "ok"), user("u3", "three")))
	if three.Turn != 3 || three.Epoch.Number != 1 || three.Fingerprint != one.Fingerprint {
		t.Errorf("turn %d, epoch %+v", three.Turn, three.Epoch)
	}
	_, before := said(t, two)
	_, after := said(t, three)
	if diff := cmp.Diff(before, after[:len(before)]); diff != "" {
		t.Errorf("the history does not go on as it was:\n%s", diff)
	}
	if three.Cache.Broken != "" || three.Cache.Tokens < two.Tokens.Total-10 {
		t.Errorf("forecast %+v", three.Cache)
	}
	must(t, second.Close())
	must(t, os.RemoveAll(r.path("~/.local/state/foreword")))
	must(t, os.MkdirAll(r.path("~/.local/state/foreword"), 0o700))
	must(t, os.WriteFile(r.path("~/.local/state/foreword/sessions.db"), []byte("this is no database, it was one"), 0o600))
	third := r.open()
	again := turn(t, third, map[string]any{"session": "s", "uri": r.uri("main.go"), "messages": []message{user("u1", "one")}})
	if again.Turn != 1 || !slices.ContainsFunc(again.Warnings, func(w Warning) bool { return w.Code == "sessions-lost" && strings.Contains(w.Message, "corrupt") }) {
		t.Errorf("turn %d after the file was lost, warnings %+v", again.Turn, again.Warnings)
	}
}

// TestTwoClientsOnOneSession holds that the second client gets a branch where
// it names its parent, and is told where it does not.
func TestTwoClientsOnOneSession(t *testing.T) {
	r := newRepo(t, map[string]string{"AGENTS.md": "Rule A.\n", "main.go": ""})
	a, b := r.open(), r.open()
	params := func(parent any, messages ...message) map[string]any {
		p := map[string]any{"session": "s", "uri": r.uri("main.go"), "append": messages}
		if parent != nil {
			p["parentTurn"] = parent
		}
		return p
	}
	turn(t, a, params(nil, user("u1", "one")))
	fromA := turn(t, a, params(1, says("m1", "ok"), user("u2", "from a")))
	fromB := turn(t, b, params(1, says("m1", "ok"), user("u2", "from b")))
	if fromA.Turn != 2 || fromB.Turn != 3 {
		t.Errorf("turns %d and %d", fromA.Turn, fromB.Turn)
	}
	if strings.Contains(string(fromB.Body), "from a") {
		t.Error("text of one branch is in the other")
	}
	st, err := a.ledger.Stand(t.Context(), "s", epoch.Continuation{})
	must(t, err)
	turn(t, b, params(nil, says("m2", "ok"), user("u3", "b goes on")))
	var conflict *Error
	if _, err := a.ledger.Commit(t.Context(), st, epoch.Turn{}, nil, nil); !errors.As(ledgerError(err), &conflict) || conflict.Code != CodeConflict || conflict.Data.(Conflict).Newest != 4 {
		t.Errorf("got %v", err)
	}
}

// TestTheWholeConversation holds that a panel may send all messages every time:
// what they share with a turn is found, and an edit goes back to the turn before.
func TestTheWholeConversation(t *testing.T) {
	r := newRepo(t, map[string]string{"AGENTS.md": "Rule A.\n", "main.go": ""})
	s := r.open()
	whole := func(messages ...message) *PrepareTurnResult {
		return turn(t, s, map[string]any{"session": "s", "uri": r.uri("main.go"), "messages": messages})
	}
	plain := func(role, text string) message { return message{"role": role, "content": text} }
	one := whole(plain("user", "same"))
	r.edit(s, "AGENTS.md", "Rule B.\n")
	two := whole(plain("user", "same"), plain("assistant", "same"), plain("user", "same"))
	if two.Epoch.Status != "updated" || two.Fingerprint != one.Fingerprint {
		t.Fatalf("turn 2: %+v", two.Epoch)
	}
	three := whole(plain("user", "same"), plain("assistant", "same"), plain("user", "same"), plain("assistant", "x"), plain("user", "y"))
	if three.Epoch.Status != "unchanged" || strings.Count(string(three.Body), "Rule B.") != 1 || three.Cache.Broken != "" {
		t.Errorf("turn 3: %+v %+v", three.Epoch, three.Cache)
	}
	edited := whole(plain("user", "same"), plain("assistant", "same"), plain("user", "other"))
	if edited.Turn != 4 || edited.Epoch.Status != "updated" || strings.Contains(string(edited.Body), `"y"`) {
		t.Errorf("turn 4: %+v", edited.Epoch)
	}
	anew := whole(plain("user", "quite another"))
	if anew.Turn != 5 || anew.Epoch.Number != 2 || anew.Epoch.Because != "the conversation begins anew" {
		t.Errorf("turn 5: %+v", anew.Epoch)
	}
}

// TestAStepWithoutTheUserSaysNothing holds that between two messages of the
// user nothing is put where it would change what was sent.
func TestAStepWithoutTheUserSaysNothing(t *testing.T) {
	r := newRepo(t, map[string]string{"AGENTS.md": "Rule A.\n", "main.go": ""})
	s := r.open()
	next := func(messages ...message) *PrepareTurnResult {
		return turn(t, s, map[string]any{"session": "s", "uri": r.uri("main.go"), "append": messages})
	}
	next(user("u1", "go"))
	r.edit(s, "AGENTS.md", "Rule B.\n")
	step := next(calls("m1", "x"), answers("t1", "m1", "text"))
	if step.Epoch.Status != "deferred" || len(step.Updates) != 0 || step.Cache.Broken != "" {
		t.Errorf("step: %+v %+v", step.Epoch, step.Updates)
	}
	if then := next(says("m2", "done"), user("u2", "more")); then.Epoch.Status != "updated" || !strings.Contains(string(then.Body), "Rule B.") {
		t.Errorf("then: %+v", then.Epoch)
	}
}

// TestModesAreToldOnce holds that a reminder is said when the mode turns, stays
// where it was said, and is not repeated.
func TestModesAreToldOnce(t *testing.T) {
	r := newRepo(t, map[string]string{"main.go": ""})
	s := r.open()
	next := func(mode string, messages ...message) (string, *PrepareTurnResult) {
		got := turn(t, s, map[string]any{"session": "s", "uri": r.uri("main.go"), "mode": mode, "append": messages})
		return string(got.Body), got
	}
	counts := []int{}
	for i, mode := range []string{"plan", "plan", "build", "build", "plan"} {
		messages := []message{user("u"+string(rune('1'+i)), "go")}
		if i > 0 {
			messages = append([]message{says("m"+string(rune('0'+i)), "ok")}, messages...)
		}
		body, got := next(mode, messages...)
		counts = append(counts, strings.Count(body, "\\u003csystem-reminder")+strings.Count(body, "<system-reminder"))
		if got.Cache.Broken != "" {
			t.Errorf("turn %d: %+v", i+1, got.Cache)
		}
	}
	if diff := cmp.Diff([]int{1, 1, 2, 2, 3}, counts); diff != "" {
		t.Error(diff)
	}
}

// TestPreviewOfASession holds that a preview shows what the session's next turn
// would send, and writes nothing.
func TestPreviewOfASession(t *testing.T) {
	r := newRepo(t, map[string]string{"AGENTS.md": "Rule A.\n", "main.go": ""})
	s := r.open()
	one := turn(t, s, map[string]any{"session": "s", "uri": r.uri("main.go"), "append": []message{user("u1", "go")}})
	r.edit(s, "AGENTS.md", "Rule B.\n")
	for range 2 {
		b := build(t, s, BuildPromptParams{URI: r.uri("main.go"), Session: "s", Model: "gpt-5"})
		if b.Fingerprint != one.Fingerprint || len(b.Updates) == 0 || b.Updates[0].Key != "instructions/AGENTS.md" {
			t.Fatalf("updates %+v\n%v\n%v %v %v", b.Updates, b.NotApplied, b.Fingerprint, one.Fingerprint, b.Warnings)
		}
	}
	p := run[PreviewPromptResult](t, s, "foreword.prompt.preview", map[string]any{"uri": r.uri("main.go"), "session": "s", "model": "gpt-5"})
	before, after, found := strings.Cut(p.Markdown, "**The history stands here.**")
	if !found || !strings.Contains(before, "Rule A.") || strings.Contains(before, "Rule B.") || !strings.Contains(after, "Rule B.") {
		t.Errorf("preview:\n%s", p.Markdown)
	}
	if fresh := build(t, s, BuildPromptParams{URI: r.uri("main.go"), Session: "unknown", Model: "gpt-5"}); len(fresh.Updates) != 0 || !strings.Contains(section(t, fresh, "instructions/AGENTS.md").Text, "Rule B.") {
		t.Error("a session without turns has nothing frozen")
	}
}

// TestAttachedFilesStayAsTheyWereSent holds that a file which was sent with a
// message is not sent otherwise when it changes.
func TestAttachedFilesStayAsTheyWereSent(t *testing.T) {
	r := newRepo(t, map[string]string{"main.go": "package main // one\n"})
	s := r.open()
	with := user("u1", "look")
	with["files"] = []string{r.uri("main.go")}
	one := turn(t, s, map[string]any{"session": "s", "context": "selective", "append": []message{with}})
	if !strings.Contains(string(one.Body), "// one") {
		t.Fatalf("the file is not in the request: %s", one.Body)
	}
	r.write("main.go", "package main // two\n")
	s.FilesChanged([]string{r.path("main.go")})
	two := turn(t, s, map[string]any{"session": "s", "context": "selective", "append": []message{says("m1", "ok"), user("u2", "more")}})
	if two.Cache.Broken != "" || !strings.Contains(string(two.Body), "// one") {
		t.Errorf("%+v\n%s", two.Cache, two.Body)
	}
}

// TestWhatTheNextTurnSaysIsForeseen holds what an editor is told before the user
// sends, and that it is told once.
func TestWhatTheNextTurnSaysIsForeseen(t *testing.T) {
	r := newRepo(t, map[string]string{"AGENTS.md": "Rule A.\n", "main.go": ""})
	s := r.open()
	turn(t, s, map[string]any{"session": "s", "uri": r.uri("main.go"), "append": []message{user("u1", "go")}})
	if got := s.ForeseeSessions(t.Context()); len(got) != 0 {
		t.Errorf("nothing changed, and yet %+v", got)
	}
	r.edit(s, "AGENTS.md", "Rule B.\n")
	got := s.ForeseeSessions(t.Context())
	if len(got) != 1 || got[0].Session != "s" || got[0].PrefixChanged || !strings.Contains(got[0].Because, "instructions/AGENTS.md") {
		t.Errorf("got %+v", got)
	}
	if again := s.ForeseeSessions(t.Context()); len(again) != 0 {
		t.Errorf("told twice: %+v", again)
	}
	run[RebaseSessionResult](t, s, "foreword.session.rebase", map[string]any{"session": "s", "reason": "compaction"})
	if got := s.ForeseeSessions(t.Context()); len(got) != 1 || !got[0].PrefixChanged || !strings.Contains(got[0].Because, "compaction") {
		t.Errorf("got %+v", got)
	}
}

// TestASessionThatCannotBeStored holds that a turn goes on in memory, and that
// the user sees it.
func TestASessionThatCannotBeStored(t *testing.T) {
	r := newRepo(t, map[string]string{"AGENTS.md": "Rule A.\n", "main.go": "", "~/.local/state/foreword/sessions.db/": ""})
	s := r.open()
	one := turn(t, s, map[string]any{"session": "s", "uri": r.uri("main.go"), "append": []message{user("u1", "go")}})
	warned := false
	for _, w := range one.Warnings {
		warned = warned || w.Code == "session-not-stored" && strings.Contains(w.Message, "sessions.db")
	}
	if one.Turn != 1 || !warned {
		t.Errorf("turn %d, warnings %+v", one.Turn, one.Warnings)
	}
	if two := turn(t, s, map[string]any{"session": "s", "append": []message{says("m1", "ok"), user("u2", "more")}}); two.Turn != 2 || two.Cache.Tokens == 0 {
		t.Errorf("turn %d, %+v", two.Turn, two.Cache)
	}
	if list := run[ListSessionsResult](t, s, "foreword.session.list", map[string]any{}); len(list.Sessions) != 1 || len(list.Warnings) != 1 {
		t.Errorf("list %+v", list)
	}
}

// T20: the third of six turns is edited and sent again. The request holds what came before it and the new text, and nothing
// of what came after; the system text is the same.
func TestEditOfAnEarlierTurnLeaksNothing(t *testing.T) {
	s := newRepo(t, small).open()
	var sent []*PrepareTurnResult
	for n := 1; n <= 6; n++ {
		list := []message{user(fmt.Sprint("u", n), fmt.Sprint("question number ", n))}
		if n > 1 {
			list = append([]message{says(fmt.Sprint("a", n-1), fmt.Sprint("answer number ", n-1))}, list...)
		}
		sent = append(sent, turn(t, s, map[string]any{"session": "s", "append": list}))
	}
	edited := turn(t, s, map[string]any{"session": "s", "parentTurn": 2, "append": []message{says("a2", "answer number 2"), user("u3b", "another question")}})
	body := string(edited.Body)
	for n := 1; n <= 6; n++ {
		if got, want := strings.Contains(body, fmt.Sprint("question number ", n)), n <= 2; got != want {
			t.Errorf("question %d is in the request: %v, want %v", n, got, want)
		}
		if got, want := strings.Contains(body, fmt.Sprint("answer number ", n)), n <= 2; got != want {
			t.Errorf("answer %d is in the request: %v, want %v", n, got, want)
		}
	}
	if !strings.Contains(body, "another question") || edited.Turn != 7 || edited.Fingerprint != sent[1].Fingerprint || edited.Epoch.Number != 1 {
		t.Errorf("turn %d, epoch %+v, fingerprint %v, want %v", edited.Turn, edited.Epoch, edited.Fingerprint, sent[1].Fingerprint)
	}
	shown := run[ShowSessionResult](t, s, "foreword.session.show", map[string]any{"session": "s", "messages": true, "turn": 6})
	if len(shown.Messages) != 11 {
		t.Errorf("of the old branch %d messages are left", len(shown.Messages))
	}
}
