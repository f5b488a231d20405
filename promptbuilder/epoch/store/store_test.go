package store

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// at is when all tests happen.
var at = time.UnixMilli(1_700_000_000_123)

func clock() time.Time { return at }

// opened opens a store that the test closes.
func opened(t testing.TB, path string) *Store {
	t.Helper()
	s, err := Open(t.Context(), path, clock)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil && !errors.Is(err, ErrClosed) {
			t.Error(err)
		}
	})
	return s
}

func fresh(t testing.TB) *Store {
	t.Helper()
	return opened(t, filepath.Join(t.TempDir(), "foreword", "sessions.db"))
}

// full is a change with a value in every field.
func full(id string) Change {
	return Change{
		Session: Session{ID: id, Root: "/r", Title: "a title", Created: 5, Updated: 6},
		Epochs: []Epoch{{
			Session: id, Number: 1, Agent: "build", Root: "/r", Reason: "first", Baseline: `{"a":1}`, Snapshot: `[]`,
			BaselineSeq: 1, Revision: 3, ReplacementSeq: 2,
		}},
		Turns: []Turn{{
			Session: id, Number: 1, Epoch: 1, State: Prepared, Anchor: "u1", At: 7,
			Model: "m", Provider: "p", Agent: "build", Mode: "plan", Wire: "text",
			Said: `[1]`, Delta: `{}`, Cut: `null`, Prefix: "pf", Full: "fu", Sections: `[]`,
			PrefixTokens: 8, InputTokens: 9, UsageInput: 10, UsageOutput: 11, CacheRead: 12, CacheWrite: 13, Error: "e",
		}},
		Messages: []Message{
			{Session: id, Turn: 1, Position: 0, ID: "u1", Hash: "h", Body: "nul \x00, not UTF-8 \xff, ü"},
			{Session: id, Turn: 1, Position: 1, ID: "m1"},
		},
		Told: []Told{
			{Session: id, RealPath: "/r/A", Path: "A", Hash: "h", How: "section", Anchor: "u1", Turn: 1, Text: "t", Why: "w", Body: `{"b":1}`, Seq: 1},
		},
		Touched: []Touched{{Session: id, RealPath: "/r/x", Anchor: "u1", Kind: "read", Turn: 1, Seq: 2}},
	}
}

func written(t testing.TB, s *Store, change Change) int64 {
	t.Helper()
	revision, err := s.Write(t.Context(), change)
	if err != nil {
		t.Fatal(err)
	}
	return revision
}

func loaded(t testing.TB, s *Store, id string) *Rows {
	t.Helper()
	rows, err := s.Load(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	return rows
}

// of is what a store holds after a change to a new session.
func of(change Change) *Rows {
	return &Rows{
		Session: change.Session, Epochs: change.Epochs, Turns: change.Turns,
		Messages: change.Messages, Told: change.Told, Touched: change.Touched,
	}
}

// TestWhatIsWrittenIsRead holds every field over the end of the process.
func TestWhatIsWrittenIsRead(t *testing.T) {
	s := fresh(t)
	change := full("s")
	if revision := written(t, s, change); revision != 1 {
		t.Errorf("revision %d", revision)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	s = opened(t, s.path)
	want := of(change)
	want.Session.Revision, want.Session.Turns = 1, 1
	if diff := cmp.Diff(want, loaded(t, s, "s"), cmpopts.EquateErrors()); diff != "" {
		t.Error(diff)
	}
}

func TestFilesAreTheUsersOnly(t *testing.T) {
	s := fresh(t)
	written(t, s, full("s"))
	for _, suffix := range []string{"", "-wal", "-shm"} {
		info, err := os.Stat(s.path + suffix)
		if err != nil {
			t.Fatal(err)
		}
		if info.Mode().Perm() != 0o600 {
			t.Errorf("%s: %v", suffix, info.Mode())
		}
	}
	if info, err := os.Stat(filepath.Dir(s.path)); err != nil || info.Mode().Perm() != 0o700 {
		t.Errorf("%v, %v", info.Mode(), err)
	}
}

func TestPath(t *testing.T) {
	for _, c := range []struct{ home, state, want string }{
		{"/h", "", "/h/.local/state/foreword/sessions.db"},
		{"/h", "/s", "/s/foreword/sessions.db"},
		{"/h", "relative", "/h/.local/state/foreword/sessions.db"},
		{"", "/s", "/s/foreword/sessions.db"},
		{"", "", ""},
	} {
		env := func(name string) string { return map[string]string{"XDG_STATE_HOME": c.state}[name] }
		if got := filepath.ToSlash(Path(c.home, env)); got != c.want {
			t.Errorf("%q, %q: %q, want %q", c.home, c.state, got, c.want)
		}
	}
	var d *Degraded
	if _, err := Open(context.Background(), "", clock); !errors.As(err, &d) || d.Kind != Unavailable {
		t.Errorf("%v", err)
	}
}
