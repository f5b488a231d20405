package frontmatter

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// oddSpaces finds blanks that look like a space and are none, where that
// matters: around keys and values. Readers keep them as part of the text, so a
// key is not known and a glob matches nothing.
func oddSpaces(s *source) []Problem {
	if !strings.ContainsFunc(s.text, isOddSpace) {
		return nil
	}
	var problems []Problem
	for _, start := range s.lines {
		line := s.text[start:s.lineEnd(start)]
		for i, r := range line {
			if !isOddSpace(r) || !atEdge(line, i, utf8.RuneLen(r)) {
				continue
			}
			message := fmt.Sprintf("this is no space but the character U+%04X, which readers take for part of the text: replace it", r)
			if problems = append(problems, s.problem("nbsp", message, start+i, start+i+utf8.RuneLen(r))); len(problems) == maxProblems {
				return problems
			}
		}
	}
	return problems
}

// isOddSpace lists what looks like a space, or like nothing: the no-break
// spaces, the ideographic space, and those of no width.
func isOddSpace(r rune) bool {
	switch r {
	case '\u00a0', '\u2007', '\u202f', '\u3000', '\u200b', '\ufeff':
		return true
	}
	return false
}

// atEdge tells whether a blank stands at an edge of a line, beside a colon or a
// comma, or after a dash.
func atEdge(line string, at, size int) bool {
	before := strings.TrimRightFunc(line[:at], isAnySpace)
	after := strings.TrimLeftFunc(line[at+size:], isAnySpace)
	return before == "" || after == "" || strings.ContainsAny(before[len(before)-1:], ":,") || strings.ContainsAny(after[:1], ":,") || strings.TrimLeft(before, " ") == "-"
}

func isAnySpace(r rune) bool {
	return r == ' ' || r == '\t' || isOddSpace(r)
}
