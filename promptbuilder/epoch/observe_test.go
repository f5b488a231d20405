package epoch_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"go.uber.org/goleak"
	"pgregory.net/rapid"

	"foreword/promptbuilder/epoch"
)

// TestArrivalDoesNotMatter lets the answers come in every order that is drawn
// and holds that they are given in the order of the sources.
func TestArrivalDoesNotMatter(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(0, 12).Draw(t, "sources")
		arrival := make([]int, n)
		for i := range arrival {
			arrival[i] = i
		}
		arrival = rapid.Permutation(arrival).Draw(t, "arrival")
		// answered[k] is closed when the k-th to arrive has answered.
		answered := make([]chan struct{}, n+1)
		for k := range answered {
			answered[k] = make(chan struct{})
		}
		close(answered[0])
		var calls atomic.Int64
		looks := make([]epoch.Look[string], n)
		for k, i := range arrival {
			looks[i].See = func(context.Context) string {
				<-answered[k]
				defer close(answered[k+1])
				calls.Add(1)
				return fmt.Sprint("answer ", i)
			}
		}
		got := epoch.Observe(context.Background(), looks)
		if len(got) != n || calls.Load() != int64(n) {
			t.Fatalf("%d answers of %d looks at %d sources", len(got), calls.Load(), n)
		}
		for i, answer := range got {
			if answer != fmt.Sprint("answer ", i) {
				t.Errorf("source %d: %s", i, answer)
			}
		}
	})
}

// TestSourcesAreLookedAtAtOnce holds it with sources that wait for each other.
func TestSourcesAreLookedAtAtOnce(t *testing.T) {
	defer goleak.VerifyNone(t)
	one, other := make(chan struct{}), make(chan struct{})
	got := epoch.Observe(context.Background(), []epoch.Look[string]{
		{See: func(context.Context) string { close(one); <-other; return "a" }},
		{See: func(context.Context) string { close(other); <-one; return "b" }},
	})
	if strings.Join(got, "") != "ab" {
		t.Errorf("got %v", got)
	}
}

func TestAPanicCostsOneAnswer(t *testing.T) {
	defer goleak.VerifyNone(t)
	missed := func(fault any, stack []byte) string {
		if !strings.Contains(string(stack), "observe_test.go") {
			t.Errorf("the stack does not lead here: %s", stack)
		}
		return fmt.Sprint("missed: ", fault)
	}
	got := epoch.Observe(context.Background(), []epoch.Look[string]{
		{See: func(context.Context) string { return "a" }, Missed: missed},
		{See: func(context.Context) string { panic("out of range") }, Missed: missed},
		{See: func(context.Context) string { m := noMap(); m["x"] = 1; return "" }, Missed: missed},
		{See: func(context.Context) string { return "d" }, Missed: missed},
	})
	if want := []string{"a", "missed: out of range", "missed: assignment to entry in nil map", "d"}; !slices.Equal(got, want) {
		t.Errorf("got %q", got)
	}
}

// TestEachSourceHasItsDeadline holds that a deadline is the source's own, and
// that the caller's end reaches all of them.
func TestEachSourceHasItsDeadline(t *testing.T) {
	defer goleak.VerifyNone(t)
	wait := func(ctx context.Context) error { <-ctx.Done(); return context.Cause(ctx) }
	quick := make(chan struct{})
	got := epoch.Observe(context.Background(), []epoch.Look[error]{
		{Deadline: time.Nanosecond, See: func(ctx context.Context) error { defer close(quick); return wait(ctx) }},
		{Deadline: time.Hour, See: func(ctx context.Context) error { <-quick; return ctx.Err() }},
		{See: func(ctx context.Context) error {
			<-quick
			if _, has := ctx.Deadline(); has {
				return errors.New("a deadline that nobody set")
			}
			return nil
		}},
	})
	if !errors.Is(got[0], context.DeadlineExceeded) || got[1] != nil || got[2] != nil {
		t.Errorf("got %v", got)
	}
	ctx, cancel := context.WithCancel(context.Background())
	looks := []epoch.Look[error]{
		{Deadline: time.Hour, See: func(ctx context.Context) error { cancel(); return wait(ctx) }},
		{See: wait},
	}
	for i, err := range epoch.Observe(ctx, looks) {
		if !errors.Is(err, context.Canceled) {
			t.Errorf("source %d: %v", i, err)
		}
	}
}

// TestAnObservationIsWholeAndOnce goes from looking to what is said: one look
// each, one reconciliation, whatever fails.
func TestAnObservationIsWholeAndOnce(t *testing.T) {
	var looked [4]atomic.Int64
	source := func(i int, see func(context.Context) epoch.Observed) epoch.Look[epoch.Observed] {
		key := fmt.Sprint("k/", i)
		return epoch.Look[epoch.Observed]{
			Deadline: time.Millisecond,
			See: func(ctx context.Context) epoch.Observed {
				looked[i].Add(1)
				return see(ctx)
			},
			Missed: func(fault any, _ []byte) epoch.Observed { return broken(key, fmt.Sprint(fault)) },
		}
	}
	before := generation(t, value("k/0", "old"), value("k/1", "old"), value("k/2", "old")).Snapshot
	observed := epoch.Observe(context.Background(), []epoch.Look[epoch.Observed]{
		source(0, func(context.Context) epoch.Observed { return value("k/0", "new") }),
		source(1, func(context.Context) epoch.Observed { panic("fault") }),
		source(2, func(ctx context.Context) epoch.Observed { <-ctx.Done(); return unavailable("k/2", "too slow") }),
		source(3, func(context.Context) epoch.Observed { return value("k/3", "fresh") }),
	})
	out := reconcile(t, before, observed...)
	if got := said(out.Said); got != "update k/0: old became new\nnew k/3: fresh\nremoval k/1: Removed old" {
		t.Errorf("said %s", got)
	}
	if got := omitted(out.Omitted); got != "k/1: fault, for good\nk/2: too slow, kept" {
		t.Errorf("omitted %s", got)
	}
	for i := range looked {
		if n := looked[i].Load(); n != 1 {
			t.Errorf("source %d was looked at %d times", i, n)
		}
	}
}

// noMap is a map that was never made, which the compiler cannot see.
func noMap() map[string]int { return nil }
