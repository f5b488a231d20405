package commands

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"
)

// TestTurnsByOpencodesRules holds E2, E3 and E4 of opencode's worked examples:
// a change stands behind the message that it was said with, another model
// begins nothing, and a compaction does.
func TestTurnsByOpencodesRules(t *testing.T) {
	r := newRepo(t, map[string]string{"AGENTS.md": "Rule A.\n", "main.go": ""})
	s := r.open()
	next := func(model string, messages ...message) *PrepareTurnResult {
		return turn(t, s, map[string]any{"session": "s", "uri": r.uri("main.go"), "compat": "opencode", "model": model, "append": messages, "context": "selective", "include": []string{"instructions"}})
	}
	one := next("gpt-5", user("u1", "one"))
	r.edit(s, "AGENTS.md", "Rule B.\n")
	two := next("gpt-5", user("u2", "two"))
	system, rest := said(t, two)
	if len(rest) != 3 || !strings.HasPrefix(rest[2], "system: ") || !strings.Contains(rest[2], "Rule B.") || !strings.Contains(system, "Rule A.") || two.Fingerprint != one.Fingerprint {
		t.Errorf("turn 2: %q", rest)
	}
	if three := next("gpt-5-mini", user("u3", "three")); three.Fingerprint != one.Fingerprint || three.Epoch.Number != 1 {
		t.Errorf("turn 3: %+v", three.Epoch)
	}
	run[RebaseSessionResult](t, s, "foreword.session.rebase", map[string]any{"session": "s", "reason": "the conversation was compacted"})
	four := next("gpt-5", user("u4", "four"))
	system, rest = said(t, four)
	if four.Epoch.Status != "replaced" || !strings.Contains(system, "Rule B.") || oneOf(t, rest, "Rule ") >= 0 {
		t.Errorf("turn 4: %+v %q", four.Epoch, rest)
	}
}

// TestCompactionBeginsAnew holds the fifth row: after a summary was taken the
// system text is said as it is now, with the instructions of what the messages
// that stay touched, and the rules are not the summary's business.
func TestCompactionBeginsAnew(t *testing.T) {
	for name, way := range map[string]string{"the panel sends all messages": "whole", "and names the turn": "named"} {
		t.Run(name, func(t *testing.T) {
			r := newRepo(t, map[string]string{"AGENTS.md": "Rule A one.\n", "pay/AGENTS.md": "Rule P.\n", "main.go": "", "pay/x.go": ""})
			s := r.open()
			base := map[string]any{"session": "s", "uri": r.uri("main.go"), "model": "gpt-4o"}
			messages := []message{}
			for i := range 12 {
				id := string(rune('a' + i))
				messages = append(messages, user("u"+id, strings.Repeat("question ", 100)), says("m"+id, strings.Repeat("answer ", 100)))
			}
			touch(t, s, TouchContextParams{Message: "ul", Kind: "attach", URIs: []string{r.uri("pay/x.go")}})
			base["messages"] = messages
			turn(t, s, base)
			r.edit(s, "AGENTS.md", "Rule A two.\n")
			compacted := run[CompactHistoryResult](t, s, "foreword.history.compact", map[string]any{"session": "s", "model": "gpt-4o", "messages": messages, "summary": "They spoke."})
			if compacted.Refused != "" || len(compacted.Messages) >= len(messages) {
				t.Fatalf("%+v", compacted)
			}
			var next []any
			for _, m := range compacted.Messages {
				next = append(next, m)
			}
			base["messages"] = append(next, user("next", "go on"))
			if way == "named" {
				base["parentTurn"] = 1
			}
			got := turn(t, s, base)
			system, rest := said(t, got)
			if got.Epoch.Number != 2 || got.Epoch.Status != "replaced" || !strings.Contains(system, "Rule A two.") || !strings.Contains(system, "Rule P.") {
				t.Errorf("%+v\n%s", got.Epoch, system)
			}
			if oneOf(t, rest, "They spoke.") < 0 || oneOf(t, rest, "Rule ") >= 0 {
				t.Errorf("history %q", rest)
			}
		})
	}
}

// TestAnAgentThatLosesToolsBeginsAnew holds that what the prompt tells of and
// the new agent does not have is never left standing.
func TestAnAgentThatLosesToolsBeginsAnew(t *testing.T) {
	r := newRepo(t, map[string]string{"main.go": ""})
	s := r.open()
	next := func(agent string, tools []string, messages ...message) *PrepareTurnResult {
		var list []map[string]any
		for _, name := range tools {
			list = append(list, map[string]any{"name": name, "description": "does " + name})
		}
		return turn(t, s, map[string]any{"session": "s", "uri": r.uri("main.go"), "agent": agent, "tools": list, "toolFormat": "markdown", "append": messages})
	}
	next("build", []string{"read", "edit"}, user("u1", "go"))
	if grown := next("general", []string{"read", "edit", "glob"}, says("m1", "ok"), user("u2", "more")); grown.Epoch.Number != 1 {
		t.Errorf("an agent with more tools: %+v", grown.Epoch)
	}
	if shrunk := next("explore", []string{"read"}, says("m2", "ok"), user("u3", "look")); shrunk.Epoch.Number != 2 || !strings.Contains(shrunk.Epoch.Because, "tool edit") {
		t.Errorf("an agent with fewer tools: %+v", shrunk.Epoch)
	}
}

