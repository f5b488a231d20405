package vcs

import (
	"context"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"
)

// ReadHead agrees with git in every state of HEAD, also where go-git's own opening of a repository fails.
func TestHead(t *testing.T) {
	f := newFixture(t)
	check := func(name string, want Head) {
		t.Helper()
		got, err := ReadHead(f.root)
		if err != nil || got != want {
			t.Errorf("%s: got %+v, %v; want %+v", name, got, err, want)
		}
		process, err := f.reader().processHead(f.root)
		if err != nil || process != want {
			t.Errorf("%s: the binary: got %+v, %v; want %+v", name, process, err, want)
		}
	}
	check("unborn", Head{Branch: "main"})
	f.write("a/x.txt", "1", "b/y.txt", "1")
	f.commit()
	commit := f.git("rev-parse", "HEAD")
	check("branch", Head{Branch: "main", Commit: commit})
	f.git("checkout", "--quiet", "-b", "feature/deep name"[:12])
	check("branch with a slash", Head{Branch: "feature/deep", Commit: commit})
	f.git("pack-refs", "--all")
	check("packed", Head{Branch: "feature/deep", Commit: commit})
	f.git("sparse-checkout", "set", "a")
	check("sparse", Head{Branch: "feature/deep", Commit: commit})
	f.git("checkout", "--quiet", "--detach")
	check("detached", Head{Commit: commit, Detached: true})
}

// A SHA-256 repository is answered by the binary.
func TestHeadSHA256(t *testing.T) {
	f := newFixture(t)
	if err := os.RemoveAll(filepath.Join(f.root, ".git")); err != nil {
		t.Fatal(err)
	}
	f.git("init", "--quiet", "--object-format=sha256", "--initial-branch=main")
	f.write("a.txt", "1")
	f.commit()
	want := Head{Branch: "main", Commit: f.git("rev-parse", "HEAD")}
	got, err := f.reader().Head(f.root)
	if err != nil || got != want || len(got.Commit) != 64 {
		t.Errorf("got %+v, %v; want %+v", got, err, want)
	}
	if got, err := (Git{Program: NoProgram}).Head(f.root); err == nil {
		t.Errorf("without the binary: %+v", got)
	}
}

// A configuration that git reads and go-git does not is answered by the binary; one that neither reads is an error.
func TestHeadOddConfiguration(t *testing.T) {
	f := newFixture(t)
	f.commit()
	want := Head{Branch: "main", Commit: f.git("rev-parse", "HEAD")}
	for _, text := range []string{
		"\ufeff[core]\n\trepositoryformatversion = 0\n", "[core] repositoryformatversion = 0\n", "[a.b]\n\tx = 1\n", "[branch \"m\"]\n\tmerge = x\n",
	} {
		f.write(".git/config", text)
		if got, err := f.reader().Head(f.root); err != nil || got != want {
			t.Errorf("%q: %+v, %v", text, got, err)
		}
	}
	f.write(".git/config", "[core\n")
	if got, err := f.reader().Head(f.root); err == nil || !strings.Contains(err.Error(), "configuration") {
		t.Errorf("broken: %+v, %v", got, err)
	}
}

// A fingerprint changes with what it stands for, and with nothing else.
func TestFingerprint(t *testing.T) {
	f := newFixture(t)
	seen := map[string]string{}
	next := func(name string) {
		t.Helper()
		got := Fingerprint(f.root)
		if got == "" || got != Fingerprint(f.root) {
			t.Errorf("%s: %q is not stable", name, got)
		}
		if before, ok := seen[got]; ok {
			t.Errorf("%s: the same as %s: %q", name, before, got)
		}
		seen[got] = name
	}
	next("unborn")
	f.write("a.txt", "1")
	f.git("add", "a.txt")
	next("staged")
	f.commit()
	next("committed")
	f.git("checkout", "--quiet", "-b", "other")
	next("another branch")
	f.git("checkout", "--quiet", "--detach")
	next("detached")
	f.write(".git/FETCH_HEAD", "x")
	next("fetched")
	before := Fingerprint(f.root)
	f.write("a.txt", "edited")
	if got := Fingerprint(f.root); got != before {
		t.Errorf("edited: %q, before %q", got, before)
	}
	later := time.Now().Add(time.Hour)
	if err := os.Chtimes(filepath.Join(f.root, ".git/index"), later, later); err != nil {
		t.Fatal(err)
	}
	next("index touched")
}

