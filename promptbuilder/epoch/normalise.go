package epoch

import (
	"strings"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// Same tells whether two texts say the same to a model: they differ at most in
// what [Normalise] takes away.
func Same(a, b string) bool {
	return a == b || Normalise(a) == Normalise(b)
}

// Normalise gives the form in which texts are compared: without byte order
// marks at the beginning of lines, with "\n" for every line end, without blanks
// at the ends of lines and of the text, and composed (Unicode's NFC). An editor
// that saves a file with other line ends changed nothing that a model should be
// told. The form is for comparison only; what is said is the text as it is.
func Normalise(text string) string {
	if !utf8.ValidString(text) {
		text = repair(text)
	}
	text = norm.NFC.String(text)
	if tidy(text) {
		return text
	}
	var b strings.Builder
	b.Grow(len(text))
	for len(text) > 0 {
		line, rest, end := text, "", false
		if i := strings.IndexAny(text, "\r\n"); i >= 0 {
			line, rest, end = text[:i], text[i+1:], true
			if text[i] == '\r' && strings.HasPrefix(rest, "\n") {
				rest = rest[1:]
			}
		}
		b.WriteString(strings.TrimRight(strings.TrimLeft(line, mark), blanks))
		if end {
			b.WriteByte('\n')
		}
		text = rest
	}
	return strings.TrimRight(b.String(), "\n")
}

const (
	mark   = "\uFEFF"
	blanks = " \t\v\f"
)

// tidy tells whether a text has nothing that is to be taken away.
func tidy(text string) bool {
	before := byte('\n')
	for i := range len(text) {
		switch c := text[i]; {
		case c == '\r':
			return false
		case c == '\n' && strings.IndexByte(blanks, before) >= 0:
			return false
		case before == '\n' && strings.HasPrefix(text[i:], mark):
			return false
		}
		before = text[i]
	}
	return len(text) == 0 || before != '\n' && strings.IndexByte(blanks, before) < 0
}

// repair puts U+FFFD for each byte that is not UTF-8, as encoding/json does, so
// that a text that was stored compares equal to the one that was said.
func repair(text string) string { return string([]rune(text)) }
