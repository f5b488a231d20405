package tokens

import "foreword/promptbuilder/tokens/internal/frozen"

// mergeHeap counts a piece of any length by a heap of all possible merges, in n log n steps.
func (v *vocabulary) mergeHeap(piece []byte) int {
	n := len(piece)
	ranks := make([]uint32, n)
	merges := make([]uint32, n) // rank of the part that starts here and the one after it
	next, previous := make([]int32, n), make([]int32, n)
	var queue mergeQueue
	for k := range n {
		ranks[k] = v.byteRanks[piece[k]]
		next[k], previous[k] = int32(k+1), int32(k-1)
		merges[k] = frozen.NoRank
		if k+1 < n {
			merges[k] = v.bytePair(piece[k], piece[k+1])
			queue.push(merges[k], k)
		}
	}
	parts := n
	for len(queue) > 0 {
		rank, k := queue.pop()
		if merges[k] != rank {
			continue // an entry from before one of its parts was merged
		}
		parts--
		gone := next[k]
		ranks[k], next[k] = rank, next[gone]
		merges[gone], merges[k] = frozen.NoRank, frozen.NoRank
		if after := next[k]; int(after) < n {
			previous[after] = int32(k)
			merges[k] = v.pair(rank, ranks[after])
			queue.push(merges[k], k)
		}
		if before := previous[k]; before >= 0 {
			merges[before] = v.pair(ranks[before], rank)
			queue.push(merges[before], int(before))
		}
	}
	return parts
}

// mergeQueue is a binary heap of rank<<32 | position, the least first.
type mergeQueue []uint64

func (q *mergeQueue) push(rank uint32, position int) {
	if rank == frozen.NoRank {
		return
	}
	h := append(*q, 0)
	entry := uint64(rank)<<32 | uint64(position)
	at := len(h) - 1
	for at > 0 && h[(at-1)/2] > entry {
		h[at] = h[(at-1)/2]
		at = (at - 1) / 2
	}
	h[at] = entry
	*q = h
}

func (q *mergeQueue) pop() (rank uint32, position int) {
	h := *q
	top, entry := h[0], h[len(h)-1]
	h = h[:len(h)-1]
	at := 0
	for {
		child := 2*at + 1
		if child >= len(h) {
			break
		}
		if child+1 < len(h) && h[child+1] < h[child] {
			child++
		}
		if entry <= h[child] {
			break
		}
		h[at] = h[child]
		at = child
	}
	if len(h) > 0 {
		h[at] = entry
	}
	*q = h
	return uint32(top >> 32), int(uint32(top))
}
