package tokens

import "foreword/promptbuilder/tokens/internal/frozen"

const (
	treeBits  = 10
	treeSize  = 1 << treeBits // a packed rank has 18 + 10 bits
	treeBlock = 16
	noTree    = frozen.NoRank << treeBits
)

// treeMerge is the room for mergeTree.
type treeMerge struct {
	merges   [treeSize]int32             // the rank of the token that a part makes with the next, packed with the part's index
	minima   [treeSize / treeBlock]int32 // of each block of merges
	ranks    [treeSize]uint32
	starts   [treeSize]uint16 // where a part begins, in bytes
	next     [treeSize]uint16 // the index of the part after; the number of parts after the last
	previous [treeSize]uint16
}

// mergeTree merges parts 0 to n-1; the parts that are left are linked by next. A merge takes a hundred comparisons at most,
// of the minima and in the three blocks that it changes.
func (v *vocabulary) mergeTree(n int, m *treeMerge) {
	for k := range n {
		m.next[k], m.previous[k] = uint16(k+1), uint16(k-1)
		m.merges[k] = noTree
		if k+1 < n {
			m.merges[k] = int32(v.pair(m.ranks[k], m.ranks[k+1])<<treeBits) | int32(k)
		}
	}
	blocks := (n + treeBlock - 1) / treeBlock
	for k := n; k < blocks*treeBlock; k++ {
		m.merges[k] = noTree
	}
	for block := range blocks {
		m.refresh(block)
	}
	for {
		best := int32(noTree)
		for _, merge := range m.minima[:blocks] {
			best = least(best, merge)
		}
		if best >= noTree {
			return
		}
		k, rank := int(best&(treeSize-1)), uint32(best)>>treeBits
		gone := int(m.next[k])
		next := int(m.next[gone&(treeSize-1)])
		m.ranks[k] = rank
		m.next[k] = uint16(next)
		m.set(gone, noTree)
		if next < n {
			m.previous[next] = uint16(k)
			m.set(k, int32(v.pair(rank, m.ranks[next])<<treeBits)|int32(k))
		} else {
			m.set(k, noTree)
		}
		if k > 0 {
			previous := int(m.previous[k])
			m.set(previous, int32(v.pair(m.ranks[previous], rank)<<treeBits)|int32(previous))
		}
	}
}

// set changes the merge at k and the minimum of its block.
func (m *treeMerge) set(k int, merge int32) {
	m.merges[k&(treeSize-1)] = merge
	m.refresh(k / treeBlock)
}

// refresh finds the minimum of a block.
func (m *treeMerge) refresh(block int) {
	of := (*[treeBlock]int32)(m.merges[block*treeBlock:])
	best := least(of[0], of[1])
	for k := 2; k < treeBlock; k += 2 {
		best = least(best, least(of[k], of[k+1]))
	}
	m.minima[block] = best
}
