package tokens

import (
	"strings"
	"unicode/utf8"
)

// Valid returns text as valid UTF-8: each maximal ill-formed part (the longest start of a valid sequence that is cut
// short, else one byte) becomes one U+FFFD, as the Unicode standard recommends and as the Encoding standard's decoder
// and Rust's from_utf8_lossy do it. Valid text is returned as it is, without an allocation.
func Valid(text string) string {
	if utf8.ValidString(text) {
		return text
	}
	var b strings.Builder
	b.Grow(len(text) + 2*utf8.UTFMax)
	done := 0 // text before it is in b
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRuneInString(text[i:])
		if r != utf8.RuneError || size > 1 {
			i += size
			continue
		}
		b.WriteString(text[done:i])
		b.WriteRune(utf8.RuneError)
		i += illFormed(text[i:])
		done = i
	}
	b.WriteString(text[done:])
	return b.String()
}

// illFormed returns the length of the maximal ill-formed part that text starts with, by table 3-7 of the Unicode
// standard: second bytes have a narrower range after E0, ED, F0 and F4.
func illFormed(text string) int {
	low, high, want := byte(0x80), byte(0xBF), 0
	switch lead := text[0]; {
	case lead >= 0xC2 && lead <= 0xDF:
		want = 1
	case lead >= 0xE0 && lead <= 0xEF:
		want = 2
		if lead == 0xE0 {
			low = 0xA0
		} else if lead == 0xED {
			high = 0x9F
		}
	case lead >= 0xF0 && lead <= 0xF4:
		want = 3
		if lead == 0xF0 {
			low = 0x90
		} else if lead == 0xF4 {
			high = 0x8F
		}
	}
	n := 1
	for ; n <= want && n < len(text); n++ {
		if text[n] < low || text[n] > high {
			break
		}
		low, high = 0x80, 0xBF
	}
	return n
}
