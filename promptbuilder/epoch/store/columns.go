package store

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strings"

	"github.com/ncruces/go-sqlite3"
)

// column is a field of a row: its name in the table, and where its value is: a
// *string, *int, *int64, *float64 or jsonText.
type column struct {
	name  string
	value any
}

// jsonText is a text that must be JSON or empty.
type jsonText struct{ *string }

// row is a row of a table of a session's rows. Its first columns are its key
// within the session.
type row[R any] interface {
	*R
	columns() []column
	table() string
	owner() *string // the session
	// fault tells what of the row cannot be.
	fault() error
}

func (r *Epoch) table() string   { return "epochs" }
func (r *Turn) table() string    { return "turns" }
func (r *Message) table() string { return "messages" }
func (r *Told) table() string    { return "told" }
func (r *Touched) table() string { return "touched" }

func (r *Epoch) owner() *string   { return &r.Session }
func (r *Turn) owner() *string    { return &r.Session }
func (r *Message) owner() *string { return &r.Session }
func (r *Told) owner() *string    { return &r.Session }
func (r *Touched) owner() *string { return &r.Session }

func (r *Epoch) fault() error   { return nil }
func (r *Message) fault() error { return nil }
func (r *Told) fault() error    { return nil }
func (r *Touched) fault() error { return nil }

func (r *Turn) fault() error {
	switch {
	case r.Number < 1:
		return errors.New("its number is below 1")
	case r.Parent < 0 || r.Parent >= r.Number:
		return fmt.Errorf("its parent %d is not before it", r.Parent)
	case r.State != Prepared && r.State != Finished && r.State != Failed:
		return fmt.Errorf("its state %q is none of %s, %s, %s", r.State, Prepared, Finished, Failed)
	}
	return nil
}

// keys are the columns by which a session's rows are found and put in order.
var keys = map[string][]string{
	"epochs":   {"number"},
	"turns":    {"number"},
	"messages": {"turn", "position"},
	"told":     {"seq"},
	"touched":  {"seq"},
}

// name names a row of a session within its table.
func name(table string, columns []column) string {
	var parts []string
	for _, c := range columns[:len(keys[table])] {
		switch v := c.value.(type) {
		case *int:
			parts = append(parts, fmt.Sprintf("%s %d", c.name, *v))
		case *int64:
			parts = append(parts, fmt.Sprintf("%s %d", c.name, *v))
		}
	}
	return strings.Join(parts, ", ")
}

func (r *Epoch) columns() []column {
	return []column{
		{"number", &r.Number},
		{"agent", &r.Agent}, {"root", &r.Root}, {"reason", &r.Reason},
		{"baseline", jsonText{&r.Baseline}}, {"snapshot", jsonText{&r.Snapshot}},
		{"baseline_seq", &r.BaselineSeq}, {"revision", &r.Revision}, {"replacement_seq", &r.ReplacementSeq},
	}
}

func (r *Turn) columns() []column {
	return []column{
		{"number", &r.Number},
		{"parent", &r.Parent}, {"epoch", &r.Epoch}, {"state", &r.State}, {"anchor", &r.Anchor}, {"at", &r.At},
		{"model", &r.Model}, {"provider", &r.Provider}, {"agent", &r.Agent}, {"mode", &r.Mode}, {"wire", &r.Wire},
		{"said", jsonText{&r.Said}}, {"delta", jsonText{&r.Delta}}, {"cut", jsonText{&r.Cut}},
		{"prefix", &r.Prefix}, {"full", &r.Full}, {"sections", jsonText{&r.Sections}},
		{"prefix_tokens", &r.PrefixTokens}, {"input_tokens", &r.InputTokens},
		{"usage_input", &r.UsageInput}, {"usage_output", &r.UsageOutput},
		{"cache_read", &r.CacheRead}, {"cache_write", &r.CacheWrite}, {"error", &r.Error},
	}
}

func (r *Message) columns() []column {
	return []column{
		{"turn", &r.Turn}, {"position", &r.Position},
		{"id", &r.ID}, {"hash", &r.Hash}, {"body", &r.Body},
	}
}

