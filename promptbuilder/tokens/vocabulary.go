package tokens

import (
	_ "embed" // the tables
	"fmt"
	"sync"
	"sync/atomic"

	"foreword/promptbuilder/tokens/internal/frozen"
)

// The tables are byte slices, not strings: the linker aligns those, so that their words can be read in place.
var (
	//go:embed tables/o200k.bin
	o200kFile []byte
	//go:embed tables/cl100k.bin
	cl100kFile []byte
	//go:embed tables/p50k.bin
	p50kFile []byte
	//go:embed tables/classes.bin
	classesFile []byte
)

// splitter names the regular expression that an encoding splits text by.
type splitter uint8

const (
	splitGPT2 splitter = iota
	splitCL100k
	splitO200k
)

// vocabulary is what counting needs to know of one encoding. It is immutable but for what it
// remembers.
type vocabulary struct {
	split     splitter
	byteRanks []uint32 // of the 256 one-byte tokens
	bytePairs []uint32 // rank of every two bytes, big-endian, or frozen.NoRank
	short     frozen.Table
	mid       frozen.Table
	long      frozen.Table // slots of offset<<8 | length into blob
	merges    frozen.Table // slots of left rank, right rank, rank of the whole
	blob      []byte
	torn      []byte // one bit for every two bytes, see isTorn
	// runes remembers the ranks of runes of three bytes by code point; 0 is not known yet (rank 0 is "!").
	runes    [1 << 16]atomic.Uint32
	limit    uint32 // merges whose rank is not below it belong to a larger encoding that shares the tables
	spaceRun int    // runs of 2 to spaceRun spaces are one token each, and not in the tables
	memos    sync.Pool
}

// p50k_base has the tokens of r50k_base, rank for rank, and 24 runs of spaces after them.
const (
	r50kLimit    = 50257
	p50kSpaceRun = 25
)

var vocabularies = map[Encoding]func() *vocabulary{
	O200k:  sync.OnceValue(func() *vocabulary { return openVocabulary(o200kFile, splitO200k, frozen.NoRank, 0) }),
	CL100k: sync.OnceValue(func() *vocabulary { return openVocabulary(cl100kFile, splitCL100k, frozen.NoRank, 0) }),
	P50k:   sync.OnceValue(func() *vocabulary { return openVocabulary(p50kFile, splitGPT2, frozen.NoRank, p50kSpaceRun) }),
	R50k:   sync.OnceValue(func() *vocabulary { return openVocabulary(p50kFile, splitGPT2, r50kLimit, 0) }),
}

var classes = openClasses()

func (e Encoding) vocabulary() *vocabulary {
	open, ok := vocabularies[e]
	if !ok {
		open = vocabularies[O200k]
	}
	return open()
}

// openVocabulary panics on a damaged table: it is part of the binary.
func openVocabulary(data []byte, split splitter, limit uint32, spaceRun int) *vocabulary {
	f := frozen.Open(data)
	v := &vocabulary{split: split, limit: limit, spaceRun: spaceRun}
	v.byteRanks = frozen.Words[uint32](f)
	v.bytePairs = frozen.Words[uint32](f)
	v.short = f.Table(1)
	v.mid = f.Table(2)
	v.long = f.Table(1)
	v.merges = f.Table(1)
	v.blob = f.Bytes()
	v.torn = f.Bytes()
	if err := f.Err(); err != nil {
		panic(fmt.Sprintf("tokens: embedded table: %v", err))
	}
	v.memos.New = func() any { return new(memo) }
	return v
}

func openClasses() frozen.Classes {
	f := frozen.Open(classesFile)
	return frozen.Classes{Index: f.Bytes(), Pages: f.Bytes()}
}
