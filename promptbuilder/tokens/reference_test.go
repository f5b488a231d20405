package tokens

import (
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/dlclark/regexp2"
	"github.com/pkoukk/tiktoken-go"
	loader "github.com/pkoukk/tiktoken-go-loader"
	"pgregory.net/rapid"
)

var encodings = []Encoding{O200k, CL100k, P50k, R50k}

// references are tiktoken-go's codecs, made once: GetEncoding builds one anew on every call.
var references = func() map[Encoding]func() *tiktoken.Tiktoken {
	offline := sync.OnceFunc(func() { tiktoken.SetBpeLoader(loader.NewOfflineLoader()) })
	codecs := map[Encoding]func() *tiktoken.Tiktoken{}
	for _, e := range encodings {
		codecs[e] = sync.OnceValue(func() *tiktoken.Tiktoken {
			offline()
			t, err := tiktoken.GetEncoding(string(e))
			if err != nil {
				panic(err)
			}
			return t
		})
	}
	return codecs
}()

// longestReference is the length of text, in bytes, that tests give to tiktoken-go, whose time grows with the square of
// the longest piece: a second for 64 kB of one letter.
const longestReference = 4096

// reference counts valid text with tiktoken-go.
func reference(e Encoding, text string) int {
	if len(text) > longestReference {
		panic("text too long for the reference")
	}
	return len(references[e]().EncodeOrdinary(text))
}

func checkCount(tb testing.TB, e Encoding, text string) {
	tb.Helper()
	if got, want := e.Count(text), reference(e, Valid(text)); got != want {
		tb.Errorf("%s counts %d tokens in %q, tiktoken-go %d", e, got, text, want)
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

func mixed(r *rand.Rand, n int, from ...[]string) string {
	var b strings.Builder
	for range n {
		list := from[r.IntN(len(from))]
		b.WriteString(list[r.IntN(len(list))])
	}
	return b.String()
}

// Text put together from awkward fragments, valid or not, counts as tiktoken-go counts it.
func TestCountOfMixedText(t *testing.T) {
	for _, e := range encodings {
		r := rand.New(rand.NewPCG(2, 0x746f6b))
		for i := range 3000 {
			from := [][]string{fragments, fragments[:20+r.IntN(40)]}
			if i%5 == 0 {
				from = append(from, broken)
			}
			checkCount(t, e, mixed(r, 1+r.IntN(60), from...))
		}
	}
}

// patterns are the regular expressions that the splitters stand for, as tiktoken-go has them.
var patterns = map[Encoding]string{
	O200k: `[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?` +
		`|[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?` +
		`|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+`,
	CL100k: `(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+`,
	P50k:   `'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+`,
}

// Mixed text is cut where the pattern cuts it. Counts alone would not tell: most cuts could be elsewhere and the number
// of tokens be the same.
func TestPieces(t *testing.T) {
	for e, pattern := range patterns {
		re := regexp2.MustCompile(pattern, regexp2.None)
		v := e.vocabulary()
		r := rand.New(rand.NewPCG(8, 0x746f6b))
		for range 4000 {
			text := mixed(r, 1+r.IntN(30), fragments, fragments[:20+r.IntN(40)])
			var got, want []string
			for i := 0; i < len(text); {
				end := v.pieceEnd([]byte(text), i)
				got = append(got, text[i:end])
				i = end
			}
			for m, _ := re.FindStringMatch(text); m != nil; m, _ = re.FindNextMatch(m) {
				want = append(want, m.String())
			}
			if !slices.Equal(got, want) {
				t.Fatalf("%s cuts %q\ninto %q\nwant %q", e, text, got, want)
			}
		}
	}
}

// Long pieces, which are merged in windows, count as tiktoken-go counts them: runs of few different letters, of marks, of
// ideographs, and of what windows do not fit, tokens of up to 128 bytes.
func TestCountOfLongPieces(t *testing.T) {
	alphabets := []string{"a", "ab", "etaoin", "abcdefghijklmnopqrstuvwxyz", "-", "-=", "=*-#", " ", " \t", " \n", "漢字的是一", "のはをがに", "аеиноп", "👋🏽🙂", "กขคง", "한국어"}
	for _, e := range encodings {
		r := rand.New(rand.NewPCG(4, 0x746f6b))
		for _, alphabet := range alphabets {
			letters := []rune(alphabet)
			for _, n := range []int{40, 63, 64, 65, 130, 300, 1000} {
				var b strings.Builder
				for range n + r.IntN(20) {
					b.WriteRune(letters[r.IntN(len(letters))])
				}
				checkCount(t, e, b.String())
			}
		}
	}
}

// Any string that rapid thinks of counts as tiktoken-go counts it, and never has more tokens than bytes.
func TestCountProperties(t *testing.T) {
	text := rapid.OneOf(
		rapid.String(),
		rapid.Map(rapid.SliceOfN(rapid.Byte(), 0, 80), func(b []byte) string { return string(b) }),
		rapid.Map(rapid.SliceOfN(rapid.SampledFrom(fragments), 0, 40), func(s []string) string { return strings.Join(s, "") }),
	)
	rapid.Check(t, func(t *rapid.T) {
		e := rapid.SampledFrom(encodings).Draw(t, "encoding")
		s := text.Draw(t, "text")
		n := e.Count(s)
		if want := reference(e, Valid(s)); n != want {
			t.Fatalf("%s counts %d tokens in %q, tiktoken-go %d", e, n, s, want)
		}
		if n > len(s) {
			t.Fatalf("%s counts %d tokens in %d bytes %q", e, n, len(s), s)
		}
		budget := rapid.IntRange(-1, 50).Draw(t, "budget")
		got, within := e.CountUpTo(s, budget)
		if within != (n <= budget) || within && got != n || within != e.Fits(s, budget) {
			t.Fatalf("%s has %d tokens in %q, up to %d it says %d, %v", e, n, s, budget, got, within)
		}
	})
}

func FuzzCount(f *testing.F) {
	for _, s := range append(fragments, broken...) {
		f.Add(s + "a " + s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > longestReference/3 { // an invalid byte becomes three
			return
		}
		for _, e := range encodings {
			checkCount(t, e, text)
		}
	})
}
