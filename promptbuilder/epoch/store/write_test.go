package store

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// next is a change from a revision that adds a turn.
func next(id string, revision int64, number, parent int) Change {
	return Change{
		Session:  Session{ID: id},
		Revision: revision,
		Turns:    []Turn{{Number: number, Parent: parent, State: Prepared}},
		Messages: []Message{{Turn: number, Body: fmt.Sprint("message of ", number)}},
		Told:     []Told{{Turn: number, Path: fmt.Sprint("file of ", number)}},
		Touched:  []Touched{{Turn: number, RealPath: fmt.Sprint("file of ", number)}},
	}
}

// chained writes turns, each the child of the one that its place names.
func chained(t *testing.T, s *Store, id string, parents ...int) {
	t.Helper()
	for i, parent := range parents {
		written(t, s, next(id, int64(i), i+1, parent))
	}
}

func TestOnlyTheNextRevisionIsWritten(t *testing.T) {
	s := fresh(t)
	chained(t, s, "s", 0, 1)
	for _, c := range []struct {
		id         string
		have, want int64
		turn       int
	}{{"s", 2, 0, 2}, {"s", 2, 1, 2}, {"s", 2, 3, 2}, {"new", 0, 1, 0}} {
		_, err := s.Write(t.Context(), next(c.id, c.want, 3, 0))
		var conflict *Conflict
		if !errors.As(err, &conflict) {
			t.Errorf("%+v: %v", c, err)
			continue
		}
		if diff := cmp.Diff(&Conflict{Session: c.id, Have: c.have, Want: c.want, Turn: c.turn}, conflict); diff != "" {
			t.Error(diff)
		}
	}
	if revision, err := s.Revision(t.Context(), "s"); err != nil || revision != 2 {
		t.Errorf("%d, %v", revision, err)
	}
	if revision, err := s.Revision(t.Context(), "new"); err != nil || revision != 0 {
		t.Errorf("%d, %v", revision, err)
	}
}

// TestANumberIsNeverUsedTwice holds that a turn is replaced only as itself, and
// that the number of one that is gone is not free again.
func TestANumberIsNeverUsedTwice(t *testing.T) {
	s := fresh(t)
	chained(t, s, "s", 0, 1)
	for _, c := range []struct {
		name           string
		number, parent int
		want           error
	}{
		{"another parent", 2, 0, ErrTurnUsed},
		{"no such parent", 9, 7, ErrUnknownTurn},
	} {
		if _, err := s.Write(t.Context(), next("s", 2, c.number, c.parent)); !errors.Is(err, c.want) {
			t.Errorf("%s: %v", c.name, err)
		}
	}
	execute(t, s, "DELETE FROM turns WHERE number = 2")
	if _, err := s.Write(t.Context(), next("s", 2, 2, 1)); !errors.Is(err, ErrTurnUsed) {
		t.Errorf("the number of a turn that is gone: %v", err)
	}
	written(t, s, next("s", 2, 3, 1))
	again := next("s", 3, 3, 1)
	again.Turns[0].State = Finished
	written(t, s, again)
	if rows := loaded(t, s, "s"); rows.Session.Turns != 3 || len(rows.Turns) != 2 || rows.Turns[1].State != Finished {
		t.Errorf("%+v", rows)
	}
}

// TestOrderIsGiven holds that what was told and touched has one order, and that
// the caller's own rows stay as they are.
func TestOrderIsGiven(t *testing.T) {
	s := fresh(t)
	change := next("s", 0, 1, 0)
	written(t, s, change)
	if change.Told[0].Seq != 0 {
		t.Error("the caller's row was changed")
	}
	change = next("s", 1, 2, 1)
	change.Told = append(change.Told, Told{Turn: 2, Path: "placed", Seq: 9}, Told{Turn: 2, Path: "after it"})
	written(t, s, change)
	rows := loaded(t, s, "s")
	var got []string
	for _, r := range rows.Told {
		got = append(got, fmt.Sprint(r.Seq, " ", r.Path))
	}
	for _, r := range rows.Touched {
		got = append(got, fmt.Sprint(r.Seq, " ", r.RealPath))
	}
	want := []string{"1 file of 1", "3 file of 2", "9 placed", "10 after it", "2 file of 1", "11 file of 2"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// TestWhatAChangeLeavesEmptyStays holds the fields of a session.
func TestWhatAChangeLeavesEmptyStays(t *testing.T) {
	s := fresh(t)
	written(t, s, Change{Session: Session{ID: "s", Root: "/r", Title: "first"}})
	written(t, s, Change{Session: Session{ID: "s", Title: "second", Updated: 9}, Revision: 1})
	want := Session{ID: "s", Root: "/r", Title: "second", Created: at.UnixMilli(), Updated: 9, Revision: 2}
	if diff := cmp.Diff(want, loaded(t, s, "s").Session); diff != "" {
		t.Error(diff)
	}
}

// TestOneOfManyWins holds compare-and-swap between goroutines and between two
// stores on one file.
func TestOneOfManyWins(t *testing.T) {
	one := fresh(t)
	two := opened(t, one.path)
	var all sync.WaitGroup
	won := make([]int, 8)
	for i := range won {
		all.Go(func() {
			s := []*Store{one, two}[i%2]
			for revision := int64(0); revision < 50; {
				_, err := s.Write(t.Context(), next("s", revision, int(revision)+1, 0))
				var conflict *Conflict
				switch {
				case err == nil:
					won[i]++
				case !errors.As(err, &conflict):
					t.Error(err)
					return
				}
				if revision, err = s.Revision(t.Context(), "s"); err != nil {
					t.Error(err)
					return
				}
			}
		})
	}
	all.Wait()
	total := 0
	for _, n := range won {
		total += n
	}
	if rows := loaded(t, two, "s"); int64(total) != rows.Session.Revision || len(rows.Turns) != total {
		t.Errorf("%d won, revision %d, %d turns", total, rows.Session.Revision, len(rows.Turns))
	}
}

// TestACallEndsWithItsContext holds that a call that waits for another gives up
// when its caller does, and that nothing of it is written.
func TestACallEndsWithItsContext(t *testing.T) {
	s := fresh(t)
	ctx, cancel := context.WithCancel(t.Context())
	inside, let := make(chan bool), make(chan bool)
	go func() {
		_ = s.use(t.Context(), func(*connection) error { close(inside); <-let; return nil })
	}()
	<-inside
	cancel()
	if _, err := s.Write(ctx, full("s")); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
	let <- true
	if _, err := s.Load(t.Context(), "s"); !errors.Is(err, ErrUnknown) {
		t.Errorf("%v", err)
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	if _, err := s.Load(t.Context(), "s"); !errors.Is(err, ErrClosed) {
		t.Errorf("%v", err)
	}
}

// TestEveryMethodSaysWhatItDoesNotKnow holds the errors of a name that is not
// stored.
func TestEveryMethodSaysWhatItDoesNotKnow(t *testing.T) {
	s := fresh(t)
	_, load := s.Load(t.Context(), "s")
	for name, err := range map[string]error{
		"load": load, "forget": s.Forget(t.Context(), "s"), "fork": s.Fork(t.Context(), "s", 1, "t"),
	} {
		if !errors.Is(err, ErrUnknown) || !strings.Contains(err.Error(), `"s"`) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
