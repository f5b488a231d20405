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
		if want, have := prefix[i], text[at]; want < utf8.RuneSelf && have < utf8.RuneSelf {
			if lower(want) != lower(have) {
				return -1
			}
			i++
			at++
			continue
		}
		want, size := utf8.DecodeRuneInString(prefix[i:])
		have, taken := utf8.DecodeRuneInString(text[at:])
		if folded(want) != folded(have) {
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
	for i, at := len(suffix), len(text); i > 0; {
		if at == 0 {
			return false
		}
		if want, have := suffix[i-1], text[at-1]; want < utf8.RuneSelf && have < utf8.RuneSelf {
			if lower(want) != lower(have) {
				return false
			}
			i--
			at--
			continue
		}
		want, size := utf8.DecodeLastRuneInString(suffix[:i])
		have, taken := utf8.DecodeLastRuneInString(text[:at])
		if folded(want) != folded(have) {
			return false
		}
		i -= size
		at -= taken
	}
	return true
}

// lower is folded for ASCII.
func lower(c byte) byte {
	if c-'A' < 26 {
		return c + ('a' - 'A')
	}
	return c
}

// folded is what letters that differ in case alone share. As in JavaScript, no letter beyond ASCII is the same as one
// of ASCII: there all are lower case, and here none is.
func folded(r rune) rune {
	if r < utf8.RuneSelf {
		return rune(lower(byte(r)))
	}
	return unicode.ToUpper(r)
}
