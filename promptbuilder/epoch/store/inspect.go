package store

import (
	"context"
	"os"
	"time"

	"github.com/ncruces/go-sqlite3"
)

// Query runs one statement on a database that is inspected, and calls row with
// the columns of each row as text.
type Query func(sql string, parameters []any, row func(columns []string) error) error

// inspectBusy is how long a reader waits for the program whose database it is.
const inspectBusy = 100 * time.Millisecond

// Inspect reads the database of another program, in one state of it, and changes
// nothing in it. Its tables may be of any version, and it may be written to at
// the same moment, so an error is nobody's fault.
func Inspect(ctx context.Context, path string, read func(Query) error) error {
	return guard(func() error {
		// Without a log nobody is writing, and a reader that counts on that makes no
		// files of its own beside it.
		mode := "?immutable=1"
		if log, err := os.Stat(path + "-wal"); err == nil && log.Size() > 0 {
			mode = "?mode=ro"
		}
		db, err := sqlite3.OpenContext(ctx, uri(path)+mode)
		if err != nil {
			return err
		}
		c := &connection{db: db, prepared: map[string]*sqlite3.Stmt{}}
		defer func() { _ = c.close() }() // nothing was written
		if err := db.BusyTimeout(inspectBusy); err != nil {
			return err
		}
		if _, err := db.Config(sqlite3.DBCONFIG_NO_CKPT_ON_CLOSE, true); err != nil {
			return err
		}
		if err := db.Exec("PRAGMA query_only = ON; PRAGMA trusted_schema = OFF; PRAGMA temp_store = MEMORY"); err != nil {
			return err
		}
		return c.with(ctx, func(c *connection) error {
			if err := c.run("BEGIN"); err != nil {
				return err
			}
			return read(func(sql string, parameters []any, row func([]string) error) error {
				return c.each(sql, parameters, func(stmt *sqlite3.Stmt) error {
					columns := make([]string, stmt.ColumnCount())
					for i := range columns {
						columns[i] = stmt.ColumnText(i)
					}
					return row(columns)
				})
			})
		})
	})
}
