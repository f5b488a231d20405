package ignore

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"sync"
	"testing"

	"foreword/workspace/fsys"
	"foreword/workspace/vcs"
)

// counted returns a caller whose git writes a line for each process, and a function that counts the new lines.
func (r *repo) counted() (vcs.Git, func() int) {
	r.t.Helper()
	log := filepath.Join(r.home, "processes")
	program := filepath.Join(r.home, "counted-git")
	script := "#!/bin/sh\necho run >> '" + log + "'\nexec git \"$@\"\n"
	if err := os.WriteFile(program, []byte(script), 0o755); err != nil {
		r.t.Fatal(err)
	}
	seen := 0
	return r.caller(program), func() int {
		text, _ := os.ReadFile(log)
		n := strings.Count(string(text), "\n") - seen
		seen += n
		return n
	}
}

// A reason names the file, the line and the pattern; a file that is not the repository's is named without its text.
func TestReasons(t *testing.T) {
	r := newRepo(t, t.TempDir())
	r.write(".gitignore", "# comment\n\n*.log\n")
	r.write("d/.gitignore", "/own/\n")
	r.write(".git/info/exclude", "private\n")
	home(r, ".config/git/ignore", "\n*.swp\n")
	for _, p := range []string{"x.log", "d/own/a", "private", "y.swp"} {
		r.write(p, "")
	}
	for name, c := range r.checkers(fsys.Disk()) {
		for path, want := range map[string]string{
			"x.log":       ".gitignore:3 *.log",
			"d/x.log":     ".gitignore:3 *.log",
			"d/own/a":     "d/.gitignore:1 /own/",
			"private":     ".git/info/exclude:1 private",
			"y.swp":       filepath.Join(r.home, ".config/git/ignore") + ":2",
			"plain":       "",
			".git/config": "git's own folder .git",
			"sub/.GIT/x":  "git's own folder .git",
			".":           "",
			"..":          "",
			"../other":    "",
		} {
			why, ignored := c.Ignored(r.at(path), false)
			if why != want || ignored != (want != "") {
				t.Errorf("%s: %s: %q, %v; want %q", name, path, why, ignored, want)
			}
		}
	}
}

// Asking about one file of a folder answers for all; asking again costs nothing, until an ignore file changes.
func TestWarmChecksStartNoProcess(t *testing.T) {
	r := newRepo(t, t.TempDir())
	r.write(".gitignore", "*.log\n")
	var paths []string
	for i := range 50 {
		paths = append(paths, fmt.Sprintf("d/f%02d.txt", i))
		r.write(paths[i], "")
	}
	git, processes := r.counted()
	c := NewCheckerWith(fsys.Disk(), r.root, git)
	for _, p := range paths {
		if why, ignored := c.Ignored(r.at(p), false); ignored {
			t.Errorf("%s: %s", p, why)
		}
	}
	if n := processes(); n != 1 {
		t.Errorf("50 files of a folder: %d processes, want 1", n)
	}
	if _, ignored := c.Ignored(r.at("d/new.log"), false); !ignored {
		t.Error("a file that is not on the disk yet")
	}
	if n := processes(); n != 2 { // the line, and whether it is tracked
		t.Errorf("a new file: %d processes, want 2", n)
	}
	if _, err := c.IgnoredPaths(context.Background(), []string{r.at("d/new.log"), r.at("d/f01.txt")}); err != nil || processes() != 0 {
		t.Errorf("asked again in a batch: a process, or %v", err)
	}
	r.write("e/.gitignore", "x\n")
	if _, ignored := c.Ignored(r.at("d/f01.txt"), false); ignored || processes() != 0 {
		t.Error("an ignore file of another folder made a process")
	}
	r.write("d/.gitignore", "f01.txt\n")
	if why, ignored := c.Ignored(r.at("d/f01.txt"), false); !ignored || why != "d/.gitignore:1 f01.txt" {
		t.Errorf("a new ignore file was not seen: %q", why)
	}
	if _, ignored := c.Ignored(r.at("d/f02.txt"), false); ignored {
		t.Error("f02 is ignored")
	}
	if n := processes(); n != 2 {
		t.Errorf("after a change: %d processes, want 2", n)
	}
	r.write(".git/info/exclude", "f02.txt\n")
	if _, ignored := c.Ignored(r.at("d/f02.txt"), false); !ignored {
		t.Error("a change of info/exclude was not seen")
	}
	home(r, ".config/git/ignore", "f03.txt\n")
	if _, ignored := c.Ignored(r.at("d/f03.txt"), false); !ignored {
		t.Error("a change of the user's own file was not seen")
	}
}

