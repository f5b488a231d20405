package fsys

import (
	"strings"
	"unicode/utf8"
)

// sniffed is what raw bytes turned out to be.
type sniffed struct {
	text     string // valid UTF-8 without byte order mark; "" when refused
	bom      bool
	repaired bool
	refused  Reason // "", ReasonBinary or ReasonUTF16
	detail   string // why it was refused
}

// sampleSize is how much of a file is looked at to tell text from data when no
// single byte decides it; file(1) and git look at about as much.
const sampleSize = 8000

// sniff decides whether raw is text, and makes valid UTF-8 of it.
func sniff(raw string) sniffed {
	if name := wideEncoding(raw); name != "" {
		return sniffed{refused: ReasonUTF16, detail: "it is " + name + "; save it as UTF-8"}
	}
	if strings.IndexByte(raw, 0) >= 0 {
		return sniffed{refused: ReasonBinary, detail: "it holds NUL bytes, so it is not a text file"}
	}
	body, bom := strings.CutPrefix(raw, "\ufeff")
	if utf8.ValidString(body) {
		return sniffed{text: body, bom: bom}
	}
	if looksCompressed(body) {
		return sniffed{refused: ReasonBinary, detail: "many of its bytes are no text in any common encoding"}
	}
	return sniffed{text: repair(body), bom: bom, repaired: true}
}

// wideEncoding names the UTF-16 or UTF-32 encoding of raw, "" when it has none.
// Without a byte order mark only text that is mostly ASCII is recognised: every
// second byte of it is NUL.
func wideEncoding(raw string) string {
	switch {
	case strings.HasPrefix(raw, "\xff\xfe\x00\x00"), strings.HasPrefix(raw, "\x00\x00\xfe\xff"):
		return "UTF-32"
	case strings.HasPrefix(raw, "\xff\xfe"), strings.HasPrefix(raw, "\xfe\xff"):
		return "UTF-16"
	}
	sample := raw[:min(len(raw), sampleSize)&^1]
	if len(sample) < 4 || strings.IndexByte(sample, 0) < 0 {
		return ""
	}
	var zeros [2]int
	for i := range len(sample) {
		if sample[i] == 0 {
			zeros[i&1]++
		}
	}
	half := len(sample) / 2
	if (zeros[0] == 0 && zeros[1] > half/2) || (zeros[1] == 0 && zeros[0] > half/2) {
		return "UTF-16 without a byte order mark"
	}
	return ""
}

// looksCompressed finds data that happens to hold no NUL in its sample: much
// invalid UTF-8 and many control characters together. Text in an old 8-bit
// encoding has the first and not the second; a log with colours the second and
// not the first.
func looksCompressed(raw string) bool {
	sample := raw[:min(len(raw), sampleSize)]
	invalid, control := 0, 0
	for i := 0; i < len(sample); {
		r, size := utf8.DecodeRuneInString(sample[i:])
		if r == utf8.RuneError && size == 1 {
			invalid++
		} else if r < ' ' && r != '\t' && r != '\n' && r != '\r' && r != '\f' && r != 0x1b || r == 0x7f {
			control++
		}
		i += size
	}
	return invalid*10 > len(sample) && control*50 > len(sample)
}

// repair replaces each maximal ill-formed part by one U+FFFD, as the Unicode
// standard recommends and as editors show it: a character cut short is one mark,
// every stray byte is one of its own.
func repair(s string) string {
	var b strings.Builder
	b.Grow(len(s) + 16)
	for i := 0; i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		if r != utf8.RuneError || size != 1 {
			b.WriteString(s[i : i+size])
			i += size
			continue
		}
		b.WriteRune(utf8.RuneError)
		i += illFormed(s[i:])
	}
	return b.String()
}

// illFormed is the length of the ill-formed part at the start of s: the longest
// beginning of a well-formed character, or one byte.
func illFormed(s string) int {
	n := 1
	for n < len(s) && n < utf8.UTFMax-1 && !utf8.FullRuneInString(s[:n+1]) {
		n++
	}
	return n
}
