package frontmatter

import (
	"fmt"
	"strings"
	"testing"
)

// cut gives what stands at a place of a text, with its lines as an editor
// counts them.
func cut(t *testing.T, text string, line, column, endLine, endColumn int) string {
	t.Helper()
	starts := lineStarts(text, breakLen)
	if line < 0 || endLine < line || endLine >= len(starts) || column < 0 || endColumn < 0 {
		t.Fatalf("%d:%d to %d:%d is no place in %q", line, column, endLine, endColumn, text)
	}
	from, to := starts[line]+column, starts[endLine]+endColumn
	if to < from || to > len(text) {
		t.Fatalf("%d:%d to %d:%d is no place in %q", line, column, endLine, endColumn, text)
	}
	return text[from:to]
}

// shown writes a field as: key kind "text" at its place in the file, with the
// entries of a list.
func shown(t *testing.T, text string, f Field) string {
	t.Helper()
	var b strings.Builder
	fmt.Fprintf(&b, "%s %s %q <%s>", cut(t, text, f.KeyLine, f.KeyColumn, f.KeyLine, f.KeyEndColumn), f.Kind, f.Text, cut(t, text, f.Line, f.Column, f.EndLine, f.EndColumn))
	for _, i := range f.Items {
		fmt.Fprintf(&b, " [%s %q <%s>]", i.Kind, i.Text, cut(t, text, i.Line, i.Column, i.Line, i.EndColumn))
	}
	if f.Kind == Bool {
		fmt.Fprintf(&b, " %v", f.Bool)
	}
	return b.String()
}

func problemsOf(t *testing.T, text string, d Document) []string {
	t.Helper()
	var out []string
	for _, p := range d.Problems {
		out = append(out, fmt.Sprintf("%s %d <%s>", p.Code, p.Line, cut(t, text, p.Line, p.Column, p.Line, p.EndColumn)))
	}
	return out
}

