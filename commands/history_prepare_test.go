package commands

import (
	"encoding/json"
	"errors"
	"os"
	"slices"
	"strings"
	"testing"

	"foreword/promptbuilder/history"
)

func transcript(messages []history.Message) string {
	var all []string
	for _, m := range messages {
		all = append(all, m.Role+": "+m.Content.PlainText())
	}
	return strings.Join(all, "\n")
}

// T25: a file of a history that is secret, ignored or excluded is not embedded, however it is named; the others are.
func TestHistoryEmbedsOnlyWhatMaySent(t *testing.T) {
	r := newRepo(t, map[string]string{
		".gitignore": "ignored.txt\n", "ignored.txt": "IGNORED", ".env": "KEY=SECRET", "sub/ok.txt": "fine text\n", "AGENTS.md": "rule",
	})
	s := r.open()
	got := run[PrepareHistoryResult](t, s, "foreword.history.prepare", map[string]any{
		"model": "gpt-4o",
		"messages": []any{
			map[string]any{"role": "user", "content": "see", "files": []string{"sub/ok.txt", r.uri(".env"), "ignored.txt", "none.txt", "../../etc/passwd"}},
			map[string]any{"role": "user", "content": "again", "files": []string{r.uri("sub/ok.txt")}},
		},
	})
	text := transcript(got.Messages)
	if strings.Contains(text, "SECRET") || strings.Contains(text, "IGNORED") || strings.Count(text, "fine text") != 1 {
		t.Errorf("%s", text)
	}
	if !strings.Contains(text, "````sub/ok.txt\nfine text\n````") {
		t.Errorf("%s", text)
	}
	var left int
	for _, w := range got.Warnings {
		if w.Code == "attachment-left-out" {
			left++
		}
	}
	if left != 4 {
		t.Errorf("%d warnings: %+v", left, got.Warnings)
	}
}

// T18: the window that is named decides, and the answer says who named it; the figures of the report and of the error
// are the same.
func TestHistoryWindowHasASource(t *testing.T) {
	s := newRepo(t, small).open()
	messages := []any{map[string]any{"role": "user", "content": strings.Repeat("word ", 400)}}
	for _, test := range []struct {
		params map[string]any
		source string
	}{
		{map[string]any{"window": 100_000}, "client"},
		{map[string]any{"model": "gpt-4o"}, "model table, row gpt 4o"},
		{map[string]any{"model": "no-such-model"}, "default for a model that the table does not know"},
	} {
		test.params["messages"] = messages
		got := run[PrepareHistoryResult](t, s, "foreword.history.prepare", test.params)
		if got.Window.Source != test.source || got.Report.Budget > got.Window.Tokens-got.Window.Reserve || got.Report.Before < 400 {
			t.Errorf("%v: %+v, budget %d, before %d", test.params["model"], got.Window, got.Report.Budget, got.Report.Before)
		}
		if counter := got.Report.Counter; counter == "estimate" && got.Report.Budget == got.Window.Tokens-got.Window.Reserve {
			t.Errorf("an estimate fills the whole window: %+v", got.Report)
		}
	}
	_, err := try[PrepareHistoryResult](t, s, "foreword.history.prepare", map[string]any{"budget": 10, "messages": []any{map[string]any{"role": "user", "pinned": true, "content": strings.Repeat("word ", 400)}}})
	var fault *Error
	if !errors.As(err, &fault) || fault.Code != CodeBudgetImpossible || !strings.Contains(fault.Message, "the budget is 10") {
		t.Errorf("%v", err)
	}
}

// A client that keeps the cut itself sees the same prefix until the mark is crossed.
func TestHistoryCutOfTheClient(t *testing.T) {
	s := newRepo(t, small).open()
	var messages []any
	say := func(n int) {
		for range n {
			messages = append(messages, map[string]any{"role": "user", "content": strings.Repeat("question ", 50)}, map[string]any{"role": "assistant", "content": strings.Repeat("answer ", 50)})
		}
	}
	say(20)
	cut := json.RawMessage(`{}`)
	var sent []history.Message
	broken := 0
	for range 12 {
		got := run[PrepareHistoryResult](t, s, "foreword.history.prepare", map[string]any{"model": "gpt-4o", "budget": 1000, "messages": messages, "cut": cut})
		if got.Report.After > 900 {
			t.Fatalf("%d tokens", got.Report.After)
		}
		same := len(got.Messages) >= len(sent) && slices.EqualFunc(sent, got.Messages[:len(sent)], func(a, b history.Message) bool { return a.Key() == b.Key() })
		if !same {
			broken++
		}
		sent, cut = got.Messages, got.Cut
		say(1)
	}
	if broken == 0 || broken > 6 {
		t.Errorf("the prefix broke %d times in 12 turns", broken)
	}
	if _, err := try[PrepareHistoryResult](t, s, "foreword.history.prepare", map[string]any{"messages": []any{}, "cut": map[string]any{"gone": 1}}); err == nil {
		t.Error("a cut that is none was taken")
	}
	if _, err := try[PrepareHistoryResult](t, s, "foreword.history.prepare", map[string]any{"messages": []any{}, "cut": cut, "session": "x"}); err == nil {
		t.Error("a cut and a session were taken together")
	}
}

// Of a session a file stands in its history as it was when its message was sent, also when it was changed or deleted
// since; without the session it is embedded as it is now, or noted.
func TestHistoryOfASessionKeepsWhatWasSent(t *testing.T) {
	r := newRepo(t, map[string]string{"notes.txt": "as it was\n"})
	s := r.open()
	asked := message{"id": "u1", "role": "user", "content": "see", "files": []string{"notes.txt"}, "time": "2001-02-03T04:05:06Z"}
	if sent := turn(t, s, map[string]any{"session": "s", "append": []message{asked}}); !strings.Contains(string(sent.Body), "as it was") {
		t.Fatalf("not sent: %s", sent.Body)
	}
	prepared := func(params map[string]any) string {
		t.Helper()
		params["messages"] = []message{asked, user("u2", "and now?")}
		return transcript(run[PrepareHistoryResult](t, s, "foreword.history.prepare", params).Messages)
	}
	r.write("notes.txt", "as it is\n")
	s.FilesChanged([]string{r.path("notes.txt")})
	for name, c := range map[string]struct {
		params       map[string]any
		want, absent string
	}{
		"with the session":         {map[string]any{"session": "s"}, "as it was", "as it is"},
		"without it":               {map[string]any{}, "as it is", "as it was"},
		"without it, with a note":  {map[string]any{"modified": "note"}, "was changed after this message was sent", "as it is"},
		"with it, no note is owed": {map[string]any{"session": "s", "modified": "note"}, "as it was", "was changed after"},
	} {
		if got := prepared(c.params); !strings.Contains(got, c.want) || strings.Contains(got, c.absent) {
			t.Errorf("%s: %s", name, got)
		}
	}
	must(t, os.Remove(r.path("notes.txt")))
	s.FilesChanged([]string{r.path("notes.txt")})
	if got := prepared(map[string]any{"session": "s"}); !strings.Contains(got, "as it was") {
		t.Errorf("after it was deleted: %s", got)
	}
}
