package store

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"github.com/ncruces/go-sqlite3"
)

// Load reads all that is known of a session, as it is at one moment. The error
// is [ErrUnknown] when it is not stored. Rows that cannot be read are in
// [Rows.Bad].
func (s *Store) Load(ctx context.Context, session string) (*Rows, error) {
	var rows *Rows
	err := s.use(ctx, func(c *connection) error {
		return c.reading(func() (err error) {
			rows, err = c.load(session)
			return err
		})
	})
	if err != nil {
		return nil, err
	}
	return rows, nil
}

func (c *connection) load(session string) (*Rows, error) {
	h, err := c.stored(session)
	if err != nil {
		return nil, err
	}
	rows := &Rows{Session: h.Session}
	err = cmp.Or(
		loadRows(c, h, &rows.Epochs, &rows.Bad),
		loadRows(c, h, &rows.Turns, &rows.Bad),
		loadRows(c, h, &rows.Messages, &rows.Bad),
		loadRows(c, h, &rows.Told, &rows.Bad),
		loadRows(c, h, &rows.Touched, &rows.Bad),
	)
	return rows, err
}

// stored reads the row of a session that must be there.
func (c *connection) stored(session string) (head, error) {
	h, err := c.head(session)
	if err == nil && h.Revision == 0 {
		err = fmt.Errorf("%w %q", ErrUnknown, session)
	}
	return h, err
}

// loadRows reads a session's rows of one table.
func loadRows[R any, P row[R]](c *connection, h head, rows *[]R, bad *[]BadRow) error {
	var first R
	table := P(&first).table()
	sql := "SELECT " + list(P(&first).columns()) + " FROM " + table +
		" WHERE session = ? ORDER BY " + strings.Join(keys[table], ", ")
	return c.each(sql, []any{h.key}, func(stmt *sqlite3.Stmt) error {
		var r R
		columns := P(&r).columns()
		err := scan(stmt, 0, columns)
		if err == nil {
			err = P(&r).fault()
		}
		if err != nil {
			*bad = append(*bad, BadRow{Table: table, Key: name(table, columns), Err: err})
			return nil
		}
		*P(&r).owner() = h.ID
		*rows = append(*rows, r)
		return nil
	})
}

// Revision gives the revision at which a session is stored; 0 when it is not.
func (s *Store) Revision(ctx context.Context, session string) (revision int64, err error) {
	err = s.use(ctx, func(c *connection) error {
		if err := c.known(); err != nil {
			return err
		}
		revision, _, err = c.number("SELECT revision FROM sessions WHERE id = ?", session)
		return err
	})
	return revision, err
}

// Sessions lists the sessions, the one that was changed last first.
func (s *Store) Sessions(ctx context.Context) ([]Session, error) {
	return listRows[Session](ctx, s, "sessions ORDER BY updated DESC, id")
}

// listRows reads all rows of a table, whose name and order come after FROM.
func listRows[R any, P interface {
	*R
	columns() []column
}](ctx context.Context, s *Store, from string) ([]R, error) {
	var all []R
	err := s.use(ctx, func(c *connection) error {
		return c.reading(func() error {
			all = nil // a first try that failed leaves nothing
			var r R
			return c.each("SELECT "+list(P(&r).columns())+" FROM "+from, nil, func(stmt *sqlite3.Stmt) error {
				err := scan(stmt, 0, P(&r).columns())
				all = append(all, r)
				return err
			})
		})
	})
	if err != nil {
		return nil, err
	}
	return all, nil
}