// A batch of any size is at most two processes.
func TestBatchIsTwoProcesses(t *testing.T) {
	r := newRepo(t, t.TempDir())
	r.write(".gitignore", "*.log\n")
	var paths []string
	want := map[string]string{}
	for i := range 300 {
		dir := r.at(fmt.Sprintf("d%d/e", i))
		paths = append(paths, filepath.Join(dir, "a.txt"), filepath.Join(dir, "b.log"))
		want[filepath.Join(dir, "b.log")] = ".gitignore:1 *.log"
	}
	git, processes := r.counted()
	c := NewCheckerWith(fsys.Disk(), r.root, git)
	for _, wantProcesses := range []int{2, 0} {
		got, err := c.IgnoredPaths(context.Background(), paths)
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Fatalf("%d of %d, %v", len(got), len(want), err)
		}
		if n := processes(); n != wantProcesses {
			t.Errorf("%d processes, want %d", n, wantProcesses)
		}
	}
}

// Unsaved text of a .gitignore counts, although git cannot see it, and each snapshot keeps its own answer.
func TestUnsavedIgnoreFile(t *testing.T) {
	r := newRepo(t, t.TempDir())
	r.write(".gitignore", "*.log\n")
	r.write("a.log", "")
	r.write("a.txt", "")
	disk := NewCheckerWith(fsys.Disk(), r.root, r.caller(""))
	buffer := func(text string) *Checker {
		path := r.at(".gitignore")
		return disk.WithFS(fsys.Overlay(fsys.Disk(), map[string]fsys.Buffer{path: {Path: path, Text: text, Dirty: true, Version: 2}}))
	}
	edited, emptied := buffer("*.txt\n"), buffer("")
	for range 2 {
		for name, c := range map[string]struct {
			checker  *Checker
			log, txt bool
		}{"disk": {disk, true, false}, "edited": {edited, false, true}, "emptied": {emptied, false, false}} {
			_, log := c.checker.Ignored(r.at("a.log"), false)
			_, txt := c.checker.Ignored(r.at("a.txt"), false)
			if log != c.log || txt != c.txt {
				t.Errorf("%s: a.log %v, a.txt %v; want %v, %v", name, log, txt, c.log, c.txt)
			}
		}
	}
	// A new .gitignore that is not on the disk at all, in a folder that is not either.
	path := r.at("new/.gitignore")
	unsaved := disk.WithFS(fsys.Overlay(fsys.Disk(), map[string]fsys.Buffer{path: {Path: path, Text: "x\n", Dirty: true}}))
	if why, ignored := unsaved.Ignored(r.at("new/x"), false); !ignored || why != "new/.gitignore:1 x" {
		t.Errorf("unsaved new file: %q", why)
	}
}

// A link is ignored when it is, when a folder link that it is under is, or when what it leads to is.
func TestLinks(t *testing.T) {
	r := newRepo(t, t.TempDir())
	r.write(".gitignore", "/hidden/\n/ignored-link\n/real.gitignore\n")
	r.write("hidden/a.txt", "")
	r.write("open/b.txt", "")
	r.write("tree/.real", "c.txt\n")
	r.write("tree/c.txt", "")
	for link, target := range map[string]string{
		"to-hidden": "hidden", "to-file": "hidden/a.txt", "ignored-link": "open", "to-open": "open", "loop": "loop",
		"dangling": "nowhere", "outside": r.home, "twice": "to-hidden", "tree/.gitignore": ".real",
	} {
		if err := os.Symlink(target, r.at(link)); err != nil {
			t.Fatal(err)
		}
	}
	for name, c := range r.checkers(fsys.Disk()) {
		for path, want := range map[string]bool{
			"to-hidden/a.txt": true, "to-hidden": true, "to-file": true, "ignored-link/b.txt": true, "ignored-link": true,
			"to-open/b.txt": false, "to-open": false, "loop": false, "loop/x": false, "dangling": false, "dangling/x": false,
			"outside/x": false, "twice/a.txt": true, "hidden": true,
			"tree/c.txt": false, // git does not follow a .gitignore that is a link
		} {
			if why, ignored := c.Ignored(r.at(path), path == "hidden"); ignored != want {
				t.Errorf("%s: %s: %v (%q), want %v", name, path, ignored, why, want)
			}
		}
		batch, err := c.IgnoredPaths(context.Background(), []string{r.at("to-hidden/a.txt"), r.at("to-open/b.txt"), r.at("twice/a.txt")})
		if err != nil || len(batch) != 2 {
			t.Errorf("%s: batch %v, %v", name, batch, err)
		}
	}
	// The repository itself known under another name.
	alias := filepath.Join(r.home, "alias")
	if err := os.Symlink(r.root, alias); err != nil {
		t.Fatal(err)
	}
	c := NewCheckerWith(fsys.Disk(), r.root, r.caller(""))
	if _, ignored := c.Ignored(filepath.Join(alias, "hidden/a.txt"), false); !ignored {
		t.Error("a path through another name of the root")
	}
}