// TestPlacesOfValues holds kind, text and place of whatever YAML can say.
func TestPlacesOfValues(t *testing.T) {
	for _, c := range []struct {
		name, header string
		want         []string
	}{
		{"plain", "a: b\n", []string{`a string "b" <b>`}},
		{"words", "a: b c  d\n", []string{`a string "b c  d" <b c  d>`}},
		{"comment after", "a: b # c\n", []string{`a string "b" <b>`}},
		{"a hash inside", "a: b#c\n", []string{`a string "b#c" <b#c>`}},
		{"blanks around", "a:   b   \n", []string{`a string "b" <b>`}},
		{"no line end", "a: b", []string{`a string "b" <b>`}},
		{"CRLF", "a: b\r\nc: d\r\n", []string{`a string "b" <b>`, `c string "d" <d>`}},
		{"lone CR", "a: b\rc: d\r", []string{`a string "b" <b>`, `c string "d" <d>`}},
		{"double quotes", `a: "b \" c" # d` + "\n", []string{`a string "b \" c" <"b \" c">`}},
		{"single quotes", "a: 'b '' c'\n", []string{`a string "b ' c" <'b '' c'>`}},
		{"empty quotes", "a: ''\n", []string{`a string "" <''>`}},
		{"quotes over lines", "a: \"b\n  c\"\nd: e\n", []string{"a string \"b c\" <\"b\n  c\">", `d string "e" <e>`}},
		{"plain over lines", "a: b  \n\n  c d\n   e\nf: g\n", []string{"a string \"b\\nc d e\" <b  \n\n  c d\n   e>", `f string "g" <g>`}},
		{"plain over CRLF lines", "a: b\r\n  c\r\nf: g\r\n", []string{"a string \"b c\" <b\r\n  c>", `f string "g" <g>`}},
		{"below its key", "a:\n  b\n", []string{`a string "b" <b>`}},
		{"literal block", "a: |\n  b\n\n  c\n\nd: e\n", []string{"a string \"b\\n\\nc\\n\" <|\n  b\n\n  c>", `d string "e" <e>`}},
		{"folded block", "a: >-\n  b\n  c\nd: e\n", []string{"a string \"b c\" <>-\n  b\n  c>", `d string "e" <e>`}},
		{"empty block", "a: |\nb: c\n", []string{`a string "" <|>`, `b string "c" <c>`}},
		{"block with a comment", "a: | # x\n  b\n", []string{"a string \"b\\n\" <| # x\n  b>"}},
		{"block to the end", "a: |+\n  b", []string{"a string \"b\\n\" <|+\n  b>"}},
		{"true", "a: true\n", []string{`a boolean "true" <true> true`}},
		{"False", "a: False # x\n", []string{`a boolean "False" <False> false`}},
		{"yes is a string", "a: yes\n", []string{`a string "yes" <yes>`}},
		{"true in quotes", `a: "true"` + "\n", []string{`a string "true" <"true">`}},
		{"numbers", "a: 12\nb: -1.5\nc: 1_000\n", []string{`a number "12" <12>`, `b number "-1.5" <-1.5>`, `c string "1_000" <1_000>`}},
		{"a date is a string", "a: 2026-11-30\n", []string{`a string "2026-11-30" <2026-11-30>`}},
		{"nothing", "a:\nb: c\n", []string{`a null "" <>`, `b string "c" <c>`}},
		{"nothing but a comment", "a: # b\n", []string{`a null "" <>`}},
		{"null", "a: ~\nb: null\n", []string{`a null "~" <~>`, `b null "null" <null>`}},
		{"list", "a:\n  - b\n  - 'c'\n", []string{"a list \"\" <- b\n  - 'c'> [string \"b\" <b>] [string \"c\" <'c'>]"}},
		{"list at the column of its key", "a:\n- b # x\n- c # y\nd: e\n", []string{"a list \"\" <- b # x\n- c> [string \"b\" <b>] [string \"c\" <c>]", `d string "e" <e>`}},
		{"list with wide blanks", "a:\n  -   b\n", []string{"a list \"\" <-   b> [string \"b\" <b>]"}},
		{"list with an empty entry", "a:\n  - b\n  -\nc: d\n", []string{"a list \"\" <- b\n  -> [string \"b\" <b>] [null \"\" <>]", `c string "d" <d>`}},
		{"list of all kinds", "a:\n  - true\n  - 1\n  - [x]\n  - b: c\n", []string{"a list \"\" <- true\n  - 1\n  - [x]\n  - b: c> [boolean \"true\" <true>] [number \"1\" <1>] [list \"\" <[x]>] [map \"\" <b: c>]"}},
		{"list of blocks", "a:\n  - |\n    b\n  - c\n", []string{"a list \"\" <- |\n    b\n  - c> [string \"b\\n\" <|>] [string \"c\" <c>]"}},
		{"flow list", `a: [b, "c]", 'd' ] # x` + "\n", []string{`a list "" <[b, "c]", 'd' ]> [string "b" <b>] [string "c]" <"c]">] [string "d" <'d'>]`}},
		{"empty flow list", "a: [ ]\n", []string{`a list "" <[ ]>`}},
		{"flow list with a comma at the end", "a: [b,]\n", []string{`a list "" <[b,]> [string "b" <b>]`}},
		{"flow list over lines", "a: [\n  b, # ]\n  c\n]\nd: e\n", []string{"a list \"\" <[\n  b, # ]\n  c\n]> [string \"b\" <b>] [string \"c\" <c>]", `d string "e" <e>`}},
		{"flow list with an apostrophe", "a: [b 'c, d]\n", []string{`a list "" <[b 'c, d]> [string "b 'c" <b 'c>] [string "d" <d>]`}},
		{"nested flow", "a: [[b], {c: d}]\n", []string{`a list "" <[[b], {c: d}]> [list "" <[b]>] [map "" <{c: d}>]`}},
		{"flow map", "a: {b: c, d: }\n", []string{`a map "" <{b: c, d: }>`}},
		{"map", "a:\n  b: c\n  d:\ne: f\n", []string{"a map \"\" <b: c\n  d:>", `e string "f" <f>`}},
		{"quoted key", `"a b": c` + "\n", []string{`"a b" string "c" <c>`}},
		{"number for a key", "1: c\n", []string{`1 string "c" <c>`}},
		{"indented keys", "  a: b\n  c: |\n    d\n", []string{`a string "b" <b>`, "c string \"d\\n\" <|\n    d>"}},
		{"umlauts count as bytes", "ä: ö # ü\n", []string{`ä string "ö" <ö>`}},
		{"umlauts in a flow list", "a: [ä, ö, ü]\n", []string{`a list "" <[ä, ö, ü]> [string "ä" <ä>] [string "ö" <ö>] [string "ü" <ü>]`}},
		{"anchor and alias", "a: &x b\nc: *x\n", []string{`a string "b" <b>`, `c string "b" <*x>`}},
		{"alias of a list", "a: &x\n  - b\nc: *x\n", []string{`a list "" <- b> [string "b" <b>]`, `c list "" <*x> [string "b" <b>]`}},
		{"alias in a list", "a: &x b\nc: [*x, d]\n", []string{`a string "b" <b>`, `c list "" <[*x, d]> [string "b" <*x>] [string "d" <d>]`}},
		{"tag", "a: !!str 1\n", []string{`a string "1" <1>`}},
		{"comments and blank lines", "# x\n\na: b\n\n# y\nc: d\n", []string{`a string "b" <b>`, `c string "d" <d>`}},
		{"escaped glob", `a: "src/**/*.{ts,tsx}"` + "\n", []string{`a string "src/**/*.{ts,tsx}" <"src/**/*.{ts,tsx}">`}},
		{"tab after the colon", "a:\tb\n", []string{`a string "b" <b>`}},
		{"blanks before the colon", "a :\nb\t : c\n", []string{`a null "" <>`, `b string "c" <c>`}},
		{"key with a question mark", "? a\n: b\n", []string{`a string "b" <b>`}},
		{"line separator", "a: \"b\u2028  c\"\nd: e\n", []string{"a string \"b\\u2028c\" <\"b\u2028  c\">", `d string "e" <e>`}},
	} {
		t.Run(c.name, func(t *testing.T) {
			text := "---\n" + c.header + "\n---\nbody"
			d := Read(YAML, text)
			var got []string
			for _, f := range d.Fields {
				got = append(got, shown(t, text, f))
			}
			if len(d.Problems) > 0 || d.Broken || strings.Join(got, "\n") != strings.Join(c.want, "\n") {
				t.Errorf("%q:\n got %q\nwant %q\n%+v", c.header, got, c.want, d.Problems)
			}
		})
	}
}

