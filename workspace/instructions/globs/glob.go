package globs

import (
	"math/bits"
	"strings"
)

// glob is a pattern without braces.
type glob struct {
	parts      []part // at most maxParts
	start      states // what may come first
	head       string // what each path that matches begins with: the names that stand first, or ""
	suffix     string // what each path that matches ends with, or ""
	folderOnly bool   // it matches folders only
}

// states is a set of parts of a glob that may match the next name, a bit for each. The bit behind the last part's means
// that all is matched.
type states uint64

// maxParts is how many parts a set of states has room for. Nobody's rule names that many folders.
const maxParts = 63

// part is what stands between two slashes of a pattern.
type part struct {
	kind    partKind
	segment segment // of oneName
	after   states  // what may come next when this part is matched
}

type partKind uint8

const (
	oneName     partKind = iota
	anyFolders           // ** for any number of names
	someFolders          // ** for one name or more
)

// finish notes what makes matching fast, when all parts are there.
func (g *glob) finish(r *rules) {
	last := len(g.parts) - 1
	if g.parts[last].kind == anyFolders && last > 0 && r.tail != tailEmpty {
		before := g.parts[last-1].segment.elements
		if r.tail == tailInside || len(before) > 0 && before[len(before)-1].kind == anyText {
			g.parts[last].kind = someFolders
		}
	}
	g.start = 1 << len(g.parts)
	for i := last; i >= 0; i-- {
		p := &g.parts[i]
		p.after = g.start
		g.start = 1 << i
		if p.kind == anyFolders {
			g.start |= p.after // ** may stand for nothing
		}
	}
	for i := 0; i < last && !r.fold; i++ {
		p := &g.parts[i]
		if p.kind != oneName || p.segment.shape != shapeLiteral {
			break
		}
		if i > 0 {
			g.head += "/"
		}
		g.head += p.segment.elements[0].text
	}
	// What matches a folder matches all in it, so that there a path may end in any way.
	if p := &g.parts[last]; r.reach != reachFolders && p.kind == oneName && p.segment.shape != shapeGroups {
		if end := p.segment.elements[len(p.segment.elements)-1]; end.kind == literal {
			g.suffix = end.text
		}
	}
}

// match says whether path is what g describes. With inFolders a path also matches when one of the folders that hold it
// does. Folder says that path itself is one.
//
// It goes through path name by name and keeps the set of parts that may come next, so that no choice is ever taken
// back.
func (g *glob) match(path string, r *rules, inFolders, folder bool) bool {
	if !strings.HasPrefix(path, g.head) || g.suffix != "" && !hasSuffix(path, g.suffix, r.fold) {
		return false
	}
	matched := states(1) << len(g.parts)
	for now := g.start; now != 0; {
		name, rest, more := strings.Cut(path, "/")
		next, all := g.step(now&^matched, name, r)
		if all {
			return true
		}
		if !more {
			return next&matched != 0 && (!g.folderOnly || folder)
		}
		if inFolders && next&matched != 0 {
			return true
		}
		now, path = next, rest
	}
	return false
}

// step returns what may come after name, where now may match it. All says that whatever comes, it matches.
func (g *glob) step(now states, name string, r *rules) (next states, all bool) {
	hidden := !r.dot && strings.HasPrefix(name, ".")
	for ; now != 0; now &= now - 1 {
		at := bits.TrailingZeros64(uint64(now))
		p := &g.parts[at]
		switch {
		case p.kind == oneName:
			if p.segment.match(name, r) {
				next |= p.after
			}
		case !hidden:
			if at == len(g.parts)-1 && r.dot && !g.folderOnly {
				return 0, true
			}
			next |= 1<<at | p.after
		}
	}
	return next, false
}
