package store

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/ncruces/go-sqlite3"
)

// maxChange bounds the texts of one change, in bytes. The database engine has
// 256 MiB of memory, in which a text is held up to three times while it is
// written; a window of a million tokens is about 4 MiB.
const maxChange = 32 << 20

// Write writes a change, whole or not at all, and gives the session's new
// revision. When the session is not at the change's revision any more, the error
// is a [*Conflict]; when the change would use a turn's number again or for
// another parent, [ErrTurnUsed]; when it names a parent that is not there,
// [ErrUnknownTurn]; when it holds what cannot be stored, [ErrInvalid].
func (s *Store) Write(ctx context.Context, change Change) (revision int64, err error) {
	if err := change.check(); err != nil {
		return 0, err
	}
	err = s.use(ctx, func(c *connection) error {
		return c.writing(func() error {
			revision, err = c.write(change, s.now().UnixMilli())
			return err
		})
	})
	if err != nil {
		return 0, err
	}
	return revision, nil
}

func (c *connection) write(change Change, now int64) (int64, error) {
	h, err := c.head(change.Session.ID)
	if err != nil {
		return 0, err
	}
	if h.Revision != change.Revision {
		return 0, &Conflict{Session: change.Session.ID, Have: h.Revision, Want: change.Revision, Turn: h.Turns}
	}
	if err := c.putTurns(&h, change.Turns); err != nil {
		return 0, err
	}
	if err := c.putOthers(&h, change); err != nil {
		return 0, err
	}
	h.Session = advance(h.Session, change.Session, now)
	return h.Revision, c.putHead(h)
}

// head is what is stored of a session beside its rows.
type head struct {
	Session
	key int64 // what its rows call it
	seq int64 // the last place in its order that was given
}

// head reads a session's row. Where there is none, it is that of a new session
// at revision 0.
func (c *connection) head(id string) (h head, err error) {
	found := false
	err = c.each("SELECT key, seq, "+list(h.columns())+" FROM sessions WHERE id = ?", []any{id}, func(stmt *sqlite3.Stmt) error {
		h.key, h.seq, found = stmt.ColumnInt64(0), stmt.ColumnInt64(1), true
		return scan(stmt, 2, h.columns())
	})
	if err != nil || found {
		return h, err
	}
	h.ID = id
	h.key, _, err = c.number("SELECT ifnull(max(key), 0) + 1 FROM sessions")
	return h, err
}

func (c *connection) putHead(h head) error {
	return c.put("sessions", h.columns(), column{"key", &h.key}, column{"seq", &h.seq})
}

// advance makes the session that stands after a change: what the change gives
// replaces what was there.
func advance(stored, given Session, now int64) Session {
	return Session{
		ID:       stored.ID,
		Root:     cmp.Or(given.Root, stored.Root),
		Title:    cmp.Or(given.Title, stored.Title),
		Created:  cmp.Or(given.Created, stored.Created, now),
		Updated:  cmp.Or(given.Updated, now),
		Revision: stored.Revision + 1,
		Turns:    max(stored.Turns, given.Turns),
	}
}

// putTurns adds or replaces turns. No number is used twice: a turn is newer than
// any there ever was, or it is stored and keeps its parent.
func (c *connection) putTurns(h *head, turns []Turn) error {
	newest := h.Turns
	for i := range turns {
		t := &turns[i]
		if t.Number <= newest {
			parent, found, err := c.number("SELECT parent FROM turns WHERE session = ? AND number = ?", h.key, t.Number)
			if err != nil {
				return err
			}
			if !found || int(parent) != t.Parent {
				return fmt.Errorf("%w: turn %d of session %q (the newest is %d)", ErrTurnUsed, t.Number, h.ID, newest)
			}
		}
		h.Turns = max(h.Turns, t.Number)
		if err := c.put("turns", t.columns(), column{"session", &h.key}); err != nil {
			return err
		}
	}
	for _, t := range turns {
		if err := c.mustHave(h, t.Parent); err != nil {
			return err
		}
	}
	return nil
}

// mustHave sees to it that a turn is stored; 0 stands for none.
func (c *connection) mustHave(h *head, turn int) error {
	if turn == 0 {
		return nil
	}
	_, found, err := c.number("SELECT 1 FROM turns WHERE session = ? AND number = ?", h.key, turn)
	if err == nil && !found {
		err = fmt.Errorf("%w %d: session %q has none of that number", ErrUnknownTurn, turn, h.ID)
	}
	return err
}

func (c *connection) putOthers(h *head, change Change) error {
	if err := putRows(c, h.key, change.Epochs); err != nil {
		return err
	}
	if err := putRows(c, h.key, change.Messages); err != nil {
		return err
	}
	told, touched := slices.Clone(change.Told), slices.Clone(change.Touched)
	for i := range told {
		h.place(&told[i].Seq)
	}
	for i := range touched {
		h.place(&touched[i].Seq)
	}
	if err := putRows(c, h.key, told); err != nil {
		return err
	}
	if err := putRows(c, h.key, touched); err != nil || change.Digest == nil {
		return err
	}
	return c.put("digests", change.Digest.columns())
}

// putRows adds or replaces rows of a session.
func putRows[R any, P row[R]](c *connection, session int64, rows []R) error {
	for i := range rows {
		r := P(&rows[i])
		if err := c.put(r.table(), r.columns(), column{"session", &session}); err != nil {
			return err
		}
	}
	return nil
}

// place gives the next place in the session's order to a row that has none.
func (h *head) place(seq *int64) {
	if *seq == 0 {
		*seq = h.seq + 1
	}
	h.seq = max(h.seq, *seq)
}

// check finds what could not be stored, or not be read again.
func (change Change) check() error {
	id := change.Session.ID
	if id == "" {
		return fmt.Errorf("%w: it names no session", ErrInvalid)
	}
	total := size(change.Session.columns())
	if err := cmp.Or(
		checkRows(id, change.Epochs, &total),
		checkRows(id, change.Turns, &total),
		checkRows(id, change.Messages, &total),
		checkRows(id, change.Told, &total),
		checkRows(id, change.Touched, &total),
	); err != nil {
		return fmt.Errorf("%w: %w", ErrInvalid, err)
	}
	if d := change.Digest; d != nil {
		if d.Session != id {
			return fmt.Errorf("%w: the digest is of session %q, the change of %q", ErrInvalid, d.Session, id)
		}
		total += size(d.columns())
	}
	if total > maxChange {
		return fmt.Errorf("%w: its texts take %d bytes, at most %d can be stored at once", ErrInvalid, total, maxChange)
	}
	return nil
}

// checkRows finds the first fault of a session's rows, and adds up their size.
func checkRows[R any, P row[R]](session string, rows []R, total *int) error {
	for i := range rows {
		r := P(&rows[i])
		columns := r.columns()
		*total += size(columns)
		err := cmp.Or(check(columns), r.fault())
		if owner := *r.owner(); err == nil && owner != "" && owner != session {
			err = fmt.Errorf("it is of session %q, the change of %q", owner, session)
		}
		if err != nil {
			return fmt.Errorf("%s, %s: %w", r.table(), name(r.table(), columns), err)
		}
	}
	return nil
}
