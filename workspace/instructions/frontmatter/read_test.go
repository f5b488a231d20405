package frontmatter

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// TestReaders holds what each reader makes of a whole file.
func TestReaders(t *testing.T) {
	for _, c := range []struct {
		name     string
		reader   Reader
		text     string
		fields   []string
		problems []string
		body     string
		bodyLine int
		state    string // found, closed, broken
	}{
		{"none", None, "---\na: b\n---\nB", nil, nil, "---\na: b\n---\nB", 0, ""},
		{"a reader that is not known", "toml", "---\na: b\n---\nB", nil, nil, "---\na: b\n---\nB", 0, ""},
		{"yaml, no header", YAML, "# A\n", nil, nil, "# A\n", 0, ""},
		{"yaml, empty file", YAML, "", nil, nil, "", 0, ""},
		{"yaml", YAML, "---\na: b\n---\nB\n", []string{`a string "b" <b>`}, nil, "B\n", 3, "found closed"},
		{"yaml, byte order mark", YAML, "\ufeff---\na: b\n---\nB\n", []string{`a string "b" <b>`}, nil, "B\n", 3, "found closed"},
		{"yaml, CRLF", YAML, "---\r\na: b\r\n---\r\nB\r\n", []string{`a string "b" <b>`}, nil, "B\r\n", 3, "found closed"},
		{"yaml, empty header", YAML, "---\n---\nB", nil, nil, "B", 2, "found closed"},
		{"yaml, only comments", YAML, "---\n# a\n\n---\nB", nil, nil, "B", 4, "found closed"},
		{"yaml, nothing after the header", YAML, "---\na: b\n---", []string{`a string "b" <b>`}, nil, "", 3, "found closed"},
		{"yaml, unclosed", YAML, "---\na: b\n", nil, []string{"frontmatter-unclosed 0 <--->"}, "---\na: b\n", 0, ""},
		{"yaml, unclosed after a byte order mark", YAML, "\ufeff---\na: b\n", nil, []string{"frontmatter-unclosed 0 <--->"}, "\ufeff---\na: b\n", 0, ""},
		{"yaml, only a rule", YAML, "---", nil, []string{"frontmatter-unclosed 0 <--->"}, "---", 0, ""},
		{"yaml, header below text", YAML, "x\n---\na: b\n---\nB", nil, nil, "x\n---\na: b\n---\nB", 0, ""},
		{"yaml, broken", YAML, "---\na: *.ts\nb: c\n---\nB", nil, []string{"yaml-alias 1 <*.ts>"}, "B", 4, "found closed broken"},
		{"yaml, same key", YAML, "---\na: b\na: c\n---\nB", []string{`a string "b" <b>`, `a string "c" <c>`}, []string{"yaml-duplicate-key 2 <a>"}, "B", 4, "found closed broken"},

		{"vscode", VSCode, "---\napplyTo: \"**\"\n---\nB\n", []string{`applyTo string "**" <"**">`}, nil, "B\n", 3, "found closed"},
		{"vscode, unclosed", VSCode, "---\napplyTo: \"**\"\nAlways write tests.\n", nil, []string{"frontmatter-unclosed 0 <--->"}, "", 3, "found broken"},
		{"vscode, unclosed without a line end", VSCode, "---\r\na: b", []string{`a string "b" <b>`}, []string{"frontmatter-unclosed 0 <--->"}, "", 1, "found broken"},
		{"vscode, unclosed with lone CR", VSCode, "---\ra: b\r\rc: d\r", []string{`a string "b" <b>`, `c string "d" <d>`}, []string{"frontmatter-unclosed 0 <--->"}, "", 4, "found broken"},
		{"vscode, two faults in one value", VSCode, "---\na: *b: c\n---\nB", nil, []string{"yaml-alias 1 <*b: c>", "yaml-unquoted-colon 1 <*b: c>"}, "B", 3, "found closed broken"},
		{"vscode, no-break space after a rule", VSCode, "---\u00a0\na: b\n---\u00a0\nB", []string{`a string "b" <b>`}, nil, "B", 3, "found closed"},
		{"vscode, glob without quotes", VSCode, "---\napplyTo: **/*.ts # x\nb: [*.ä, *, c]\nd: é\n---\nB", []string{`applyTo string "**/*.ts" <**/*.ts>`, `b list "" <[*.ä, *, c]> [string "*.ä" <*.ä>] [string "*" <*>] [string "c" <c>]`, `d string "é" <é>`}, []string{"yaml-alias 1 <**/*.ts>", "yaml-alias 2 <*.ä>", "yaml-alias 2 <*>"}, "B", 5, "found closed"},
		{"vscode, another fault beside it", VSCode, "---\na: *.ts\nb: c: d\n---\nB", nil, []string{"yaml-alias 1 <*.ts>", "yaml-unquoted-colon 2 <c: d>"}, "B", 4, "found closed broken"},
		{"vscode, same key", VSCode, "---\na: b\na: c\n---\nB", []string{`a string "b" <b>`, `a string "c" <c>`}, []string{"yaml-duplicate-key 2 <a>"}, "B", 4, "found closed"},

		{"cursor", Cursor, "---\ndescription: ts: style # 1\nglobs: **/*.ts,**/*.tsx\nalwaysApply: false\n---\nB", []string{`description string "ts: style # 1" <ts: style # 1>`, `globs string "**/*.ts,**/*.tsx" <**/*.ts,**/*.tsx>`, `alwaysApply boolean "false" <false> false`}, []string{"not-strict-yaml 1 <ts: style>"}, "B", 5, "found closed"},
		{"cursor, right for YAML too", Cursor, "---\nglobs: src/*.ts\nalwaysApply: true\n---\nB", []string{`globs string "src/*.ts" <src/*.ts>`, `alwaysApply boolean "true" <true> true`}, nil, "B", 4, "found closed"},
		{"cursor, quotes and brackets are text", Cursor, "---\r\nglobs: [\"**/*.ts\"]\r\nalwaysApply: \"true\"\r\n---\r\nB", []string{`globs string "[\"**/*.ts\"]" <["**/*.ts"]>`, `alwaysApply string "\"true\"" <"true">`}, nil, "B", 4, "found closed"},
		{"cursor, list", Cursor, "---\nglobs:  \n  -   a/*.ts \n- b\n-c\n-\nx: y\n---\nB", []string{"globs list \"\" <-   a/*.ts \n- b> [string \"a/*.ts\" <a/*.ts>] [string \"b\" <b>]", `x string "y" <y>`}, []string{"not-strict-yaml 3 <- b>"}, "B", 8, "found closed"},
		{"cursor, nothing after the colon", Cursor, "---\nglobs:\nalwaysApply:  true  \n---\nB", []string{`globs null "" <>`, `alwaysApply boolean "true" <true> true`}, nil, "B", 4, "found closed"},
		{"cursor, a list under a value is none", Cursor, "---\na: b\n- c\n---\nB", []string{`a string "b" <b>`}, []string{"not-strict-yaml 2 <- c>"}, "B", 4, "found closed"},
		{"cursor, comments and indented lines", Cursor, "---\n# a: b\n  c: d\n: e\n---\nB", nil, []string{"not-strict-yaml 3 <: e>"}, "B", 5, "found closed"},
		{"cursor, same key", Cursor, "---\na: b\na: c\n---\nB", []string{`a string "b" <b>`, `a string "c" <c>`}, nil, "B", 4, "found closed"},
		{"cursor, no-break space", Cursor, "---\nglobs:\u00a0*.ts\n---\nB", []string{`globs string "*.ts" <*.ts>`}, []string{"not-strict-yaml 1 <globs:\u00a0*.ts>", "nbsp 1 <\u00a0>"}, "B", 3, "found closed"},
		{"cursor, unclosed", Cursor, "---\nglobs: *.ts\n", nil, []string{"frontmatter-unclosed 0 <--->"}, "---\nglobs: *.ts\n", 0, ""},

		{"continue", Continue, "---\nglobs: \"*.ts\"\n---\n\n B\n\n", []string{`globs string "*.ts" <"*.ts">`}, nil, "B", 4, "found closed"},
		{"continue, below text", Continue, "\n# Title\nx\n---\nname: n\n---\r\nB\n---\nC\n", []string{`name string "n" <n>`}, []string{"text-above-header 1 <# Title>"}, "B\n---\nC", 6, "found closed"},
		{"continue, below blank lines", Continue, "\n \n---\nname: n\n---\nB", []string{`name string "n" <n>`}, nil, "B", 5, "found closed"},
		{"continue, one rule", Continue, "a\n---\nb\n", nil, nil, "a\n---\nb\n", 0, ""},
		{"continue, broken", Continue, "a\n---\nb: *.ts\n---\nc\n", nil, []string{"yaml-alias 2 <*.ts>"}, "a\n---\nb: *.ts\n---\nc\n", 0, "found closed broken"},
		{"continue, rules in code", Continue, "a\n```\n---\nb: c\n---\n```\n", []string{`b string "c" <c>`}, []string{"text-above-header 0 <a>"}, "```", 5, "found closed"},
		{"continue, four dashes and dashes with text are no rule", Continue, "----\n--- a\n---\t\u00a0\nb: c\n---\nd", []string{`b string "c" <c>`}, []string{"text-above-header 0 <---->"}, "d", 5, "found closed"},
		{"continue, the last line closes it", Continue, "---\nb: c\n---", []string{`b string "c" <c>`}, nil, "", 2, "found closed"},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := Read(c.reader, c.text)
			var fields []string
			for _, f := range d.Fields {
				fields = append(fields, shown(t, c.text, f))
			}
			state := ""
			for _, s := range []struct {
				is   bool
				name string
			}{{d.Found, " found"}, {d.Closed, " closed"}, {d.Broken, " broken"}} {
				if s.is {
					state += s.name
				}
			}
			if got, want := strings.Join(fields, "\n"), strings.Join(c.fields, "\n"); got != want {
				t.Errorf("fields\n got %s\nwant %s", got, want)
			}
			if got, want := strings.Join(problemsOf(t, c.text, d), "\n"), strings.Join(c.problems, "\n"); got != want {
				t.Errorf("problems\n got %s\nwant %s\n%+v", got, want, d.Problems)
			}
			if state = strings.TrimSpace(state); d.Body != c.body || d.BodyLine != c.bodyLine || state != c.state {
				t.Errorf("%s; body %q at line %d, want %s; %q at line %d", state, d.Body, d.BodyLine, c.state, c.body, c.bodyLine)
			}
		})
	}
}

