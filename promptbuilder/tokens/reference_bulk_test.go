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

// fragments are what the splitters decide by, and what merges go wrong on.
var fragments = []string{
	"a", "B", "the", "The", "THE", "word", "camelCase", "HTTPServer", "aaaa", "AAAA", "'s", "'S", "'LL", "'ll", "'l", "'ve", "'Re", "'", "’s", "'ſ",
	" ", "  ", "      ", "\n", "\n\n", "\r\n", "\r", "\t", "\u00a0", "\u3000", "\u2028", "\u0085", "\u200b", "\ufeff", "\v",
	"1", "42", "123456", "٣", "½", "Ⅷ", "²", ".", ",", "/", "//", "-", "--------", "==", "{}", ");\n", "_", "$", "€", "“", "<|endoftext|>", "<|fim_prefix|>", "<|im_start|>",
	"漢", "字", "日本語", "的", "한국", "ا", "א", "ก", "क", "ि", "é", "É", "e\u0301", "\u0301", "ß", "ſ", "İ", "ǅ", "ʰ", "Ω", "ω", "𝒜", "ჯ", "д", "Д",
	"👋🏽", "👨\u200d👩\u200d👧", "🙂", "\U0010FFFF", "\uFFFD", "\x00",
}

// broken are byte sequences that are not UTF-8.
var broken = []string{"\xff", "\xe4\xbd", "\xf0\x9f\x98", "\x80", "\xed\xa0\x80", "\xc0\xaf", "\xf4\x90\x80\x80", "\xc3", "\xe0\x80\x8d", "\xe0\x9f\xbf"}

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
