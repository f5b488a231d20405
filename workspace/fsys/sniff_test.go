package fsys

import (
	"strings"
	"testing"
	"unicode/utf8"
)

// The vectors are those of the Unicode standard (chapter 3, tables 3-8 to 3-11,
// "U+FFFD Substitution of Maximal Subparts"), which editors follow.
func TestRepairReplacesMaximalSubparts(t *testing.T) {
	const bad = "\ufffd"
	tests := []struct{ in, want string }{
		{"\xc0\xaf\xe0\x80\xbf\xf0\x81\x82A", strings.Repeat(bad, 8) + "A"}, // non-shortest forms
		{"\xed\xa0\x80\xed\xbf\xbf\xed\xafA", strings.Repeat(bad, 8) + "A"}, // surrogates
		{"\xf4\x91\x92\x93\xffA\x80\xbfB", strings.Repeat(bad, 5) + "A" + bad + bad + "B"},
		{"\xe1\x80\xe2\xf0\x91\x92\xf1\xbfA", strings.Repeat(bad, 4) + "A"}, // cut short
		{"\xe2\x82", bad},
		{"a\xf0\x9f\x98", "a" + bad},
		{"\xf0\x9f\x98\x80 ok \xff", "😀 ok " + bad},
		{"", ""},
		{bad, bad},
	}
	for _, test := range tests {
		if got := repair(test.in); got != test.want {
			t.Errorf("repair(%q) = %q, want %q", test.in, got, test.want)
		}
	}
}

func TestSniffKeepsOddText(t *testing.T) {
	for name, text := range map[string]string{
		"colours":      "\x1b[31mred\x1b[0m\n",
		"form feed":    "page\fpage\n",
		"one byte":     "a",
		"lone CR":      "a\rb\r",
		"inner BOM":    "a\ufeffb",
		"few controls": strings.Repeat("text ", 20) + "\x01",
		"all controls": "\x01\x02\x03",
	} {
		if got := sniff(text); got.text != text || got.bom || got.repaired || got.refused != "" {
			t.Errorf("%s: %q became %+v", name, text, got)
		}
	}
	if got := sniff("\ufeff\ufeffx"); got.text != "\ufeffx" || !got.bom {
		t.Errorf("only the first byte order mark is one: %+v", got)
	}
}

func FuzzSniff(f *testing.F) {
	for _, seed := range []string{"", "text", "\xef\xbb\xbfbom", "caf\xe9", "\xff\xfeh\x00", "a\x00b", "\xf0\x9f\x98", "\xed\xa0\x80", noise(64)} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		got := sniff(string(raw))
		if got.refused != "" {
			if got.text != "" || got.detail == "" {
				t.Fatalf("refused with text %q and detail %q", got.text, got.detail)
			}
			return
		}
		if !utf8.ValidString(got.text) || strings.Contains(got.text, "\x00") {
			t.Fatalf("%q became %q", raw, got.text)
		}
		body := string(raw)
		if got.bom {
			body = strings.TrimPrefix(body, "\ufeff")
		}
		if got.repaired == utf8.ValidString(body) {
			t.Fatalf("repaired is %v for %q", got.repaired, raw)
		}
		if !got.repaired && got.text != body {
			t.Fatalf("valid text %q became %q", body, got.text)
		}
		// Whatever is repaired, the well-formed characters all stay, in order.
		if good, kept := wellFormed(body), wellFormed(got.text); good != kept {
			t.Fatalf("characters %q of %q became %q", good, raw, kept)
		}
	})
}

// wellFormed is s without its ill-formed bytes and without U+FFFD.
func wellFormed(s string) string {
	return strings.ReplaceAll(strings.ToValidUTF8(s, ""), "\ufffd", "")
}
