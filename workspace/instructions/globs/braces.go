package globs

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

const (
	// maxAlternatives bounds what one pattern's braces may stand for. Real rules have a dozen; brace-expansion
	// stops at 100,000, which for 200 rules would be too much to keep.
	maxAlternatives = 1000
	// maxExpanded bounds the bytes of all alternatives of one pattern together.
	maxExpanded = 1 << 18
	// maxBraceDepth bounds braces in braces. Nobody writes four.
	maxBraceDepth = 32
)

var errTooManyBraces = errors.New("too many braces")

// expand returns the patterns that the braces of pattern stand for, in the order in which they are written, and what it
// saw of the braces. The error is errTooManyBraces.
func expand(pattern string, r *rules) (alternatives []string, seen *braces, err error) {
	if r.braces == bracesLiteral || !strings.ContainsAny(pattern, "{}") {
		return []string{pattern}, &braces{unclosed: -1}, nil
	}
	b := scanBraces(pattern, r)
	if b.depth > maxBraceDepth {
		return nil, b, errTooManyBraces
	}
	tree := b.sequence(0, len(pattern))
	if count, size := tree.cost(); count > maxAlternatives || size > maxExpanded {
		return nil, b, errTooManyBraces
	}
	return tree.appendTo([]string{""}), b, nil
}

// braces knows which brace of a pattern belongs to which, so that reading it takes one pass.
type braces struct {
	text     string
	rules    *rules
	closes   map[int]int   // place of { to that of its }
	commas   map[int][]int // place of { to those of the commas right inside
	stray    map[int]bool  // places of } without {, where these are dropped
	unclosed int           // place of the first { without }, or -1
	depth    int           // of braces in braces
	nested   bool          // there are some
}

func scanBraces(text string, r *rules) *braces {
	b := &braces{text: text, rules: r, closes: map[int]int{}, commas: map[int][]int{}, stray: map[int]bool{}, unclosed: -1}
	var open []int
	inner := 0 // braces open inside others, where those mean nothing
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '\\' && r.escapes:
			i++
		case c == '[' && b.shields() && (len(open) == 0 || r.braces != bracesFlat):
			if end := classEnd(text, i, r); end > 0 {
				i = end - 1
			}
		case c == '{' && r.braces == bracesRanges && strings.HasSuffix(text[:i], "$"):
			// ${a} is what a shell would fill in; brace-expansion leaves it.
			if end := strings.IndexByte(text[i:], '}'); end > 0 {
				i += end
			}
		case c == '{' && (r.braces != bracesFlat || len(open) == 0):
			open = append(open, i)
		case c == '{' && r.braces == bracesFlat:
			inner++
			b.nested = true
			b.depth = max(b.depth, 1+inner)
		case c == ',' && len(open) > 0:
			at := open[len(open)-1]
			b.commas[at] = append(b.commas[at], i)
		case c == '}' && len(open) > 0:
			at := open[len(open)-1]
			b.closes[at] = i
			inner = 0
			b.depth = max(b.depth, len(open))
			open = open[:len(open)-1]
		case c == '}' && r.braces == bracesFlat:
			b.stray[i] = true
		}
	}
	if len(open) > 0 {
		b.unclosed = open[0]
	}
	return b
}

// shields says whether a brace inside a bracket expression is an ordinary character.
func (b *braces) shields() bool {
	return b.rules.braces == bracesFlat || b.rules.braces == bracesClass
}

// node is a part of a pattern: text, or one of several sequences.
type node struct {
	text    string
	choices []sequence
}

type sequence []node

func (b *braces) sequence(from, to int) sequence {
	var s sequence
	start := from
	flush := func(end int) {
		if start < end {
			s = append(s, node{text: b.text[start:end]})
		}
	}
	for i := from; i < to; i++ {
		if b.rules.escapes && b.text[i] == '\\' {
			i++
			continue
		}
		if b.stray[i] {
			flush(i)
			start = i + 1
			continue
		}
		end, ok := b.closes[i]
		if !ok {
			continue
		}
		if n, ok := b.group(i, end); ok {
			flush(i)
			s = append(s, n)
			start = end + 1
			i = end
		}
	}
	flush(to)
	return s
}

// group reads the braces at open and end. It is not ok where they are ordinary characters.
func (b *braces) group(open, end int) (node, bool) {
	body := b.text[open+1 : end]
	if b.rules.braces == bracesFlat {
		return flatGroup(body), true
	}
	commas := b.commas[open]
	if len(commas) == 0 {
		switch b.rules.braces {
		case bracesRanges:
			if values, ok := rangeValues(body); ok {
				return node{choices: values}, true
			}
		case bracesClass:
			if class, ok := rangeClass(body); ok {
				return node{text: class}, true
			}
		}
		return node{}, false
	}
	var n node
	from := open + 1
	for _, comma := range append(slices.Clone(commas), end) {
		n.choices = append(n.choices, b.sequence(from, comma))
		from = comma + 1
	}
	return n, true
}

