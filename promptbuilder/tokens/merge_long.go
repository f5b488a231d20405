package tokens

import (
	"bytes"
	"math/bits"

	"foreword/promptbuilder/tokens/internal/frozen"
)

// How far before the end of a window its tokens are trusted, in bytes. What the window's end cuts off changes the
// tokens just before it; a wrong guess is found out, see mergeLong. Tokens of text are shorter than flatOverlap
// with few exceptions, and no token is longer than half of treeOverlap.
const (
	flatOverlap = 20
	treeOverlap = 256
)

// mergeLong counts a piece of more parts than flatSize, window by window.
//
// A sequence of tokens is the encoding of its text exactly when every two neighbours are the encoding of theirs. So two
// windows may be joined at a token that is in the encodings of both: its left neighbour was checked by the first
// window, its right one by the second. Each window starts at a token of the window before, and if its first token is that
// one, the tokens before it are final. If not, or if a window is one token, the windows become larger; and should
// that not help, which no text is known to bring about, the whole piece is merged at once.
func (v *vocabulary) mergeLong(piece []byte, budget int, m *memo) int {
	return v.mergeWindows(piece, budget, m, flatOverlap, treeOverlap)
}

// mergeWindows is mergeLong with the overlaps of small and large windows; they are right whatever they are.
func (v *vocabulary) mergeWindows(piece []byte, budget int, m *memo, overlap, largeOverlap int) int {
	type state struct {
		rest  []byte // from the start of the window
		count int    // tokens before it
		joint uint32 // the token that it should start with
	}
	now := state{rest: piece, joint: frozen.NoRank}
	before := now
	var w window
	large := false
	for {
		if !w.sameAt(now.rest) {
			if large {
				w = v.largeWindow(now.rest, &m.tree)
			} else {
				w = v.smallWindow(now.rest, &m.flat)
			}
		}
		joined := now.joint == frozen.NoRank || w.ranks[0] == now.joint
		if joined && w.size == len(now.rest) {
			return now.count + len(w.ranks)
		}
		cut := 0
		for cut+1 < len(w.ranks) && int(w.starts[cut+1]) <= w.size-overlap {
			cut++
		}
		switch {
		case joined && cut > 0:
			before = now
			now = state{now.rest[w.starts[cut]:], now.count + cut, w.ranks[cut]}
			if now.count > budget {
				return now.count
			}
		case large:
			return v.mergeHeap(piece)
		default:
			w, overlap, large = window{}, largeOverlap, true
			if !joined {
				now = before
			}
		}
	}
}

// window is the encoding of the first size bytes of text: the ranks of its tokens and where each starts.
type window struct {
	text   []byte
	size   int
	ranks  []uint32
	starts []uint16
}

// sameAt reports whether the window at rest would be the same one, as it is all along a run of one rune. The byte after
// it must be the same as well, since it has a say in what the last part is.
func (w *window) sameAt(rest []byte) bool {
	n := w.size + 1
	return w.size > 0 && n <= len(rest) && n <= len(w.text) && bytes.Equal(rest[:n], w.text[:n])
}

func (v *vocabulary) smallWindow(rest []byte, m *flatMerge) window {
	n, size := v.parts(rest, m.ranks[1:flatSize+1], m.starts[1:])
	tokens := 0
	for left := v.mergeFlat(rest[:size], n, m); left != 0; left &= left - 1 {
		k := bits.TrailingZeros64(left)
		m.ranks[tokens], m.starts[tokens] = m.ranks[k], m.starts[k]
		tokens++
	}
	return window{rest, size, m.ranks[:tokens], m.starts[:tokens]}
}

func (v *vocabulary) largeWindow(rest []byte, m *treeMerge) window {
	n, size := v.parts(rest, m.ranks[:], m.starts[:])
	v.mergeTree(n, m)
	tokens := 0
	for k := 0; k < n; k = int(m.next[k]) {
		m.ranks[tokens], m.starts[tokens] = m.ranks[k], m.starts[k]
		tokens++
	}
	return window{rest, size, m.ranks[:tokens], m.starts[:tokens]}
}