// TestManyUpdatesWaitForAColdCache holds when a prompt that has grown by its
// updates is said anew.
func TestManyUpdatesWaitForAColdCache(t *testing.T) {
	r := newRepo(t, map[string]string{"AGENTS.md": "Rule.\n", "main.go": "", "foreword.toml": "[updates]\ntokens = 50\n"})
	now := noon
	s := r.openClock(func() time.Time { return now })
	n := 0
	next := func() *PrepareTurnResult {
		n++
		id := string(rune('a' + n))
		r.edit(s, "AGENTS.md", "Rule "+strings.Repeat(id+" ", 80)+"\n")
		return turn(t, s, map[string]any{"session": "s", "uri": r.uri("main.go"), "append": []message{user("u"+id, "go")}})
	}
	next()
	if got := next(); got.Epoch.Status != "updated" || got.Epoch.UpdateTokens < 50 {
		t.Fatalf("%+v", got.Epoch)
	}
	now = now.Add(time.Minute)
	if got := next(); got.Epoch.Number != 1 {
		t.Errorf("the cache is warm, and yet %+v", got.Epoch)
	}
	now = now.Add(time.Hour)
	if got := next(); got.Epoch.Number != 2 || !strings.Contains(got.Epoch.Because, "updates.tokens (50)") {
		t.Errorf("the cache is cold, and yet %+v", got.Epoch)
	}
}

// TestAnEditorsFocusMovesWithoutUnsaying holds that another target adds what
// newly applies and takes nothing back.
func TestAnEditorsFocusMovesWithoutUnsaying(t *testing.T) {
	r := newRepo(t, map[string]string{"AGENTS.md": "Rule A.\n", "a/AGENTS.md": "Rule a.\n", "b/AGENTS.md": "Rule b.\n", "a/x.go": "", "b/x.go": ""})
	s := r.open()
	next := func(file string, messages ...message) *PrepareTurnResult {
		return turn(t, s, map[string]any{"session": "s", "uri": r.uri(file), "append": messages, "context": "selective", "include": []string{"instructions"}})
	}
	next("a/x.go", user("u1", "go"))
	moved := next("b/x.go", says("m1", "ok"), user("u2", "and there"))
	if len(moved.Updates) != 1 || moved.Updates[0].Key != "instructions/b/AGENTS.md" || moved.Updates[0].Kind != "new" {
		t.Errorf("updates %+v", moved.Updates)
	}
	must(t, os.Remove(r.path("a/AGENTS.md")))
	s.FilesChanged([]string{r.path("a/AGENTS.md")})
	gone := next("b/x.go", says("m2", "ok"), user("u3", "and then"))
	if len(gone.Updates) != 1 || gone.Updates[0].Kind != "removal" || !strings.Contains(gone.Updates[0].Text, "a/AGENTS.md") {
		t.Errorf("updates %+v", gone.Updates)
	}
	back := next("a/x.go", says("m3", "ok"), user("u4", "back"))
	if len(back.Updates) != 0 {
		t.Errorf("going back said %+v", back.Updates)
	}
}

// TestRebasesCoalesce holds that a new epoch which was asked for many times
// begins once, also when it is asked for while a turn is being prepared.
func TestRebasesCoalesce(t *testing.T) {
	r := newRepo(t, map[string]string{"AGENTS.md": "Rule A.\n", "main.go": ""})
	var s *Service
	during := 0 // rebases while the sources are looked at
	asked := 0
	o := Options{Home: r.home, Now: func() time.Time { return noon }, Version: "test", Roots: []Folder{{Path: r.root, Name: "repo"}},
		Collect: func(ctx context.Context, _ CollectSectionsParams) (*CollectSectionsResult, error) {
			asked++
			if during > 0 {
				during--
				if _, err := s.ledger.Rebase(ctx, "s", "asked for while sources were looked at"); err != nil {
					return nil, err
				}
			}
			return &CollectSectionsResult{}, nil
		}}
	s, err := Open(o)
	must(t, err)
	t.Cleanup(func() { must(t, s.Close()) })
	next := func(messages ...message) *PrepareTurnResult {
		return turn(t, s, map[string]any{"session": "s", "uri": r.uri("main.go"), "append": messages})
	}
	next(user("u1", "one"))
	for range 3 {
		run[RebaseSessionResult](t, s, "foreword.session.rebase", map[string]any{"session": "s"})
	}
	if two := next(says("m1", "ok"), user("u2", "two")); two.Epoch.Number != 2 || two.Epoch.Status != "replaced" {
		t.Errorf("turn 2: %+v", two.Epoch)
	}
	during, asked = 4, 0
	three := next(says("m2", "ok"), user("u3", "three"))
	if three.Turn != 3 || three.Epoch.Number != 3 || three.Epoch.Status != "replaced" {
		t.Errorf("turn %d: %+v", three.Turn, three.Epoch)
	}
	if asked < 2 {
		t.Errorf("the sources were looked at %d times: the turn was not prepared again", asked)
	}
	during = 0
	if four := next(says("m3", "ok"), user("u4", "four")); four.Epoch.Number != 3 {
		t.Errorf("turn 4 begins another: %+v", four.Epoch)
	}
}

