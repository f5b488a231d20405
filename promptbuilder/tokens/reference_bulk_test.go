//go:build !race

package tokens

import (
	"math/rand/v2"
	"strings"
	"testing"
	"unicode"
)

// The tests here work in one goroutine and would take minutes under the race
// detector, or measure what it changes; .ci/suites/go runs them without it.

// Every assigned code point counts as tiktoken-go counts it, on a line of its own, between letters, among spaces, after an
// apostrophe and twice in a row between capitals.
func TestCountOfEveryRune(t *testing.T) {
	lines := func(r rune) string {
		s := string(r)
		return s + "\na" + s + "b\n " + s + "  " + s + " x'" + s + "1\nA" + s + s + "B\n"
	}
	for _, e := range []Encoding{O200k, CL100k, P50k} { // R50k splits as P50k does
		t.Run(string(e), func(t *testing.T) {
			t.Parallel()
			var batch strings.Builder
			var runes []rune
			check := func() {
				if text := batch.String(); e.Count(text) != reference(e, text) {
					for _, r := range runes {
						checkCount(t, e, lines(r))
					}
				}
				batch.Reset()
				runes = runes[:0]
			}
			for r := rune(0); r <= unicode.MaxRune; r++ {
				step := unicode.In(r, unicode.Han, unicode.Hangul) && testing.Short() && r%16 != 0
				if step || !unicode.In(r, unicode.L, unicode.M, unicode.N, unicode.P, unicode.S, unicode.Z, unicode.Cc, unicode.Cf) && r%251 != 0 ||
					r >= 0xD800 && r <= 0xDFFF {
					continue
				}
				batch.WriteString(lines(r))
				runes = append(runes, r)
				if len(runes) == 32 {
					check()
				}
			}
			check()
		})
	}
}

// Slices of code, prose, chat, CJK, base64 and white space, wherever they are cut, count as tiktoken-go counts them.
func TestCountOfCorpora(t *testing.T) {
	for _, name := range corpusNames {
		text := corpus(t, name)
		for _, e := range encodings {
			r := rand.New(rand.NewPCG(3, 0x746f6b))
			for range 60 {
				at := r.IntN(len(text) - longestReference)
				// Cut runes become three bytes each, two at the most.
				checkCount(t, e, text[at:at+1+r.IntN(longestReference-8)])
			}
		}
	}
}
