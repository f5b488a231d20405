// Package frontmatter finds the header of an instruction file: the lines
// between two rules of three dashes at its very beginning, in which some tools
// keep globs and descriptions.
//
// It only finds the header; what its lines mean differs by tool.
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

// Sniff finds the header of a text. There is none where the first line is no
// rule, or where no rule closes it: such dashes are a line of the text, as
// Markdown has them.
func Sniff(text string) (Header, bool) {
	first, rest, more := cutLine(text)
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
	return ok && strings.Trim(after, " \t\r") == ""
}

// cutLine cuts a text after its first line end; more tells that there was one.
func cutLine(text string) (line, rest string, more bool) {
	return strings.Cut(text, "\n")
}