func (r *Told) columns() []column {
	return []column{
		{"seq", &r.Seq},
		{"real_path", &r.RealPath}, {"path", &r.Path}, {"hash", &r.Hash}, {"how", &r.How},
		{"anchor", &r.Anchor}, {"turn", &r.Turn}, {"text", &r.Text}, {"why", &r.Why}, {"body", jsonText{&r.Body}},
	}
}

func (r *Touched) columns() []column {
	return []column{
		{"seq", &r.Seq},
		{"real_path", &r.RealPath}, {"anchor", &r.Anchor}, {"kind", &r.Kind}, {"turn", &r.Turn},
	}
}

func (r *Session) columns() []column {
	return []column{
		{"id", &r.ID}, {"root", &r.Root}, {"title", &r.Title},
		{"created", &r.Created}, {"updated", &r.Updated}, {"revision", &r.Revision}, {"turns", &r.Turns},
	}
}

func (r *Digest) columns() []column {
	return []column{{"session", &r.Session}, {"title", &r.Title}, {"text", &r.Text}, {"at", &r.At}}
}

func (r *Calibration) columns() []column {
	return []column{
		{"model", &r.Model}, {"kind", &r.Kind},
		{"ratio", &r.Ratio}, {"samples", &r.Samples}, {"updated", &r.Updated},
	}
}

// size is how much memory the texts of a row take, in bytes.
func size(columns []column) int {
	total := 0
	for _, c := range columns {
		switch v := c.value.(type) {
		case *string:
			total += len(*v)
		case jsonText:
			total += len(*v.string)
		}
	}
	return total
}

// check finds what a row may not hold because it could not be read again.
func check(columns []column) error {
	for _, c := range columns {
		if v, ok := c.value.(jsonText); ok && *v.string != "" && !json.Valid([]byte(*v.string)) {
			return fmt.Errorf("column %s is not JSON", c.name)
		}
		if v, ok := c.value.(*float64); ok && (math.IsNaN(*v) || math.IsInf(*v, 0)) {
			return fmt.Errorf("column %s is no number", c.name)
		}
	}
	return nil
}

// bind sets the parameters of a statement, the first of which is number from.
func bind(stmt *sqlite3.Stmt, from int, values ...any) error {
	for i, value := range values {
		var err error
		switch v := value.(type) {
		case string:
			err = stmt.BindText(from+i, v)
		case *string:
			err = stmt.BindText(from+i, *v)
		case jsonText:
			err = stmt.BindText(from+i, *v.string)
		case int:
			err = stmt.BindInt(from+i, v)
		case *int:
			err = stmt.BindInt(from+i, *v)
		case int64:
			err = stmt.BindInt64(from+i, v)
		case *int64:
			err = stmt.BindInt64(from+i, *v)
		case *float64:
			err = stmt.BindFloat(from+i, *v)
		default:
			err = fmt.Errorf("a parameter of type %T cannot be bound", value)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// scan reads a row's columns, all that can be read, and reports the first fault.
func scan(stmt *sqlite3.Stmt, from int, columns []column) error {
	var fault error
	for i, c := range columns {
		if err := c.scan(stmt, from+i); err != nil && fault == nil {
			fault = fmt.Errorf("column %s: %w", c.name, err)
		}
	}
	return fault
}

var errKind = errors.New("holds another kind of value")

func (c column) scan(stmt *sqlite3.Stmt, i int) error {
	found, want := stmt.ColumnType(i), sqlite3.TEXT
	switch c.value.(type) {
	case *int, *int64:
		want = sqlite3.INTEGER
	case *float64:
		want = sqlite3.FLOAT
	}
	if found != want {
		return fmt.Errorf("%w: %v", errKind, found)
	}
	switch v := c.value.(type) {
	case *string:
		*v = stmt.ColumnText(i)
	case jsonText:
		*v.string = stmt.ColumnText(i)
		if *v.string != "" && !json.Valid([]byte(*v.string)) {
			return errors.New("is not JSON")
		}
	case *int:
		*v = int(stmt.ColumnInt64(i))
	case *int64:
		*v = stmt.ColumnInt64(i)
	case *float64:
		*v = stmt.ColumnFloat(i)
	}
	return nil
}
