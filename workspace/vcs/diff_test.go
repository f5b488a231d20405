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

// A repository may name programs that print a diff, or make a text of a file first. git on its own runs them, which
// shows that the traps work.
func TestDiffRunsNoProgramOfTheRepository(t *testing.T) {
	for _, key := range []string{"diff.external", "diff.evil.command", "diff.evil.textconv"} {
		t.Run(key, func(t *testing.T) {
			f := newFixture(t)
			f.write("a.txt", "one\n", ".gitattributes", "*.txt diff=evil\n")
			f.commit()
			f.write("a.txt", "two\n")
			command, mark := f.trap("evil")
			f.git("config", key, command)
			for _, trusted := range []bool{false, true} {
				g := f.reader()
				g.Trusted = trusted
				text, _, err := g.Diff(t.Context(), f.root, []string{"a.txt"}, false, 1<<20)
				if err != nil || !strings.HasSuffix(text, "-one\n+two\n") {
					t.Errorf("%q, %v", text, err)
				}
			}
			if ran(mark) {
				t.Error("it ran")
			}
			_, _ = f.mayFail("diff", "HEAD")
			if !ran(mark) {
				t.Error("plain git does not run it; the test no longer tests anything")
			}
		})
	}
}
