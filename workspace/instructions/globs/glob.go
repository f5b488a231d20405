package globs

import (
	"math/bits"
	"strings"
)

// glob is a pattern without braces.
type glob struct {
	parts      []part
	suffix     string // what each path that matches ends with, or ""
	folderOnly bool   // it matches folders only
}

// part is what stands between two slashes of a pattern.
type part struct {
	kind    partKind
	segment segment // of oneName
}

type partKind uint8

const (
	oneName     partKind = iota
	anyFolders           // ** for any number of names
	someFolders          // ** for one name or more
)

// finish notes what makes matching fast, when all parts are there.
func (g *glob) finish(r *rules) {
	last := &g.parts[len(g.parts)-1]
	if last.kind == anyFolders {
		if len(g.parts) == 1 || r.tail == tailEmpty {
			return
		}
		before := g.parts[len(g.parts)-2].segment.elements
		if r.tail == tailInside || len(before) > 0 && before[len(before)-1].kind == anyText {
			last.kind = someFolders
		}
		return
	}
	// What matches a folder matches all in it, so that there a path may end in any way.
	if e := last.segment.elements; r.reach != reachFolders && last.segment.shape != shapeGroups {
		if end := e[len(e)-1]; end.kind == literal {
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
	if g.suffix != "" && !hasSuffix(path, g.suffix, r.fold) {
		return false
	}
	var a, b [4]uint64
	now, next := stateSet(a[:]), stateSet(b[:])
	if words := len(g.parts)/64 + 1; words > len(now) {
		now, next = make(stateSet, words), make(stateSet, words)
	} else {
		now, next = now[:words], next[:words]
	}
	g.enter(now, 0)
	for {
		name, rest, more := strings.Cut(path, "/")
		clear(next)
		if g.step(now, next, name, r) {
			return true
		}
		if next.has(len(g.parts)) {
			if !more {
				return !g.folderOnly || folder
			}
			if inFolders {
				return true
			}
		}
		if !more || next.empty() {
			return false
		}
		path = rest
		now, next = next, now
	}
}

// step leads from the parts that may match name to those that may match what comes after it. Done says that whatever
// comes, it matches.
func (g *glob) step(now, next stateSet, name string, r *rules) (done bool) {
	hidden := !r.dot && strings.HasPrefix(name, ".")
	for word, left := range now {
		for ; left != 0; left &= left - 1 {
			at := word*64 + bits.TrailingZeros64(left)
			if at == len(g.parts) {
				continue
			}
			switch p := &g.parts[at]; p.kind {
			case oneName:
				if p.segment.match(name, r) {
					g.enter(next, at+1)
				}
			default:
				if hidden {
					continue
				}
				if at == len(g.parts)-1 && r.dot && !g.folderOnly {
					return true
				}
				g.enter(next, at)
				if p.kind == someFolders {
					g.enter(next, at+1)
				}
			}
		}
	}
	return false
}

// enter adds the part at and, as ** may stand for nothing, those behind it.
func (g *glob) enter(set stateSet, at int) {
	for set.add(at); at < len(g.parts) && g.parts[at].kind == anyFolders; set.add(at) {
		at++
	}
}

// stateSet is a set of places in a glob's parts; the one behind the last means that all is matched.
type stateSet []uint64

func (s stateSet) has(i int) bool { return s[i/64]&(1<<(i%64)) != 0 }
func (s stateSet) add(i int)      { s[i/64] |= 1 << (i % 64) }

func (s stateSet) empty() bool {
	for _, word := range s {
		if word != 0 {
			return false
		}
	}
	return true
}