// TestSameKey holds which of two keys with one name counts.
func TestSameKey(t *testing.T) {
	for r, want := range map[Reader]string{YAML: "2", VSCode: "1", Cursor: "2", Continue: "2"} {
		if f, ok := Read(r, "---\na: 1\nb: 3\na: 2\n---\n").Field("a"); !ok || f.Text != want {
			t.Errorf("%s: %+v", r, f)
		}
	}
	if f, ok := Read(YAML, "---\nA: 1\n---\n").Field("a"); ok {
		t.Errorf("keys are compared exactly: %+v", f)
	}
}

// TestBounds holds that size, entries and problems are bounded, and said.
func TestBounds(t *testing.T) {
	large := "---\na: " + strings.Repeat("x", maxHeader) + "\n---\nB"
	bomb := hostile(maxHeader - 100)["aliases of a long list"]
	for _, c := range []struct{ name, text, code string }{
		{"large header", large, "yaml-too-large"},
		{"aliases of a long list", "---\n" + bomb + "\n---\nB", "yaml-too-large"},
	} {
		for _, r := range []Reader{YAML, VSCode} {
			d := Read(r, c.text)
			items := 0
			for _, f := range d.Fields {
				items += len(f.Items)
			}
			if !d.Broken || len(d.Problems) == 0 || d.Problems[0].Code != c.code || items > maxItems || d.Body != "B" {
				t.Errorf("%s, %s: %d entries, broken %v, %d problems", r, c.name, items, d.Broken, len(d.Problems))
			}
		}
	}
	for _, r := range []Reader{YAML, VSCode, Cursor, Continue} {
		text := "---\n" + strings.Repeat("a: *\u00a0\n", 1000) + "---\n"
		if n := len(Read(r, text).Problems); n == 0 || n > maxProblems {
			t.Errorf("%s: %d problems", r, n)
		}
	}
}

