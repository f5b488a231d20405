package epoch_test

import (
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
	"pgregory.net/rapid"

	"foreword/promptbuilder/epoch"
)

func TestAReformatSaysNothing(t *testing.T) {
	for name, c := range map[string]struct {
		a, b string
		same bool
	}{
		"the same":                      {"a\nb", "a\nb", true},
		"byte order mark":               {"\uFEFFa", "a", true},
		"byte order marks of two files": {"<f>\n\uFEFFa\n</f>", "<f>\na\n</f>", true},
		"a mark inside a line":          {"a\uFEFFb", "ab", false},
		"CRLF":                          {"a\r\nb\r\n", "a\nb\n", true},
		"CR alone":                      {"a\rb", "a\nb", true},
		"CR CR LF is two ends":          {"a\r\r\nb", "a\n\nb", true},
		"composed":                      {"cafe\u0301", "café", true},
		"compatibility is a difference": {"ﬁ", "fi", false},
		"blanks at line ends":           {"a \t\nb  ", "a\nb", true},
		"blanks before CRLF":            {"a \r\nb", "a\nb", true},
		"blank lines at the end":        {"a\n\n \n", "a", true},
		"blank lines inside":            {"a\n\n\nb", "a\n\nb", false},
		"blanks at the beginning":       {"  a", "a", false},
		"blank lines at the beginning":  {"\na", "a", false},
		"another word":                  {"a", "b", false},
		"case":                          {"A", "a", false},
		"no-break blank is a character": {"a\u00a0", "a", false},
		"nothing":                       {"", " \n\t\r\n", true},
		"bytes that are no text":        {"a\xff\xfeb", "a\uFFFD\uFFFDb", true},
	} {
		if got := epoch.Same(c.a, c.b); got != c.same {
			t.Errorf("%s: same %v, want %v: %q and %q", name, got, c.same, epoch.Normalise(c.a), epoch.Normalise(c.b))
		}
	}
}

var lineEnd = regexp.MustCompile(`\r\n|\n`)

// reformat draws from what editors do to a file that nobody changed.
func reformat(t *rapid.T, text string) string {
	for range rapid.IntRange(0, 4).Draw(t, "times") {
		switch rapid.SampledFrom([]string{"mark", "crlf", "cr", "nfd", "blanks", "end"}).Draw(t, "how") {
		case "mark":
			text = "\uFEFF" + text
		case "crlf":
			text = strings.ReplaceAll(strings.ReplaceAll(text, "\r\n", "\n"), "\n", "\r\n")
		case "cr":
			text = strings.ReplaceAll(strings.ReplaceAll(text, "\r\n", "\n"), "\n", "\r")
		case "nfd":
			text = norm.NFD.String(text)
		case "blanks":
			text = lineEnd.ReplaceAllString(text, " \t$0")
		case "end":
			text += rapid.SampledFrom([]string{"\n", "\r\n", "  ", "\n\n\t\n"}).Draw(t, "end")
		}
	}
	return text
}

var prose = rapid.StringOfN(rapid.RuneFrom([]rune("ab é\u0301\u0323ñ日\t \n\r\uFEFF\uFFFD")), 0, 40, -1)

func TestNormalisedIsAFixedPoint(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := prose.Draw(t, "text")
		once := epoch.Normalise(text)
		if twice := epoch.Normalise(once); twice != once {
			t.Errorf("%q became %q, then %q", text, once, twice)
		}
		if !norm.NFC.IsNormalString(once) || strings.ContainsRune(once, '\r') || strings.HasSuffix(once, "\n") || strings.Contains(once, " \n") {
			t.Errorf("%q is not normal: %q", text, once)
		}
	})
}

func TestWhatEditorsDoSaysNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		// A text without marks of its own: two of them in a row are a mark and a
		// character.
		text := strings.ReplaceAll(prose.Draw(t, "text"), "\r", "")
		if other := reformat(t, text); !epoch.Same(text, other) {
			t.Errorf("%q and %q: %q and %q", text, other, epoch.Normalise(text), epoch.Normalise(other))
		}
	})
}

func FuzzNormalise(f *testing.F) {
	for _, seed := range []string{"", "a\r\n", "\uFEFF\uFEFFa \t\n", "e\u0301\xff", "\xed\xa0\x80"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		once := epoch.Normalise(text)
		if !utf8.ValidString(once) || epoch.Normalise(once) != once || !epoch.Same(text, once) {
			t.Errorf("%q became %q", text, once)
		}
	})
}
