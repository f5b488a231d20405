package tokens

import (
	"encoding/binary"

	"foreword/promptbuilder/tokens/internal/frozen"
)

// memo is what one count at a time keeps between calls: the counts of pieces seen, and room for merging. Its caches are
// direct-mapped, and small enough to stay in the first two levels of the processor's.
type memo struct {
	// short has pieces of up to frozen.ShortLen bytes. An entry is the piece's key with its count in the top
	// four bits; no piece has the key 0.
	short [1 << shortBits]uint64
	// merged has the longer ones that are more than one token, up to mergedLen bytes.
	merged [1 << mergedBits]mergedPiece
	flat   flatMerge
	tree   treeMerge
}

type mergedPiece struct {
	key   [4]uint64
	count int
}

const (
	shortBits  = 13
	mergedBits = 13
	mergedLen  = 31 // an identifier is seldom longer
	countShift = 60
	countMask  = 0xF << countShift
)

// pieceTokens returns the number of tokens of the piece b[i:end], or a number above budget once it is passed.
func (v *vocabulary) pieceTokens(b []byte, i, end, budget int, m *memo) int {
	n := end - i
	switch {
	case n == 1:
		return 1
	case n <= frozen.ShortLen:
		key := loadWord(b, i, n) | uint64(n)<<56
		hash := frozen.Hash(key)
		entry := &m.short[hash>>(64-shortBits)]
		if *entry&^countMask == key {
			return int(*entry >> countShift)
		}
		count := 1
		if v.short.At(hash) != key && !v.isSpaceRun(b[i:end]) {
			count = v.merge(b[i:end], budget, m)
		}
		*entry = key | uint64(count)<<countShift
		return count
	case n <= frozen.MidLen:
		lo, hi := binary.LittleEndian.Uint64(b[i:]), loadWord(b, i+8, n-8)|uint64(n)<<56
		hash := frozen.Hash2(lo, hi)
		if l, h := v.mid.At2(hash); l == lo && h == hi || v.isSpaceRun(b[i:end]) {
			return 1
		}
		return v.mergeOnce(b[i:end], [4]uint64{lo, hi}, hash, m)
	case n <= mergedLen:
		key := [4]uint64{
			binary.LittleEndian.Uint64(b[i:]), binary.LittleEndian.Uint64(b[i+8:]),
			loadWord(b, i+16, min(n-16, 8)), loadWord(b, i+24, max(n-24, 0)) | uint64(n)<<56,
		}
		hash := frozen.HashBytes(b[i:end])
		if v.isLongToken(b[i:end], hash) || v.isSpaceRun(b[i:end]) {
			return 1
		}
		return v.mergeOnce(b[i:end], key, hash, m)
	case n <= longestToken && v.isLongToken(b[i:end], frozen.HashBytes(b[i:end])):
		return 1
	}
	return v.merge(b[i:end], budget, m)
}

// mergeOnce is merge for a piece that may have been merged before.
func (v *vocabulary) mergeOnce(piece []byte, key [4]uint64, hash uint64, m *memo) int {
	entry := &m.merged[hash>>(64-mergedBits)]
	if entry.key != key {
		*entry = mergedPiece{key, v.merge(piece, len(piece), m)}
	}
	return entry.count
}

// longestToken is the length in bytes of the longest token of all encodings.
const longestToken = 128

// isLongToken reports whether a piece of more than frozen.MidLen bytes, with its hash by frozen.HashBytes, is a token.
func (v *vocabulary) isLongToken(piece []byte, hash uint64) bool {
	slot := v.long.At(hash)
	return int(slot&0xFF) == len(piece) && string(v.blob[slot>>8:][:len(piece)]) == string(piece)
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
