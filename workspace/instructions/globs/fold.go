package globs

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// equal says whether a and b are the same text, or the same but for letter case.
func equal(a, b string, ignoreCase bool) bool {
	if !ignoreCase {
		return a == b
	}
	return prefixLen(a, b, true) == len(a)
}

// prefixLen returns how many bytes at the start of text are prefix, or -1.
func prefixLen(text, prefix string, ignoreCase bool) int {
	if !ignoreCase {
		if strings.HasPrefix(text, prefix) {
			return len(prefix)
		}
		return -1
	}
	at := 0
	for i := 0; i < len(prefix); {
		if at == len(text) {
			return -1
		}
		want, size := utf8.DecodeRuneInString(prefix[i:])
		have, taken := utf8.DecodeRuneInString(text[at:])
		if want != have && folded(want) != folded(have) {
			return -1
		}
		i += size
		at += taken
	}
	return at
}

// hasSuffix says whether text ends with suffix.
func hasSuffix(text, suffix string, ignoreCase bool) bool {
	if !ignoreCase {
		return strings.HasSuffix(text, suffix)
	}
	for suffix != "" {
		want, size := utf8.DecodeLastRuneInString(suffix)
		have, taken := utf8.DecodeLastRuneInString(text)
		if taken == 0 || want != have && folded(want) != folded(have) {
			return false
		}
		suffix = suffix[:len(suffix)-size]
		text = text[:len(text)-taken]
	}
	return true
}

// folded is what letters that differ in case alone share. As in JavaScript, no letter beyond ASCII is the same as one
// of ASCII.
func folded(r rune) rune {
	if r < utf8.RuneSelf {
		if 'A' <= r && r <= 'Z' {
			r += 'a' - 'A'
		}
		return r
	}
	if upper := unicode.ToUpper(r); upper >= utf8.RuneSelf {
		return upper
	}
	return r
}
