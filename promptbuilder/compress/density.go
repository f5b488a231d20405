package compress

import (
	"compress/flate"
	"compress/zlib"
)

// Density is how much a text says for its length, as compression sees it.
type Density struct {
	// Bytes of the text.
	Bytes int
	// Ratio of the compressed text to the text; short texts pass 1 because of the frame. 0 for an empty text.
	Ratio float64
	// Marginal is the same for what is new after all texts before it: near 0 for a repetition.
	Marginal float64
}

// Below Redundant a text says little that was not said before; above Novel nearly all of it is new. The marks are
// gptme's (gptme/context/compress.py, June 2026).
const (
	Redundant = .3
	Novel     = .7
)

// counting counts what is written to it.
type counting int

func (c *counting) Write(p []byte) (int, error) {
	*c += counting(len(p))
	return len(p), nil
}

// flushFrame is what the compressor writes at each flush beside the text itself: an empty stored block.
const flushFrame = 5

// Densities measures texts in the order in which they were said. The time is linear in the bytes: one compressor reads
// all of them and is asked after each what it had to write. It looks 32 KB back, so what was said long before counts
// as new.
func Densities(texts []string) []Density {
	all := make([]Density, len(texts))
	var written counting
	stream, err := flate.NewWriter(&written, flate.DefaultCompression)
	if err != nil { // only a wrong level is refused
		panic(err)
	}
	for i, text := range texts {
		all[i].Bytes = len(text)
		if text == "" {
			continue
		}
		all[i].Ratio = Ratio(text)
		before := written
		// Writes to a counter cannot fail.
		_, _ = stream.Write([]byte(text))
		_ = stream.Flush()
		all[i].Marginal = float64(max(0, int(written-before)-flushFrame)) / float64(len(text))
	}
	return all
}

// Ratio is the size of the text compressed by zlib over its size, 0 for an empty text.
func Ratio(text string) float64 {
	if text == "" {
		return 0
	}
	return float64(Size(text)) / float64(len(text))
}

// Size of the text compressed by zlib, in bytes. Go's compressor writes 3 to 6 bytes more than C's on short texts.
func Size(text string) int {
	var written counting
	w := zlib.NewWriter(&written)
	_, _ = w.Write([]byte(text))
	_ = w.Close()
	return int(written)
}
