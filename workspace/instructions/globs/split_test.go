package globs

import (
	"slices"
	"testing"

	"pgregory.net/rapid"
)

func TestSplit(t *testing.T) {
	for _, c := range []struct {
		splitter Splitter
		text     string
		want     []string
	}{
		{SplitNone, "src/**/*.ts,lib/**/*.ts", []string{"src/**/*.ts,lib/**/*.ts"}},
		{SplitNone, "  a b ", []string{"a b"}},
		{SplitNone, " \t", nil},
		{SplitComma, "**/*.ts,**/*.tsx", []string{"**/*.ts", "**/*.tsx"}},
		{SplitComma, "**/*.ts, **/*.tsx", []string{"**/*.ts", "**/*.tsx"}},
		{SplitComma, "**/*.{ts,tsx}", []string{"**/*.{ts", "tsx}"}},
		{SplitComma, `["**/*.ts","a"]`, []string{`["**/*.ts"`, `"a"]`}},
		{SplitComma, ",,a,,b,", []string{"a", "b"}},
		{SplitComma, "", nil},
		{SplitComma, "a\u00a0,\u00a0b\r", []string{"a", "b"}},
		{SplitCommaBraces, "src/**/*.{ts,tsx}, lib/**/*.ts", []string{"src/**/*.{ts,tsx}", "lib/**/*.ts"}},
		{SplitCommaBraces, "{a,{b,c}},d", []string{"{a,{b,c}}", "d"}},
		{SplitCommaBraces, "{a,{b},c},d", []string{"{a,{b},c}", "d"}},
		{SplitCommaBraces, "[a,b],c", []string{"[a,b]", "c"}},
		{SplitCommaBraces, "a},b", []string{"a}", "b"}},
		{SplitCommaBraces, "{a,b", []string{"{a,b"}},
		{SplitCommaBraces, "!a, !{b,c}", []string{"!a", "!{b,c}"}},
		{SplitCommaBraces, `a\ , b`, []string{`a\ `, "b"}},
		{SplitCommaBraces, `a\\ , b`, []string{`a\\`, "b"}},
		{"unheard-of", "a,b", []string{"a,b"}},
	} {
		var got []string
		for _, p := range Split(c.splitter, c.text) {
			got = append(got, p.Text)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s %q: %q, want %q", c.splitter, c.text, got, c.want)
		}
	}
}

// TestSplitPlaces holds that an editor can mark each pattern where it stands.
func TestSplitPlaces(t *testing.T) {
	got := Split(SplitComma, " é/*.ts , !b ")
	want := []Pattern{{Text: "é/*.ts", Start: 1, End: 8}, {Text: "!b", Negated: true, Start: 11, End: 13}}
	if !slices.Equal(got, want) {
		t.Errorf("%+v, want %+v", got, want)
	}
}

func TestSplitProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringOf(rapid.SampledFrom([]rune("ab,{}[]!\\ \t/*é"))).Draw(t, "text")
		for _, s := range []Splitter{SplitNone, SplitComma, SplitCommaBraces} {
			end := 0
			for _, p := range Split(s, text) {
				if p.Start < end || p.End <= p.Start || p.Text != text[p.Start:p.End] {
					t.Fatalf("%s %q: %+v is not in its place", s, text, p)
				}
				if p.Negated != (p.Text[0] == '!') {
					t.Fatalf("%s %q: %+v", s, text, p)
				}
				if again := Split(s, p.Text); len(again) != 1 || again[0].Text != p.Text {
					t.Fatalf("%s: %q is split once more: %+v", s, p.Text, again)
				}
				end = p.End
			}
		}
	})
}
