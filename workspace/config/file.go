package config

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"

	"github.com/pelletier/go-toml/v2"
	"github.com/pelletier/go-toml/v2/unstable"

	"foreword/workspace/fsys"
)

// read returns the source with the values of its file. A file that is not there sets nothing.
func (s source) read(files fsys.FS, problems *[]Problem) source {
	file, err := files.ReadFile(s.path)
	if errors.Is(err, fs.ErrNotExist) {
		return s
	}
	if err != nil {
		*problems = append(*problems, Problem{Path: s.path, Message: fmt.Sprintf("its settings are left out: %v", err)})
		return s
	}
	values, err := parse([]byte(file.Text))
	if err != nil {
		line := 0
		var broken *toml.DecodeError
		if errors.As(err, &broken) {
			line, _ = broken.Position()
		}
		*problems = append(*problems, Problem{Path: s.path, Line: line, Message: fmt.Sprintf("its settings are left out: %v", err)})
		return s
	}
	s.values = values
	return s
}

// parse returns the values of a TOML document in the order of its lines.
func parse(text []byte) ([]found, error) {
	// The decoder finds every error, duplicate keys too, and makes the values; the parser knows the lines.
	var document map[string]any
	if err := toml.Unmarshal(text, &document); err != nil {
		return nil, err
	}
	walk := walker{document: document, tables: map[string]int{}, line: 1}
	walk.parser.Reset(text)
	for walk.parser.NextExpression() {
		walk.expression(walk.parser.Expression())
	}
	return walk.values, walk.parser.Error()
}

// walker goes through a document that is known to be valid.
type walker struct {
	parser   unstable.Parser
	document map[string]any
	table    []string       // the table that the next keys are in
	skip     bool           // inside an array of tables, whose tables are values
	tables   map[string]int // how many tables of a list were seen
	values   []found
	offset   int // of the end of what line counts
	line     int
}

func (w *walker) expression(node *unstable.Node) {
	switch node.Kind {
	case unstable.Table:
		w.table, _ = w.key(nil, node)
		// An empty table sets nothing, so that a misspelt one would go unseen.
		if _, line := w.key(nil, node); len(w.find(w.table)) == 0 && !isPrefix(join(w.table)) {
			w.values = append(w.values, found{key: join(w.table), value: map[string]any{}, line: line})
		}
		w.skip = false
	case unstable.ArrayTable:
		path, line := w.key(nil, node)
		var table any = map[string]any{}
		key := join(path)
		if list, ok := w.value(path).([]any); ok && w.tables[key] < len(list) {
			table = list[w.tables[key]]
		}
		w.tables[key]++
		w.values = append(w.values, found{key: join(path), value: []any{table}, line: line})
		w.table, w.skip = path, true
	case unstable.KeyValue:
		if !w.skip {
			w.pair(w.table, node)
		}
	}
}

// pair adds a value, or each value of an inline table.
func (w *walker) pair(table []string, node *unstable.Node) {
	path, line := w.key(table, node)
	value := node.Value()
	if value.Kind == unstable.InlineTable && isPrefix(join(path)) {
		for it := value.Children(); it.Next(); {
			w.pair(path, it.Node())
		}
		return
	}
	w.values = append(w.values, found{key: join(path), value: w.value(path), line: line})
}

// key returns a node's key below table, and the line on which it begins.
func (w *walker) key(table []string, node *unstable.Node) (path []string, line int) {
	path = append(path, table...)
	for it := node.Key(); it.Next(); {
		part := it.Node()
		if line == 0 {
			line = w.lineAt(int(part.Raw.Offset))
		}
		path = append(path, string(part.Data))
	}
	return path, line
}

// lineAt returns the line of an offset. Offsets mostly grow, so the text is counted about once.
func (w *walker) lineAt(offset int) int {
	text := w.parser.Data()
	if offset < w.offset {
		w.offset, w.line = 0, 1
	}
	w.line += bytes.Count(text[w.offset:offset], []byte{'\n'})
	w.offset = offset
	return w.line
}

// find returns the table at path, nil where there is none.
func (w *walker) find(path []string) map[string]any {
	at := w.document
	for _, part := range path {
		at, _ = at[part].(map[string]any)
	}
	return at
}

// value returns the value at path.
func (w *walker) value(path []string) any {
	last := len(path) - 1
	return w.find(path[:last])[path[last]]
}
