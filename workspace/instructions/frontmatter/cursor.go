package frontmatter

import "strings"

// readCursor reads a header line by line: a key, a colon, and raw text to the
// end of the line. Lines that begin with a dash are entries of a list under the
// key before. Real rules are written so, and most of them are no YAML.
func readCursor(header string, firstLine int) ([]Field, []Problem) {
	var fields []Field
	for i, line := range strings.Split(header, "\n") {
		line = strings.TrimRight(line, "\r")
		trimmed := strings.TrimSpace(line)
		indent := len(line) - len(strings.TrimLeft(line, " \t"))
		if item, ok := strings.CutPrefix(trimmed, "- "); ok && len(fields) > 0 {
			last := &fields[len(fields)-1]
			if last.Kind == Null || last.Kind == List {
				last.Kind, last.EndLine, last.EndColumn = List, firstLine+i, len(line)
				last.Items = append(last.Items, Item{Text: strings.TrimSpace(item), Kind: String, Line: firstLine + i, Column: indent + 2, EndColumn: len(line)})
			}
			continue
		}
		key, value, ok := strings.Cut(line, ":")
		if !ok || trimmed == "" || strings.HasPrefix(trimmed, "#") || indent > 0 {
			continue
		}
		raw := strings.TrimSpace(value)
		column := len(key) + 1 + len(value) - len(strings.TrimLeft(value, " \t"))
		f := Field{
			Key: strings.TrimSpace(key), Kind: String, Text: raw, KeyLine: firstLine + i,
			Line: firstLine + i, Column: column, EndLine: firstLine + i, EndColumn: len(strings.TrimRight(line, " \t")),
		}
		switch raw {
		case "":
			f.Kind = Null
		case "true", "false":
			f.Kind, f.Bool = Bool, raw == "true"
		}
		fields = append(fields, f)
	}
	// That YAML would refuse the header is no fault: it is the right form here.
	if _, problems := readYAML(header, firstLine); len(problems) > 0 && problems[0].Code != "yaml-duplicate-key" {
		p := problems[0]
		return fields, []Problem{{Code: "not-strict-yaml", Message: "not YAML, which is right for Cursor; do not quote it", Line: p.Line, Column: p.Column, EndColumn: p.EndColumn}}
	}
	return fields, nil
}
