package epoch

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"sync"
	"time"

	"foreword/promptbuilder/epoch/store"
)

// Calibration is how a provider's counts of the requests of one kind compare
// with the estimates of a model's counter.
type Calibration struct {
	// Model as requests name it, Kind of the requests.
	Model, Kind string
	// Ratio of the provider's count to the estimate, Samples from which it was learned.
	Ratio   float64
	Samples int
}

// calibrationsFresh is how long what was read is used before it is looked up
// what other servers learned.
const calibrationsFresh = 30 * time.Second

// calibrations are what the ledger knows of all models.
type calibrations struct {
	mu    sync.Mutex // guards all below
	known map[calibrationKey]Calibration
	read  time.Time
}

type calibrationKey struct{ model, kind string }

// Calibrations lists what is known of a model, what was learned from most
// requests first; without a name of all models, each in that order.
func (l *Ledger) Calibrations(ctx context.Context, model string) []Calibration {
	c := &l.calibrations
	c.mu.Lock()
	defer c.mu.Unlock()
	l.readCalibrations(ctx, calibrationsFresh)
	var all []Calibration
	for key, calibration := range c.known {
		if model == "" || key.model == model {
			all = append(all, calibration)
		}
	}
	slices.SortFunc(all, func(a, b Calibration) int {
		return cmp.Or(strings.Compare(a.Model, b.Model), cmp.Compare(b.Samples, a.Samples), strings.Compare(a.Kind, b.Kind))
	})
	return all
}

// Calibrate replaces what is known of a model's requests of one kind by what
// learn makes of it, unless that says no. The error is that of the store, which
// costs only that later servers do not know of it.
func (l *Ledger) Calibrate(ctx context.Context, model, kind string, learn func(Calibration) (Calibration, bool)) error {
	c := &l.calibrations
	c.mu.Lock()
	defer c.mu.Unlock()
	l.readCalibrations(ctx, 0)
	key := calibrationKey{model, kind}
	next, learned := learn(c.known[key])
	if !learned {
		return nil
	}
	next.Model, next.Kind = model, kind
	c.known[key] = next
	shelf := l.shelf.get(ctx)
	if shelf == nil {
		return ctx.Err()
	}
	return shelf.PutCalibration(ctx, store.Calibration{Model: model, Kind: kind, Ratio: next.Ratio, Samples: next.Samples})
}

// readCalibrations reads what is stored, where what was read is older. The
// caller holds the lock.
func (l *Ledger) readCalibrations(ctx context.Context, fresh time.Duration) {
	c := &l.calibrations
	if c.known == nil {
		c.known = map[calibrationKey]Calibration{}
	}
	now := l.options.Now()
	if !c.read.IsZero() && now.Sub(c.read) < fresh && now.Sub(c.read) >= 0 {
		return
	}
	shelf := l.shelf.get(ctx)
	if shelf == nil {
		return
	}
	rows, err := shelf.Calibrations(ctx)
	if err != nil {
		return // what is known holds on, and writing tells what is wrong with the store
	}
	c.read = now
	for _, row := range rows {
		c.known[calibrationKey{row.Model, row.Kind}] = Calibration{Model: row.Model, Kind: row.Kind, Ratio: row.Ratio, Samples: row.Samples}
	}
}
