package vcs

import (
	"slices"
	"strings"
	"testing"
)

func TestDiff(t *testing.T) {
	f := newFixture(t)
	f.write("a.txt", "one\n")
	f.write("sub/b*.txt", "one\n")
	f.git("add", "a.txt")
	staged := func(want ...string) {
		t.Helper()
		if got, err := f.reader().Changed(t.Context(), f.root, "", true); err != nil || !slices.Equal(got, want) {
			t.Errorf("staged %q, %v; want %q", got, err, want)
		}
	}
	changed := func(below string, want ...string) {
		t.Helper()
		if got, err := f.reader().Changed(t.Context(), f.root, below, false); err != nil || !slices.Equal(got, want) {
			t.Errorf("changed below %q: %q, %v; want %q", below, got, err, want)
		}
	}
	staged("a.txt") // before the first commit
	f.git("add", ".")
	f.commit()
	staged()
	f.write("a.txt", "two\n")
	f.write("sub/b*.txt", "two\n")
	f.write("new.txt", "x\n")
	changed("", "a.txt", "sub/b*.txt")
	changed("sub", "sub/b*.txt")
	changed("sub/b*.txt", "sub/b*.txt")
	changed("nowhere")
	f.git("add", "a.txt")
	f.write("a.txt", "three\n")
	staged("a.txt")
	for _, test := range []struct {
		staged bool
		want   string
	}{{false, "-one\n+three\n"}, {true, "-one\n+two\n"}} {
		text, more, err := f.reader().Diff(t.Context(), f.root, []string{"a.txt"}, test.staged, 1<<20)
		if err != nil || more || !strings.HasSuffix(text, test.want) || strings.Contains(text, "b*") {
			t.Errorf("staged %v: %q, %v, %v", test.staged, text, more, err)
		}
	}
	text, more, err := f.reader().Diff(t.Context(), f.root, []string{"a.txt", "sub/b*.txt"}, false, 100)
	if err != nil || !more || len(text) != 100 {
		t.Errorf("100 bytes at most: %d, %v, %v", len(text), more, err)
	}
}
