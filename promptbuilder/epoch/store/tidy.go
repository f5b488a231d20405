package store

import (
	"context"
	"fmt"
)

// A change is stored when it is in the log, which costs no wait for the disk.
// Moving the log into the file does, and so does the first change after that:
// about 10 ms each. So it is done when nobody waits, once it is worth it; only a
// log that grew very long, since nobody called [Store.Tidy], holds up a write. In
// pages of 4 KiB.
const (
	worthwhileLog = 256  // 1 MiB, some twenty turns
	fullLog       = 4096 // 16 MiB
)

// Tidy moves the log of changes into the file if there is enough in it. A caller
// calls it when nobody waits for an answer, such as after a turn has ended; it
// need not be called for changes to be safe.
func (s *Store) Tidy(ctx context.Context) error {
	return s.use(ctx, func(c *connection) error {
		if c.logged < worthwhileLog {
			return nil
		}
		if err := c.known(); err != nil {
			return err
		}
		if err := c.emptyLog(); err != nil {
			return err
		}
		return c.writing(func() error {
			// This changes nothing, but begins the new log.
			return c.run(fmt.Sprintf("PRAGMA user_version = %d", len(migrations)))
		})
	})
}

// emptyLog moves what no other process is still reading.
func (c *connection) emptyLog() error {
	c.logged = 0
	return c.run("PRAGMA wal_checkpoint(PASSIVE)")
}

// cutLog moves all of the log and makes it empty, unless another process is
// using it. Who opens the file next has to read what is in the log.
func (c *connection) cutLog() error {
	if err := c.db.BusyTimeout(0); err != nil {
		return err
	}
	return c.run("PRAGMA wal_checkpoint(TRUNCATE)")
}
