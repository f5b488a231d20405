// Package tablegen computes the embedded tables of package tokens from the rank files of tiktoken-go-loader and from the
// unicode package. Only the generator and the tests, which check the committed tables against it, link it.
package tablegen

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"maps"
	"slices"
	"unicode/utf8"

	loader "github.com/pkoukk/tiktoken-go-loader"

	"foreword/promptbuilder/tokens/internal/frozen"
)

// Vocabularies lists the rank files that get tables of their own. r50k_base has none: its tokens are those of p50k_base
// below rank FirstSpaceRun, with the same ranks.
var Vocabularies = []string{"o200k", "cl100k", "p50k"}

const (
	// FirstSpaceRun is the first rank that p50k_base has over r50k_base. Those tokens are runs of 2 to
	// 25 spaces, which the counter knows by length, so that both encodings can share one table of whole tokens.
	FirstSpaceRun = 50257
	// LongestSpaceRun is the longest of those runs, in bytes.
	LongestSpaceRun = 25
)

// All returns the content of every table file by name.
func All() (map[string][]byte, error) {
	files := map[string][]byte{"classes.bin": Classes()}
	for _, name := range Vocabularies {
		data, err := Vocabulary(name)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		files[name+".bin"] = data
	}
	return files, nil
}

// Ranks returns the rank of every token of a vocabulary.
func Ranks(name string) (map[string]int, error) {
	return loader.NewOfflineLoader().LoadTiktokenBpe(name + "_base.tiktoken")
}

// Vocabulary returns the table file of one vocabulary. Its sections, in order: ranks of the 256 bytes (uint32), ranks of
// all pairs of bytes (uint32, NoRank where there is none), then the tables of tokens of 2-7 bytes, of 8-15 bytes
// and of 16 bytes and more and the table of merges, the bytes
// that the long tokens refer to, and a bit for every two bytes (see torn).
func Vocabulary(name string) ([]byte, error) {
	ranks, err := Ranks(name)
	if err != nil {
		return nil, err
	}
	tokens := slices.SortedFunc(maps.Keys(ranks), func(a, b string) int { return cmp.Compare(ranks[a], ranks[b]) })

	var bytePairs [1 << 16]uint32
	var byteRanks [1 << 8]uint32
	for a := range byteRanks {
		rank, ok := ranks[string([]byte{byte(a)})]
		if !ok {
			return nil, fmt.Errorf("byte %#02x is no token", a)
		}
		byteRanks[a] = uint32(rank)
		for b := range 256 {
			bytePairs[a<<8|b] = frozen.NoRank
			if rank, ok := ranks[string([]byte{byte(a), byte(b)})]; ok {
				bytePairs[a<<8|b] = uint32(rank)
			}
		}
	}

	var short, mid, long, merges []frozen.Entry
	var blob []byte
	for _, token := range tokens {
		rank := ranks[token]
		if rank >= frozen.NoRank {
			return nil, fmt.Errorf("rank %d does not fit %d bits", rank, frozen.RankBits)
		}
		if left, right, ok := lastMerge(token, ranks); ok {
			if left >= rank || right >= rank {
				return nil, fmt.Errorf("token %q is older than its parts", token)
			}
			key := frozen.PairKey(uint32(left), uint32(right))
			merges = append(merges, frozen.Entry{Hash: frozen.Hash(key), Words: []uint64{key<<frozen.RankBits | uint64(rank)}})
		}
		switch n := len(token); {
		case n == 1 || name == "p50k" && rank >= FirstSpaceRun:
		case n <= frozen.ShortLen:
			key := frozen.Key([]byte(token))
			short = append(short, frozen.Entry{Hash: frozen.Hash(key), Words: []uint64{key}})
		case n <= frozen.MidLen:
			lo, hi := frozen.Key2([]byte(token))
			mid = append(mid, frozen.Entry{Hash: frozen.Hash2(lo, hi), Words: []uint64{lo, hi}})
		default:
			long = append(long, frozen.Entry{Hash: frozen.HashBytes([]byte(token)), Words: []uint64{uint64(len(blob))<<8 | uint64(n)}})
			blob = append(blob, token...)
		}
	}

	var file []byte
	file = frozen.Append(file, uint32Bytes(byteRanks[:]))
	file = frozen.Append(file, uint32Bytes(bytePairs[:]))
	for _, t := range []struct {
		entries []frozen.Entry
		width   int
		empty   uint64
	}{{short, 1, 0}, {mid, 2, 0}, {long, 1, 0}, {merges, 1, ^uint64(0)}} {
		if file, err = frozen.Build(file, t.entries, t.width, t.empty); err != nil {
			return nil, err
		}
	}
	file = frozen.Append(file, blob)
	return frozen.Append(file, torn(tokens)), nil
}

// torn returns a bit for every two bytes that some token contains as the last byte of one rune and the first of the
// next while one of those runes is not in the token as a whole.
func torn(tokens []string) []byte {
	set := make([]byte, 1<<16/8)
	add := func(before, after byte) { set[int(before)<<5|int(after>>3)] |= 1 << (after & 7) }
	for _, token := range tokens {
		var starts []int
		for i := range len(token) {
			if i > 0 && utf8.RuneStart(token[i]) {
				starts = append(starts, i)
			}
		}
		if len(starts) == 0 {
			continue
		}
		if first := starts[0]; !utf8.ValidString(token[:first]) {
			add(token[first-1], token[first])
		}
		if last := starts[len(starts)-1]; !utf8.ValidString(token[last:]) {
			add(token[last-1], token[last])
		}
	}
	return set
}

// lastMerge encodes a token's own bytes and returns the two ranks that the last merge joined; ok is false when the merges
// do not arrive at the token.
//
// Only this pair is stored, of all the ways to cut the token in two: merges inside a token do not depend on what
// is around it, so wherever it comes to be it is by this merge; any other pair with the same bytes is taken apart, by an
// earlier merge of one of its ends, before its turn.
func lastMerge(token string, ranks map[string]int) (left, right int, ok bool) {
	parts := make([]string, len(token))
	for i := range parts {
		parts[i] = token[i : i+1]
	}
	for len(parts) > 1 {
		best, at := -1, -1
		for i := range len(parts) - 1 {
			if rank, found := ranks[parts[i]+parts[i+1]]; found && (at < 0 || rank < best) {
				best, at = rank, i
			}
		}
		if at < 0 {
			return 0, 0, false
		}
		left, right = ranks[parts[at]], ranks[parts[at+1]]
		parts[at] += parts[at+1]
		parts = slices.Delete(parts, at+1, at+2)
	}
	return left, right, len(token) > 1
}

func uint32Bytes(words []uint32) []byte {
	b := make([]byte, 0, 4*len(words))
	for _, w := range words {
		b = binary.LittleEndian.AppendUint32(b, w)
	}
	return b
}