// check holds what is true of every document: its parts are parts of the text,
// and every place lies in the header, in order, and holds what it says.
func check(t interface {
	Helper()
	Errorf(string, ...any)
}, r Reader, text string, d Document) {
	t.Helper()
	if !strings.Contains(text, d.Header) || !strings.Contains(text, d.Body) {
		t.Errorf("%s: header %q or body %q is no part of %q", r, d.Header, d.Body, text)
	}
	starts := lineStarts(text, breakLen)
	if d.BodyLine < 0 || d.BodyLine > len(starts) {
		t.Errorf("%s: the body begins at line %d of %d in %q", r, d.BodyLine, len(starts), text)
	}
	if d.Body != "" && d.BodyLine < len(starts) && !strings.Contains(text[starts[d.BodyLine]:], d.Body) {
		t.Errorf("%s: the body %q does not begin at line %d of %q", r, d.Body, d.BodyLine, text)
	}
	at := func(what string, line, column, endLine, endColumn int) (string, bool) {
		if line < 0 || line >= len(starts) || endLine < line || endLine >= len(starts) || column < 0 || endColumn < 0 {
			t.Errorf("%s: %s at %d:%d to %d:%d is no place in %q", r, what, line, column, endLine, endColumn, text)
			return "", false
		}
		from, to := starts[line]+column, starts[endLine]+endColumn
		next := len(text)
		if endLine+1 < len(starts) {
			next = starts[endLine+1]
		}
		if to < from || to > next {
			t.Errorf("%s: %s at %d:%d to %d:%d is no place in %q", r, what, line, column, endLine, endColumn, text)
			return "", false
		}
		return text[from:to], true
	}
	for _, p := range d.Problems {
		if said, ok := at(p.Code, p.Line, p.Column, p.Line, p.EndColumn); !ok || p.Code == "" || p.Message == "" || strings.ContainsAny(said, "\r\n") {
			t.Errorf("%s: %+v holds %q in %q", r, p, said, text)
		}
	}
	for _, f := range d.Fields {
		if key, ok := at("a key", f.KeyLine, f.KeyColumn, f.KeyLine, f.KeyEndColumn); ok && isWord(f.Key) && !strings.Contains(key, f.Key) {
			t.Errorf("%s: the key %q is not at %q in %q", r, f.Key, key, text)
		}
		if raw, ok := at("a value", f.Line, f.Column, f.EndLine, f.EndColumn); ok && f.Kind == String && isWord(f.Text) && !strings.Contains(raw, f.Text) && !strings.Contains(raw, "*") {
			t.Errorf("%s: %q is not at %q in %q", r, f.Text, raw, text)
		}
		for _, i := range f.Items {
			if raw, ok := at("an entry", i.Line, i.Column, i.Line, i.EndColumn); ok && r == Cursor && raw != i.Text {
				t.Errorf("%s: %q is not at %q in %q", r, i.Text, raw, text)
			}
		}
	}
}

