package tokens

import (
	"strings"
	"testing"
	"time"
)

// sample is how much of a corpus the reference counts, in bytes: it takes a second per 4 MB.
const sample = 1 << 17

// BenchmarkCount reports, besides MB/s, how many times faster than tiktoken-go's EncodeOrdinary a count is.
func BenchmarkCount(b *testing.B) {
	for _, e := range []Encoding{O200k, CL100k} {
		for _, name := range corpusNames {
			b.Run(string(e)+"/"+name, func(b *testing.B) {
				text := corpus(b, name)
				e.Count(text[:1000])
				b.SetBytes(int64(len(text)))
				b.ReportAllocs()
				for b.Loop() {
					e.Count(text)
				}
				perByte := float64(b.Elapsed()) / float64(b.N) / float64(len(text))
				b.ReportMetric(referenceTime(e, text)/perByte, "x-tiktoken-go")
			})
		}
	}
}

// referenceTime returns how many nanoseconds a byte of text takes tiktoken-go, the best of three runs.
func referenceTime(e Encoding, text string) float64 {
	text = strings.ToValidUTF8(text[:min(len(text), sample)], "")
	references[e]()
	best := time.Duration(1 << 62)
	for range 3 {
		start := time.Now()
		reference(e, text)
		best = min(best, time.Since(start))
	}
	return float64(best) / float64(len(text))
}
