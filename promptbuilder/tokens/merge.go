package tokens

import (
	"math/bits"

	"foreword/promptbuilder/tokens/internal/frozen"
)

// Byte pair encoding starts from single bytes and keeps joining the two neighbours whose union has the lowest rank, the
// leftmost first, until no two neighbours make a token. Here pieces of a few dozen bytes are merged at once (flatMerge),
// longer ones in overlapping windows (merge_long.go), so that the work per byte does not grow with the piece.

// merge returns the number of tokens of a piece of two bytes or more that is not a token itself, or a number above
// budget once it is passed.
func (v *vocabulary) merge(piece []byte, budget int, m *memo) int {
	if n, size := v.parts(piece, m.flat.ranks[1:flatSize+1], m.flat.starts[1:]); size == len(piece) {
		return bits.OnesCount64(v.mergeFlat(piece, n, &m.flat))
	}
	return v.mergeLong(piece, budget, m)
}

// pair returns the rank of the token that two neighbours make, or frozen.NoRank.
func (v *vocabulary) pair(left, right uint32) uint32 {
	key := frozen.PairKey(left, right)
	slot := v.merges.At(frozen.Hash(key))
	rank := uint32(slot & (1<<frozen.RankBits - 1))
	if slot>>frozen.RankBits != key || rank >= v.limit {
		rank = frozen.NoRank
	}
	return rank
}

// bytePair is pair for two bytes.
func (v *vocabulary) bytePair(left, right byte) uint32 {
	rank := v.bytePairs[int(left)<<8|int(right)]
	if rank >= v.limit {
		rank = frozen.NoRank
	}
	return rank
}

// flatSize is the greatest number of parts that are merged flat: with one more on either side, their starts are
// the bits of a word.
const flatSize = 62

// flatMerge is the room for mergeFlat. Part k of a piece, from 1, is at index k; the parts before the first and after the
// last are nobody, which makes no token with anyone, so that no merge has to ask whether it is at an end.
type flatMerge struct {
	minima [(flatSize + 2) / flatBlock]int32 // of each block of merges
	// merges has, in blocks, the rank of the token that a part makes with the next, packed with the part's index.
	merges [(flatSize + 2) / flatBlock][flatBlock]int32
	ranks  [flatSize + 2]uint32
	starts [flatSize + 2]uint16 // where a part begins, in bytes
}

const (
	flatBits  = 6
	flatBlock = 4
	noFlat    = frozen.NoRank << flatBits // at least this, packed, is no merge
)

// least is min without a branch: which of two merges comes first is as good as random, and a wrong guess of the
// processor costs more than looking at all of them.
func least(a, b int32) int32 {
	d := a - b
	return b + d&(d>>31)
}

// mergeFlat merges parts 1 to n and returns those that are left, one bit each.
func (v *vocabulary) mergeFlat(piece []byte, n int, m *flatMerge) uint64 {
	m.ranks[0], m.ranks[n+1] = frozen.NoRank, frozen.NoRank
	m.set(0, frozen.NoRank)
	m.set(n, frozen.NoRank)
	if n == len(piece) { // one byte each
		for k := range n - 1 {
			m.set(k+1, v.bytePair(piece[k], piece[k+1]))
		}
	} else {
		for k := 1; k < n; k++ {
			m.set(k, v.pair(m.ranks[k], m.ranks[k+1]))
		}
	}
	blocks := (n/flatBlock + flatBlock) &^ (flatBlock - 1)
	for k := n + 1; k < blocks*flatBlock; k++ {
		m.set(k, frozen.NoRank)
	}
	for block := range blocks {
		m.refresh(block * flatBlock)
	}
	left := uint64(1)<<(n+2) - 1
	for {
		best := int32(noFlat)
		for k := 0; k < blocks; k += flatBlock {
			of := (*[flatBlock]int32)(m.minima[k:])
			best = least(best, least(least(of[0], of[1]), least(of[2], of[3])))
		}
		if best >= noFlat {
			return left &^ (1 | 1<<(n+1))
		}
		k, rank := int(best&63), uint32(best)>>flatBits
		after := left & (^uint64(1) << k)
		gone := bits.TrailingZeros64(after)
		left &^= after & -after
		next := bits.TrailingZeros64(after & (after - 1))
		previous := bits.Len64(left&(1<<k-1)) - 1
		m.ranks[k] = rank
		m.set(gone, frozen.NoRank)
		m.set(k, v.pair(rank, m.ranks[next&63]))
		m.set(previous, v.pair(m.ranks[previous&63], rank))
		m.refresh(gone)
		m.refresh(k)
		m.refresh(previous)
	}
}

// set changes the rank of merge k; refresh must follow.
func (m *flatMerge) set(k int, rank uint32) {
	m.merges[uint(k)/flatBlock%uint(len(m.merges))][uint(k)%flatBlock] = int32(rank<<flatBits) | int32(k)
}

// refresh finds the minimum of the block of merge k.
func (m *flatMerge) refresh(k int) {
	block := uint(k) / flatBlock % uint(len(m.merges))
	of := &m.merges[block]
	m.minima[block] = least(least(of[0], of[1]), least(of[2], of[3]))
}