// isWord tells of a text that stands in a header as it is: not folded, and with
// nothing that quotes would escape.
func isWord(text string) bool {
	return text != "" && !strings.ContainsFunc(text, func(r rune) bool {
		return !(r >= 'a' && r <= 'z') && !(r >= 'A' && r <= 'Z') && !(r >= '0' && r <= '9')
	})
}

func FuzzRead(f *testing.F) {
	for _, seed := range []string{
		"", "---", "---\n---", "---\na: b\n---\nc", "\ufeff---\r\na: *.ts\r\n---\r\n", "x\n---\na: |\n  b\n---\n", "---\na: [b, 'c', *d, {e: f}]\n---\n",
		"---\na: &x b\nc: *x\n---\n", "---\n? a\n: b\n---\n", "---\na: !x y\n---\n", "---\n\"a\": 'b''\n c'\n---\n", "---\na: >-\n  b\n\n   c\n d: e\n---\n",
		"---\na: \u2028b\n---\n", "---\nä: ö\u0085c\n---\n", "---\n\t- a\n---\n", "---\na:\u00a0b\n---\n", "---\n- |\n  a\n- b\n---\n", "---\na: b: c\n---\n",
		"---\na: {b: [c, {d: }]}\n---\n", "---\n%YAML 1.1\n---\n", "---\n\x00\n---\n", "---\n\xff\n---\n", "---\na:\n  - *.ts\n---\n", "---\na: [\n  *b,\n---\n",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > 4096 {
			return
		}
		for _, r := range []Reader{None, YAML, VSCode, Cursor, Continue} {
			check(t, r, text, Read(r, text))
		}
	})
}

