package tokens

import (
	"fmt"
	"math"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
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
				// The first sight of a text: nothing is remembered of it.
				first := bestTime(text, 1<<16, 1, 4, func(s string) { e.vocabulary().count(readOnly(s), math.MaxInt, new(memo)) })
				b.ReportMetric(1e3/ours, "best-MB/s")
				b.ReportMetric(1e3/first, "first-64kB-MB/s")
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

// BenchmarkKeystroke is one insertion somewhere in a text of a megabyte; the ratio is to a full recount.
func BenchmarkKeystroke(b *testing.B) {
	for _, name := range []string{"prose", "go", "minjs", "cjk"} {
		b.Run(name, func(b *testing.B) {
			text := corpus(b, name)
			d := NewDocument(O200k, text)
			r := newRand(1)
			var recount time.Duration
			for i := range 3 {
				if t := timed(func() { O200k.Count(text) }); i == 0 || t < recount {
					recount = t
				}
			}
			b.ReportAllocs()
			for b.Loop() {
				at := r.IntN(d.Len())
				d.Edit(at, at, "x")
			}
			b.ReportMetric(float64(recount)/(float64(b.Elapsed())/float64(b.N)), "x-recount")
		})
	}
}

// BenchmarkCountUpTo asks a megabyte for 2,000 tokens.
func BenchmarkCountUpTo(b *testing.B) {
	text := corpus(b, "go")
	for b.Loop() {
		O200k.CountUpTo(text, 2000)
	}
}

// BenchmarkOneRune is a megabyte of one rune, the worst for merging.
func BenchmarkOneRune(b *testing.B) {
	for _, e := range []Encoding{O200k, CL100k} {
		for _, unit := range []string{"a", " ", "-", "\n", "=", "漢", "🙂"} {
			b.Run(string(e)+"/"+strconv.QuoteToASCII(unit), func(b *testing.B) {
				text := strings.Repeat(unit, (1<<20)/len(unit))
				b.SetBytes(int64(len(text)))
				for b.Loop() {
					e.Count(text)
				}
			})
		}
	}
}

// coldVariable makes TestMain a process that counts once and says how long that took.
const coldVariable = "FOREWORD_TOKENS_COLD"

func TestMain(m *testing.M) {
	if e := Encoding(os.Getenv(coldVariable)); e != "" {
		start := time.Now()
		e.Count(coldText)
		fmt.Println(time.Since(start).Nanoseconds())
		return
	}
	os.Exit(m.Run())
}

var coldText = strings.Repeat("// Count returns the number of tokens.\nfunc (e Encoding) Count(text string) int {\n\treturn 日本語\n}\n", 40)

// BenchmarkColdStart is the first count, of 4 kB, in a new process; tiktoken-go's is its first GetEncoding in this one.
func BenchmarkColdStart(b *testing.B) {
	for _, e := range encodings {
		b.Run(string(e), func(b *testing.B) {
			var first []float64
			for b.Loop() {
				command := exec.Command(os.Args[0])
				command.Env = append(os.Environ(), coldVariable+"="+string(e))
				out, err := command.Output()
				if err != nil {
					b.Fatal(err)
				}
				ns, err := strconv.ParseFloat(strings.TrimSpace(string(out)), 64)
				if err != nil {
					b.Fatal(err)
				}
				first = append(first, ns/1e6)
			}
			slices.Sort(first)
			b.ReportMetric(first[0], "first-count-best-ms")
			b.ReportMetric(first[len(first)/2], "first-count-median-ms")
		})
	}
}
