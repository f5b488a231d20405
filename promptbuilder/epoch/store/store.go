package store

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"
)

// busyTimeout is how long a call waits for other processes. A write takes well
// below a millisecond, so who waits this long waits for something stuck.
const busyTimeout = 5 * time.Second

// Store is an open file of sessions. Its methods may be called at once from
// several goroutines; they use the file one after another. It starts none.
type Store struct {
	path string // empty: in memory only
	now  func() time.Time
	busy time.Duration

	gate    chan struct{} // holds one value while a call uses what follows
	conn    *connection   // nil until it is needed again
	warning *Degraded
	closed  bool
}

// Open opens the file of sessions, and makes it and its folder where they are
// not there. An error that makes the caller go on without it is a [*Degraded].
// What it had to mend is in [Store.Warning].
func Open(ctx context.Context, path string, now func() time.Time) (*Store, error) {
	if path == "" {
		return nil, &Degraded{Kind: Unavailable, Err: errors.New("the user's home folder is not known: set HOME or XDG_STATE_HOME")}
	}
	return open(ctx, path, now, busyTimeout)
}

// Memory makes a store that lasts as long as the process, for a caller whose
// file is of no use.
func Memory(ctx context.Context, now func() time.Time) (*Store, error) {
	return open(ctx, "", now, busyTimeout)
}

func open(ctx context.Context, path string, now func() time.Time, busy time.Duration) (*Store, error) {
	s := &Store{path: path, now: now, busy: busy, gate: make(chan struct{}, 1)}
	if err := s.use(ctx, func(*connection) error { return nil }); err != nil && s.conn == nil {
		return nil, err // where there is a connection, it was repaired: s.warning says so
	}
	return s, nil
}

// Warning says what the store had to mend since it was opened: a [*Degraded] of
// kind [Corrupt] whose Aside is set, or nil.
func (s *Store) Warning() *Degraded {
	s.gate <- struct{}{}
	defer func() { <-s.gate }()
	return s.warning
}

// Close lets go of the file, after the call that is using it. Calls after it get
// [ErrClosed].
func (s *Store) Close() error {
	s.gate <- struct{}{}
	defer func() { <-s.gate }()
	s.closed = true
	if s.conn != nil && s.conn.logged >= worthwhileLog {
		_ = guard(s.conn.cutLog) // all is stored; whoever opens the file next may do it
	}
	return diagnose(context.Background(), s.path, s.drop())
}

// drop closes the connection. The caller holds the gate.
func (s *Store) drop() error {
	c := s.conn
	s.conn = nil
	if c == nil {
		return nil
	}
	return guard(c.close)
}

// use lets do work with the connection, alone, until ctx is done. A panic in
// the driver becomes an error and costs the connection; a broken file is
// replaced.
func (s *Store) use(ctx context.Context, do func(*connection) error) error {
	select {
	case s.gate <- struct{}{}:
		defer func() { <-s.gate }()
	case <-ctx.Done():
		return ctx.Err()
	}
	if s.closed {
		return ErrClosed
	}
	err := s.ready(ctx)
	if err == nil {
		err = guard(func() error { return s.conn.with(ctx, do) })
	}
	if errors.Is(err, errPanic) {
		_ = s.drop() // the first fault is the one to report
	}
	err = diagnose(ctx, s.path, err)
	var d *Degraded
	if errors.As(err, &d) && d.Kind == Corrupt && s.path != "" {
		err = s.repair(ctx, d)
	}
	return err
}

// ready connects where there is no connection, or where the file is not the one
// that was opened any more: it was deleted, or moved aside by another process.
func (s *Store) ready(ctx context.Context) error {
	if s.conn != nil {
		if s.path == "" {
			return nil
		}
		if now, err := os.Stat(s.path); err == nil && os.SameFile(now, s.conn.file) {
			return nil
		}
		_ = s.drop() // nothing of it can be kept
	}
	var err error
	s.conn, err = connect(ctx, s.path, s.busy)
	return err
}

// guard turns a panic into an error.
func guard(do func() error) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("%w: %v", errPanic, r)
		}
	}()
	return do()
}
