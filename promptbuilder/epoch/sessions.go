package epoch

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"foreword/promptbuilder/epoch/store"
	"foreword/promptbuilder/history"
)

// Summary is a session in a list.
type Summary struct {
	ID, Title, Root string
	// Created and Updated are milliseconds since 1970.
	Created, Updated int64
	// Turns is the number of its newest turn.
	Turns int
}

// Account is all that a session remembers, for people to look at.
type Account struct {
	Summary
	Revision int64
	Epochs   []Epoch
	// Due says, by epoch, why the next turn begins a new one.
	Due     map[int]string
	Turns   []Turn
	Told    []Told
	Touched []Touched
	// Warnings tell what of it was lost.
	Warnings []string
}

// Sessions lists the sessions, the one used last first.
func (l *Ledger) Sessions(ctx context.Context) ([]Summary, error) {
	found := map[string]Summary{}
	if shelf := l.shelf.get(ctx); shelf != nil {
		rows, err := shelf.Sessions(ctx)
		if err := l.survive(ctx, nil, err); err != nil {
			return nil, err
		}
		for _, r := range rows {
			found[r.ID] = Summary{ID: r.ID, Title: r.Title, Root: r.Root, Created: r.Created, Updated: r.Updated, Turns: r.Turns}
		}
	}
	l.mu.Lock()
	var open []*session
	for _, s := range l.sessions {
		open = append(open, s)
	}
	l.mu.Unlock()
	for _, s := range open {
		s.mu.Lock()
		if _, stored := found[s.id]; !stored && s.used.Load() && l.shelf.get(ctx) == nil {
			found[s.id] = s.summary()
		}
		s.mu.Unlock()
	}
	all := make([]Summary, 0, len(found))
	for _, s := range found {
		all = append(all, s)
	}
	slices.SortFunc(all, func(a, b Summary) int {
		return cmp.Or(cmp.Compare(b.Updated, a.Updated), cmp.Compare(a.ID, b.ID))
	})
	return all, ctx.Err()
}

func (s *session) summary() Summary {
	return Summary{ID: s.id, Title: s.title, Root: s.root, Created: s.created, Updated: s.updated, Turns: len(s.turns)}
}

// Show gives all that is remembered of a session.
func (l *Ledger) Show(ctx context.Context, id string) (*Account, error) {
	s, err := l.use(ctx, id)
	if err != nil {
		return nil, err
	}
	defer s.mu.Unlock()
	if !s.used.Load() {
		return nil, fmt.Errorf("%w %q", ErrUnknownSession, id)
	}
	a := &Account{
		Summary: s.summary(), Revision: s.revision, Due: map[int]string{},
		Told: slices.Clone(s.told), Touched: slices.Clone(s.touched), Warnings: slices.Clone(s.warnings),
	}
	for number, reason := range s.due {
		a.Due[number] = reason
	}
	for _, t := range s.turns {
		a.Turns = append(a.Turns, *t)
	}
	for _, e := range s.epochs {
		a.Epochs = append(a.Epochs, *e)
	}
	return a, nil
}

// Conversation gives the panel's messages up to a turn, for a panel that takes
// a session up again; 0 is the newest turn.
func (l *Ledger) Conversation(ctx context.Context, id string, turn int) ([]history.Message, error) {
	s, err := l.use(ctx, id)
	if err != nil {
		return nil, err
	}
	defer s.mu.Unlock()
	if turn == 0 {
		turn = len(s.turns)
	}
	if err := s.mustHave(turn); err != nil {
		return nil, err
	}
	return slices.Clone(s.messagesOf(turn)), nil
}

// Sent gives the messages of a turn's request.
func (l *Ledger) Sent(ctx context.Context, id string, turn int) ([]Sent, error) {
	s, err := l.use(ctx, id)
	if err != nil {
		return nil, err
	}
	defer s.mu.Unlock()
	if err := s.mustHave(turn); err != nil {
		return nil, err
	}
	return slices.Clone(s.sentOf(turn)), nil
}

func (s *session) mustHave(turn int) error {
	switch {
	case len(s.turns) == 0:
		return fmt.Errorf("%w %q", ErrUnknownSession, s.id)
	case turn < 1 || turn > len(s.turns):
		return fmt.Errorf("%w %d: session %q has %d", ErrUnknownTurn, turn, s.id, len(s.turns))
	case !s.whole(turn):
		return fmt.Errorf("%w %d of session %q: what was stored of it cannot be read", ErrUnknownTurn, turn, s.id)
	}
	return nil
}