// In a linked work tree the ignore files of the common folder hold, and a submodule's files do not spoil a batch.
func TestWorktreeAndSubmodule(t *testing.T) {
	r := newRepo(t, t.TempDir())
	r.write(".gitignore", "*.log\n")
	r.git("", "add", ".gitignore")
	r.git("", "commit", "--quiet", "--message=x")
	r.write(".git/info/exclude", "private\n")
	linked := filepath.Join(filepath.Dir(r.root), "linked")
	r.git("", "worktree", "add", "--quiet", linked)
	r.git("", "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", r.root, "sub")
	for name, program := range map[string]string{"git": "", "rules": vcs.NoProgram} {
		c := NewCheckerWith(fsys.Disk(), linked, r.caller(program))
		for path, want := range map[string]bool{"private": true, "x.log": true, "x.txt": false} {
			if why, ignored := c.Ignored(filepath.Join(linked, path), false); ignored != want {
				t.Errorf("%s: %s in the linked work tree: %v (%q)", name, path, ignored, why)
			}
		}
		c = NewCheckerWith(fsys.Disk(), r.root, r.caller(program))
		got, err := c.IgnoredPaths(context.Background(), []string{r.at("sub/x.log"), r.at("y.log"), r.at("sub/x.txt"), r.at("z.txt")})
		if err != nil || len(got) != 2 || got[r.at("y.log")] == "" || got[r.at("sub/x.log")] == "" {
			t.Errorf("%s: with a submodule: %v, %v", name, got, err)
		}
	}
}

// A cancelled batch is an error and remembers nothing; a git that fails leaves the work to the rules.
func TestFailures(t *testing.T) {
	r := newRepo(t, t.TempDir())
	r.write(".gitignore", "*.log\n")
	r.write("a.log", "")
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	c := NewCheckerWith(fsys.Disk(), r.root, r.caller(""))
	if got, err := c.IgnoredPaths(ctx, []string{r.at("a.log")}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v, %v", got, err)
	}
	if got, err := c.IgnoredPaths(context.Background(), []string{r.at("a.log")}); err != nil || len(got) != 1 {
		t.Errorf("after that: %v, %v", got, err)
	}
	for name, program := range map[string]string{"is not there": filepath.Join(r.home, "nowhere"), "talks nonsense": "/bin/echo"} {
		c := NewCheckerWith(fsys.Disk(), r.root, r.caller(program))
		if _, ignored := c.Ignored(r.at("a.log"), false); !ignored {
			t.Errorf("git %s: a.log is not ignored", name)
		}
		if _, ignored := c.Ignored(r.at("a.txt"), false); ignored {
			t.Errorf("git %s: a.txt is ignored", name)
		}
	}
	if got, err := c.IgnoredPaths(context.Background(), nil); err != nil || len(got) != 0 {
		t.Errorf("no paths: %v, %v", got, err)
	}
	bare := NewCheckerWith(fsys.Disk(), t.TempDir(), r.caller(""))
	if why, ignored := bare.Ignored(filepath.Join(bare.root, "x"), false); ignored {
		t.Errorf("no repository: %q", why)
	}
}

// Many at once get the same answers, also while ignore files change.
func TestConcurrentChecks(t *testing.T) {
	r := newRepo(t, t.TempDir())
	r.write(".gitignore", "*.log\n")
	for i := range 20 {
		r.write(fmt.Sprintf("d%d/a.txt", i), "")
		r.write(fmt.Sprintf("d%d/a.log", i), "")
	}
	c := NewCheckerWith(fsys.Disk(), r.root, r.caller(""))
	var wg sync.WaitGroup
	for g := range 6 {
		wg.Go(func() {
			for i := range 20 {
				if g == 0 {
					r.write("next", "*.log\n"+strings.Repeat("#\n", i))
					if err := os.Rename(r.at("next"), r.at(".gitignore")); err != nil {
						t.Error(err)
					}
					continue
				}
				_, log := c.Ignored(r.at(fmt.Sprintf("d%d/a.log", i)), false)
				_, txt := c.Ignored(r.at(fmt.Sprintf("d%d/a.txt", i)), false)
				if txt || !log {
					t.Errorf("d%d: a.log %v, a.txt %v", i, log, txt)
				}
			}
		})
	}
	wg.Wait()
	if _, log := c.Ignored(r.at("d1/a.log"), false); !log {
		t.Error("d1/a.log is not ignored in the end")
	}
}

func BenchmarkWarmCheck(b *testing.B) {
	r := newRepo(b, b.TempDir())
	r.write(".gitignore", "*.log\n")
	r.write("a/b/c/d.txt", "")
	c := NewCheckerWith(fsys.NewCache(fsys.Disk(), nowFixed()), r.root, r.caller(""))
	path := r.at("a/b/c/d.txt")
	c.Ignored(path, false)
	b.ReportAllocs()
	for b.Loop() {
		c.Ignored(path, false)
	}
}
