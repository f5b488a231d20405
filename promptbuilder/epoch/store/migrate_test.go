package store

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// withSteps lets the rest of a test know more steps of migration.
func withSteps(t *testing.T, steps ...string) {
	t.Helper()
	before := migrations
	migrations = slices.Concat(before, steps)
	t.Cleanup(func() { migrations = before })
}

// TestAnOlderFileIsBroughtUp holds that what an older foreword stored is there
// after a newer one changed the tables, and that the older then keeps off.
func TestAnOlderFileIsBroughtUp(t *testing.T) {
	s := fresh(t)
	change := full("s")
	written(t, s, change)
	want := loaded(t, s, "s")
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	t.Run("newer", func(t *testing.T) {
		withSteps(t, "ALTER TABLE turns ADD COLUMN more TEXT NOT NULL DEFAULT '';", "CREATE TABLE extra (a TEXT) STRICT;")
		s := opened(t, s.path)
		if diff := cmp.Diff(want, loaded(t, s, "s")); diff != "" {
			t.Error(diff)
		}
		written(t, s, next("s", 1, 2, 1))
	})
	_, err := Open(t.Context(), s.path, clock)
	if d := degraded(t, err, Newer); d.Found != len(migrations)+2 {
		t.Errorf("%+v", d)
	}
}

// TestAStepThatFailsLeavesTheOlder holds that no half of a step is kept.
func TestAStepThatFailsLeavesTheOlder(t *testing.T) {
	s := fresh(t)
	written(t, s, full("s"))
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	t.Run("newer", func(t *testing.T) {
		withSteps(t, "DROP TABLE turns; CREATE TABLE sessions (a);")
		if _, err := Open(t.Context(), s.path, clock); err == nil {
			t.Fatal("the step should fail")
		}
	})
	if rows := loaded(t, opened(t, s.path), "s"); len(rows.Turns) != 1 {
		t.Errorf("%+v", rows)
	}
}
