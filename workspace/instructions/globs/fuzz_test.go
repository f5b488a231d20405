package globs

import (
	"path/filepath"
	"strings"
	"testing"
)

// FuzzCompileMatch looks for patterns and paths that make a dialect panic, hang or contradict itself.
func FuzzCompileMatch(f *testing.F) {
	for _, d := range Dialects() {
		for _, a := range readAnswers(f, filepath.Join("testdata", string(d)+".txt")) {
			f.Add(strings.Join(a.patterns, "\n"), a.path)
		}
	}
	f.Add(strings.Repeat("{a,", 40)+strings.Repeat("}", 40), "a")
	f.Add("*(*(a))*(*(b))", strings.Repeat("a", 300))
	f.Add("[[:alpha:]-\xff]\\", "\xff/\x00")
	f.Fuzz(func(t *testing.T, list, path string) {
		for _, d := range Dialects() {
			checkSane(t, d, strings.Split(list, "\n"), path)
		}
	})
}

// FuzzSplit looks for lists whose pieces are not where they are said to be.
func FuzzSplit(f *testing.F) {
	for _, text := range []string{"a,b", "{a,b},c", " a , ", `a\ ,[b,c]`, "é,\xff"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, s := range []Splitter{SplitNone, SplitComma, SplitCommaBraces} {
			end := 0
			for _, p := range Split(s, text) {
				if p.Start < end || p.Text == "" || p.Text != text[p.Start:p.End] {
					t.Fatalf("%s %q: %+v", s, text, p)
				}
				end = p.End
			}
		}
	})
}
