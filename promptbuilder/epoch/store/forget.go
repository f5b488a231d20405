package store

import (
	"context"
	"fmt"
	"time"

	"github.com/ncruces/go-sqlite3"
)

// maxDigests bounds the digests of sessions that are gone: only the newest are
// ever told, and only as many as a few hundred tokens hold.
const maxDigests = 1000

// Forget deletes all that is known of a session, its digest included, and gives
// its room back. The error is [ErrUnknown] when nothing was known.
func (s *Store) Forget(ctx context.Context, session string) error {
	return s.use(ctx, func(c *connection) error {
		err := c.writing(func() error {
			h, err := c.head(session)
			if err != nil {
				return err
			}
			_, digest, err := c.number("SELECT 1 FROM digests WHERE session = ?", session)
			if err != nil {
				return err
			}
			if h.Revision == 0 && !digest {
				return fmt.Errorf("%w %q", ErrUnknown, session)
			}
			if err := c.run("DELETE FROM digests WHERE session = ?", session); err != nil {
				return err
			}
			return c.forget(h.key)
		})
		if err != nil {
			return err
		}
		return c.shrink()
	})
}

// forget deletes a session's rows.
func (c *connection) forget(session int64) error {
	for _, table := range ofSession {
		if err := c.run("DELETE FROM "+table+" WHERE session = ?", session); err != nil {
			return err
		}
	}
	return c.run("DELETE FROM sessions WHERE key = ?", session)
}

// shrink gives free pages back, and empties the log, which still holds what was
// deleted. Another process that is just reading keeps that from happening now;
// a later call does it.
func (c *connection) shrink() error {
	if err := c.run("PRAGMA incremental_vacuum"); err != nil {
		return err
	}
	return c.run("PRAGMA wal_checkpoint(TRUNCATE)")
}

// Prune deletes the sessions that were not changed for longer than olderThan,
// but never the keep newest ones, and tells how many it deleted. Their digests
// stay, up to a thousand.
func (s *Store) Prune(ctx context.Context, olderThan time.Duration, keep int) (deleted int, err error) {
	before := s.now().Add(-olderThan).UnixMilli()
	err = s.use(ctx, func(c *connection) error {
		err := c.writing(func() error {
			var old []int64
			err := c.each("SELECT key, updated FROM sessions ORDER BY updated DESC, id LIMIT -1 OFFSET ?", []any{max(keep, 0)}, func(stmt *sqlite3.Stmt) error {
				if stmt.ColumnInt64(1) < before {
					old = append(old, stmt.ColumnInt64(0))
				}
				return nil
			})
			if err != nil {
				return err
			}
			for _, session := range old {
				if err := c.forget(session); err != nil {
					return err
				}
			}
			deleted = len(old)
			return c.run("DELETE FROM digests WHERE session IN (SELECT session FROM digests ORDER BY at DESC, session LIMIT -1 OFFSET ?)", maxDigests)
		})
		if err != nil || deleted == 0 {
			return err
		}
		return c.shrink()
	})
	return deleted, err
}
