package tokens

import (
	"unicode/utf8"

	"foreword/promptbuilder/tokens/internal/frozen"
)

// parts fills ranks with what the merges of piece start from and starts with where in piece each part begins, as far as
// there is room. It returns the number of parts and of bytes.
//
// A part is a byte, or a whole rune whose bytes make a token, if no token straddles either end of the rune with
// only a part of a rune on one side (isTorn says where one might). Then nothing touches the rune's bytes before they
// are one token; and since a token's rank is above those of its parts, starting from there changes the order of no other merge.
func (v *vocabulary) parts(piece []byte, ranks []uint32, starts []uint16) (n, size int) {
	for size < len(piece) && n < len(ranks) {
		if c := piece[size]; c < utf8.RuneSelf {
			ranks[n], starts[n] = v.byteRanks[c], uint16(size)
			n++
			size++
			continue
		}
		rank, length := v.runeRank(piece[size:])
		end := size + length
		if rank == frozen.NoRank || size > 0 && v.isTorn(piece[size-1], piece[size]) ||
			end < len(piece) && v.isTorn(piece[end-1], piece[end]) {
			if n+length > len(ranks) {
				return n, size
			}
			for ; size < end; size++ {
				ranks[n], starts[n] = v.byteRanks[piece[size]], uint16(size)
				n++
			}
			continue
		}
		ranks[n], starts[n] = rank, uint16(size)
		n++
		size = end
	}
	return n, size
}

// runeRank returns the rank of the token that the rune at the start of b is, or frozen.NoRank, and the rune's length. The
// rest of a rune, at the start of a window, has no rank.
func (v *vocabulary) runeRank(b []byte) (rank uint32, length int) {
	switch lead := b[0]; {
	case lead < 0xC0:
		return frozen.NoRank, 1
	case lead < 0xE0:
		return v.bytePair(lead, b[1]), 2
	case lead >= 0xF0:
		return frozen.NoRank, 4 // emoji mostly, few of which are tokens
	}
	known := &v.runes[uint16(b[0])<<12|uint16(b[1]&0x3F)<<6|uint16(b[2]&0x3F)]
	rank = known.Load()
	if rank == 0 {
		rank = v.mergeThree(b[0], b[1], b[2])
		known.Store(rank)
	}
	return rank, 3
}

// mergeThree returns the rank of the token that three bytes are merged to, or frozen.NoRank.
func (v *vocabulary) mergeThree(a, b, c byte) uint32 {
	left, right := v.bytePair(a, b), v.bytePair(b, c)
	switch {
	case left == frozen.NoRank && right == frozen.NoRank:
		return frozen.NoRank
	case left <= right:
		return v.pair(left, v.byteRanks[c])
	}
	return v.pair(v.byteRanks[a], right)
}

// isTorn reports whether a token may contain the end of a rune with last byte before, and the start of one with
// first byte after, but not the whole of both.
func (v *vocabulary) isTorn(before, after byte) bool {
	return v.torn[int(before)<<5|int(after>>3)]>>(after&7)&1 != 0
}
