// Package frontmatter reads the header of an instruction file: the lines
// between two rules of three dashes, in which some tools keep globs and
// descriptions.
//
// Sniff only finds it. Read also reads it, as one tool does: they differ in
// where a header may stand, in what its lines mean, and in what is left of the
// file when it is faulty. Nothing here opens files.
package frontmatter

import "strings"

// Header is the front matter of a text.
type Header struct {
	// Text is what stands between the rules, line ends included.
	Text string
	// Body is what follows the closing rule.
	Body string
	// Lines is the number of lines of the header, both rules included, so that
	// line 0 of Body is line Lines of the file.
	Lines int
}

// rule opens and closes a header. A dot rule (...) ends a YAML document too,
// but no tool that reads instruction files takes it for the end of a header.
const rule = "---"

// bom may stand before the first rule: Cline has allowed it since
// cline/cline#12151, and editors hide it from what they hand on.
const bom = "\ufeff"

// Sniff finds the header of a text. There is none where the first line is no
// rule, or where no rule closes it: such dashes are a line of the text, as
// Markdown has them.
func Sniff(text string) (Header, bool) {
	return sniff(text, isRule)
}

func sniff(text string, isRule func(line string) bool) (Header, bool) {
	first, rest, more := cutLine(strings.TrimPrefix(text, bom))
	if !isRule(first) || !more {
		return Header{}, false
	}
	begin := len(text) - len(rest)
	lines := 1
	for {
		line, after, more := cutLine(rest)
		lines++
		if isRule(line) {
			end := len(text) - len(rest)
			return Header{Text: text[begin:end], Body: after, Lines: lines}, true
		}
		if !more {
			return Header{}, false
		}
		rest = after
	}
}

// isRule tells whether a line is a rule: three dashes at its beginning, and
// nothing but blanks after them.
func isRule(line string) bool {
	after, ok := strings.CutPrefix(line, rule)
	return ok && strings.Trim(after, " \t") == ""
}

// isScriptRule is a rule as regular expressions of JavaScript have it, in which
// white space includes the no-break space (/^---\s*$/ in VS Code and Continue).
func isScriptRule(line string) bool {
	after, ok := strings.CutPrefix(line, rule)
	return ok && trimScript(after) == ""
}
