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

// page collects lines up to the bounds.
type page struct {
	text strings.Builder
	full bool
	// count counts tokens, of which there are left; nil where the bytes bound them.
	count func(string) int
	left  int
}

// page is an empty one within the bounds of the place.
func (p *Place) page() page {
	if p.MaxTokens == 0 || p.MaxTokens >= maxAnswer { // no token is less than a byte
		return page{}
	}
	return page{count: p.Count, left: p.MaxTokens}
}

// add appends a line, and tells whether it was taken: what follows the first that
// is too much is not taken either. Of the very first as much is taken as fits, so
// that whoever reads on comes further.
func (p *page) add(line string) bool {
	if p.full || p.text.Len()+len(line)+1 > maxAnswer {
		p.full = true
		return false
	}
	if p.count != nil {
		cost := p.count(line + "\n")
		for kept := line; p.text.Len() == 0 && cost > p.left && len(kept) > 8; {
			kept = strings.ToValidUTF8(kept[:len(kept)/2], "")
			line = kept + wasCut
			cost = p.count(line + "\n")
		}
		if cost > p.left && p.text.Len() > 0 {
			p.full = true
			return false
		}
		p.left -= cost
	}
	p.text.WriteString(line)
	p.text.WriteByte('\n')
	return true
}

// wasCut stands at the end of a line that was.
const wasCut = " … (cut)"

// short cuts a line that is too long.
func short(line string) string {
	if len(line) <= maxLine {
		return line
	}
	cut := maxLine
	for !utf8.RuneStart(line[cut]) {
		cut--
	}
	return line[:cut] + wasCut
}
