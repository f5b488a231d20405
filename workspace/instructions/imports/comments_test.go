package imports

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// TestStripBlockComments holds what goes and what stays.
func TestStripBlockComments(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"none", "a\n", "a\n"},
		{"empty", "", ""},
		{"one line", "<!-- x -->\na\n", "a\n"},
		{"CRLF", "<!-- x -->\r\na\r\n", "a\r\n"},
		{"lone CR", "<!-- x -->\ra\r", "a\r"},
		{"alone", "<!-- x -->", ""},
		{"at the end", "a\n<!-- x -->", "a\n"},
		{"between paragraphs", "a\n\n<!-- x -->\n\nb\n", "a\n\n\nb\n"},
		{"right below text", "a\n<!-- x -->\nb\n", "a\nb\n"},
		{"over lines", "<!-- x\n\ny\n-->\na\n", "a\n"},
		{"indented", "   <!-- x -->  \na\n", "a\n"},
		{"indented as code", "a\n\n    <!-- x -->\n", "a\n\n    <!-- x -->\n"},
		{"indented below text", "a\n    <!-- x -->\n", "a\n    <!-- x -->\n"},
		{"inline", "a <!-- x --> b\n", "a <!-- x --> b\n"},
		{"inline over lines", "a <!-- x\ny --> b\n", "a <!-- x\ny --> b\n"},
		{"in backticks", "`<!-- x -->`\n", "`<!-- x -->`\n"},
		{"in a fence", "```html\n<!-- x -->\n```\n", "```html\n<!-- x -->\n```\n"},
		{"in a fence of tildes", "~~~\n<!-- x -->\n~~~\n<!-- y -->\n", "~~~\n<!-- x -->\n~~~\n"},
		{"in an unclosed fence", "```\n<!-- x -->\n", "```\n<!-- x -->\n"},
		{"a fence in it", "<!--\n```\n-->\na\n<!-- y -->\n", "a\n"},
		{"in other HTML", "<div>\n<!-- x -->\n</div>\n", "<div>\n<!-- x -->\n</div>\n"},
		{"in a script", "<script>\n\n<!-- x -->\n</script>\n<!-- y -->\n", "<script>\n\n<!-- x -->\n</script>\n"},
		{"in a list", "- <!-- x -->\n", "- <!-- x -->\n"},
		{"in a quotation", "> <!-- x -->\n", "> <!-- x -->\n"},
		{"unclosed", "a\n\n<!-- x\n\nb\n", "a\n\n<!-- x\n\nb\n"},
		{"unclosed after a closed one", "<!-- x -->\n<!-- y\nb\n", "<!-- y\nb\n"},
		{"text after it", "<!-- x --> Use bun\na\n", " Use bun\na\n"},
		{"text between two", "<!-- x --> a <!-- y -->\n", " a \n"},
		{"two on a line", "<!-- x --> <!-- y -->\na\n", "a\n"},
		{"an unclosed one after it", "<!-- x --> <!-- y\nb\n", " <!-- y\nb\n"},
		{"short ones", "<!-->\na\n<!--->\nb\n", "a\nb\n"},
		{"dashes inside", "<!-- a -- b ---->\nc\n", "c\n"},
		{"two blocks", "<!-- x -->\n\n<!-- y -->\n\na\n", "\n\na\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got, _ := StripBlockComments(c.text); got != c.want {
				t.Errorf("%q: got %q, want %q", c.text, got, c.want)
			}
			checkStripped(t, c.text)
		})
	}
}

// checkStripped holds that the spans are in order and make up the result, and
// that only comments and blanks went.
func checkStripped(t *testing.T, text string) {
	t.Helper()
	got, spans := StripBlockComments(text)
	var joined, gone strings.Builder
	end := 0
	for i, s := range spans {
		if s.Start < end || s.End < s.Start || s.End > len(text) || (i > 0 && s.Start == end) {
			t.Fatalf("%q: %v", text, spans)
		}
		gone.WriteString(text[end:s.Start])
		joined.WriteString(text[s.Start:s.End])
		end = s.End
	}
	gone.WriteString(text[end:])
	if joined.String() != got {
		t.Errorf("%q: the spans make %q, not %q", text, joined.String(), got)
	}
	for rest := strings.TrimSpace(gone.String()); rest != ""; rest = strings.TrimSpace(rest) {
		size := 0
		if strings.HasPrefix(rest, "<!--") {
			size = commentSize(rest)
		}
		if size == 0 {
			t.Fatalf("%q: %q went, which is no comment", text, rest)
		}
		rest = rest[size:]
	}
}

// TestStrippedOnce holds that what is put between paragraphs goes, and that all
// else stays as it is.
func TestStrippedOnce(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var text, want string
		for range rapid.IntRange(0, 8).Draw(t, "parts") {
			part := rapid.SampledFrom([]string{"a b\n\n", "# h\n\n", "```\n<!-- c -->\n```\n\n", "- x\n\n", "`<!--` y `-->`\n\n", "> q\n\n", "\n"}).Draw(t, "part")
			text, want = text+part, want+part
			if rapid.Bool().Draw(t, "comment") {
				// A comment that is indented no deeper than this ends a list.
				text += "<!--" + rapid.StringMatching("[a-z`@ \n#>-]{0,12}").Draw(t, "comment") + "x-->\n"
			}
		}
		if strings.Contains(text, "--->") || strings.Contains(text, "<!-->") {
			return
		}
		got, _ := StripBlockComments(text)
		if strings.Count(text, "-->") != strings.Count(text, "<!--") {
			return // one that ends early leaves text
		}
		if got != want {
			t.Fatalf("%q: got %q, want %q", text, got, want)
		}
	})
}
