package frontmatter

import (
	"strings"
	"testing"
)

func TestSniff(t *testing.T) {
	for _, c := range []struct {
		name, text, header, body string
		lines                    int
		ok                       bool
	}{
		{"plain text", "# Rules\n", "", "", 0, false},
		{"empty", "", "", "", 0, false},
		{"header and body", "---\nglobs: *.ts\n---\nBody\n", "globs: *.ts\n", "Body\n", 3, true},
		{"empty header", "---\n---\nBody", "", "Body", 2, true},
		{"nothing after it", "---\na: b\n---", "a: b\n", "", 3, true},
		{"CRLF", "---\r\na: b\r\n---\r\nBody", "a: b\r\n", "Body", 3, true},
		{"blanks after the rules", "---  \na: b\n--- \t\nBody", "a: b\n", "Body", 3, true},
		{"never closed", "---\na: b\n", "", "", 0, false},
		{"only a rule", "---", "", "", 0, false},
		{"four dashes are a line of Markdown", "----\na\n----\n", "", "", 0, false},
		{"a blank line before it", "\n---\na: b\n---\n", "", "", 0, false},
		{"an indented rule does not close it", "---\na: |\n ---\n---\nB", "a: |\n ---\n", "B", 4, true},
		{"lone CR", "---\ra: b\r---\rBody", "a: b\r", "Body", 3, true},
		{"byte order mark", "\ufeff---\na: b\n---\nBody", "a: b\n", "Body", 3, true},
		{"a no-break space after the rule", "---\u00a0\na: b\n---\nBody", "", "", 0, false},
		{"dots do not close it", "---\na: b\n...\nBody", "", "", 0, false},
		{"the first closing rule counts", "---\na\n---\nb\n---\n", "a\n", "b\n---\n", 3, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			h, ok := Sniff(c.text)
			if ok != c.ok || h.Text != c.header || h.Body != c.body || h.Lines != c.lines {
				t.Errorf("Sniff(%q) = %+v %v", c.text, h, ok)
			}
		})
	}
}

// FuzzSniff holds that header and body are parts of the text, in their order,
// and that the count of lines leads to the body.
func FuzzSniff(f *testing.F) {
	for _, seed := range []string{"", "---", "---\n---", "---\na: b\n---\nc", "---\r\n---\r\n", "\ufeff---\r---\r", "--- \n\x00\n---\n", "---\n\xff\n---\n---\n"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		h, ok := Sniff(text)
		if !ok {
			if h != (Header{}) {
				t.Errorf("no header, and yet %+v", h)
			}
			return
		}
		starts := lineStarts(text, breakLen)
		if !strings.HasSuffix(text, h.Body) || !strings.HasPrefix(text[starts[1]:], h.Text) {
			t.Errorf("%+v is no part of %q", h, text)
		}
		if n := len(lineStarts(text[:len(text)-len(h.Body)], breakLen)) - 1; n != h.Lines && n != h.Lines-1 {
			t.Errorf("%d lines, and the body begins after %d", h.Lines, n)
		}
		for i := 1; i < h.Lines-1; i++ {
			if line, _, _ := cutLine(text[starts[i]:]); isRule(line) {
				t.Errorf("a rule inside the header %q", h.Text)
			}
		}
	})
}
