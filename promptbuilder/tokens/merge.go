package tokens

import (
	"math/bits"

	"foreword/promptbuilder/tokens/internal/frozen"
)

// Byte pair encoding starts from single bytes and keeps joining the two neighbours whose union has the lowest rank, the
// leftmost first, until no two neighbours make a token. Merges differ only in how the lowest rank is found:
//
//   - mergeFlat, up to flatSize bytes, looks at all of them;
//   - mergeTree, up to treeSize bytes, keeps the minimum of each block of treeBlock;
//   - mergeLong cuts longer pieces into overlapping windows for mergeTree;
//   - mergeHeap, for what mergeLong cannot cut, keeps a heap.
//
// All of them are linear or nearly so: their work per byte does not grow with the piece.

// merge returns the number of tokens of a piece of two bytes or more that is not a token itself, or a number above
// budget once it is passed.
func (v *vocabulary) merge(piece []byte, budget int, m *memo) int {
	switch {
	case len(piece) <= flatSize:
		return v.mergeFlat(piece, &m.flat)
	case len(piece) <= treeSize:
		return v.mergeTree(piece, &m.tree)
	}
	return v.mergeLong(piece, budget, &m.tree)
}

// pair returns the rank of the token that two neighbours make, or frozen.NoRank.
func (v *vocabulary) pair(left, right uint32) uint32 {
	key := frozen.PairKey(left, right)
	slot := v.merges.At(frozen.Hash(key))
	rank := uint32(slot & (1<<frozen.RankBits - 1))
	if slot>>frozen.RankBits != key || rank >= v.limit {
		return frozen.NoRank
	}
	return rank
}

// bytePair is pair for two bytes.
func (v *vocabulary) bytePair(left, right byte) uint32 {
	rank := v.bytePairs[int(left)<<8|int(right)]
	if rank >= v.limit {
		return frozen.NoRank
	}
	return rank
}

// packed returns rank and position in one number, so that the smallest number is the next merge. NoRank stays NoRank.
func packed(rank uint32, position, positionBits int) uint32 {
	if rank == frozen.NoRank {
		return frozen.NoRank
	}
	return rank<<positionBits | uint32(position)
}

const (
	flatBits = 5
	flatSize = 1 << flatBits // 32 ranks are compared faster than any structure over them is kept up
)

// flatMerge is the state of mergeFlat; position k stands for the part that starts at byte k.
type flatMerge struct {
	merges [flatSize]uint32 // packed rank of the part here and the one after it
	ranks  [flatSize]uint32
}

func (v *vocabulary) mergeFlat(piece []byte, m *flatMerge) int {
	n := len(piece)
	for k := range n - 1 {
		m.ranks[k] = v.byteRanks[piece[k]]
		m.merges[k] = packed(v.bytePair(piece[k], piece[k+1]), k, flatBits)
	}
	m.ranks[n-1] = v.byteRanks[piece[n-1]]
	rounded := (n + 3) &^ 3
	for k := n - 1; k < rounded; k++ {
		m.merges[k] = frozen.NoRank
	}
	starts := uint64(1)<<n - 1 // bit k: a part starts at byte k
	for {
		best := frozen.NoRank
		for k := 0; k < rounded; k += 4 {
			four := m.merges[k : k+4 : k+4]
			best = min(best, min(four[0], four[1]), min(four[2], four[3]))
		}
		if best == frozen.NoRank {
			return bits.OnesCount64(starts)
		}
		k, rank := int(best&(flatSize-1)), best>>flatBits
		after := starts >> (k + 1)
		gone := k + 1 + bits.TrailingZeros64(after)
		starts &^= 1 << gone
		m.ranks[k] = rank
		m.merges[gone&(flatSize-1)] = frozen.NoRank
		m.merges[k] = frozen.NoRank
		if after &= after - 1; after != 0 {
			next := k + 1 + bits.TrailingZeros64(after)
			m.merges[k] = packed(v.pair(rank, m.ranks[next&(flatSize-1)]), k, flatBits)
		}
		if before := starts & (1<<k - 1); before != 0 {
			previous := bits.Len64(before) - 1
			m.merges[previous&(flatSize-1)] = packed(v.pair(m.ranks[previous&(flatSize-1)], rank), previous, flatBits)
		}
	}
}

const (
	treeBits  = 10
	treeSize  = 1 << treeBits // a packed rank has 18 + 10 bits
	treeBlock = 16
)

// treeMerge is the state of mergeTree. Position k stands for the part that starts at byte k.
type treeMerge struct {
	merges   [treeSize]uint32             // packed rank of the part here and the one after it
	minima   [treeSize / treeBlock]uint32 // of each block of merges
	ranks    [treeSize]uint32
	next     [treeSize]uint16 // the start of the part after; the length of the piece after the last
	previous [treeSize]uint16
}

func (v *vocabulary) mergeTree(piece []byte, m *treeMerge) int {
	n := len(piece)
	for k := range n {
		m.ranks[k] = v.byteRanks[piece[k]]
		m.next[k], m.previous[k] = uint16(k+1), uint16(k-1)
		m.merges[k] = frozen.NoRank
		if k+1 < n {
			m.merges[k] = packed(v.bytePair(piece[k], piece[k+1]), k, treeBits)
		}
	}
	blocks := (n + treeBlock - 1) / treeBlock
	for k := n; k < blocks*treeBlock; k++ {
		m.merges[k] = frozen.NoRank
	}
	for block := range blocks {
		m.refresh(block)
	}
	parts := n
	for {
		best := frozen.NoRank
		for _, least := range m.minima[:blocks] {
			best = min(best, least)
		}
		if best == frozen.NoRank {
			return parts
		}
		parts--
		k, rank := int(best&(treeSize-1)), best>>treeBits
		gone := int(m.next[k])
		next := int(m.next[gone&(treeSize-1)])
		m.ranks[k] = rank
		m.next[k] = uint16(next)
		m.set(gone, frozen.NoRank)
		if next < n {
			m.previous[next] = uint16(k)
			m.set(k, packed(v.pair(rank, m.ranks[next]), k, treeBits))
		} else {
			m.set(k, frozen.NoRank)
		}
		if k > 0 {
			previous := int(m.previous[k])
			m.set(previous, packed(v.pair(m.ranks[previous], rank), previous, treeBits))
		}
	}
}

// set changes the merge at k and the minimum of its block.
func (m *treeMerge) set(k int, merge uint32) {
	least := &m.minima[k/treeBlock&(len(m.minima)-1)]
	old := m.merges[k&(treeSize-1)]
	m.merges[k&(treeSize-1)] = merge
	switch {
	case merge <= *least:
		*least = merge
	case old == *least:
		m.refresh(k / treeBlock)
	}
}

// refresh finds the minimum of a block.
func (m *treeMerge) refresh(block int) {
	least := frozen.NoRank
	for _, merge := range m.merges[block*treeBlock : (block+1)*treeBlock] {
		least = min(least, merge)
	}
	m.minima[block] = least
}