// TestASessionThatNeverRests holds that a turn whose ground moves each time it
// is prepared ends with a conflict and not in a loop.
func TestASessionThatNeverRests(t *testing.T) {
	r := newRepo(t, map[string]string{"main.go": ""})
	var s *Service
	n := 0
	o := Options{Home: r.home, Now: func() time.Time { return noon }, Version: "test", Roots: []Folder{{Path: r.root, Name: "repo"}},
		Collect: func(ctx context.Context, _ CollectSectionsParams) (*CollectSectionsResult, error) {
			n++
			if n > 1 {
				if _, err := s.ledger.Rebase(ctx, "s", fmt.Sprintf("reason %d", n)); err != nil {
					return nil, err
				}
			}
			return &CollectSectionsResult{}, nil
		}}
	s, err := Open(o)
	must(t, err)
	t.Cleanup(func() { must(t, s.Close()) })
	turn(t, s, map[string]any{"session": "s", "uri": r.uri("main.go"), "append": []message{user("u1", "one")}})
	_, err = try[PrepareTurnResult](t, s, "foreword.turn.prepare", map[string]any{"session": "s", "wire": "text", "append": []message{user("u2", "two")}})
	var fault *Error
	if !errors.As(err, &fault) || fault.Code != CodeConflict {
		t.Errorf("got %v", err)
	}
}

// TestForecastsAfterASwitch holds that a forecast counts by the model of the
// turn, and that a model which was used minutes ago is still in its cache.
func TestForecastsAfterASwitch(t *testing.T) {
	r := newRepo(t, map[string]string{"AGENTS.md": "Rule A.\n", "main.go": ""})
	s := r.open()
	n := 0
	next := func(model string) *PrepareTurnResult {
		n++
		messages := []message{user(fmt.Sprint("u", n), strings.Repeat("some words of a question ", 20))}
		if n > 1 {
			messages = append([]message{says(fmt.Sprint("m", n), strings.Repeat("some words of an answer ", 20))}, messages...)
		}
		return turn(t, s, map[string]any{"session": "s", "uri": r.uri("main.go"), "model": model, "append": messages})
	}
	var before *PrepareTurnResult
	for i, model := range []string{"claude-sonnet-4-5", "claude-sonnet-4-5", "gpt-5", "gpt-5", "gpt-5"} {
		got := next(model)
		if got.Cache.Tokens >= got.Tokens.Total {
			t.Errorf("turn %d: %d of %d tokens in the cache", i+1, got.Cache.Tokens, got.Tokens.Total)
		}
		if i != 0 && i != 2 && (got.Cache.Broken != "" || got.Cache.Tokens < before.Tokens.Total-10) {
			t.Errorf("turn %d: %+v after %d tokens", i+1, got.Cache, before.Tokens.Total)
		}
		if i == 2 && (got.Epoch.Status != "replaced" || !strings.Contains(got.Epoch.Because, "core/")) {
			t.Errorf("the identity of another model stands first: %+v", got.Epoch)
		}
		before = got
	}
	if back := next("claude-sonnet-4-5"); back.Cache.Tokens == 0 {
		t.Errorf("the first model is used again at once: %+v", back.Cache)
	}
	edited := turn(t, s, map[string]any{"session": "s", "uri": r.uri("main.go"), "model": "gpt-5", "messages": []message{user("e1", "another beginning")}})
	if edited.Cache.Tokens == 0 || edited.Cache.Because == "nothing was sent before" {
		t.Errorf("a conversation that begins anew: %+v", edited.Cache)
	}
}

// TestATouchWithoutAMessageIsSaidByTheNextTurn holds that rules which no
// message of the panel carries are not lost.
func TestATouchWithoutAMessageIsSaidByTheNextTurn(t *testing.T) {
	r := newRepo(t, map[string]string{"AGENTS.md": "Rule A.\n", "pay/AGENTS.md": "Rule P.\n", "main.go": "", "pay/x.go": ""})
	s := r.open()
	next := func(messages ...message) *PrepareTurnResult {
		return turn(t, s, map[string]any{"session": "s", "uri": r.uri("main.go"), "append": messages})
	}
	next(user("u1", "go"))
	for want := 1; want >= 0; want-- {
		if got := touch(t, s, TouchContextParams{URIs: []string{r.uri("pay/x.go")}}); len(got.Injections) != want {
			t.Fatalf("%d injections, want %d", len(got.Injections), want)
		}
	}
	two := next(says("m1", "ok"), user("u2", "more"))
	if len(two.Updates) != 1 || two.Updates[0].Key != "instructions/pay/AGENTS.md" {
		t.Errorf("updates %+v", two.Updates)
	}
	if three := next(says("m2", "ok"), user("u3", "more")); len(three.Updates) != 0 || strings.Count(string(three.Body), "Rule P.") != 1 {
		t.Errorf("updates %+v", three.Updates)
	}
}