// TestWrittenHeaders writes headers in every style and reads them back: kinds,
// texts and places are those that were written, whatever stands around them.
func TestWrittenHeaders(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		end := rapid.SampledFrom([]string{"\n", "\r\n", "\r"}).Draw(t, "line end")
		text := rapid.SampledFrom([]string{"", bom}).Draw(t, "mark") + "---" + end
		var keys, raws, values []string
		for i := range rapid.IntRange(1, 6).Draw(t, "fields") {
			key := fmt.Sprintf("k%d", i)
			value := rapid.StringMatching(`[a-zäöü][a-zäöü*/.,{}_-]{0,8}[a-zäöü]`).Draw(t, "value")
			var raw string
			switch rapid.SampledFrom([]string{"plain", "single", "double", "literal", "flow", "list"}).Draw(t, "style") {
			case "plain":
				raw = value
			case "single":
				raw = "'" + value + "'"
			case "double":
				raw = `"` + value + `"`
			case "literal":
				raw = "|-" + end + "  " + value
			case "flow":
				raw = `[ "` + value + `",'x'  ]`
			case "list":
				raw = end + "  - " + value + end + "  - 'x'"
			}
			blank := rapid.SampledFrom([]string{" ", "  ", " \t"}).Draw(t, "blank")
			text += key + ":" + blank + raw
			if !strings.HasPrefix(raw, "|") {
				text += rapid.SampledFrom([]string{"", " # c", "\t"}).Draw(t, "after")
			}
			text += end + rapid.SampledFrom([]string{"", end, "# c" + end}).Draw(t, "between")
			keys, raws, values = append(keys, key), append(raws, strings.TrimLeft(raw, "\r\n ")), append(values, value)
		}
		text += "---" + end + "body"
		d := Read(YAML, text)
		check(t, YAML, text, d)
		if len(d.Problems) > 0 || len(d.Fields) != len(keys) || d.Body != "body" {
			t.Fatalf("%q: %+v", text, d)
		}
		starts := lineStarts(text, breakLen)
		for i, f := range d.Fields {
			raw, said := text[starts[f.Line]+f.Column:starts[f.EndLine]+f.EndColumn], f.Text
			if f.Kind == List {
				said = f.Items[0].Text
			}
			if f.Key != keys[i] || raw != raws[i] || said != values[i] {
				t.Fatalf("%q: got %+v at %q, want %q at %q", text, f, raw, values[i], raws[i])
			}
		}
	})
}

func BenchmarkRead(b *testing.B) {
	text := "---\ndescription: \"TypeScript style: what we agreed on\"\npaths:\n  - \"src/**/*.ts\"\n  - \"src/**/*.tsx\"\nalwaysApply: false\n---\n" + strings.Repeat("Some words that say a thing or two.\n", 100)
	cursor := "---\ndescription: ts style\nglobs: **/*.ts,**/*.tsx\nalwaysApply: false\n---\n" + strings.Repeat("Some words that say a thing or two.\n", 100)
	for r, text := range map[Reader]string{YAML: text, VSCode: text, Continue: text, Cursor: cursor} {
		b.Run(string(r), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				Read(r, text)
			}
		})
	}
}
