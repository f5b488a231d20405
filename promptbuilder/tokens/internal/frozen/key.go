package frozen

// How tokens and merges are packed into words. The counter builds the same keys from the text, without copying it.
const (
	// RankBits is the width of a rank: o200k_base, the largest vocabulary, ends at 199,997.
	RankBits = 18
	// NoRank stands for "no such token". It is above all ranks, and makes no token with any.
	NoRank = 1<<RankBits - 1
	// ShortLen is the longest token, in bytes, whose key is one word: seven bytes of text and one of length.
	ShortLen = 7
	// MidLen is the longest token, in bytes, whose key is two words.
	MidLen = 15
)

// PairKey is the key of a merge: the ranks of its two parts.
func PairKey(left, right uint32) uint64 { return uint64(left)<<RankBits | uint64(right) }

// Key packs a token of at most ShortLen bytes: little-endian text, length in the top byte.
func Key(b []byte) uint64 {
	key := uint64(len(b)) << 56
	for i, c := range b {
		key |= uint64(c) << (8 * i)
	}
	return key
}

// Key2 packs a token of more than ShortLen and at most MidLen bytes: the first eight bytes, then the rest with the whole
// length in the top byte.
func Key2(b []byte) (lo, hi uint64) {
	for i, c := range b[:8] {
		lo |= uint64(c) << (8 * i)
	}
	return lo, Key(b[8:])&^(0xff<<56) | uint64(len(b))<<56
}
