package store

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/ncruces/go-sqlite3"
)

// Fork makes a session to of a turn of another: the turn, its parents up to the
// first, and the epochs, messages and files told and touched of these. Numbers
// and order stay as they are; the new session is at revision 1. The error is
// [ErrUnknown], [ErrUnknownTurn] or [ErrExists].
func (s *Store) Fork(ctx context.Context, from string, turn int, to string) error {
	if to == "" {
		return fmt.Errorf("%w: the new session has no name", ErrInvalid)
	}
	return s.use(ctx, func(c *connection) error {
		return c.writing(func() error { return c.fork(from, turn, to, s.now().UnixMilli()) })
	})
}

func (c *connection) fork(from string, turn int, to string, now int64) error {
	old, err := c.stored(from)
	if err != nil {
		return err
	}
	fresh, err := c.head(to)
	if err != nil {
		return err
	}
	if fresh.Revision != 0 {
		return fmt.Errorf("%w: %q", ErrExists, to)
	}
	if err := c.mustHave(&old, turn); err != nil {
		return err
	}
	for _, table := range ofSession {
		if err := c.copyChain(table, old.key, turn, fresh.key); err != nil {
			return err
		}
	}
	fresh.Session = Session{
		ID: to, Root: old.Root, Title: old.Title,
		Created: now, Updated: now, Revision: 1, Turns: turn,
	}
	fresh.seq = old.seq
	return c.putHead(fresh)
}

// chain are the turns from one (the second parameter) of a session (the first)
// up to its first, with their epochs.
const chain = `WITH RECURSIVE chain(number, parent, epoch) AS (
	SELECT number, parent, epoch FROM turns WHERE session = ?1 AND number = ?2
	UNION ALL
	SELECT t.number, t.parent, t.epoch FROM turns t JOIN chain ON t.session = ?1 AND t.number = chain.parent
) `

// copyChain copies a table's rows that belong to a turn and its parents. What
// belongs to no turn, number 0, came before the first.
func (c *connection) copyChain(table string, from int64, turn int, to int64) error {
	var columns []string
	err := c.each("SELECT name FROM pragma_table_info(?) WHERE name <> 'session' ORDER BY cid", []any{table}, func(stmt *sqlite3.Stmt) error {
		columns = append(columns, stmt.ColumnText(0))
		return nil
	})
	if err != nil {
		return err
	}
	where := "turn = 0 OR turn IN (SELECT number FROM chain)"
	switch {
	case table == "epochs":
		where = "number IN (SELECT epoch FROM chain)"
	case slices.Equal(keys[table], []string{"number"}):
		where = "number IN (SELECT number FROM chain)"
	}
	all := strings.Join(columns, ", ")
	return c.run("INSERT INTO "+table+" (session, "+all+") "+chain+
		"SELECT ?3, "+all+" FROM "+table+" WHERE session = ?1 AND ("+where+")", from, turn, to)
}
