package tools

import (
	"strings"
	"unicode/utf8"
)

// Bounds of an answer. They are opencode's (packages/opencode/src/tool/read.ts and
// truncate.ts of anomalyco/opencode, 2026-07-08), which models are used to.
const (
	// maxAnswer is how many bytes an answer has at most, beside the words on what
	// is missing.
	maxAnswer = 50 << 10
	// maxLines is how many lines of a file are given at once.
	maxLines = 2000
	// maxLine is how many bytes of a line are given.
	maxLine = 2000
)

// page collects lines up to the bound.
type page struct {
	text strings.Builder
	full bool
}

// add appends a line, and tells whether it was taken: what follows the first that
// is too much is not taken either.
func (p *page) add(line string) bool {
	if p.full || p.text.Len()+len(line)+1 > maxAnswer {
		p.full = true
		return false
	}
	p.text.WriteString(line)
	p.text.WriteByte('\n')
	return true
}

// short cuts a line that is too long.
func short(line string) string {
	if len(line) <= maxLine {
		return line
	}
	cut := maxLine
	for !utf8.RuneStart(line[cut]) {
		cut--
	}
	return line[:cut] + " … (cut)"
}
