package tokens

import (
	"encoding/binary"

	"foreword/promptbuilder/tokens/internal/frozen"
)

// memo is what one count at a time keeps between calls: the counts of short pieces seen, and room for merging.
type memo struct {
	// short is a direct-mapped cache. An entry is the key of a piece (frozen.Key) with its count in bits 60 to 62;
	// 4,096 entries (32 kB) hold the words of a document and stay in the first two levels of cache.
	short [1 << shortBits]uint64
	flat  flatMerge
	tree  treeMerge
}

const (
	shortBits  = 12
	countShift = 60
)

// pieceTokens returns the number of tokens of the piece b[i:end], or a number above budget once it is passed.
func (v *vocabulary) pieceTokens(b []byte, i, end, budget int, m *memo) int {
	n := end - i
	if n == 1 {
		return 1
	}
	if n <= frozen.ShortLen {
		key := loadWord(b, i, n) | uint64(n)<<56
		hash := frozen.Hash(key)
		entry := &m.short[hash>>(64-shortBits)]
		if *entry&^(0xF<<countShift) == key {
			return int(*entry >> countShift)
		}
		count := 1
		if v.short.At(hash) != key && !v.isSpaceRun(b[i:end]) {
			count = v.merge(b[i:end], budget, m)
		}
		*entry = key | uint64(count)<<countShift
		return count
	}
	if v.isToken(b, i, end) {
		return 1
	}
	return v.merge(b[i:end], budget, m)
}

// isToken reports whether the piece b[i:end] of more than frozen.ShortLen bytes is a token.
func (v *vocabulary) isToken(b []byte, i, end int) bool {
	n := end - i
	if n <= frozen.MidLen {
		lo, hi := binary.LittleEndian.Uint64(b[i:]), loadWord(b, i+8, n-8)|uint64(n)<<56
		l, h := v.mid.At2(frozen.Hash2(lo, hi))
		return l == lo && h == hi || v.isSpaceRun(b[i:end])
	}
	const longest = 128 // bytes, of the tokens of all encodings
	if n > longest {
		return false
	}
	slot := v.long.At(frozen.HashBytes(b[i:end]))
	if int(slot&0xFF) == n && string(v.blob[slot>>8:][:n]) == string(b[i:end]) {
		return true
	}
	return v.isSpaceRun(b[i:end])
}

// isSpaceRun reports whether the piece is one of the runs of spaces that are tokens but not in the tables.
func (v *vocabulary) isSpaceRun(piece []byte) bool {
	if v.spaceRun == 0 || len(piece) > v.spaceRun {
		return false
	}
	for _, c := range piece {
		if c != ' ' {
			return false
		}
	}
	return true
}

// loadWord returns the n bytes at b[i], at most 8 and possibly none, as a little-endian number.
func loadWord(b []byte, i, n int) uint64 {
	if i+8 <= len(b) {
		return binary.LittleEndian.Uint64(b[i:]) & (1<<(8*n) - 1)
	}
	var w uint64
	for k := n - 1; k >= 0; k-- {
		w = w<<8 | uint64(b[i+k])
	}
	return w
}
