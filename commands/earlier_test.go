package commands

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const remember = "[history]\ntokens = 1000\n"

// toldOfEarlier is what the system text of a turn says of earlier sessions.
func toldOfEarlier(r *PrepareTurnResult) string {
	for _, s := range r.Sections {
		if s.Key == "core/history" {
			return s.Text
		}
	}
	return ""
}

func TestEarlierSessionsAreTold(t *testing.T) {
	r := newRepo(t, map[string]string{"main.go": "package main\n", "pay/pay.go": "package pay\n", ".env": "KEY=1"})
	s := r.open()
	ask := func(s *Service, session string, messages ...message) *PrepareTurnResult {
		t.Helper()
		return turn(t, s, map[string]any{"uri": r.uri("main.go"), "session": session, "append": messages})
	}
	ask(s, "old", user("u1", "Why does the ledger round down?"))
	run[TouchContextResult](t, s, "foreword.context.touch", map[string]any{"session": "old", "message": "t1", "uris": []string{r.uri("pay/pay.go"), r.uri(".env")}, "kind": "read"})
	ask(s, "old", message{"id": "a1", "role": "assistant", "content": "Because of the bank."}, user("u2", "Thanks, write that down."))
	run[FinishTurnResult](t, s, "foreword.turn.finish", map[string]any{
		"session": "old", "turn": 2, "usage": map[string]any{"input": 1, "output": 1}, "answer": "It is\nwritten.",
	})
	if got := toldOfEarlier(ask(s, "new", user("u1", "hello"))); got != "" {
		t.Errorf("nobody asked for it: %s", got)
	}

	r.write("~/.config/foreword/foreword.toml", remember)
	s = r.open() // another process
	first := ask(s, "newer", user("u1", "the ledger again"))
	got := toldOfEarlier(first)
	for _, want := range []string{"## Why does the ledger round down? (", ", 2 turns)", "Asked last: Thanks, write that down.", "Answered last: It is written.", "Files: pay/pay.go\n", "## hello ("} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is not told in\n%s", want, got)
		}
	}
	if strings.Contains(got, ".env") || strings.Index(got, "ledger round") > strings.Index(got, "hello") || strings.Contains(got, "again") {
		t.Errorf("told:\n%s", got)
	}

	// What was chosen for the first message stands, whatever other sessions do.
	ask(s, "old", message{"id": "a2", "role": "assistant", "content": "Done."}, user("u3", "And round up?"))
	second := ask(s, "newer", message{"id": "a1", "role": "assistant", "content": "Yes?"}, user("u2", "hello, say hello"))
	if second.Fingerprint != first.Fingerprint || len(second.Updates) != 0 {
		t.Errorf("the second turn says %+v", second.Updates)
	}
	// An epoch that begins on its own, here with an agent that can do less, says it again as it was.
	fewer := turn(t, s, map[string]any{"uri": r.uri("main.go"), "session": "tools", "tools": []any{map[string]any{"name": "read", "description": "Reads."}}, "append": []message{user("u1", "ledger")}})
	changed := turn(t, s, map[string]any{"uri": r.uri("main.go"), "session": "tools", "agent": "plan", "append": []message{user("u2", "hello hello")}})
	if changed.Epoch.Number != 2 || toldOfEarlier(changed) != toldOfEarlier(fewer) || toldOfEarlier(fewer) == "" {
		t.Errorf("epoch %d says:\n%s\nwant:\n%s", changed.Epoch.Number, toldOfEarlier(changed), toldOfEarlier(fewer))
	}
	run[RebaseSessionResult](t, s, "foreword.session.rebase", map[string]any{"session": "newer"})
	third := toldOfEarlier(ask(s, "newer", message{"id": "a3", "role": "assistant", "content": "Hello."}, user("u4", "hello, say hello")))
	if !strings.Contains(third, "And round up?") || strings.Index(third, "hello") > strings.Index(third, "ledger round") {
		t.Errorf("the next epoch says:\n%s", third)
	}
	run[ForgetSessionResult](t, s, "foreword.session.forget", map[string]any{"session": "old"})
	if got := toldOfEarlier(ask(s, "last", user("u1", "the ledger"))); strings.Contains(got, "ledger round") {
		t.Errorf("what was forgotten is told:\n%s", got)
	}
}

func TestConversationsOfOtherToolsAreToldWhenTheUserSaysSo(t *testing.T) {
	r := newRepo(t, map[string]string{"main.go": "package main\n", "pay/": ""})
	const log = "~/.local/share/gptme/logs/one/"
	r.write(log+"conversation.jsonl", `{"role":"user","content":"asked with gptme"}`)
	r.write(log+"config.toml", "[chat]\nworkspace = \""+filepath.ToSlash(r.path("pay"))+"\"\n")
	for settings, want := range map[string]bool{remember: false, remember + "otherTools = true\n": true, "[history]\notherTools = true\n": false} {
		r.write("~/.config/foreword/foreword.toml", settings)
		got := strings.Contains(text(build(t, r.open(), BuildPromptParams{URI: r.uri("main.go")})), "asked with gptme")
		if got != want {
			t.Errorf("%q: told %v, want %v", settings, got, want)
		}
	}
	// A prompt that is only looked at makes no file of sessions.
	if _, err := os.Stat(filepath.Join(r.home, ".local", "state", "foreword", "sessions.db")); !os.IsNotExist(err) {
		t.Errorf("the file of sessions: %v", err)
	}
}