// TestFaults holds the code and the exact place of what people get wrong.
func TestFaults(t *testing.T) {
	for _, c := range []struct {
		name, header string
		want         []string
	}{
		{"glob", "globs: **/*.ts\n", []string{"yaml-alias 1 <**/*.ts>"}},
		{"glob with a comment", "globs: *.ts # all\n", []string{"yaml-alias 1 <*.ts>"}},
		{"glob that looks like an alias", "globs: *ts\n", []string{"yaml-alias 1 <*ts>"}},
		{"two globs", "a: *.ts\r\nb: x\r\nc: *.js\r\n", []string{"yaml-alias 1 <*.ts>", "yaml-alias 3 <*.js>"}},
		{"globs in a list", "globs:\n  - src/*.ts\n  - *.js\n", []string{"yaml-alias 3 <*.js>"}},
		{"globs in a flow list", "globs: [ä, *.ts , \"*.b\", **]\n", []string{"yaml-alias 1 <*.ts>", "yaml-alias 1 <**>"}},
		{"colon", "name: csv\ndescription: Reads tables: CSV and TSV\n", []string{"yaml-unquoted-colon 2 <Reads tables: CSV and TSV>"}},
		{"colon at the end", "description: Use this:\n", []string{"yaml-unquoted-colon 1 <Use this:>"}},
		{"colon with a comment", "description: a: b  # c\n", []string{"yaml-unquoted-colon 1 <a: b>"}},
		{"colon in a second line", "description: a\n  b: c\n", []string{"yaml-unquoted-colon 2 <b: c>"}},
		{"tab", "a:\n\t- b\n", []string{"yaml-tab 2 <\t>"}},
		{"tab after spaces", "a:\n  \tb: c\n", []string{"yaml-tab 2 <\t>"}},
		{"no colon", "a: \"**\"\nAlways write tests.\n", []string{"yaml-no-colon 2 <Always write tests.>"}},
		{"no space", "a: b\nglobs:*.ts\n", []string{"yaml-no-space 2 <:>"}},
		{"no-break space after the colon", "a: b\nglobs:\u00a0*.ts\n", []string{"yaml-nbsp 2 <\u00a0>", "nbsp 2 <\u00a0>"}},
		{"reserved", "a: @org/team\n", []string{"yaml-reserved 1 <@org/team>"}},
		{"backtick", "a: `x` y\n", []string{"yaml-reserved 1 <`x` y>"}},
		{"text after quotes", "a: \"b\" c # d\n", []string{`yaml-quote 1 <"b" c>`}},
		{"quoted globs with commas", `globs: "*.ts", "*.js"` + "\n", []string{`yaml-quote 1 <"*.ts", "*.js">`}},
		{"unclosed quote", "a: 'b\nc: d\n", []string{"yaml-unclosed-quote 1 <'b>"}},
		{"apostrophe", "a: 'don't'\n", []string{"yaml-quote 1 <'don't'>"}},
		{"braces first", "globs: {a,b}/**\n", []string{"yaml-flow 1 <{a,b}/**>"}},
		{"brackets first", "globs: [a-z]*.ts\n", []string{"yaml-flow 1 <[a-z]*.ts>"}},
		{"unclosed bracket", "globs: [a, b\nc: d\n", []string{"yaml-unclosed-bracket 1 <[a, b>"}},
		{"negated glob", "globs: !src/**\n", []string{"yaml-tag 1 <!src/**>"}},
		{"anchor", "a: &x/y b\nc: *d\n", []string{"yaml-anchor 1 <&x/y b>", "yaml-alias 2 <*d>"}},
		{"list on the line of its key", "a: - b\n", []string{"yaml-dash 1 <->"}},
		{"quote sign", "a: > b\n", []string{"yaml-reserved 1 <> b>"}},
		{"control character", "a: b\x01\n", []string{"yaml-character 1 <\x01>"}},
		{"no mapping", "- a\n- b\n", []string{"yaml-no-mapping 1 <- a>"}},
		{"only text", "just text\n", []string{"yaml-no-mapping 1 <just text>"}},
		{"list for a key", "? [x]\n: y\na: b\n", []string{"key-not-plain 1 <[x]>"}},
		{"duplicate", "a: b\nc: d\na: e\n", []string{"yaml-duplicate-key 3 <a>"}},
		{"two documents", "a: b\n...\nc: d\n", []string{"yaml-dots 2 <...>"}},
		{"indentation", "a:\n    b: c\n  d: e\n", []string{"yaml-indent 3 <d: e>"}},
		{"in a block nothing is a fault", "a: |\n  b: *c: d\n  \t@x\nb: *.ts\n", []string{"yaml-alias 4 <*.ts>"}},
		{"a list under a value", "a: b\n- c\n", []string{"yaml-dash 2 <- c>"}},
		{"a list under a list", "a:\n  - b\n- c\n", []string{"yaml-dash 3 <- c>"}},
		{"a list that goes on is none", "a:\n- b: c\n  d: e\n- f\ng: *.h\n", []string{"yaml-alias 5 <*.h>"}},
		{"text that goes on with a dash is none", "a: b\n  - c\nd: *.e\n", []string{"yaml-alias 3 <*.e>"}},
		{"text that goes on below a list", "a:\n  - b\n    c\nd: *.e\n", []string{"yaml-alias 4 <*.e>"}},
		{"a flow list over lines is none", "a: [\n  b,\n  # *c\n  'd: *e',\n]\nf: *.g\n", []string{"yaml-alias 6 <*.g>"}},
		{"a known alias is none", "a: &x b\nc: *x # d\ne: [*x]\nf: *.g\n", []string{"yaml-alias 4 <*.g>"}},
		{"glob in a map", "a: {b: *.c}\n", []string{"yaml-alias 1 <*.c>"}},
		{"glob for a key in a list", "a:\n  - *.b: c\n", []string{"yaml-alias 2 <*.b: c>"}},
		{"quoted key", "\"a: b\": c: d\n", []string{"yaml-unquoted-colon 1 <c: d>"}},
		{"in quotes neither", "a: \"b\n  *c: d\"\nb: *.ts\n", []string{"yaml-alias 3 <*.ts>"}},
		{"no-break spaces", "a:\n  -\u00a0b\nc: d\u00a0\n\u00a0e: f\u00a0g\n", []string{"nbsp 2 <\u00a0>", "nbsp 3 <\u00a0>", "nbsp 4 <\u00a0>"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			text := "---\n" + c.header + "---\nbody"
			d := Read(YAML, text)
			if got := problemsOf(t, text, d); strings.Join(got, "\n") != strings.Join(c.want, "\n") {
				t.Errorf("%q:\n got %q\nwant %q\n%+v", c.header, got, c.want, d.Problems)
			}
		})
	}
}
