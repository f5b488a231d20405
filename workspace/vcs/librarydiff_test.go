package vcs

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// indexLine has the hashes, which git shortens and the library does not.
var indexLine = regexp.MustCompile(`(?m)^index [0-9a-f]+\.\.[0-9a-f]+`)

// Without a git binary the library finds the same changes and prints the same differences.
func TestLibraryDiffIsThatOfGit(t *testing.T) {
	f := newFixture(t)
	f.write("first.txt", "one\n")
	f.git("add", ".")
	library := f.reader()
	library.Program = NoProgram
	compare := func(step string) {
		t.Helper()
		for _, below := range []string{"", "sub", "new.txt"} {
			want, err := f.reader().Untracked(t.Context(), f.root, below)
			if err != nil {
				t.Fatal(err)
			}
			if got, err := library.Untracked(t.Context(), f.root, below); err != nil || !slices.Equal(got, want) {
				t.Errorf("%s: new below %q: %q, %v; git says %q", step, below, got, err, want)
			}
		}
		for _, staged := range []bool{false, true} {
			for _, below := range []string{"", "sub", "a.txt"} {
				want, err := f.reader().Changed(t.Context(), f.root, below, staged)
				if err != nil {
					t.Fatal(err)
				}
				got, err := library.Changed(t.Context(), f.root, below, staged)
				if err != nil || !slices.Equal(got, want) {
					t.Errorf("%s, staged %v: changed below %q: %q, %v; git says %q", step, staged, below, got, err, want)
				}
				if len(want) == 0 {
					continue
				}
				wantText, _, err := f.reader().Diff(t.Context(), f.root, want, staged, 1<<20)
				if err != nil {
					t.Fatal(err)
				}
				gotText, more, err := library.Diff(t.Context(), f.root, want, staged, 1<<20)
				if err != nil || more || indexLine.ReplaceAllString(gotText, "index") != indexLine.ReplaceAllString(wantText, "index") {
					t.Errorf("%s, staged %v: %v\n%s\ngit says\n%s", step, staged, err, gotText, wantText)
				}
			}
		}
	}
	compare("before the first commit")
	long := strings.Repeat("a line\n", 40)
	f.write("a.txt", long+"end\n", "sub/gone.txt", "x\n", "sub/bare.txt", "no end", "run.sh", "#!/bin/sh\n", "data.bin", "\x00\x01", "empty.txt", "", "crlf.txt", "a\r\nb\r\n")
	if err := os.Symlink("a.txt", filepath.Join(f.root, "link")); err != nil {
		t.Fatal(err)
	}
	f.commit()
	compare("clean")
	f.write("a.txt", "begin\n"+long+"other end\n", "sub/bare.txt", "no end any more", "data.bin", "\x00\x02", "empty.txt", "text\n", "crlf.txt", "a\r\nc\r\n", "new.txt", "not known\n")
	for _, err := range []error{
		os.Remove(filepath.Join(f.root, "sub", "gone.txt")), os.Chmod(filepath.Join(f.root, "run.sh"), 0o755),
		os.Remove(filepath.Join(f.root, "link")), os.Symlink("sub", filepath.Join(f.root, "link")),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	compare("changed")
	f.write("staged.txt", "new\n")
	f.git("add", "staged.txt", "sub", "a.txt")
	f.write("a.txt", "something else\n")
	compare("staged in part")
	if got, err := f.reader().Untracked(t.Context(), f.root, ""); err != nil || !slices.Equal(got, []string{"new.txt"}) {
		t.Errorf("new: %q, %v", got, err)
	}
	if text, more, err := library.Diff(t.Context(), f.root, []string{"a.txt", "crlf.txt"}, false, 100); err != nil || !more || len(text) != 100 {
		t.Errorf("100 bytes at most: %d, %v, %v", len(text), more, err)
	}
}

// A folder that became a link brings nothing from outside into a difference.
func TestLibraryDiffStaysInTheRepository(t *testing.T) {
	outside := t.TempDir()
	if err := os.WriteFile(filepath.Join(outside, "f.txt"), []byte("OUTSIDE\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	f := newFixture(t)
	f.write("dir/f.txt", "inside\n")
	f.commit()
	if err := os.RemoveAll(filepath.Join(f.root, "dir")); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(outside, filepath.Join(f.root, "dir")); err != nil {
		t.Fatal(err)
	}
	for _, program := range []string{"", NoProgram} {
		g := f.reader()
		g.Program = program
		if text, _, err := g.Diff(t.Context(), f.root, []string{"dir/f.txt"}, false, 1<<20); strings.Contains(text, "OUTSIDE") {
			t.Errorf("program %q: %q, %v", program, text, err)
		}
	}
}
