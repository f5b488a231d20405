package frontmatter

import (
	"sort"
	"strings"
	"unicode"
	"unicode/utf8"
)

// cutLine cuts a text after its first line end, which is \n, \r\n or a lone \r
// as in an editor; more tells that there was one.
func cutLine(text string) (line, rest string, more bool) {
	i := strings.IndexAny(text, "\r\n")
	if i < 0 {
		return text, "", false
	}
	return text[:i], text[i+breakLen(text, i):], true
}

// breakLen is the length of the line end at i, 0 where there is none.
func breakLen(text string, i int) int {
	switch {
	case i >= len(text):
		return 0
	case text[i] == '\n':
		return 1
	case text[i] == '\r' && i+1 < len(text) && text[i+1] == '\n':
		return 2
	case text[i] == '\r':
		return 1
	}
	return 0
}

// yamlBreakLen is as breakLen, with the three characters that the YAML library
// counts as line ends too: NEL, LS and PS, as YAML 1.1 does. No editor does.
func yamlBreakLen(text string, i int) int {
	if n := breakLen(text, i); n > 0 || i >= len(text) || text[i] < utf8.RuneSelf {
		return n
	}
	switch r, size := utf8.DecodeRuneInString(text[i:]); r {
	case '\u0085', '\u2028', '\u2029':
		return size
	}
	return 0
}

// source is a header with the place where it stands in its file.
type source struct {
	text  string
	first int   // the 0-based line of the file at which text begins
	lines []int // where each line of text begins, as an editor counts
	yaml  []int // as the YAML library counts; the same slice where they agree
	ascii bool  // each character is one byte
	last  spot  // where offset came to, so that it need not begin again
}

// spot is a place on a line as the YAML library counts, with its offset.
type spot struct{ line, column, offset int }

func newSource(text string, first int) *source {
	s := &source{text: text, first: first, lines: lineStarts(text, breakLen), ascii: !strings.ContainsFunc(text, isWide)}
	s.yaml = s.lines
	if strings.ContainsAny(text, "\u0085\u2028\u2029") {
		s.yaml = lineStarts(text, yamlBreakLen)
	}
	return s
}

// countBreaks is the number of line ends of a text.
func countBreaks(text string) int {
	n := 0
	for i := 0; i < len(text); i++ {
		if text[i] == '\n' || (text[i] == '\r' && (i+1 == len(text) || text[i+1] != '\n')) {
			n++
		}
	}
	return n
}

func lineStarts(text string, breakLen func(string, int) int) []int {
	starts := []int{0}
	for i := 0; i < len(text); {
		n := breakLen(text, i)
		if i += max(n, 1); n > 0 {
			starts = append(starts, i)
		}
	}
	return starts
}

// at gives the line of the file and the column of an offset.
func (s *source) at(offset int) (line, column int) {
	i := sort.SearchInts(s.lines, offset+1) - 1
	return s.first + i, offset - s.lines[i]
}

// offset gives the byte at which a node of the YAML library begins: its lines
// and columns count from 1, and its columns count characters.
func (s *source) offset(line, column int) int {
	if line < 1 || line > len(s.yaml) {
		return len(s.text)
	}
	i, at := s.yaml[line-1], 1
	if s.ascii {
		return min(i+column-1, len(s.text))
	}
	if s.last.line == line && s.last.column <= column {
		i, at = s.last.offset, s.last.column
	}
	for ; at < column && i < len(s.text); at++ {
		_, size := utf8.DecodeRuneInString(s.text[i:])
		i += size
	}
	s.last = spot{line, at, i}
	return i
}

func isWide(r rune) bool { return r >= utf8.RuneSelf }

// lineEnd is the offset at which the line of an offset ends, without its line
// end.
func (s *source) lineEnd(offset int) int {
	next := sort.SearchInts(s.lines, offset+1)
	if next == len(s.lines) {
		return len(s.text)
	}
	end := s.lines[next] - 1
	if s.text[end] == '\n' && end > 0 && s.text[end-1] == '\r' {
		end--
	}
	return max(end, min(offset, len(s.text)))
}

// lineStart is the offset at which the line of an offset begins.
func (s *source) lineStart(offset int) int {
	return s.lines[sort.SearchInts(s.lines, offset+1)-1]
}

// problem makes one of a stretch of the header; what goes on over more lines is
// cut after the first.
func (s *source) problem(code, message string, start, end int) Problem {
	line, column := s.at(start)
	return Problem{Code: code, Message: message, Line: line, Column: column, EndColumn: column + max(0, min(end, s.lineEnd(start))-start)}
}

// trimScript trims what JavaScript's trim and \s take for white space.
func trimScript(text string) string {
	return strings.TrimFunc(text, isScriptSpace)
}

func isScriptSpace(r rune) bool {
	return r == '\ufeff' || (r != '\u0085' && unicode.IsSpace(r))
}
