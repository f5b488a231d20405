package globs

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Pattern is one pattern of a list.
type Pattern struct {
	Text       string // as it stands in the list, with its "!", without the blanks around it
	Negated    bool   // Text begins with "!"; whether that excludes is the dialect's to say
	Start, End int    // where Text is in the list's text, in bytes
}

// Splitter names a way to write several patterns in one string.
type Splitter string

const (
	// SplitNone says that the string is one pattern, commas and all.
	SplitNone Splitter = "none"
	// SplitComma says that each comma separates, also one inside braces.
	SplitComma Splitter = "comma"
	// SplitCommaBraces says that a comma inside braces or brackets does not separate.
	SplitCommaBraces Splitter = "comma-braces"
)

// Split takes a list apart. Blanks around a pattern are not its own, and what is blank is no pattern. A splitter that
// is none of the constants is taken for [SplitNone].
func Split(s Splitter, text string) []Pattern {
	var patterns []Pattern
	add := func(start, end int) {
		piece := text[start:end]
		trimmed := strings.TrimLeftFunc(piece, unicode.IsSpace)
		start += len(piece) - len(trimmed)
		trimmed = strings.TrimRightFunc(trimmed, unicode.IsSpace)
		if len(trimmed) < end-start && endsEscaped(trimmed, true) {
			// The backslash makes the blank behind it part of the name.
			_, size := utf8.DecodeRuneInString(text[start+len(trimmed):])
			trimmed = text[start : start+len(trimmed)+size]
		}
		if trimmed == "" {
			return
		}
		patterns = append(patterns, Pattern{
			Text: trimmed, Negated: trimmed[0] == '!', Start: start, End: start + len(trimmed),
		})
	}
	from := 0
	for _, comma := range separators(s, text) {
		add(from, comma)
		from = comma + 1
	}
	add(from, len(text))
	return patterns
}

// separators says where the commas are that separate.
func separators(s Splitter, text string) []int {
	if s != SplitComma && s != SplitCommaBraces {
		return nil
	}
	var commas []int
	depth, bracket := 0, false
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '{':
			depth++
		case '}':
			depth = max(depth-1, 0)
		case '[':
			bracket = true
		case ']':
			bracket = false
		case ',':
			if s == SplitComma || depth == 0 && !bracket {
				commas = append(commas, i)
			}
		}
	}
	return commas
}
