package store

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/ncruces/go-sqlite3"
)

// connection is an open database and its prepared statements.
type connection struct {
	db       *sqlite3.Conn
	file     os.FileInfo // of the file when it was opened; nil in memory
	prepared map[string]*sqlite3.Stmt
	logged   int // pages in the log after the last change
}

// settings are those of every connection. NORMAL is safe against the end of the
// process; the end of the machine may cost the last changes, never the file.
// What is deleted is overwritten, so that forgotten text is gone.
const settings = `
PRAGMA synchronous = NORMAL;
PRAGMA secure_delete = ON;
PRAGMA cell_size_check = ON;
PRAGMA trusted_schema = OFF;
PRAGMA temp_store = MEMORY;
PRAGMA journal_size_limit = 1048576;
`

// connect opens a file, or memory where path is empty, and brings its tables to
// the newest version.
func connect(ctx context.Context, path string, busy time.Duration) (*connection, error) {
	if path == "" {
		return dial(ctx, ":memory:", busy)
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return nil, err
	}
	// Made here, since SQLite would let others read it.
	file, err := os.OpenFile(path, os.O_RDONLY|os.O_CREATE, 0o600)
	if err != nil {
		return nil, err
	}
	info, err := peek(file)
	file.Close()
	if err != nil {
		return nil, err
	}
	var c *connection
	// Two processes that make the file at the same moment may meet while it is
	// switched to a write-ahead log, where SQLite does not wait by itself.
	err = retryBusy(ctx, busy, func() (err error) {
		c, err = dial(ctx, uri(path), busy)
		return err
	})
	if err != nil {
		return nil, err
	}
	c.file = info
	for _, suffix := range []string{"-wal", "-shm"} {
		if err := os.Chmod(path+suffix, 0o600); err != nil && !errors.Is(err, fs.ErrNotExist) {
			_ = c.close() // the first fault is the one to report
			return nil, err
		}
	}
	return c, nil
}

// uri names a file to SQLite so that its companions get its mode.
func uri(path string) string {
	escape := strings.NewReplacer("%", "%25", "?", "%3f", "#", "%23")
	slashed := filepath.ToSlash(path)
	if !strings.HasPrefix(slashed, "/") {
		slashed = "/" + slashed // a Windows drive
	}
	return "file://" + escape.Replace(slashed)
}

func dial(ctx context.Context, name string, busy time.Duration) (*connection, error) {
	c := &connection{prepared: map[string]*sqlite3.Stmt{}}
	err := guard(func() (err error) {
		if c.db, err = sqlite3.OpenContext(ctx, name); err != nil {
			return err
		}
		return c.with(ctx, func(c *connection) error { return c.setUp(name != ":memory:", busy) })
	})
	if err != nil {
		_ = guard(c.close) // the first fault is the one to report
		return nil, err
	}
	return c, nil
}

// setUp makes a new connection ready.
func (c *connection) setUp(onDisk bool, busy time.Duration) error {
	if err := c.db.BusyTimeout(busy); err != nil {
		return err
	}
	// The log outlives its last user: SQLite would delete it by its name, and by
	// then another file may have taken over that name.
	if _, err := c.db.FileControl("main", sqlite3.FCNTL_PERSIST_WAL, true); err != nil && onDisk {
		return err
	}
	// Nor is it emptied by whoever is the last: that waits for the disk, and a
	// newer foreword's file is not to be written.
	if _, err := c.db.Config(sqlite3.DBCONFIG_NO_CKPT_ON_CLOSE, true); err != nil {
		return err
	}
	if err := c.db.Exec(settings); err != nil {
		return err
	}
	// This takes the place of SQLite's own rule for when to empty the log.
	c.db.WALHook(func(_ *sqlite3.Conn, _ string, pages int) error {
		c.logged = pages
		return nil
	})
	return c.migrate()
}

// with lets do use the connection until ctx is done.
func (c *connection) with(ctx context.Context, do func(*connection) error) error {
	c.db.SetInterrupt(ctx)
	defer c.db.SetInterrupt(context.Background())
	return do(c)
}

// close closes the statements and then the database.
func (c *connection) close() error {
	for sql, stmt := range c.prepared {
		_ = stmt.Close() // its last error was reported when it happened
		delete(c.prepared, sql)
	}
	return c.db.Close()
}

// retryBusy repeats do while another process is in its way, for as long as wait.
func retryBusy(ctx context.Context, wait time.Duration, do func() error) error {
	deadline := time.Now().Add(wait)
	for pause := time.Millisecond; ; pause = min(2*pause, 50*time.Millisecond) {
		err := do()
		if !errors.Is(err, sqlite3.BUSY) || time.Now().After(deadline) {
			return err
		}
		select {
		case <-time.After(pause):
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}
