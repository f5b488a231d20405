package globs

import (
	"math/bits"
	"strings"
	"unicode/utf8"
)

// groupKind says how often a group's patterns stand there.
type groupKind byte

const (
	groupOnce  groupKind = '@'
	groupMaybe groupKind = '?'
	groupAny   groupKind = '*'
	groupMany  groupKind = '+'
	groupNot   groupKind = '!'
)

// groupAt says which group begins at the reader's place, how long its opening is, and where it ends. The end is 0
// where none begins.
func (rd *reader) groupAt() (kind groupKind, opening, end int) {
	rest := rd.text[rd.pos:]
	switch {
	case rd.rules.groups == groupsNone:
		return 0, 0, 0
	case len(rest) > 1 && rest[1] == '(' && strings.IndexByte("?*+@!", rest[0]) >= 0:
		kind, opening = groupKind(rest[0]), 2
	case rest[0] == '(' && rd.rules.groups == groupsPlain:
		kind, opening = groupOnce, 1
	default:
		return 0, 0, 0
	}
	return kind, opening, rd.groupEnd(rd.pos + opening)
}

// groupEnd returns the place of the parenthesis that closes the group whose body begins at from, or 0.
func (rd *reader) groupEnd(from int) int {
	if rd.closing == nil {
		rd.closing = map[int]int{}
		var open []int
		for i := 0; i < len(rd.text); i++ {
			switch rd.text[i] {
			case '\\':
				if rd.rules.escapes {
					i++
				}
			case '[':
				if end := classEnd(rd.text, i, rd.rules); end > 0 {
					i = end - 1
				}
			case '(':
				open = append(open, i)
			case ')':
				if len(open) > 0 {
					rd.closing[open[len(open)-1]+1] = i
					open = open[:len(open)-1]
				}
			}
		}
	}
	return rd.closing[from]
}

// readGroup reads the group at the reader's place.
func (rd *reader) readGroup(kind groupKind, opening int, first bool) (element, error) {
	rd.depth++
	loop := kind == groupAny || kind == groupMany
	if loop {
		rd.loops++
	}
	if rd.depth > maxGroupDepth || rd.loops > maxLoops {
		return element{}, errDeepGroups
	}
	g := element{kind: group, group: kind}
	rd.pos += opening
	for {
		alt, err := rd.elements(true, first)
		if err != nil {
			return element{}, err
		}
		g.alts = append(g.alts, alt)
		rd.pos++
		if rd.text[rd.pos-1] == ')' {
			break
		}
	}
	rd.depth--
	if loop {
		rd.loops--
	}
	return g, nil
}

// maxName bounds the bytes of a name that is matched with groups. File systems stop at 255.
const maxName = 319

// places is a set of places in a name, from 0 to maxName.
type places [maxName/64 + 1]uint64

func (p *places) has(i int) bool { return p[i/64]&(1<<(i%64)) != 0 }
func (p *places) add(i int)      { p[i/64] |= 1 << (i % 64) }

func (p *places) union(q places) {
	for i := range p {
		p[i] |= q[i]
	}
}

func (p *places) without(q places) {
	for i := range p {
		p[i] &^= q[i]
	}
}

// last returns the greatest place, or -1.
func (p *places) last() int {
	for i := len(p) - 1; i >= 0; i-- {
		if p[i] != 0 {
			return i*64 + 63 - bits.LeadingZeros64(p[i])
		}
	}
	return -1
}

// walk matches elements with groups from the end of a name to its start: it keeps the set of places from which the
// rest matches, so that no choice is ever taken back.
type walk struct {
	name   string
	starts places // where characters begin, and the end
	dot    bool   // a wildcard matches a leading dot
}

func matchGroups(elements []element, name string, dot bool) bool {
	if len(name) > maxName {
		return false
	}
	w := walk{name: name, dot: dot}
	for i := range name {
		w.starts.add(i)
	}
	w.starts.add(len(name))
	var end places
	end.add(len(name))
	from := w.sequence(elements, end)
	return from.has(0)
}

// sequence returns the places from which elements match up to a place of next.
func (w *walk) sequence(elements []element, next places) places {
	for i := len(elements) - 1; i >= 0; i-- {
		next = w.element(&elements[i], next)
	}
	return next
}

func (w *walk) element(e *element, next places) places {
	var from places
	switch e.kind {
	case anyText:
		from = w.upTo(next)
	case group:
		return w.group(e, next)
	default:
		for q := next.last(); q >= 0; q-- {
			if !next.has(q) {
				continue
			}
			if p := w.before(e, q); p >= 0 {
				from.add(p)
			}
		}
	}
	if e.kind != literal && e.first {
		w.hideDot(&from)
	}
	return from
}

// before returns where e begins when it ends at q, or -1.
func (w *walk) before(e *element, q int) int {
	if e.kind == literal {
		if !strings.HasSuffix(w.name[:q], e.text) {
			return -1
		}
		return q - len(e.text)
	}
	if q == 0 {
		return -1
	}
	r, size := utf8.DecodeLastRuneInString(w.name[:q])
	if e.kind == oneOf && !e.class.has(r, false) {
		return -1
	}
	return q - size
}

// upTo returns the places from which any text leads to a place of next.
func (w *walk) upTo(next places) places {
	var from places
	for p := next.last(); p >= 0; p-- {
		if w.starts.has(p) {
			from.add(p)
		}
	}
	return from
}

// hideDot takes the name's start away where a wildcard must not match its dot.
func (w *walk) hideDot(from *places) {
	if !w.dot && strings.HasPrefix(w.name, ".") {
		var start places
		start.add(0)
		from.without(start)
	}
}

func (w *walk) group(e *element, next places) places {
	switch e.group {
	case groupMaybe:
		from := w.alternatives(e, next)
		from.union(next)
		return from
	case groupMany, groupAny:
		var from places
		if e.group == groupAny {
			from = next
		}
		for fresh := next; fresh.last() >= 0; {
			found := w.alternatives(e, fresh)
			fresh = found
			fresh.without(from)
			from.union(found)
		}
		return from
	case groupNot:
		// Any text that leads on, but not from where one of the patterns would lead to the end.
		from := w.upTo(next)
		from.without(w.alternatives(e, next))
		if e.first {
			w.hideDot(&from)
		}
		return from
	default:
		return w.alternatives(e, next)
	}
}

func (w *walk) alternatives(e *element, next places) places {
	var from places
	for _, alt := range e.alts {
		from.union(w.sequence(alt, next))
	}
	return from
}
