package tokens

import (
	"testing"
	"time"
)

// BenchmarkCount reports, besides the mean over whole corpora, the speed and how many times faster than tiktoken-go's
// EncodeOrdinary it is, from the best times of each stretch of text: machines are shared.
func BenchmarkCount(b *testing.B) {
	for _, e := range encodings {
		for _, name := range corpusNames {
			b.Run(string(e)+"/"+name, func(b *testing.B) {
				text := corpus(b, name)
				b.SetBytes(int64(len(text)))
				b.ReportAllocs()
				for b.Loop() {
					e.Count(text)
				}
				ours := bestTime(text, 1<<13, 1, 24, func(s string) { e.Count(s) })
				theirs := bestTime(text, 1<<11, 64, 16, func(s string) { reference(e, s) })
				b.ReportMetric(1e3/ours, "best-MB/s")
				b.ReportMetric(theirs/ours, "x-tiktoken-go")
			})
		}
	}
}

// bestTime returns the nanoseconds per byte that count takes: text is cut into stretches, of which every skip-th is timed,
// and the best of some rounds over the text counts for each.
func bestTime(text string, stretch, skip, rounds int, count func(string)) float64 {
	var pieces []string
	for at := 0; at+stretch <= len(text); at += stretch * skip {
		pieces = append(pieces, Valid(text[at:at+stretch]))
	}
	best := make([]time.Duration, len(pieces))
	for round := range rounds {
		for i, piece := range pieces {
			start := time.Now()
			count(piece)
			if d := time.Since(start); round == 0 || d < best[i] {
				best[i] = d
			}
		}
	}
	var sum time.Duration
	for _, d := range best {
		sum += d
	}
	return float64(sum) / float64(len(pieces)*stretch)
}
