package globs

import (
	"errors"
	"strings"
	"unicode"
	"unicode/utf8"
)

// class is a bracket expression: one character out of a set.
type class struct {
	ranges    [][2]rune // from and to, both belong
	kinds     []func(rune) bool
	negated   bool
	backwards bool // a range's end is before its start: it holds nothing
}

// maxClass bounds the bytes of a bracket expression, so that reading "[[[[…" stays linear. What is longer counts as not
// closed.
const maxClass = 256

var errUnclosed = errors.New("not closed")

// has says whether c holds r.
func (c *class) has(r rune, ignoreCase bool) bool {
	if c.holds(r) {
		return !c.negated
	}
	if ignoreCase && (c.holds(unicode.ToLower(r)) || c.holds(unicode.ToUpper(r))) {
		return !c.negated
	}
	return c.negated
}

func (c *class) holds(r rune) bool {
	for _, pair := range c.ranges {
		if pair[0] <= r && r <= pair[1] {
			return true
		}
	}
	for _, is := range c.kinds {
		if is(r) {
			return true
		}
	}
	return false
}

// single returns the one character that c holds.
func (c *class) single() (rune, bool) {
	if !c.negated && len(c.kinds) == 0 && len(c.ranges) == 1 && c.ranges[0][0] == c.ranges[0][1] {
		return c.ranges[0][0], true
	}
	return 0, false
}

// classEnd returns the place behind the bracket expression that begins at open, or 0 where it is not closed.
func classEnd(text string, open int, r *rules) int {
	_, end, err := readClass(text, open, r)
	if err != nil {
		return 0
	}
	return end
}

// readClass reads the bracket expression that begins at open and returns the place behind it. A "]" that comes first
// is one of its characters. It ends at a slash: no name has one.
func readClass(text string, open int, r *rules) (*class, int, error) {
	limit := min(len(text), open+maxClass)
	if strings.IndexByte(text[open:limit], ']') < 0 {
		return nil, 0, errUnclosed
	}
	c := &class{}
	i := open + 1
	if i < len(text) && (text[i] == '^' || text[i] == '!' && r.classes.bang) {
		c.negated = true
		i++
	}
	for first := true; i < limit && text[i] != '/'; first = false {
		if text[i] == ']' && !first {
			return c, i + 1, nil
		}
		if kind, size := readKind(text[i:], r); kind != nil {
			c.kinds = append(c.kinds, kind)
			i += size
			continue
		}
		from, size := readMember(text[i:], r)
		i += size
		if i+1 < len(text) && text[i] == '-' && text[i+1] != ']' && text[i+1] != '/' {
			to, size := readMember(text[i+1:], r)
			i += 1 + size
			c.backwards = c.backwards || to < from
			c.ranges = append(c.ranges, [2]rune{from, to})
			continue
		}
		c.ranges = append(c.ranges, [2]rune{from, from})
	}
	return nil, 0, errUnclosed
}

// readMember reads one character of a bracket expression.
func readMember(text string, r *rules) (rune, int) {
	skip := 0
	if r.escapes && text[0] == '\\' && len(text) > 1 {
		skip = 1
	}
	char, size := utf8.DecodeRuneInString(text[skip:])
	return char, skip + size
}

// readKind reads a name like [:alpha:] inside a bracket expression.
func readKind(text string, r *rules) (func(rune) bool, int) {
	if !r.classes.posix || !strings.HasPrefix(text, "[:") {
		return nil, 0
	}
	end := strings.Index(text[:min(len(text), len("[:xdigit:]"))], ":]")
	if end < 0 {
		return nil, 0
	}
	kind := kinds[text[2:end]]
	if kind == nil {
		return nil, 0
	}
	if !r.classes.unicode {
		inner := kind
		kind = func(r rune) bool { return r < utf8.RuneSelf && inner(r) }
	}
	return kind, end + len(":]")
}

// kinds are the names that POSIX has for sets of characters.
var kinds = map[string]func(rune) bool{
	"alnum":  func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) },
	"alpha":  unicode.IsLetter,
	"blank":  func(r rune) bool { return r == '\t' || unicode.Is(unicode.Zs, r) },
	"cntrl":  unicode.IsControl,
	"digit":  unicode.IsDigit,
	"graph":  func(r rune) bool { return unicode.IsGraphic(r) && !unicode.IsSpace(r) },
	"lower":  unicode.IsLower,
	"print":  unicode.IsPrint,
	"punct":  func(r rune) bool { return unicode.IsPunct(r) || r < utf8.RuneSelf && unicode.IsSymbol(r) },
	"space":  unicode.IsSpace,
	"upper":  unicode.IsUpper,
	"word":   func(r rune) bool { return r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r) },
	"xdigit": func(r rune) bool { return r < utf8.RuneSelf && unicode.Is(unicode.ASCII_Hex_Digit, r) },
}
