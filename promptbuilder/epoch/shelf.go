package epoch

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"foreword/promptbuilder/epoch/store"
)

// shelf is the store of a ledger, opened when it is first needed. Where it
// cannot be used the ledger goes on in memory and says so once.
type shelf struct {
	open func(context.Context) (*store.Store, error)
	warn func(string)

	mu     sync.Mutex // guards all below
	opened bool
	store  *store.Store
	fault  string
	news   []string // what the user has not been told yet
	pruned bool
}

// get gives the store, or nil where all is kept in memory.
func (s *shelf) get(ctx context.Context) *store.Store {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.opened && s.open != nil {
		opened, err := s.open(ctx)
		if err != nil {
			if ctx.Err() != nil {
				return nil // this request was given up; the next may open it
			}
			s.give(err)
		} else if s.store = opened; opened != nil {
			if w := opened.Warning(); w != nil {
				s.warn(w.Error())
				s.news = append(s.news, w.Error())
			}
		}
		s.opened = true
	}
	return s.store
}

// give gives the store up; the caller holds the lock.
func (s *shelf) give(err error) {
	s.fault = fmt.Sprintf("sessions are kept in memory only and end with this process: %v", err)
	s.warn(s.fault)
	s.store = nil
}

// abandon goes on in memory after a fault of the store. A fault that passes, or
// that lies in what was to be stored, leaves the store to the other sessions.
func (s *shelf) abandon(err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.store == nil {
		return
	}
	var degraded *store.Degraded
	if errors.As(err, &degraded) && degraded.Passes() || errors.Is(err, store.ErrInvalid) || errors.Is(err, store.ErrTurnUsed) {
		s.fault = fmt.Sprintf("a session is kept in memory only and ends with this process: %v", err)
		s.warn(s.fault)
		return
	}
	if closing := s.store.Close(); closing != nil {
		err = errors.Join(err, closing)
	}
	s.give(err)
}

// Old sessions go after keptFor, but the keptAtLeast newest stay: a
// conversation of last month may be taken up again, one of last year hardly.
const (
	keptFor     = 90 * 24 * time.Hour
	keptAtLeast = 200
)

// tidy is called when nobody waits for an answer.
func (s *shelf) tidy(ctx context.Context) {
	s.mu.Lock()
	tidied, prune := s.store, !s.pruned
	s.pruned = true
	s.mu.Unlock()
	if tidied == nil {
		return
	}
	if prune {
		if _, err := tidied.Prune(ctx, keptFor, keptAtLeast); err != nil && ctx.Err() == nil {
			s.warn(fmt.Sprintf("old sessions cannot be deleted: %v", err))
		}
	}
	if err := tidied.Tidy(ctx); err != nil && ctx.Err() == nil {
		s.warn(fmt.Sprintf("the file of sessions cannot be tidied: %v", err))
	}
}

// told gives what the user has not been told yet, once.
func (s *shelf) told() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	news := s.news
	s.news = nil
	return news
}

func (s *shelf) trouble() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.fault
}

func (s *shelf) close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.opened = true
	if s.store == nil {
		return nil
	}
	closing := s.store
	s.store = nil
	return closing.Close()
}

// errMoved means that another process wrote to the session first; what it wrote
// has been read.
var errMoved = errors.New("another process wrote first")

// change is what happens to a session, whole or not at all.
type change struct {
	turns       []*Turn
	epochs      []*Epoch
	told        []Told
	touched     []Touched
	due         map[int]string // by epoch
	root, title string
	digest      *Digest
}

// refresh takes up what is stored of a session, where this process does not
// know the newest of it. The caller holds the session's lock.
func (l *Ledger) refresh(ctx context.Context, s *session) error {
	shelf := l.shelf.get(ctx)
	if shelf == nil || s.detached {
		return ctx.Err()
	}
	revision, err := shelf.Revision(ctx, s.id)
	if err == nil && revision != s.revision {
		err = l.load(ctx, shelf, s)
	}
	return l.survive(ctx, s, err)
}

// survive goes on in memory where the store is at fault. What happens to the
// session then is not in the store, so nothing of it is taken from there again.
func (l *Ledger) survive(ctx context.Context, s *session, err error) error {
	if err == nil {
		return nil
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	l.shelf.abandon(err)
	if s != nil {
		s.detached = true
	}
	return nil
}

func (l *Ledger) load(ctx context.Context, shelf *store.Store, s *session) error {
	rows, err := shelf.Load(ctx, s.id)
	if errors.Is(err, store.ErrUnknown) {
		s.take(&store.Rows{Session: store.Session{ID: s.id}}, l.options.Thaw)
		return nil
	}
	if err != nil {
		return err
	}
	s.take(rows, l.options.Thaw)
	for _, w := range s.warnings {
		l.options.Warn(w)
	}
	return nil
}

// write stores a change and applies it. The error is [errMoved] where another
// process wrote first. The caller holds the session's lock.
func (l *Ledger) write(ctx context.Context, s *session, c change) error {
	s.number(&c)
	shelf := l.shelf.get(ctx)
	if shelf == nil || s.detached {
		if err := ctx.Err(); err != nil {
			return err
		}
		s.apply(c, s.revision+1, l.options.Now().UnixMilli())
		return nil
	}
	rows, err := s.rows(c)
	if err != nil {
		return err
	}
	revision, err := shelf.Write(ctx, rows)
	var moved *store.Conflict
	switch {
	case errors.As(err, &moved):
		if err := l.survive(ctx, s, l.load(ctx, shelf, s)); err != nil {
			return err
		}
		return errMoved
	case err != nil:
		if err := l.survive(ctx, s, err); err != nil {
			return err
		}
		revision = s.revision + 1
	}
	s.apply(c, revision, l.options.Now().UnixMilli())
	return nil
}

// number gives what was told and touched its place in the order.
func (s *session) number(c *change) {
	seq := s.seq
	for i := range c.told {
		seq++
		c.told[i].Seq = seq
	}
	for i := range c.touched {
		seq++
		c.touched[i].seq = seq
	}
}

// apply makes a change part of the session.
func (s *session) apply(c change, revision, now int64) {
	if s.created == 0 {
		s.created = now
	}
	s.revision, s.updated = revision, now
	s.used.Store(true)
	for _, t := range c.turns {
		if t.Number > len(s.turns) {
			s.turns = append(s.turns, t)
		} else {
			s.turns[t.Number-1] = t
		}
	}
	s.epochs = append(s.epochs, c.epochs...)
	s.told = append(s.told, c.told...)
	s.touched = append(s.touched, c.touched...)
	for number, reason := range c.due {
		s.due[number] = reason
	}
	s.seq += int64(len(c.told) + len(c.touched))
	if c.root != "" {
		s.root = c.root
	}
	if s.title == "" {
		s.title = c.title
	}
	if c.digest != nil {
		s.digest = c.digest
	}
}
