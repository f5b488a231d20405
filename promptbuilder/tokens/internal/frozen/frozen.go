// Package frozen holds the static lookup tables of the token counter: hash tables without collisions that are built once by
// go generate and read in place from the binary, so that opening one costs nothing but the pages that are touched.
//
// A Table places every key by two hashes: the first picks a bucket, whose seed (found by the builder) makes the second
// send all keys of the bucket to free slots. A lookup is therefore one seed and one slot, for present and absent keys alike;
// absent keys matter most, since nearly all pairs of neighbouring tokens have no merge.
package frozen

// The multipliers are odd 64-bit constants with well spread bits (the golden ratio and the first of SplitMix64);
// changing one means generating the tables again.
const (
	bucketMul = 0x9E3779B97F4A7C15
	slotMul   = 0xBF58476D1CE4E5B9
)

// Table is a read-only hash table of fixed-width slots. What a slot holds, and how a key is compared, is its user's matter.
type Table struct {
	seeds []uint16 // one per bucket; a power of two
	slots []uint64 // width words for each of n slots
	n     uint64
}

// Hash is the first hash of a one-word key.
func Hash(key uint64) uint64 {
	h := key * bucketMul
	return h ^ h>>32
}

// Hash2 is the first hash of a two-word key.
func Hash2(lo, hi uint64) uint64 {
	return Hash(lo*slotMul ^ hi)
}

// HashBytes is the first hash of a byte string, eight bytes at a time.
func HashBytes(b []byte) uint64 {
	h := uint64(len(b))
	for len(b) >= 8 {
		h = Hash2(h, uint64(b[0])|uint64(b[1])<<8|uint64(b[2])<<16|uint64(b[3])<<24|uint64(b[4])<<32|uint64(b[5])<<40|uint64(b[6])<<48|uint64(b[7])<<56)
		b = b[8:]
	}
	for _, c := range b {
		h = Hash2(h, uint64(c))
	}
	return h
}

func slotOf(hash uint64, seed uint16, n uint64) uint64 {
	return ((hash ^ uint64(seed)) * slotMul >> 32) * n >> 32
}

// At returns the word of the one slot where a key with this hash can be, in a table of one word per slot.
func (t *Table) At(hash uint64) uint64 {
	return t.slots[slotOf(hash, t.seeds[hash&uint64(len(t.seeds)-1)], t.n)]
}

// At2 is At for a table of two words per slot.
func (t *Table) At2(hash uint64) (lo, hi uint64) {
	s := t.slots[2*slotOf(hash, t.seeds[hash&uint64(len(t.seeds)-1)], t.n):]
	return s[0], s[1]
}
