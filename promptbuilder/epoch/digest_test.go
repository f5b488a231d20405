package epoch_test

import (
	"context"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"foreword/promptbuilder/epoch"
	"foreword/promptbuilder/epoch/store"
	"foreword/promptbuilder/history"
)

// talk prepares a turn of a session that continues its newest one.
func talk(t *testing.T, l *epoch.Ledger, session string, messages ...history.Message) {
	t.Helper()
	st, err := l.Stand(t.Context(), session, epoch.Continuation{Append: messages})
	if err != nil {
		t.Fatal(err)
	}
	commit(t, l, st)
}

func earlier(t *testing.T, l *epoch.Ledger, present string) []epoch.Digest {
	t.Helper()
	all, err := l.Earlier(t.Context(), present)
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// ticking makes ledgers whose clock goes on by a second with each look.
func ticking(t *testing.T, path string) *epoch.Ledger {
	now := time.UnixMilli(0)
	o := epoch.Options{Thaw: thaw, Warn: func(m string) { t.Error(m) }, Now: func() time.Time { now = now.Add(time.Second); return now }}
	if path != "" {
		o.Open = func(ctx context.Context) (*store.Store, error) { return store.Open(ctx, path, o.Now) }
	}
	l := epoch.NewLedger(o)
	t.Cleanup(func() {
		if err := l.Close(); err != nil {
			t.Error(err)
		}
	})
	return l
}

// TestDigestsFollowTheConversation holds that a digest is there after each turn,
// in memory and in the store, and that another process reads the same.
func TestDigestsFollowTheConversation(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s.db")
	for _, at := range []string{"", path} {
		l := ticking(t, at)
		talk(t, l, "a", message("u1", "user", "  Why is\nthe test flaky?  "))
		got := earlier(t, l, "b")
		if len(got) != 1 || got[0].First != "Why is the test flaky?" || got[0].Last != "" || got[0].Answer != "" || got[0].Turns != 1 || got[0].Root != "/w" {
			t.Fatalf("%q: after a turn: %+v", at, got)
		}
		if err := l.Answered(t.Context(), "a", 1, "It reads\nthe clock."); err != nil {
			t.Fatal(err)
		}
		if got := earlier(t, l, "b"); got[0].Answer != "It reads the clock." || got[0].First == "" {
			t.Fatalf("%q: after the answer: %+v", at, got)
		}
		if _, err := l.Touch(t.Context(), "a", []epoch.Touched{{Path: "/w/a.go", Kind: "read"}, {Path: "/w/b.go", Kind: "edit"}, {Path: "/w/a.go", Kind: "edit"}}, func(epoch.Touching) []epoch.Told { return nil }); err != nil {
			t.Fatal(err)
		}
		talk(t, l, "a", message("a1", "assistant", "It reads the clock. "+strings.Repeat("word ", 200)), message("u2", "user", "Mend it."))
		got = earlier(t, l, "b")
		want := epoch.Digest{
			Session: "a", Title: "Why is", Root: "/w", Began: got[0].Began, At: got[0].At, Turns: 2, First: "Why is the test flaky?", Last: "Mend it.",
			Answer: got[0].Answer, Files: []string{"/w/a.go", "/w/b.go"},
		}
		if diff := cmp.Diff([]epoch.Digest{want}, got); diff != "" {
			t.Error(diff)
		}
		if n := len([]rune(got[0].Answer)); n > 401 || !strings.HasSuffix(got[0].Answer, " word…") || got[0].Began >= got[0].At {
			t.Errorf("%d characters: %q", n, got[0].Answer)
		}
		// The answer of a turn that is not the newest is in the conversation.
		if err := l.Answered(t.Context(), "a", 1, "late"); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(got, earlier(t, l, "b")); diff != "" {
			t.Error(diff)
		}
		if at == "" {
			continue
		}
		if diff := cmp.Diff(got, earlier(t, ticking(t, at), "b")); diff != "" {
			t.Errorf("another process: %s", diff)
		}
	}
}

// TestDigestsOfOthersOnly holds that a session is not told of itself, of what it
// was forked from, and of what was forgotten; and of forks but once.
func TestDigestsOfOthersOnly(t *testing.T) {
	for _, path := range []string{"", filepath.Join(t.TempDir(), "s.db")} {
		l := ticking(t, path)
		names := func(present string) string {
			var all []string
			if _, err := l.Stand(t.Context(), present, epoch.Continuation{}); err != nil {
				t.Fatal(err)
			}
			for _, d := range earlier(t, l, present) {
				all = append(all, d.Session)
			}
			return strings.Join(all, " ")
		}
		expect := func(present, want string) {
			t.Helper()
			if got := names(present); got != want {
				t.Errorf("%q: to %s it is told of %q, want %q", path, present, got, want)
			}
		}
		talk(t, l, "a", message("u1", "user", "one"))
		talk(t, l, "b", message("u1", "user", "one"))
		talk(t, l, "silent", message("x1", "system", "hello"))
		if _, err := l.Fork(t.Context(), "a", 0, "fork"); err != nil {
			t.Fatal(err)
		}
		expect("a", "b")
		expect("fork", "b")
		expect("new", "b a")
		talk(t, l, "fork", message("a1", "assistant", "yes"), message("u2", "user", "two"))
		expect("a", "b")
		expect("fork", "b")
		expect("b", "fork")
		expect("new", "fork b")
		if err := l.Forget(t.Context(), "b"); err != nil {
			t.Fatal(err)
		}
		expect("new", "fork")
	}
}

// An edited question takes the place of the one before in the digest too.
func TestDigestsForgetWhatWasEditedAway(t *testing.T) {
	l := ticking(t, "")
	talk(t, l, "s", message("u1", "user", "old question"))
	commit(t, l, stand(t, l, 0, message("u1b", "user", "new question")))
	if got := earlier(t, l, "s"); len(got) != 0 {
		t.Errorf("a session is told of itself: %+v", got)
	}
	got := earlier(t, l, "other")
	if len(got) != 1 || got[0].First != "new question" || got[0].Last != "" || got[0].Turns != 1 {
		t.Errorf("got %+v", got)
	}
}
