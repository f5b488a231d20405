package compress

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// unit is a piece of a text that is kept or dropped as a whole: a sentence, a line of a list or a table, or a code
// block. All units together are the text.
type unit struct {
	from, to int
	code     bool
	heading  bool
	// first says that a paragraph begins here.
	first bool
}

// unitsOf cuts a text. A code block is one unit with its fences, also when it is indented, ends in CRLF, holds shorter
// fences, or is never closed.
func unitsOf(text string) []unit {
	var units []unit
	at, first := 0, true
	for at < len(text) {
		end := lineEnd(text, at)
		line := text[at:end]
		if run := fenceRun(line); run != "" {
			to := blockEnd(text, end, run)
			units = append(units, unit{from: at, to: to, code: true, first: first})
			at, first = to, true
			continue
		}
		trimmed := strings.TrimSpace(line)
		switch {
		case trimmed == "":
			if len(units) > 0 {
				units[len(units)-1].to = end
			} else {
				units = append(units, unit{from: at, to: end})
			}
			first = true
		case strings.HasPrefix(trimmed, "#"):
			units = append(units, unit{from: at, to: end, heading: true, first: true})
			first = true
		default:
			for _, to := range sentenceEnds(text, at, end) {
				units = append(units, unit{from: at, to: to, first: first})
				at, first = to, false
			}
		}
		at = end
	}
	return units
}

func lineEnd(text string, at int) int {
	if n := strings.IndexByte(text[at:], '\n'); n >= 0 {
		return at + n + 1
	}
	return len(text)
}

// fenceRun is the run of marks with which a line opens or closes a code block, "" when it does not.
func fenceRun(line string) string {
	line = strings.TrimSpace(line)
	if len(line) < 3 || line[0] != '`' && line[0] != '~' {
		return ""
	}
	n := len(line) - len(strings.TrimLeft(line, line[:1]))
	if n < 3 || line[0] == '`' && strings.Contains(line[n:], "`") {
		return ""
	}
	return line[:n]
}

// blockEnd is the end of the code block whose content begins at at.
func blockEnd(text string, at int, open string) int {
	for at < len(text) {
		end := lineEnd(text, at)
		run := fenceRun(text[at:end])
		if len(run) >= len(open) && run[0] == open[0] && strings.TrimSpace(text[at:end]) == run {
			return end
		}
		at = end
	}
	return len(text)
}

// sentenceEnds are the ends of the sentences of a line. A full stop ends one when white space follows, and Chinese and
// Japanese ones always do.
func sentenceEnds(text string, from, to int) []int {
	var ends []int
	for i := from; i < to; {
		r, size := utf8.DecodeRuneInString(text[i:to])
		i += size
		switch r {
		case '。', '！', '？':
			ends = append(ends, i)
			continue
		case '.', '!', '?':
		default:
			continue
		}
		after := i
		for after < to {
			next, size := utf8.DecodeRuneInString(text[after:to])
			if !unicode.IsSpace(next) {
				break
			}
			after += size
		}
		if after > i && after < to {
			ends = append(ends, after)
			i = after
		}
	}
	if len(ends) == 0 || ends[len(ends)-1] < to {
		ends = append(ends, to)
	}
	return ends
}
