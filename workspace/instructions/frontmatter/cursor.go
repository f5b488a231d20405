package frontmatter

import (
	"strings"

	"go.yaml.in/yaml/v3"
)

// readCursor reads a header line by line: a key at the beginning of the line, a
// colon, and raw text to the end of the line. Quotes, brackets and what looks
// like a comment are part of the text; a boolean is exactly true or false, so
// that "true" in quotes is none. Lines that begin with a dash are entries of a
// list under the key before, if that has no value of its own; other indented
// lines mean nothing. Real rules are written so, and most of them are no YAML
// (https://forum.cursor.com/t/rule-frontmatter-format/146274, checked
// 2026-11-30).
func readCursor(s *source) ([]Field, []Problem) {
	var fields []Field
	for _, start := range s.lines {
		line := s.text[start:s.lineEnd(start)]
		trimmed := trimScript(line)
		at := start + strings.Index(line, trimmed)
		if item, ok := cutDash(trimmed); ok {
			if n := len(fields); n > 0 {
				fields[n-1].addItem(s, item, at, at+len(trimmed))
			}
			continue
		}
		key, value, ok := strings.Cut(line, ":")
		if !ok || at > start || trimmed[0] == '#' || trimScript(key) == "" {
			continue
		}
		raw := trimScript(value)
		from := start + len(key) + 1
		if raw != "" {
			from += strings.Index(value, raw)
		}
		f := Field{Key: trimScript(key), Kind: String, Text: raw}
		f.KeyLine, f.KeyColumn = s.at(start)
		f.KeyEndColumn = f.KeyColumn + len(f.Key)
		f.Line, f.Column = s.at(from)
		f.EndLine, f.EndColumn = f.Line, f.Column+len(raw)
		switch raw {
		case "":
			f.Kind = Null
		case "true", "false":
			f.Kind, f.Bool = Bool, raw == "true"
		}
		fields = append(fields, f)
	}
	// That YAML would refuse the header is no fault: it is the right form here.
	var p Problem
	switch root, err := parse(s.text); {
	case err != nil:
		p = faults(s, err)[0]
	case root != nil && root.Kind != yaml.MappingNode:
		start := s.start(root)
		p = s.problem("", "", start, s.lineEnd(start))
	default:
		return fields, nil
	}
	p.Code, p.Message = "not-strict-yaml", "this is no YAML, which is right for Cursor: leave it as it is"
	return fields, []Problem{p}
}

// cutDash gives the text of an entry of a list.
func cutDash(line string) (string, bool) {
	after, ok := strings.CutPrefix(line, "-")
	if !ok || after == "" || !strings.ContainsAny(after[:1], " \t") {
		return "", false
	}
	return trimScript(after), true
}

// addItem adds an entry that begins with its dash at start.
func (f *Field) addItem(s *source, text string, start, end int) {
	if f.Kind != Null && f.Kind != List {
		return
	}
	item := Item{Text: text, Kind: String}
	item.Line, item.Column = s.at(end - len(text))
	item.EndColumn = item.Column + len(text)
	if f.Kind == Null {
		f.Kind = List
		f.Line, f.Column = s.at(start)
	}
	f.EndLine, f.EndColumn = item.Line, item.EndColumn
	f.Items = append(f.Items, item)
}
