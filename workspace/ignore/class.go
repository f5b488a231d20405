package ignore

import (
	"fmt"
	"strings"
)

// posixClasses are the names that may stand in [[:name:]], as git understands them: of ASCII only.
var posixClasses = map[string]func(c byte) bool{
	"alnum":  func(c byte) bool { return isLetter(c) || isDigit(c) },
	"alpha":  isLetter,
	"blank":  func(c byte) bool { return c == ' ' || c == '\t' },
	"cntrl":  func(c byte) bool { return c < ' ' || c == 0x7f },
	"digit":  isDigit,
	"graph":  func(c byte) bool { return c > ' ' && c < 0x7f },
	"lower":  func(c byte) bool { return 'a' <= c && c <= 'z' },
	"print":  func(c byte) bool { return c >= ' ' && c < 0x7f },
	"punct":  func(c byte) bool { return c > ' ' && c < 0x7f && !isLetter(c) && !isDigit(c) },
	"space":  func(c byte) bool { return c == ' ' || '\t' <= c && c <= '\r' },
	"upper":  func(c byte) bool { return 'A' <= c && c <= 'Z' },
	"xdigit": func(c byte) bool { return isDigit(c) || 'a' <= c && c <= 'f' || 'A' <= c && c <= 'F' },
}

func isDigit(c byte) bool  { return '0' <= c && c <= '9' }
func isLetter(c byte) bool { return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' }

// rewriteClass reads a character class as git's wildmatch does, beginning after "[", and spells the same set of
// characters for go-git. It is not ok where git would match nothing: a class without an end, an unknown [:name:].
func rewriteClass(text string) (class, rest string, ok bool) {
	runes := []rune(text)
	at := func(i int) rune {
		if i < len(runes) {
			return runes[i]
		}
		return -1
	}
	i, negated := 0, false
	if at(i) == '!' || at(i) == '^' {
		negated = true
		i++
	}
	var set [256]bool
	add := func(r rune) {
		if 0 <= r && r < 256 {
			set[r] = true
		}
	}
	previous := rune(-1) // the character that a range can begin with
	for first := true; first || at(i) != ']'; first = false {
		c := at(i)
		switch {
		case c == -1:
			return "", "", false
		case c == '\\':
			i++
			if c = at(i); c == -1 {
				return "", "", false
			}
			add(c)
			previous = c
		case c == '-' && previous >= 0 && at(i+1) != -1 && at(i+1) != ']':
			i++
			c = at(i)
			if c == '\\' {
				i++
				if c = at(i); c == -1 {
					return "", "", false
				}
			}
			for r := previous; r <= c && r < 256; r++ {
				set[r] = true
			}
			previous = -1 // a-b-c is the range and two characters
		case c == '[' && at(i+1) == ':':
			end := i + 2
			for at(end) != -1 && at(end) != ']' {
				end++
			}
			if at(end) == -1 {
				return "", "", false
			}
			if end-i < 3 || at(end-1) != ':' {
				add(c) // no :] here: the bracket is itself
				previous = c
				break
			}
			is, known := posixClasses[string(runes[i+2:end-1])]
			if !known {
				return "", "", false
			}
			for r := range 128 {
				set[r] = set[r] || is(byte(r))
			}
			i, previous = end, -1
		default:
			add(c)
			previous = c
		}
		i++
	}
	return spell(set, negated), string(runes[min(i+1, len(runes)):]), true
}

// spell writes a set as a class for path/filepath's syntax, which go-git uses.
func spell(set [256]bool, negated bool) string {
	set['/'] = false // a name has none, and go-git would cut the pattern there
	var b strings.Builder
	for lo := 0; lo < len(set); lo++ {
		if !set[lo] {
			continue
		}
		hi := lo
		for hi+1 < len(set) && set[hi+1] {
			hi++
		}
		b.WriteString(escape(lo))
		if hi > lo {
			b.WriteString("-" + escape(hi))
		}
		lo = hi
	}
	switch {
	case b.Len() > 0 && negated:
		return "[^" + b.String() + "]"
	case b.Len() > 0:
		return "[" + b.String() + "]"
	case negated:
		return "?" // nothing is left out
	}
	return "[\x01-\x01]" // nothing is in: a character that no name has
}

func escape(c int) string {
	if strings.ContainsRune(`\]-^[`, rune(c)) {
		return fmt.Sprintf(`\%c`, c)
	}
	return string(rune(c))
}
