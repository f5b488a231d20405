package epoch

import (
	"context"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"foreword/promptbuilder/epoch/store"
)

func TestCalibrationsAreShared(t *testing.T) {
	path := filepath.Join(t.TempDir(), "sessions.db")
	now := time.UnixMilli(1_000_000)
	open := func() *Ledger {
		l := NewLedger(Options{Now: func() time.Time { return now }, Open: func(ctx context.Context) (*store.Store, error) {
			return store.Open(ctx, path, func() time.Time { return now })
		}})
		t.Cleanup(func() {
			if err := l.Close(); err != nil {
				t.Error(err)
			}
		})
		return l
	}
	one, other := open(), open()
	want := func(name string, l *Ledger, want ...Calibration) {
		t.Helper()
		if diff := cmp.Diff(want, l.Calibrations(t.Context(), "m")); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
	learn := func(l *Ledger, kind string, ratio float64) {
		t.Helper()
		err := l.Calibrate(t.Context(), "m", kind, func(was Calibration) (Calibration, bool) {
			return Calibration{Ratio: ratio, Samples: was.Samples + 1}, true
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	want("nothing", other)
	learn(one, "k", 1.2)
	want("here", one, Calibration{"m", "k", 1.2, 1})
	want("what was read a moment ago", other)
	now = now.Add(calibrationsFresh)
	want("there, later", other, Calibration{"m", "k", 1.2, 1})
	learn(other, "k", 1.3)
	learn(one, "k", 1.4) // begins with what the other learned
	learn(one, "a", 1.1)
	want("both", one, Calibration{"m", "k", 1.4, 3}, Calibration{"m", "a", 1.1, 1})
	if all := one.Calibrations(t.Context(), ""); len(all) != 2 {
		t.Errorf("of all models: %+v", all)
	}
	if err := one.Calibrate(t.Context(), "m", "k", func(was Calibration) (Calibration, bool) { return Calibration{}, false }); err != nil {
		t.Fatal(err)
	}
	want("nothing to learn", one, Calibration{"m", "k", 1.4, 3}, Calibration{"m", "a", 1.1, 1})
}

// Without a store what is learned holds for this process.
func TestCalibrationsInMemory(t *testing.T) {
	l := NewLedger(Options{})
	if err := l.Calibrate(t.Context(), "m", "k", func(Calibration) (Calibration, bool) { return Calibration{Ratio: 2, Samples: 1}, true }); err != nil {
		t.Fatal(err)
	}
	if got := l.Calibrations(t.Context(), "m"); len(got) != 1 || got[0].Ratio != 2 {
		t.Errorf("%+v", got)
	}
}
