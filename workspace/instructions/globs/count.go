package globs

import (
	"slices"
	"strings"
)

// Count says how many of the paths the set matches. The paths are sorted; where
// all patterns begin with names, only those are looked at that begin so, too.
func (s *Set) Count(paths []string) int {
	n := 0
	for _, r := range s.candidates(paths) {
		for _, path := range paths[r.from:r.to] {
			if _, ok := s.Match(path); ok {
				n++
			}
		}
	}
	return n
}

// span is a stretch of a list.
type span struct{ from, to int }

// candidates are the stretches of sorted paths in which those lie that may match.
func (s *Set) candidates(paths []string) []span {
	whole := []span{{0, len(paths)}}
	var spans []span
	for _, p := range s.patterns {
		if p.negated && s.rules.negation == negationLastWins {
			continue // it only takes away
		}
		if p.everything || p.inverted || p.negated {
			return whole
		}
		for _, g := range p.globs {
			if g.head == "" {
				return whole
			}
			from, _ := slices.BinarySearch(paths, g.head)
			// What begins with the head stands together, in front of what is greater.
			length, _ := slices.BinarySearchFunc(paths[from:], g.head, func(path, head string) int {
				if strings.HasPrefix(path, head) {
					return -1
				}
				return 1
			})
			spans = append(spans, span{from, from + length})
		}
	}
	slices.SortFunc(spans, func(a, b span) int { return a.from - b.from })
	var out []span
	for _, next := range spans {
		if last := len(out) - 1; last >= 0 && next.from <= out[last].to {
			out[last].to = max(out[last].to, next.to)
			continue
		}
		out = append(out, next)
	}
	return out
}
