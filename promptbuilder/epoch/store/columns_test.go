package store

import (
	"errors"
	"strings"
	"testing"

	"github.com/ncruces/go-sqlite3"
)

// TestColumnsAreThoseOfTheTables holds that no field is without its column, and
// no column without its field.
func TestColumnsAreThoseOfTheTables(t *testing.T) {
	s := fresh(t)
	fields := map[string][]column{
		"sessions": (&Session{}).columns(), "digests": (&Digest{}).columns(), "calibrations": (&Calibration{}).columns(),
		"epochs": (&Epoch{}).columns(), "turns": (&Turn{}).columns(), "messages": (&Message{}).columns(),
		"told": (&Told{}).columns(), "touched": (&Touched{}).columns(),
	}
	if len(fields) != len(tables) {
		t.Fatalf("%d tables, %d in the test", len(tables), len(fields))
	}
	for _, table := range tables {
		own := map[string]string{"sessions": "key, seq", "digests": "", "calibrations": ""}
		lead, ok := own[table]
		if !ok {
			lead = "session"
		}
		want := strings.Trim(lead+", "+list(fields[table]), ", ")
		if table == "sessions" {
			want = "key, " + list(fields[table]) + ", seq"
		}
		if got := columnsOf(t, s, table); got != want {
			t.Errorf("%s has %s; the fields are %s", table, got, want)
		}
	}
}

func columnsOf(t *testing.T, s *Store, table string) string {
	var names []string
	err := s.use(t.Context(), func(c *connection) error {
		return c.each("SELECT name FROM pragma_table_info(?) ORDER BY cid", []any{table}, func(stmt *sqlite3.Stmt) error {
			names = append(names, stmt.ColumnText(0))
			return nil
		})
	})
	if err != nil {
		t.Fatal(err)
	}
	return strings.Join(names, ", ")
}

// execute changes the file behind the store's back.
func execute(t *testing.T, s *Store, sql string) {
	t.Helper()
	if err := s.use(t.Context(), func(c *connection) error { return c.db.Exec(sql) }); err != nil {
		t.Fatal(err)
	}
}

// TestABadRowCostsItself holds that what another program wrote into the file
// costs only the rows that make no sense.
func TestABadRowCostsItself(t *testing.T) {
	for _, c := range []struct{ sql, want string }{
		{"UPDATE turns SET said = '{'", "turns: number 1: column said: is not JSON"},
		{"UPDATE turns SET state = 'asleep'", "turns: number 1: its state \"asleep\" is none of prepared, finished, failed"},
		{"UPDATE turns SET parent = 1", "turns: number 1: its parent 1 is not before it"},
		{"UPDATE turns SET number = -3", "turns: number -3: its number is below 1"},
		{"UPDATE epochs SET baseline = 'x'", "epochs: number 1: column baseline: is not JSON"},
		{
			"ALTER TABLE messages RENAME TO old; CREATE TABLE messages AS SELECT session, turn, position, id, hash, x'00' AS body FROM old WHERE position = 1;" +
				"INSERT INTO messages SELECT * FROM old WHERE position = 0",
			"messages: turn 1, position 1: column body: holds another kind of value: BLOB",
		},
	} {
		s := fresh(t)
		written(t, s, full("s"))
		execute(t, s, c.sql)
		rows := loaded(t, s, "s")
		whole := of(full("s"))
		lost := len(whole.Turns) - len(rows.Turns) + len(whole.Epochs) - len(rows.Epochs) + len(whole.Messages) - len(rows.Messages)
		if len(rows.Bad) != 1 || lost != 1 {
			t.Errorf("%s: %d bad, %d lost", c.sql, len(rows.Bad), lost)
			continue
		}
		if got := rows.Bad[0].Table + ": " + rows.Bad[0].Key + ": " + rows.Bad[0].Err.Error(); got != c.want {
			t.Errorf("%s: %s, want %s", c.sql, got, c.want)
		}
	}
}

// TestWhatCannotBeStored holds that nothing is written that could not be read.
func TestWhatCannotBeStored(t *testing.T) {
	s := fresh(t)
	for name, spoil := range map[string]func(*Change){
		"no id":             func(c *Change) { c.Session.ID = "" },
		"not JSON":          func(c *Change) { c.Turns[0].Delta = "{" },
		"another session's": func(c *Change) { c.Told[0].Session = "t" },
		"number 0":          func(c *Change) { c.Turns[0].Number = 0 },
		"its own parent":    func(c *Change) { c.Turns[0].Parent = 1 },
		"no state":          func(c *Change) { c.Turns[0].State = "" },
		"too long":          func(c *Change) { c.Messages[0].Body = strings.Repeat("x", maxChange) },
	} {
		change := full("s")
		spoil(&change)
		if _, err := s.Write(t.Context(), change); !errors.Is(err, ErrInvalid) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := s.Load(t.Context(), "s"); !errors.Is(err, ErrUnknown) {
		t.Errorf("%v", err)
	}
}
