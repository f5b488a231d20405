package globs

import "strings"

// Set is a list of patterns, read. It never changes, and may be used by several goroutines.
type Set struct {
	rules    *rules
	patterns []pattern // without those that match nothing
	negated  bool      // one of patterns is negated
}

// pattern is one of a set's.
type pattern struct {
	index      int    // in the list that was compiled
	globs      []glob // what the braces stand for
	negated    bool   // it takes away
	inverted   bool   // it matches what globs do not
	everything bool   // it matches whatever the path
}

// Match says whether the set matches the file at path, and by which pattern of the list that was compiled: the first
// that does, or in a dialect in which a later one can take away what an earlier one gave, the one that decided. Where a
// pattern takes the path away, index is that pattern's and ok is false; where none says anything, index is -1. A set of
// patterns that only take away, in a dialect where they do not depend on each other's order, matches all the rest, by
// the first of them.
//
// Path is relative to the folder that the rule's patterns start from, clean, with slashes and without a trailing one;
// in the dialect [VSCode] it may also be absolute, as VS Code compares with that. What an empty list means is not a
// matter of patterns: here it matches nothing.
func (s *Set) Match(path string) (index int, ok bool) {
	if s.negated {
		switch s.rules.negation {
		case negationLastWins:
			return s.lastWins(path)
		case negationExcludes:
			return s.excluding(path)
		}
	}
	for i := range s.patterns {
		if p := &s.patterns[i]; p.match(path, s.rules, s.rules.reach == reachFolders) {
			return p.index, true
		}
	}
	return -1, false
}

// excluding answers where a negated pattern takes away from all others.
func (s *Set) excluding(path string) (int, bool) {
	found, only := -1, -1
	positive := false
	for i := range s.patterns {
		p := &s.patterns[i]
		if !p.negated {
			positive = true
			if found < 0 && p.match(path, s.rules, false) {
				found = p.index
			}
			continue
		}
		if p.match(path, s.rules, false) {
			return p.index, false
		}
		if only < 0 {
			only = p.index
		}
	}
	if !positive {
		return only, true
	}
	return found, found >= 0
}

// lastWins answers as git does: the last pattern that matches decides, and nothing in a folder that is matched can be
// taken away again.
func (s *Set) lastWins(path string) (int, bool) {
	for end := 0; end < len(path); {
		next := strings.IndexByte(path[end:], '/')
		folder := next >= 0
		if folder {
			end += next
		} else {
			end = len(path)
		}
		for i := len(s.patterns) - 1; i >= 0; i-- {
			p := &s.patterns[i]
			if !p.matchExact(path[:end], s.rules, folder) {
				continue
			}
			if !p.negated || !folder {
				return p.index, !p.negated
			}
			break
		}
		end++
	}
	return -1, false
}

func (p *pattern) match(path string, r *rules, inFolders bool) bool {
	if p.everything {
		return true
	}
	for i := range p.globs {
		if p.globs[i].match(path, r, inFolders, false) {
			return !p.inverted
		}
	}
	return p.inverted
}

func (p *pattern) matchExact(path string, r *rules, folder bool) bool {
	for i := range p.globs {
		if p.globs[i].match(path, r, false, folder) {
			return true
		}
	}
	return false
}
