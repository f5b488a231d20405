package tokens

import (
	"math"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"
	"unicode/utf8"

	"foreword/promptbuilder/tokens/internal/tablegen"
)

// Known counts. The first three texts are OpenAI's own examples of how its encodings differ (openai-cookbook, How to
// count tokens with tiktoken); the others were counted with tiktoken-go 0.1.8.
func TestCountGolden(t *testing.T) {
	for _, test := range []struct {
		text                      string
		o200k, cl100k, p50k, r50k int
	}{
		{"antidisestablishmentarianism", 6, 6, 5, 5},
		{"2 + 2 = 4", 7, 7, 5, 5},
		{"お誕生日おめでとう", 8, 9, 14, 14},
		{"", 0, 0, 0, 0},
		{"tiktoken is great!", 6, 6, 6, 6},
		{"<|endoftext|>", 7, 7, 7, 7},
		{"hello\n \n\nworld", 3, 4, 6, 6},
		{"                          x", 2, 2, 2, 26},
		{"I'll say DON'T, don'T", 6, 8, 10, 10},
		{"\xff\xe4\xbdx", 2, 2, 2, 2},
	} {
		for i, want := range []int{test.o200k, test.cl100k, test.p50k, test.r50k} {
			if got := encodings[i].Count(test.text); got != want {
				t.Errorf("%s counts %d tokens in %q, want %d", encodings[i], got, test.text, want)
			}
		}
	}
}

// An encoding that nobody named counts as o200k_base.
func TestUnknownEncoding(t *testing.T) {
	const text = "お誕生日おめでとう"
	for _, e := range []Encoding{"", "o300k_base"} {
		if e.Count(text) != O200k.Count(text) {
			t.Errorf("encoding %q does not count as o200k_base", e)
		}
	}
}

// Every token of the loader's rank files is one token when it is a whole piece, and no other piece of its length is that
// differs in a byte, unless it is a token too.
func TestTablesHaveEveryToken(t *testing.T) {
	for _, e := range encodings {
		ranks, err := tablegen.Ranks(strings.TrimSuffix(string(e), "_base"))
		if err != nil {
			t.Fatal(err)
		}
		v, m := e.vocabulary(), new(memo)
		for token := range ranks {
			if !utf8.ValidString(token) {
				continue // a part of runes is no piece
			}
			b := []byte(token)
			if n := v.pieceTokens(b, 0, len(b), math.MaxInt, m); n != 1 {
				t.Fatalf("%s: token %q is %d tokens", e, token, n)
			}
			b[len(b)/2] ^= 0x15
			_, known := ranks[string(b)]
			if !utf8.Valid(b) {
				continue
			}
			if n := v.pieceTokens(b, 0, len(b), math.MaxInt, m); (n == 1) != known {
				t.Fatalf("%s: %q is %d tokens, in the ranks: %v", e, b, n, known)
			}
		}
	}
}

// The windows of mergeLong and the heap agree, where windows have to grow and where they cannot join.
func TestMergesAgree(t *testing.T) {
	for _, e := range encodings {
		v, m := e.vocabulary(), new(memo)
		for _, unit := range []string{"a", "-", " ", "ab", "abcdefg", "漢字", "=-", "zq", "\t\t ", "𝒜", strings.Repeat("-", 77) + "=", strings.Repeat("x", 301) + "y"} {
			for _, size := range []int{65, 1023, 1024, 1025, 5000, 30000} {
				piece := []byte(strings.Repeat(unit, size/len(unit)+1))
				if got, want := v.mergeLong(piece, math.MaxInt, m), v.mergeHeap(piece); got != want {
					t.Errorf("%s: %d bytes of %q are %d tokens by windows, %d by heap", e, len(piece), unit, got, want)
				}
			}
		}
	}
}

func timed(f func()) time.Duration {
	start := time.Now()
	f()
	return time.Since(start)
}

// The work of a count under a budget does not depend on what comes after.
func TestCountUpToStops(t *testing.T) {
	for _, unit := range []string{"word ", "a", "-", "漢"} {
		short := strings.Repeat(unit, 1<<14)
		long := strings.Repeat(short, 64)
		for _, e := range encodings {
			a, _ := e.CountUpTo(short, 100)
			b, within := e.CountUpTo(long, 100)
			if a != b || within || a > 200 {
				t.Errorf("%s: of %q it counts %d tokens, of more of it %d, %v", e, unit, a, b, within)
			}
		}
	}
}

// Not even a broken byte, which stands for the three bytes of U+FFFD, is more than one token, whatever is before it.
// The shortcut of CountUpTo and Fits rests on that.
func TestTokensDoNotOutnumberBytes(t *testing.T) {
	for _, e := range encodings {
		for before := range 256 {
			for n := range 12 {
				text := string([]byte{byte(before)}) + strings.Repeat("\xff", n)
				if got := e.Count(text); got > len(text) {
					t.Fatalf("%s counts %d tokens in %q", e, got, text)
				}
			}
		}
	}
}

// Goroutines may count at once, from the first use of an encoding on.
func TestCountConcurrently(t *testing.T) {
	text := mixed(newRand(5), 300, fragments)
	for _, e := range encodings {
		want := reference(e, text)
		var group sync.WaitGroup
		for range 8 {
			group.Go(func() {
				for range 20 {
					if got := e.Count(text); got != want {
						t.Errorf("%s counts %d, want %d", e, got, want)
					}
				}
			})
		}
		group.Wait()
	}
}

// The package itself does without the libraries that its tables come from.
func TestLinksNoTokenizer(t *testing.T) {
	out, err := exec.Command("go", "list", "-deps", ".").Output()
	if err != nil {
		t.Fatal("go list: ", err)
	}
	for dep := range strings.Lines(string(out)) {
		if strings.Contains(dep, "tiktoken") || strings.Contains(dep, "regexp") || strings.Contains(dep, "tablegen") {
			t.Errorf("the package depends on %s", dep)
		}
	}
}

// Maximal ill-formed parts become one U+FFFD each: the example of the Unicode standard (table 3-11), and each limit
// of its table of well-formed sequences.
func TestValid(t *testing.T) {
	const bad = "\uFFFD"
	for text, want := range map[string]string{
		"":           "",
		"plain 漢字 🙂": "plain 漢字 🙂",
		"\uFFFD":     "\uFFFD",
		"\x61\xF1\x80\x80\xE1\x80\xC2\x62\x80\x63\x80\xBF\x64": "a" + bad + bad + bad + "b" + bad + "c" + bad + bad + "d",
		"\xED\xA0\x80":     bad + bad + bad, // a surrogate
		"\xE0\x80\x80":     bad + bad + bad, // overlong
		"\xF4\x90\x80\x80": bad + bad + bad + bad,
		"\xF0\x80\x80\x80": bad + bad + bad + bad,
		"\xC0\xAF":         bad + bad,
		"\xF5\x80":         bad + bad,
		"\xF0\x9F\x98":     bad,
		"\xF0\x9F\x98x":    bad + "x",
		"\xE4\xBD\xE4\xBD": bad + bad,
		"漢\xE6":            "漢" + bad,
	} {
		if got := Valid(text); got != want || !utf8.ValidString(got) {
			t.Errorf("Valid(%q) = %q, want %q", text, got, want)
		}
	}
}