// flatGroup reads what is between braces as VS Code does: an empty choice at the end is dropped, and of a choice that
// opens another brace, which nothing closes any more, what is before that is left.
func flatGroup(body string) node {
	var n node
	from := 0
	for _, comma := range append(separators(SplitCommaBraces, body), len(body)) {
		if choice := body[from:comma]; choice != "" || comma < len(body) || n.choices == nil {
			choice, _, _ = strings.Cut(choice, "{")
			n.choices = append(n.choices, sequence{{text: choice}})
		}
		from = comma + 1
	}
	return n
}

// rangeValues reads 1..3, 01..10, 9..1, 1..9..2 and a..e.
func rangeValues(body string) ([]sequence, bool) {
	ends := strings.Split(body, "..")
	if len(ends) != 2 && len(ends) != 3 {
		return nil, false
	}
	step := 1
	if len(ends) == 3 {
		n, err := strconv.Atoi(ends[2])
		if err != nil {
			return nil, false
		}
		step = max(n, -n, 1) // -n stays negative for the least number there is
	}
	from, to, digits := 0, 0, true
	for _, e := range []struct {
		text string
		into *int
	}{{ends[0], &from}, {ends[1], &to}} {
		n, err := strconv.Atoi(e.text)
		if err != nil || strings.HasPrefix(e.text, "+") {
			digits = false
			break
		}
		*e.into = n
	}
	width := 0
	switch letter := func(s string) bool { return len(s) == 1 && (s[0]|0x20 >= 'a' && s[0]|0x20 <= 'z') }; {
	case digits:
		if padded(ends[0]) || padded(ends[1]) {
			width = max(len(ends[0]), len(ends[1]))
		}
	case letter(ends[0]) && letter(ends[1]):
		from, to = int(ends[0][0]), int(ends[1][0])
	default:
		return nil, false
	}
	distance, sign := uint64(to)-uint64(from), 1
	if to < from {
		distance, sign = uint64(from)-uint64(to), -1
	}
	// One more than allowed is enough for cost to see that it is too much.
	last := min(distance/uint64(step), maxAlternatives)
	values := make([]sequence, 0, last+1)
	for i := range int(last) + 1 {
		n := from + sign*step*i
		text := string(rune(n))
		if digits {
			text = fmt.Sprintf("%0*d", width, n)
		}
		values = append(values, sequence{{text: text}})
	}
	return values, true
}

func padded(number string) bool {
	number = strings.TrimPrefix(number, "-")
	return len(number) > 1 && number[0] == '0'
}

// rangeClass turns a..c into [a-c], as picomatch does: its ends are sorted as text, and of several digits each stands
// for itself.
func rangeClass(body string) (string, bool) {
	ends := strings.Split(body, "..")
	if len(ends) < 2 || slices.Contains(ends, "") {
		return "", false
	}
	slices.Sort(ends)
	class := "[" + strings.Join(ends, "-") + "]"
	c, end, err := readClass(class, 0, &rules{escapes: true})
	if err != nil || end != len(class) || c.backwards {
		return strings.Join(ends, ".."), true
	}
	return class, true
}

// cost returns how many alternatives s stands for and their bytes together, stopping where that is too much.
func (s sequence) cost() (count, size int) {
	const tooMuch = maxExpanded + 1
	count = 1
	for _, n := range s {
		if n.choices == nil {
			size = min(size+count*len(n.text), tooMuch)
			continue
		}
		counts, sizes := 0, 0
		for _, choice := range n.choices {
			c, z := choice.cost()
			counts = min(counts+c, tooMuch)
			sizes = min(sizes+z, tooMuch)
		}
		size = min(size*counts+sizes*count, tooMuch)
		count = min(count*counts, tooMuch)
	}
	return count, size
}

// appendTo puts each alternative of s behind each of the prefixes.
func (s sequence) appendTo(prefixes []string) []string {
	for _, n := range s {
		if n.choices == nil {
			for i := range prefixes {
				prefixes[i] += n.text
			}
			continue
		}
		var all []string
		for _, prefix := range prefixes {
			for _, choice := range n.choices {
				all = append(all, choice.appendTo([]string{prefix})...)
			}
		}
		prefixes = all
	}
	return prefixes
}
