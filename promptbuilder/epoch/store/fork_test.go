package store

import (
	"errors"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestAForkHasItsParentsOnly holds that nothing of another branch goes along.
func TestAForkHasItsParentsOnly(t *testing.T) {
	s := fresh(t)
	// 1 ─ 2 ─ 4
	//  └─ 3 ─ 5
	for i, parent := range []int{0, 1, 1, 2, 3} {
		change := next("s", int64(i), i+1, parent)
		change.Session.Root, change.Session.Title = "/r", "a title"
		change.Turns[0].Epoch = []int{1, 1, 2, 1, 2}[i]
		change.Epochs = []Epoch{{Number: change.Turns[0].Epoch, Agent: "build"}}
		if i == 0 {
			change.Told = append(change.Told, Told{Path: "before the first turn"})
		}
		written(t, s, change)
	}
	before := loaded(t, s, "s")
	if err := s.Fork(t.Context(), "s", 4, "t"); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(before, loaded(t, s, "s")); diff != "" {
		t.Errorf("the fork changed what it was made of: %s", diff)
	}
	rows := loaded(t, s, "t")
	var got []string
	for _, r := range rows.Epochs {
		got = append(got, fmt.Sprint("epoch ", r.Number))
	}
	for _, r := range rows.Turns {
		got = append(got, fmt.Sprint("turn ", r.Number, " of ", r.Parent))
	}
	for _, r := range rows.Messages {
		got = append(got, r.Body)
	}
	for _, r := range rows.Told {
		got = append(got, "told "+r.Path)
	}
	for _, r := range rows.Touched {
		got = append(got, "touched "+r.RealPath)
	}
	want := []string{
		"epoch 1", "turn 1 of 0", "turn 2 of 1", "turn 4 of 2",
		"message of 1", "message of 2", "message of 4",
		"told file of 1", "told before the first turn", "told file of 2", "told file of 4",
		"touched file of 1", "touched file of 2", "touched file of 4",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	head := Session{ID: "t", Root: "/r", Title: "a title", Created: at.UnixMilli(), Updated: at.UnixMilli(), Revision: 1, Turns: 4}
	if diff := cmp.Diff(head, rows.Session); diff != "" {
		t.Error(diff)
	}
	// The fork goes on by itself, its order after what it has.
	written(t, s, next("t", 1, 5, 4))
	if told := loaded(t, s, "t").Told; told[len(told)-1].Path != "file of 5" {
		t.Errorf("%+v", told)
	}
	for _, c := range []struct {
		turn int
		to   string
		want error
	}{{9, "u", ErrUnknownTurn}, {4, "t", ErrExists}, {4, "s", ErrExists}, {4, "", ErrInvalid}} {
		if err := s.Fork(t.Context(), "s", c.turn, c.to); !errors.Is(err, c.want) {
			t.Errorf("%+v: %v", c, err)
		}
	}
}