// A listing has what git tracks or would track and what is on the disk, sorted.
func TestListFiles(t *testing.T) {
	f := newFixture(t)
	f.write("b.txt", "1", "a/x.txt", "1", "a b/y.txt", "1", "gone.txt", "1", ".gitignore", "*.log\n/out/\n", "forced.log", "1",
		"sparse/z.txt", "1", "ü.txt", "1", "[x].txt", "1")
	f.git("add", "--force", "forced.log")
	f.commit()
	f.write("new.txt", "1", "a/new.txt", "1", "x.log", "1", "out/o.txt", "1", "nested/n.txt", "1")
	f.git("submodule", "--quiet", "add", f.root, "sub")
	f.gitIn(filepath.Join(f.root, "nested"), "init", "--quiet")
	if err := os.Remove(filepath.Join(f.root, "gone.txt")); err != nil {
		t.Fatal(err)
	}
	got, err := f.reader().ListFiles(context.Background(), f.root, "")
	if err != nil {
		t.Fatal(err)
	}
	want := []string{".gitignore", ".gitmodules", "[x].txt", "a b/y.txt", "a/new.txt", "a/x.txt", "b.txt", "forced.log", "new.txt", "sparse/z.txt", "ü.txt"}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
	for sub, want := range map[string]string{"a": "a/new.txt a/x.txt", "[x].txt": "[x].txt", "nowhere": "", "a/": "a/new.txt a/x.txt"} {
		got, err := f.reader().ListFiles(context.Background(), f.root, sub)
		if err != nil || strings.Join(got, " ") != want {
			t.Errorf("%s: got %q, %v; want %q", sub, got, err, want)
		}
	}
	f.git("sparse-checkout", "set", "a")
	got, err = f.reader().ListFiles(context.Background(), f.root, "sparse")
	if err != nil || len(got) != 0 {
		t.Errorf("outside of the sparse checkout: got %q, %v", got, err)
	}
}

// A listing shows a file in conflict once.
func TestListFilesConflict(t *testing.T) {
	f := newFixture(t)
	f.write("a.txt", "1")
	f.commit()
	f.git("checkout", "--quiet", "-b", "side")
	f.write("a.txt", "2")
	f.commit()
	f.git("checkout", "--quiet", "main")
	f.write("a.txt", "3")
	f.commit()
	if _, err := f.mayFail("merge", "side"); err == nil {
		t.Fatal("no conflict")
	}
	got, err := f.reader().ListFiles(context.Background(), f.root, "")
	if err != nil || !reflect.DeepEqual(got, []string{"a.txt"}) {
		t.Errorf("got %q, %v", got, err)
	}
}

// Ignore lines come with their file and line; index and exclude lines play their parts.
func TestCheckIgnoreAndTracked(t *testing.T) {
	f := newFixture(t)
	f.write(".gitignore", "# comment\n*.log\n!keep.log\n", "deep/.gitignore", "/only here\n", ".git/info/exclude", "private\n",
		"forced.log", "1", "build/forced.o", "1")
	f.git("add", "--force", "forced.log", "build/forced.o")
	paths := []string{"x.log", "keep.log", "forced.log", "deep/only here", "only here", "a/private/x", "plain.txt", "build", ":(top)x.log", "[a].log"}
	got, err := f.reader().CheckIgnore(context.Background(), f.root, paths)
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]IgnoreMatch{
		"x.log":          {".gitignore", "2", "*.log"},
		"keep.log":       {".gitignore", "3", "!keep.log"},
		"forced.log":     {".gitignore", "2", "*.log"},
		":(top)x.log":    {".gitignore", "2", "*.log"},
		"[a].log":        {".gitignore", "2", "*.log"},
		"deep/only here": {"deep/.gitignore", "1", "/only here"},
		"a/private/x":    {".git/info/exclude", "1", "private"},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got  %v\nwant %v", got, want)
	}
	if got["keep.log"].Ignored() || !got["x.log"].Ignored() {
		t.Error("a line with ! includes, one without excludes")
	}
	none, err := f.reader().CheckIgnore(context.Background(), f.root, []string{"plain.txt"})
	if err != nil || len(none) != 0 {
		t.Errorf("nothing ignored: %v, %v", none, err)
	}
	for _, g := range []Git{f.reader(), {Program: NoProgram}} {
		tracked, err := g.Tracked(context.Background(), f.root, []string{"x.log", "forced.log", "build/", "buil/", "nowhere/", "[a]", "forced"})
		if err != nil || !reflect.DeepEqual(tracked, map[string]bool{"forced.log": true, "build/": true}) {
			t.Errorf("tracked: %v, %v", tracked, err)
		}
	}
}

// Many paths do not make the argument list too long, and each is asked about once.
func TestChunks(t *testing.T) {
	var paths []string
	for i := range 500 {
		paths = append(paths, strings.Repeat("x", i))
	}
	var all []string
	for chunk := range chunks(paths, 300) {
		if n := len(strings.Join(chunk, " ")); n > 300 && len(chunk) > 1 {
			t.Errorf("a chunk of %d bytes", n)
		}
		all = append(all, chunk...)
	}
	if !reflect.DeepEqual(all, paths) {
		t.Errorf("%d of %d paths", len(all), len(paths))
	}
}
