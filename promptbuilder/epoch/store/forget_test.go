package store

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// TestWhatIsForgottenIsGone holds that no byte of a forgotten session's text is
// left in any of the files, and that they shrink.
func TestWhatIsForgottenIsGone(t *testing.T) {
	s := fresh(t)
	secret := "a very secret text"
	other := full("other")
	written(t, s, other)
	before, err := s.Sizes(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	change := full("s")
	change.Turns[0].Error = secret
	for i := range 200 {
		change.Messages = append(change.Messages, Message{Turn: 1, Position: 2 + i, Body: strings.Repeat(secret+" ", 1000)})
	}
	written(t, s, change)
	if err := s.PutDigest(t.Context(), Digest{Session: "s", Text: secret}); err != nil {
		t.Fatal(err)
	}
	if !holds(t, s, secret) {
		t.Fatal("the test looks in the wrong files")
	}
	if err := s.Forget(t.Context(), "s"); err != nil {
		t.Fatal(err)
	}
	if holds(t, s, secret) {
		t.Error("the text is still in a file")
	}
	after, err := s.Sizes(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(before.Tables, after.Tables); diff != "" {
		t.Error(diff)
	}
	if after.Bytes > before.Bytes+64<<10 {
		t.Errorf("%d bytes before, %d after", before.Bytes, after.Bytes)
	}
	if rows := loaded(t, s, "other"); len(rows.Messages) != len(other.Messages) {
		t.Errorf("%+v", rows)
	}
	if err := s.Forget(t.Context(), "s"); !errors.Is(err, ErrUnknown) {
		t.Errorf("%v", err)
	}
}

func holds(t *testing.T, s *Store, text string) bool {
	for _, suffix := range []string{"", "-wal", "-shm"} {
		content, err := os.ReadFile(s.path + suffix)
		if err != nil {
			t.Fatal(err)
		}
		if bytes.Contains(content, []byte(text)) {
			return true
		}
	}
	return false
}

func TestOldSessionsArePruned(t *testing.T) {
	const day = 24 * time.Hour
	for _, c := range []struct {
		olderThan time.Duration
		keep      int
		deleted   int
		left      string
	}{
		{10 * day, 0, 0, "d0 d1 d2 d3"},
		{2 * day, 0, 1, "d0 d1 d2"}, // d2 is just two days old
		{0, 0, 3, "d0"},
		{0, 3, 1, "d0 d1 d2"},
		{0, 9, 0, "d0 d1 d2 d3"},
		{0, -1, 3, "d0"},
	} {
		s := fresh(t)
		for i := range 4 {
			id := fmt.Sprint("d", i)
			change := full(id)
			change.Session.Updated = at.Add(-time.Duration(i) * day).UnixMilli()
			written(t, s, change)
			if err := s.PutDigest(t.Context(), Digest{Session: id}); err != nil {
				t.Fatal(err)
			}
		}
		deleted, err := s.Prune(t.Context(), c.olderThan, c.keep)
		if err != nil {
			t.Fatal(err)
		}
		sessions, err := s.Sessions(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		var left []string
		for _, session := range sessions {
			left = append(left, session.ID)
			if rows := loaded(t, s, session.ID); len(rows.Turns) != 1 {
				t.Errorf("%+v", rows)
			}
		}
		if deleted != c.deleted || strings.Join(left, " ") != c.left {
			t.Errorf("%v, keep %d: %d deleted, left %v", c.olderThan, c.keep, deleted, left)
		}
		sizes, err := s.Sizes(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		n := int64(len(left))
		want := []TableSize{
			{"sessions", n}, {"epochs", n}, {"turns", n}, {"messages", 2 * n}, {"told", n}, {"touched", n},
			{"digests", 4}, {"calibrations", 0},
		}
		if diff := cmp.Diff(want, sizes.Tables); diff != "" {
			t.Error(diff)
		}
	}
}

// TestDigestsAreBounded holds that pruning keeps the newest digests.
func TestDigestsAreBounded(t *testing.T) {
	s := fresh(t)
	for i := range maxDigests + 2 {
		if err := s.PutDigest(t.Context(), Digest{Session: fmt.Sprint("s", i), At: int64(i) + 1}); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := s.Prune(t.Context(), 0, 0); err != nil {
		t.Fatal(err)
	}
	digests, err := s.Digests(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if len(digests) != maxDigests || digests[0].Session != fmt.Sprint("s", maxDigests+1) || digests[len(digests)-1].Session != "s2" {
		t.Errorf("%d digests, %+v to %+v", len(digests), digests[0], digests[len(digests)-1])
	}
}

func TestDigestsAndCalibrations(t *testing.T) {
	s := fresh(t)
	for _, d := range []Digest{{"a", "", "old", 1}, {"b", "", "b", 5}, {"a", "t", "new", 0}} {
		if err := s.PutDigest(t.Context(), d); err != nil {
			t.Fatal(err)
		}
	}
	digests, err := s.Digests(t.Context())
	if diff := cmp.Diff([]Digest{{"a", "t", "new", at.UnixMilli()}, {"b", "", "b", 5}}, digests); diff != "" || err != nil {
		t.Errorf("%v %s", err, diff)
	}
	for _, c := range []Calibration{{"m", "text", 1.5, 1, 1}, {"m", "code", 1, 2, 2}, {"m", "text", 1.25, 3, 0}} {
		if err := s.PutCalibration(t.Context(), c); err != nil {
			t.Fatal(err)
		}
	}
	calibrations, err := s.Calibrations(t.Context())
	if diff := cmp.Diff([]Calibration{{"m", "code", 1, 2, 2}, {"m", "text", 1.25, 3, at.UnixMilli()}}, calibrations); diff != "" || err != nil {
		t.Errorf("%v %s", err, diff)
	}
}
