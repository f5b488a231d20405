package globs

import (
	"errors"
	"strings"
	"unicode"
	"unicode/utf8"
)

// element is a piece of a segment's pattern.
type element struct {
	kind  elementKind
	first bool        // nothing is before it in the segment, so that it must not match a hidden dot
	text  string      // of a literal
	class *class      // of a class
	group groupKind   // of a group
	alts  [][]element // of a group
}

type elementKind uint8

const (
	literal elementKind = iota // its text
	anyChar                    // one character
	anyText                    // any number of characters
	oneOf                      // one character of a class
	group                      // one of several patterns, or a number of them
)

// segment is the pattern of one name of a path, between two slashes.
type segment struct {
	shape    segmentShape
	elements []element
}

// segmentShape names the segments that can be answered without looking at each character.
type segmentShape uint8

const (
	shapeGeneral segmentShape = iota
	shapeLiteral              // one literal
	shapeAny                  // *
	shapeSuffix               // * and a literal
	shapeGroups               // there are groups
)

// reader reads a segment's pattern, and notes what is odd in it.
type reader struct {
	text    string
	rules   *rules
	pos     int
	depth   int         // of groups
	closing map[int]int // place of a group's body to that of its ), made when first asked for
	loops   int         // of groups that repeat

	unclosed  bool // a bracket is not closed
	backwards bool // a range holds nothing
	escaped   bool // an ordinary character is escaped
	notClass  bool // [!a] that is no negation
}

const (
	// maxGroupDepth and maxLoops bound groups in groups, and with that the time that one segment takes: each loop
	// in a loop costs another factor of the name's length.
	maxGroupDepth = 8
	maxLoops      = 2
)

var errDeepGroups = errors.New("too many groups in one another")

// readSegment reads the pattern of one name.
func readSegment(rd *reader) (segment, error) {
	elements, err := rd.elements(false, true)
	if err != nil {
		return segment{}, err
	}
	s := segment{elements: elements}
	switch {
	case len(elements) == 0:
		s.elements = []element{{kind: literal}}
		s.shape = shapeLiteral
	case len(elements) == 1 && elements[0].kind == literal:
		s.shape = shapeLiteral
	case len(elements) == 1 && elements[0].kind == anyText:
		s.shape = shapeAny
	case len(elements) == 2 && elements[0].kind == anyText && elements[1].kind == literal:
		s.shape = shapeSuffix
	}
	for _, e := range elements {
		if e.kind == group {
			s.shape = shapeGroups
		}
	}
	return s, nil
}

// elements reads up to the end of the segment, or of the alternative in a group. First says that nothing is before it
// in the segment.
func (rd *reader) elements(inGroup, first bool) ([]element, error) {
	var out []element
	var text strings.Builder
	add := func(e element) {
		e.first = first
		out = append(out, e)
		first = false
	}
	flush := func() {
		if text.Len() > 0 {
			add(element{kind: literal, text: text.String()})
			text.Reset()
		}
	}
	run := 0 // where in out the elements since the last group begin
	endRun := func() {
		flush()
		if grouped := inGroup || run > 0; rd.rules.groups == groupsMarked && grouped && len(out) == run+1 && out[run].kind == anyText {
			// minimatch takes a star that has nothing but groups beside it for at least one character.
			out = append(out, element{kind: anyChar, first: out[run].first})
		}
	}
	for rd.pos < len(rd.text) {
		c := rd.text[rd.pos]
		if inGroup && (c == '|' || c == ')') {
			break
		}
		if kind, size, end := rd.groupAt(); end > 0 {
			if endRun(); len(out) == 1 && out[0].kind == anyText && rd.rules.groups == groupsMarked {
				out = append(out, element{kind: anyChar, first: true})
			}
			g, err := rd.readGroup(kind, size, first)
			if err != nil {
				return nil, err
			}
			add(g)
			run = len(out)
			continue
		}
		switch {
		case c == '\\' && rd.rules.escapes && rd.pos+1 < len(rd.text):
			rd.pos++
			next, size := utf8.DecodeRuneInString(rd.text[rd.pos:])
			rd.escaped = rd.escaped || suspiciousEscape(next)
			text.WriteString(rd.text[rd.pos : rd.pos+size])
			rd.pos += size
			continue
		case c == '?':
			flush()
			add(element{kind: anyChar})
		case c == '*':
			flush()
			if len(out) == run || out[len(out)-1].kind != anyText {
				add(element{kind: anyText})
			}
		case c == '[':
			cl, end, err := readClass(rd.text, rd.pos, rd.rules)
			if err != nil {
				rd.unclosed = true
				text.WriteByte(c)
				break
			}
			rd.backwards = rd.backwards || cl.backwards
			rd.notClass = rd.notClass || rd.text[rd.pos+1] == '!' && !rd.rules.classes.bang
			rd.pos = end
			if only, ok := cl.single(); ok {
				text.WriteRune(only)
				continue
			}
			flush()
			add(element{kind: oneOf, class: cl})
			continue
		case c == ']' && rd.rules.classes.unclosed == unclosedBroken && rd.rules.fold:
			// VS Code writes an empty set of characters for a bracket that closes nothing.
			rd.unclosed = true
			text.WriteByte(c)
		default:
			text.WriteByte(c)
		}
		rd.pos++
	}
	endRun()
	return out, nil
}

// suspiciousEscape says whether nobody needs to escape r: it is an ordinary character, which a backslash precedes on
// Windows, or one that a Markdown formatter escapes.
func suspiciousEscape(r rune) bool {
	return r == '*' || r == '_' || r == '.' || r == '-' || unicode.IsLetter(r) || unicode.IsDigit(r)
}

// match says whether name is what s describes.
func (s *segment) match(name string, r *rules) bool {
	if !r.dot && strings.HasPrefix(name, ".") && s.elements[0].kind != literal && s.shape != shapeGroups {
		return false
	}
	switch s.shape {
	case shapeLiteral:
		return equal(name, s.elements[0].text, r.fold)
	case shapeAny:
		return true
	case shapeSuffix:
		return hasSuffix(name, s.elements[1].text, r.fold)
	case shapeGroups:
		return matchGroups(s.elements, name, r.dot)
	}
	return matchElements(s.elements, name, r.fold)
}

// matchElements matches elements without groups. On a mismatch only the last star can take one character more: what an
// earlier one took is as short as can be.
func matchElements(elements []element, name string, fold bool) bool {
	at, pos := 0, 0
	star, starPos := -1, 0
	for {
		if at < len(elements) {
			e := &elements[at]
			if e.kind == anyText {
				star, starPos = at, pos
				at++
				continue
			}
			if size := e.prefix(name[pos:], fold); size >= 0 {
				at++
				pos += size
				continue
			}
		} else if pos == len(name) {
			return true
		}
		if star < 0 || starPos >= len(name) {
			return false
		}
		_, size := utf8.DecodeRuneInString(name[starPos:])
		starPos += size
		at, pos = star+1, starPos
	}
}

// prefix returns how many bytes of name e takes, or -1.
func (e *element) prefix(name string, fold bool) int {
	if e.kind == literal {
		return prefixLen(name, e.text, fold)
	}
	if name == "" {
		return -1
	}
	r, size := utf8.DecodeRuneInString(name)
	if e.kind == oneOf && !e.class.has(r, fold) {
		return -1
	}
	return size
}
