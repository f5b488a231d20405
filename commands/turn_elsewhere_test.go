package commands

import (
	"errors"
	"os"
	"strings"
	"testing"
)

// Two servers on one session: who appends without naming a turn after the other went on is told so, and branches by naming its own.
func TestTwoWindowsOnOneSession(t *testing.T) {
	r := newRepo(t, small)
	one, other := r.open(), r.open()
	turn(t, one, map[string]any{"session": "s", "append": []message{user("u1", "first")}})
	turn(t, one, map[string]any{"session": "s", "append": []message{says("a1", "x"), user("u2", "second")}})
	turn(t, other, map[string]any{"session": "s", "append": []message{says("oa2", "theirs"), user("ou3", "of the other window")}})
	mine := []message{says("a2", "mine"), user("u3", "of this window")}
	var fault *Error
	if _, err := try[PrepareTurnResult](t, one, "foreword.turn.prepare", map[string]any{"session": "s", "wire": "openai-chat", "append": mine}); !errors.As(err, &fault) || fault.Code != CodeConflict || fault.Data != (Conflict{Newest: 3}) {
		t.Fatalf("%v", err)
	}
	got := turn(t, one, map[string]any{"session": "s", "parentTurn": 2, "append": mine})
	if body := string(got.Body); strings.Contains(body, "of the other window") || !strings.Contains(body, "of this window") {
		t.Errorf("the branch: %s", body)
	}
	turn(t, one, map[string]any{"session": "s", "append": []message{says("a3", "y"), user("u4", "and on")}})
}

// A request that another provider or in another form answers finds nothing in the cache of the first.
func TestAnotherProviderHasNoCache(t *testing.T) {
	for _, next := range []map[string]any{{"provider": "azure", "wire": "openai-chat"}, {"provider": "openai", "wire": "openai-responses"}} {
		s := newRepo(t, small).open()
		turn(t, s, map[string]any{"session": "s", "model": "gpt-5", "provider": "openai", "wire": "openai-chat", "append": []message{user("u1", "first")}})
		next["session"], next["model"], next["append"] = "s", "gpt-5", []message{says("a1", "x"), user("u2", "second")}
		if got := turn(t, s, next); got.Cache.Tokens != 0 || got.Cache.Broken != "cache" {
			t.Errorf("%v: %+v", next, got.Cache)
		}
	}
}

// Instructions for a file that is touched late do not go into a message that was sent.
func TestALateTouchRewritesNothing(t *testing.T) {
	r := newRepo(t, small)
	s := r.open()
	turn(t, s, map[string]any{"session": "s", "uri": r.uri("main.go"), "append": []message{user("u1", "first")}})
	turn(t, s, map[string]any{"session": "s", "uri": r.uri("main.go"), "append": []message{says("a1", "x"), user("u2", "second")}})
	got := touch(t, s, TouchContextParams{Message: "u1", Kind: "read", URIs: []string{r.uri("svc/pay/x.go")}})
	if len(got.Injections) != 0 || len(got.Warnings) != 1 || got.Warnings[0].Code != "touched-late" {
		t.Errorf("%+v", got)
	}
	next := turn(t, s, map[string]any{"session": "s", "uri": r.uri("main.go"), "append": []message{says("a2", "y"), user("u3", "third")}})
	body := string(next.Body)
	if next.Cache.Broken != "" || strings.Count(body, "Pay rule") != 1 || strings.Index(body, "Pay rule") < strings.Index(body, "second") {
		t.Errorf("cache %+v, %s", next.Cache, body)
	}
}

// An agent that is told its own prompt alone and one that is not never share an epoch.
func TestAnAgentThatIsToldItsPromptAlone(t *testing.T) {
	s := newRepo(t, small).open()
	turn(t, s, map[string]any{"session": "s", "agent": "title", "append": []message{user("u1", "name it")}})
	got := turn(t, s, map[string]any{"session": "s", "agent": "build", "append": []message{says("a1", "A name"), user("u2", "work")}})
	if got.Epoch.Status != "replaced" || len(got.Updates) > 0 || !strings.Contains(got.Epoch.Because, "its own prompt alone") {
		t.Errorf("%+v, updates %v", got.Epoch, got.Updates)
	}
}

// One file that is too long is told up to a bound, and changes that do not fit begin an epoch that does not have them.
func TestALongInstructionFileStopsNoTurn(t *testing.T) {
	r := newRepo(t, small)
	s := r.open()
	r.write("AGENTS.md", strings.Repeat("Rule: keep it simple and short.\n", 30_000))
	s.FilesChanged([]string{r.path("AGENTS.md")})
	got := turn(t, s, map[string]any{"session": "s", "model": "gpt-5", "window": 40_000, "append": []message{user("u1", "first")}})
	cut := false
	for _, w := range got.Warnings {
		cut = cut || w.Code == "instructions-cut"
	}
	if !cut || !strings.Contains(string(got.Body), "The file goes on here for") {
		t.Errorf("warnings %v", got.Warnings)
	}
	for n, text := range []string{"a ", "b ", "c ", "d "} {
		r.write("AGENTS.md", strings.Repeat(text+"rule.\n", 3_000))
		s.FilesChanged([]string{r.path("AGENTS.md")})
		id := string(rune('a' + n))
		got = turn(t, s, map[string]any{"session": "s", "model": "gpt-5", "window": 40_000, "append": []message{says("x"+id, "y"), user("v"+id, "next")}})
	}
	if got.Epoch.Number < 2 || got.Tokens.Total > 40_000 {
		t.Errorf("%+v, %d tokens", got.Epoch, got.Tokens.Total)
	}
}

// A report that comes twice teaches once.
func TestAReportThatComesTwice(t *testing.T) {
	s := newRepo(t, small).open()
	first := turn(t, s, map[string]any{"session": "s", "model": "claude-sonnet-4-5", "wire": "anthropic", "append": []message{user("u1", "first")}})
	for range 3 {
		finish(t, s, "s", first, 1.2, 0)
	}
	if got := turn(t, s, map[string]any{"session": "s", "model": "claude-sonnet-4-5", "wire": "anthropic", "append": []message{says("a1", "x"), user("u2", "second")}}); got.Tokens.Learned != 1 {
		t.Errorf("learned from %d", got.Tokens.Learned)
	}
}

// A folder whose repository is gone is not said to be one that must be trusted.
func TestARepositoryThatIsGone(t *testing.T) {
	r := newRepo(t, small)
	s := r.open()
	if _, err := s.repos.gitStatus(t.Context(), r.root, false); err != nil {
		t.Fatal(err)
	}
	must(t, os.RemoveAll(r.path(".git")))
	s.FilesChanged([]string{r.path(".git")})
	if _, err := s.repos.gitStatus(t.Context(), r.root, false); err == nil || strings.Contains(err.Error(), "trust") {
		t.Errorf("%v", err)
	}
}
