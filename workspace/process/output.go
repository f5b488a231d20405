package process

import (
	"regexp"
	"strings"
	"unicode"
)

// terminalOrder is an escape sequence of ECMA-48: a colour, a move of the cursor, a title.
var terminalOrder = regexp.MustCompile("\x1b(?:\\[[0-?]*[ -/]*[@-~]|\\][^\x07\x1b]*(?:\x07|\x1b\\\\)?|[ -/]+[0-~]|[@-Z\\\\^_])")

// Text is what a program printed as text of its own: valid UTF-8, U+FFFD for what is not, lines that end with a line
// feed, without orders to a terminal. It is false for what holds a NUL byte, which no text does.
func Text(printed []byte) (text string, ok bool) {
	text = strings.TrimPrefix(strings.ToValidUTF8(string(printed), "\ufffd"), "\ufeff")
	if strings.ContainsRune(text, '\x1b') {
		text = terminalOrder.ReplaceAllString(text, "")
	}
	return strings.ReplaceAll(text, "\r\n", "\n"), !strings.ContainsRune(text, 0)
}

// printable keeps a message of a program from writing lines or orders to a terminal.
func printable(r rune) rune {
	if unicode.IsPrint(r) {
		return r
	}
	return ' '
}

func isWord(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }
