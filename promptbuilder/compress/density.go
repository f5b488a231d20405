package compress

import (
	"compress/flate"
	"compress/zlib"
	"io"
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

// Densities measures texts in the order in which they were said, in time linear in the bytes.
func Densities(texts []string) []Density {
	all := make([]Density, len(texts))
	var written counting
	w := zlib.NewWriter(&written)
	for i, text := range texts {
		all[i].Bytes = len(text)
		if text == "" {
			continue
		}
		written = 0
		w.Reset(&written)
		_, _ = io.WriteString(w, text) // writes to a counter cannot fail
		_ = w.Close()
		all[i].Ratio = float64(written) / float64(len(text))
	}
	for i, marginal := range Marginals(texts) {
		all[i].Marginal = marginal
	}
	return all
}

// Marginals says of each text how much of it is new after all texts before it, as compression sees it: near 0 for a
// repetition, near the text's own ratio for something new. One compressor reads all of them and is asked after each what
// it had to write. It looks 32 KB back, so what was said long before counts as new.
func Marginals(texts []string) []float64 {
	all := make([]float64, len(texts))
	var written counting
	stream, err := flate.NewWriter(&written, flate.DefaultCompression)
	if err != nil { // only a wrong level is refused
		panic(err)
	}
	for i, text := range texts {
		if text == "" {
			continue
		}
		before := written
		_, _ = io.WriteString(stream, text)
		_ = stream.Flush()
		all[i] = float64(max(0, int(written-before)-flushFrame)) / float64(len(text))
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