// ErrExists means that a session of that name is there already.
var ErrExists = errors.New("the session exists already")

// Fork makes a session of a turn and all that it continues; 0 is the newest
// turn. The numbers of turns and epochs stay as they are.
func (l *Ledger) Fork(ctx context.Context, from string, turn int, to string) (int, error) {
	s, err := l.use(ctx, from)
	if err != nil {
		return 0, err
	}
	defer s.mu.Unlock()
	if turn == 0 {
		turn = len(s.turns)
	}
	if err := s.mustHave(turn); err != nil {
		return 0, err
	}
	if shelf := l.shelf.get(ctx); shelf != nil {
		err := shelf.Fork(ctx, from, turn, to)
		if errors.Is(err, store.ErrExists) {
			return 0, fmt.Errorf("%w: %q", ErrExists, to)
		}
		if err := l.survive(ctx, nil, err); err != nil || l.shelf.get(ctx) != nil {
			return turn, err
		}
	}
	other := s.fork(turn, to)
	l.mu.Lock()
	defer l.mu.Unlock()
	if known, ok := l.sessions[to]; ok && known.used.Load() {
		return 0, fmt.Errorf("%w: %q", ErrExists, to)
	}
	l.sessions[to] = other
	l.order = append(slices.DeleteFunc(l.order, func(id string) bool { return id == to }), to)
	return turn, nil
}

// fork copies a turn and all that it continues.
func (s *session) fork(turn int, to string) *session {
	other := &session{id: to, title: s.title, root: s.root, created: s.created, updated: s.updated, revision: 1, seq: s.seq, due: map[int]string{}}
	other.used.Store(true)
	chain := map[int]bool{0: true}
	for n := turn; n > 0; n = s.turns[n-1].Parent {
		chain[n] = true
	}
	for _, t := range s.turns[:turn] {
		if !chain[t.Number] {
			t = &Turn{Number: t.Number, Gone: true}
		}
		other.turns = append(other.turns, t)
	}
	other.epochs = append(other.epochs, s.epochs...)
	for number, reason := range s.due {
		other.due[number] = reason
	}
	for _, t := range s.told {
		if chain[t.Turn] {
			other.told = append(other.told, t)
		}
	}
	other.touched = append(other.touched, s.touched...)
	return other
}

// Forget deletes all that is known of a session.
func (l *Ledger) Forget(ctx context.Context, id string) error {
	s, err := l.use(ctx, id)
	if err != nil {
		return err
	}
	defer s.mu.Unlock()
	known := s.used.Load()
	if shelf := l.shelf.get(ctx); shelf != nil {
		err := shelf.Forget(ctx, id)
		if errors.Is(err, store.ErrUnknown) {
			err = nil
		} else {
			known = true
		}
		if err := l.survive(ctx, nil, err); err != nil {
			return err
		}
	}
	s.take(&store.Rows{Session: store.Session{ID: id}}, l.options.Thaw)
	if !known {
		return fmt.Errorf("%w %q", ErrUnknownSession, id)
	}
	return nil
}

// recentTurns is how many turns are looked at for one that a provider may still
// have in its cache: those of the last minutes.
const recentTurns = 16

// SentTurn is a turn as it was sent.
type SentTurn struct {
	Turn     Turn
	Baseline Baseline
	Messages []Sent
}

// Recent finds the newest turn that usable says may be in a provider's cache.
func (l *Ledger) Recent(ctx context.Context, id string, usable func(Turn) bool) (SentTurn, bool, error) {
	s, err := l.use(ctx, id)
	if err != nil {
		return SentTurn{}, false, err
	}
	defer s.mu.Unlock()
	for n := len(s.turns); n > max(0, len(s.turns)-recentTurns); n-- {
		t := s.turns[n-1]
		if t.Gone || !s.whole(n) || !usable(*t) {
			continue
		}
		return SentTurn{Turn: *t, Baseline: s.epochs[t.Epoch-1].Baseline, Messages: slices.Clone(s.sentOf(n))}, true, nil
	}
	return SentTurn{}, false, nil
}
