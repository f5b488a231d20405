package tokens

import (
	"math/rand/v2"
	"strings"
	"sync"
	"testing"
	"unicode/utf8"

	"github.com/pkoukk/tiktoken-go"
	loader "github.com/pkoukk/tiktoken-go-loader"
)

var encodings = []Encoding{O200k, CL100k, P50k, R50k}

var setLoader = sync.OnceFunc(func() { tiktoken.SetBpeLoader(loader.NewOfflineLoader()) })

var references = func() map[Encoding]func() *tiktoken.Tiktoken {
	m := map[Encoding]func() *tiktoken.Tiktoken{}
	for _, e := range encodings {
		m[e] = sync.OnceValue(func() *tiktoken.Tiktoken {
			setLoader()
			t, err := tiktoken.GetEncoding(string(e))
			if err != nil {
				panic(err)
			}
			return t
		})
	}
	return m
}()

// reference counts with tiktoken-go, whose time grows with the square of the longest piece: keep texts short.
func reference(e Encoding, text string) int {
	return len(references[e]().EncodeOrdinary(text))
}

func TestScratchAllRunes(t *testing.T) {
	for _, e := range encodings {
		bad := 0
		for r := rune(0); r <= utf8.MaxRune; r += 1 {
			if r > 0x3200 && r%7 != 0 {
				continue
			}
			if !utf8.ValidRune(r) {
				continue
			}
			s := string(r)
			for _, p := range []string{s, "a" + s + "b", " " + s + s + " \n", "A'" + s + "1" + s + "  " + s} {
				if got, want := e.Count(p), reference(e, p); got != want {
					bad++
					if bad < 10 {
						t.Errorf("%s %q (%U) = %d, want %d", e, p, r, got, want)
					}
				}
			}
		}
		t.Log(e, bad)
	}
}

func TestScratchRandom(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	frag := []string{"a", "B", "the", "The", "'s", "'LL", "'ve", " ", "  ", "\n", "\r\n", "\t", "漢", "字", "é", "É", "\u0301", "1", "42", "٣", "/", "//", "-", "==", "\u3000", "\u00a0", "👨\u200d👩", "ǅ", "ʰ", "ſ", "İ", "<|endoftext|>", "_", "{", "}", "Ω", "ω", "한", "ا", "क", "ि", "K", ".", "function", "AAAA", "aaaa", "      "}
	for _, e := range encodings {
		bad := 0
		for range 4000 {
			var b strings.Builder
			for range 1 + r.IntN(40) {
				b.WriteString(frag[r.IntN(len(frag))])
			}
			p := b.String()
			if got, want := e.Count(p), reference(e, p); got != want {
				bad++
				if bad < 5 {
					t.Errorf("%s %q = %d, want %d", e, p, got, want)
				}
			}
		}
		for range 300 {
			b := make([]byte, r.IntN(1500))
			k := 1 + r.IntN(26)
			for i := range b {
				b[i] = 'a' + byte(r.IntN(k))
			}
			p := string(b)
			got, want := e.Count(p), reference(e, p)
			if h := vocabularies[e]().mergeHeap([]byte(p + "zq")); h != vocabularies[e]().merge([]byte(p+"zq"), 1<<40, new(memo)) {
				t.Errorf("heap")
			}
			if got != want {
				bad++
				if bad < 5 {
					t.Errorf("%s %q = %d, want %d", e, p, got, want)
				}
			}
		}
		t.Log(e, bad)
	}
}
