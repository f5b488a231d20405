package workspace

import (
	"fmt"
	"unicode/utf8"
)

// Encoding says in which units a Position counts the characters of a line. The
// names are LSP's.
type Encoding string

// The encodings that LSP knows.
const (
	UTF8  Encoding = "utf-8"  // bytes
	UTF16 Encoding = "utf-16" // UTF-16 code units; what a client speaks that says nothing
	UTF32 Encoding = "utf-32" // Unicode code points
)

// Position is a place between two characters. Both numbers count from 0;
// Character counts units of an Encoding from the start of the line.
type Position struct {
	Line      int
	Character int
}

// Range is the text from Start up to, not including, End.
type Range struct {
	Start Position
	End   Position
}

func (p Position) String() string { return fmt.Sprintf("%d:%d", p.Line, p.Character) }

func (r Range) String() string { return r.Start.String() + "-" + r.End.String() }

// unitsOf is how many units of enc the character r takes that is size bytes long.
func unitsOf(r rune, size int, enc Encoding) int {
	switch enc {
	case UTF8:
		return size
	case UTF32:
		return 1
	default:
		if r > 0xffff {
			return 2
		}
		return 1
	}
}

// bytesFor is how many bytes of line the first units units of enc take. A count
// beyond the end of the line is the end of the line, as LSP says; a count that
// ends inside a character is an error.
func bytesFor[T ~string | ~[]byte](line T, units int, enc Encoding) (int, error) {
	at := asciiPrefix(line[:min(units, len(line))])
	for left := units - at; left > 0 && at < len(line); {
		r, size := decode(line[at:])
		n := unitsOf(r, size, enc)
		if n > left {
			return 0, fmt.Errorf("character %d (%s) is in the middle of %q", units, enc, r)
		}
		left -= n
		at += size
	}
	return at, nil
}

// unitsFor is how many units of enc line takes.
func unitsFor(line string, enc Encoding) int {
	if enc == UTF8 {
		return len(line)
	}
	at := asciiPrefix(line)
	units := at
	for at < len(line) {
		r, size := utf8.DecodeRuneInString(line[at:])
		units += unitsOf(r, size, enc)
		at += size
	}
	return units
}

// asciiPrefix is the length of the ASCII text at the start of line: there one
// byte is one unit in every encoding, and most lines are nothing else.
func asciiPrefix[T ~string | ~[]byte](line T) int {
	i := 0
	for ; i+8 <= len(line); i += 8 {
		w := line[i : i+8]
		if w[0]|w[1]|w[2]|w[3]|w[4]|w[5]|w[6]|w[7] >= utf8.RuneSelf {
			break
		}
	}
	for i < len(line) && line[i] < utf8.RuneSelf {
		i++
	}
	return i
}

func decode[T ~string | ~[]byte](s T) (rune, int) {
	return utf8.DecodeRuneInString(string(s[:min(len(s), utf8.UTFMax)]))
}
