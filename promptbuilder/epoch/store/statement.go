package store

import (
	"context"
	"slices"
	"strings"

	"github.com/ncruces/go-sqlite3"
)

// statement gives the prepared statement of a text, which is prepared once.
func (c *connection) statement(sql string) (*sqlite3.Stmt, error) {
	if stmt, ok := c.prepared[sql]; ok {
		return stmt, nil
	}
	stmt, _, err := c.db.PrepareFlags(sql, sqlite3.PREPARE_PERSISTENT)
	if err == nil {
		c.prepared[sql] = stmt
	}
	return stmt, err
}

// each runs a statement with these parameters and calls row for each row.
func (c *connection) each(sql string, parameters []any, row func(*sqlite3.Stmt) error) (err error) {
	stmt, err := c.statement(sql)
	if err != nil {
		return err
	}
	defer func() {
		if reset := stmt.Reset(); err == nil {
			err = reset
		}
		if clear := stmt.ClearBindings(); err == nil { // a long text is not kept until the next use
			err = clear
		}
	}()
	if err := bind(stmt, 1, parameters...); err != nil {
		return err
	}
	for stmt.Step() {
		if err := row(stmt); err != nil {
			return err
		}
	}
	return stmt.Err()
}

// run runs a statement whose rows, if any, do not matter.
func (c *connection) run(sql string, parameters ...any) error {
	return c.each(sql, parameters, func(*sqlite3.Stmt) error { return nil })
}

// number runs a statement and gives the first column of its last row; found is
// false when there is none.
func (c *connection) number(sql string, parameters ...any) (n int64, found bool, err error) {
	err = c.each(sql, parameters, func(stmt *sqlite3.Stmt) error {
		n, found = stmt.ColumnInt64(0), true
		return nil
	})
	return n, found, err
}

// put adds a row to a table or replaces the one with its key. Columns before
// its own are given by name in lead, with their values.
func (c *connection) put(table string, columns []column, lead ...column) error {
	all := slices.Concat(lead, columns)
	names, values := make([]string, len(all)), make([]any, len(all))
	for i, column := range all {
		names[i], values[i] = column.name, column.value
	}
	return c.run("INSERT OR REPLACE INTO "+table+" ("+strings.Join(names, ", ")+
		") VALUES (?"+strings.Repeat(", ?", len(all)-1)+")", values...)
}

// list names columns for a SELECT.
func list(columns []column) string {
	names := make([]string, len(columns))
	for i, column := range columns {
		names[i] = column.name
	}
	return strings.Join(names, ", ")
}

// reading lets do see one state of the file; writing lets it make the next, as
// a whole or, where it fails, not at all.
func (c *connection) reading(do func() error) error { return c.transaction("BEGIN", do) }

func (c *connection) writing(do func() error) error {
	err := c.transaction("BEGIN IMMEDIATE", do)
	if err == nil && c.logged >= fullLog {
		_ = c.emptyLog() // the change is stored; the next call tries again
	}
	return err
}

func (c *connection) transaction(begin string, do func() error) (err error) {
	if err := c.run(begin); err != nil {
		return err
	}
	defer func() {
		if err != nil && !c.db.GetAutocommit() {
			c.db.SetInterrupt(context.Background()) // the end of ctx may be why
			if undo := c.db.Exec("ROLLBACK"); undo != nil {
				err = undo
			}
		}
	}()
	if err := c.known(); err != nil {
		return err
	}
	if err := do(); err != nil {
		return err
	}
	return c.run("COMMIT")
}
