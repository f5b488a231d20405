package vcs

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

// Every kind of change is reported with git's own letters, sorted by path.
func TestStatusKinds(t *testing.T) {
	f := newFixture(t)
	f.write("edited.txt", "1", "staged.txt", "1", "gone.txt", "1", "old name.txt", strings.Repeat("line\n", 50), "both.txt", "1", "same.txt", "1")
	f.commit()
	f.write("edited.txt", "22", "staged.txt", "22", "both.txt", "22", "new/a.txt", "1", "new/b.txt", "1", "added.txt", "1", "zeile\nzwei ü.txt", "1")
	f.git("add", "staged.txt", "added.txt", "both.txt")
	f.write("both.txt", "333")
	f.git("mv", "old name.txt", "new name.txt")
	if err := os.Remove(filepath.Join(f.root, "gone.txt")); err != nil {
		t.Fatal(err)
	}

	got := f.status(0)
	want := []Change{
		{Path: "added.txt", Code: "A."},
		{Path: "both.txt", Code: "MM"},
		{Path: "edited.txt", Code: ".M"},
		{Path: "gone.txt", Code: ".D"},
		{Path: "new name.txt", Code: "R.", OrigPath: "old name.txt"},
		{Path: "new/", Code: "??"},
		{Path: "staged.txt", Code: "M."},
		{Path: "zeile\nzwei ü.txt", Code: "??"},
	}
	if !reflect.DeepEqual(got.Changed, want) {
		t.Errorf("changed:\n got %+v\nwant %+v", got.Changed, want)
	}
	if got.Total != len(want) || got.Truncated || got.Source != SourceGit || got.Head.Branch != "main" || got.Head.Commit != f.git("rev-parse", "HEAD") {
		t.Errorf("status: %+v", got)
	}

	cut := f.status(3)
	if !reflect.DeepEqual(cut.Changed, want[:3]) || cut.Total != len(want) || !cut.Truncated {
		t.Errorf("with a limit of 3: %+v", cut)
	}
}

// A conflict, an upstream, a branch without a commit and a detached HEAD are told apart.
func TestStatusHeads(t *testing.T) {
	f := newFixture(t)
	if got := f.status(0); got.Head != (Head{Branch: "main"}) || got.Total != 0 {
		t.Errorf("before the first commit: %+v", got)
	}
	f.write("a.txt", "1")
	f.commit()
	f.git("branch", "upstream")
	f.git("branch", "--set-upstream-to=upstream")
	f.write("a.txt", "ours")
	f.commit()
	f.git("checkout", "--quiet", "upstream")
	f.write("a.txt", "theirs")
	f.commit()
	f.git("checkout", "--quiet", "main")
	if got := f.status(0); got.Upstream != "upstream" || got.Ahead != 1 || got.Behind != 1 {
		t.Errorf("upstream: %+v", got)
	}
	if out, err := f.mayFail("merge", "upstream"); err == nil {
		t.Fatalf("the merge has no conflict: %s", out)
	}
	if got := f.status(0); len(got.Changed) != 1 || got.Changed[0] != (Change{Path: "a.txt", Code: "UU"}) {
		t.Errorf("conflict: %+v", got)
	}
	f.git("merge", "--abort")
	f.git("checkout", "--quiet", "--detach")
	if got := f.status(0); !got.Head.Detached || got.Head.Branch != "" || got.Head.Commit == "" {
		t.Errorf("detached: %+v", got)
	}
}

// The user's and the repository's settings do not change what is reported.
func TestStatusIgnoresDisplaySettings(t *testing.T) {
	f := newFixture(t)
	f.write("dir/a.txt", "1")
	f.commit()
	for _, setting := range [][2]string{
		{"status.showUntrackedFiles", "no"}, {"status.short", "true"}, {"status.relativePaths", "true"},
		{"status.showStash", "true"}, {"status.renames", "false"}, {"color.ui", "always"}, {"core.quotePath", "true"},
		{"core.pager", "touch " + filepath.Join(f.home, "PWNED")},
	} {
		f.git("config", setting[0], setting[1])
	}
	f.write("dir/ä.txt", "1")
	got := f.status(0)
	if len(got.Changed) != 1 || got.Changed[0] != (Change{Path: "dir/ä.txt", Code: "??"}) {
		t.Errorf("changed: %+v", got.Changed)
	}
}

// A linked work tree and a submodule have a .git file, their own HEAD and their own status.
func TestStatusWorktreeAndSubmodule(t *testing.T) {
	f := newFixture(t)
	f.write("a.txt", "1")
	f.commit()
	linked := filepath.Join(filepath.Dir(f.root), "linked")
	f.git("worktree", "add", "--quiet", "-b", "side", linked)
	f.git("submodule", "--quiet", "add", f.root, "sub")
	f.commit()
	for dir, branch := range map[string]string{linked: "side", filepath.Join(f.root, "sub"): "main"} {
		if err := os.WriteFile(filepath.Join(dir, "new.txt"), []byte("1"), 0o644); err != nil {
			t.Fatal(err)
		}
		status, err := f.reader().Status(context.Background(), dir, 0)
		if err != nil {
			t.Fatal(err)
		}
		if status.Head.Branch != branch || len(status.Changed) != 1 || status.Changed[0].Path != "new.txt" {
			t.Errorf("%s: %+v", dir, status)
		}
		head, err := ReadHead(dir)
		if err != nil || head != status.Head {
			t.Errorf("%s: head %+v, %v; want %+v", dir, head, err, status.Head)
		}
		library, err := Git{Program: NoProgram}.Status(context.Background(), dir, 0)
		if err != nil || library.Source != SourceGoGit || !reflect.DeepEqual(library.Changed, status.Changed) || library.Head != status.Head {
			t.Errorf("%s: library %+v, %v", dir, library, err)
		}
	}
	// Only a trusted status looks into the submodule.
	if got := f.status(0); got.Total != 0 {
		t.Errorf("untrusted: %+v", got.Changed)
	}
	trusted := f.reader()
	trusted.Trusted = true
	got, err := trusted.Status(context.Background(), f.root, 0)
	if err != nil || len(got.Changed) != 1 || got.Changed[0] != (Change{Path: "sub", Code: ".M"}) {
		t.Errorf("trusted: %+v, %v", got, err)
	}
}

// Without the binary the library says the same about the common kinds of change.
func TestStatusWithoutBinary(t *testing.T) {
	f := newFixture(t)
	f.write("edited.txt", "1", "staged.txt", "1", "gone.txt", "1", ".gitignore", "*.log\n")
	f.commit()
	f.write("edited.txt", "22", "staged.txt", "22", "new.txt", "1", "x.log", "1")
	f.git("add", "staged.txt")
	if err := os.Remove(filepath.Join(f.root, "gone.txt")); err != nil {
		t.Fatal(err)
	}
	want := f.status(0)
	got, err := Git{Program: NoProgram}.Status(context.Background(), f.root, 0)
	if err != nil {
		t.Fatal(err)
	}
	want.Source = SourceGoGit
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v\nwant %+v", got, want)
	}
	if _, err := (Git{Program: NoProgram}).ListFiles(context.Background(), f.root, ""); !errors.Is(err, ErrNoGit) {
		t.Errorf("list without git: %v", err)
	}
}

// No repository, an empty .git folder or a broken one is an error, and a repository further up is not used instead.
func TestStatusNoRepository(t *testing.T) {
	f := newFixture(t)
	f.commit()
	for name, make := range map[string]func(dir string) error{
		"nothing": func(string) error { return nil },
		"empty":   func(dir string) error { return os.Mkdir(filepath.Join(dir, ".git"), 0o755) },
		"junk":    func(dir string) error { return os.WriteFile(filepath.Join(dir, ".git"), []byte("junk"), 0o644) },
		"dangling": func(dir string) error {
			return os.WriteFile(filepath.Join(dir, ".git"), []byte("gitdir: ../nowhere\n"), 0o644)
		},
	} {
		dir := filepath.Join(f.root, name)
		if err := os.Mkdir(dir, 0o755); err != nil {
			t.Fatal(err)
		}
		if err := make(dir); err != nil {
			t.Fatal(err)
		}
		for _, g := range []Git{f.reader(), {Program: NoProgram}} {
			if status, err := g.Status(context.Background(), dir, 0); err == nil {
				t.Errorf("%s: got %+v, want an error", name, status)
			}
		}
		if head, err := ReadHead(dir); err == nil {
			t.Errorf("%s: head %+v, want an error", name, head)
		}
		if got := Fingerprint(dir); got != "" {
			t.Errorf("%s: fingerprint %q", name, got)
		}
	}
}

func TestPorcelainRejectsNonsense(t *testing.T) {
	for _, line := range []string{"X what", "1 .M", "2 R. N... 1 1 1 a b", "1 M N... 100644 100644 100644 a b path", "# branch.ab one two"} {
		p := &porcelain{status: &Status{}}
		p.record([]byte(line))
		if p.bad == "" || !strings.HasSuffix(line, p.bad) {
			t.Errorf("%q was accepted: %+v", line, p.status)
		}
	}
	p := &porcelain{status: &Status{}}
	for i := range 3 {
		p.record([]byte(fmt.Sprintf("# from.the.future %d", i)))
	}
	p.record([]byte("! ignored.txt"))
	if p.bad != "" || p.status.Total != 0 {
		t.Errorf("unknown headers and ignored files: %+v", p)
	}
}

// A cancelled context ends the call with its error.
func TestStatusCancelled(t *testing.T) {
	f := newFixture(t)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	for _, g := range []Git{f.reader(), {Program: NoProgram}} {
		if _, err := g.Status(ctx, f.root, 0); !errors.Is(err, context.Canceled) {
			t.Errorf("got %v", err)
		}
	}
}

// No output makes the parser panic or lose count.
func FuzzPorcelain(f *testing.F) {
	f.Add([]byte("# branch.oid (initial)\x00# branch.head main\x00# branch.ab +1 -2\x001 .M N... 100644 100644 100644 a b p\x00"), 3)
	f.Add([]byte("2 R. N... 100644 100644 100644 a b R100 new\x00old\x00? x\x00u UU N... 1 2 3 4 a b c p\x00"), 1)
	f.Fuzz(func(t *testing.T, output []byte, cut int) {
		whole := &porcelain{status: &Status{}}
		if _, err := (&records{each: whole.record}).Write(output); err != nil {
			t.Fatal(err)
		}
		// However the output is cut into writes, the result is the same.
		parts := &porcelain{status: &Status{}}
		out := &records{each: parts.record}
		for rest := output; len(rest) > 0; {
			n := min(max(cut, 1), len(rest))
			if _, err := out.Write(rest[:n]); err != nil {
				t.Fatal(err)
			}
			rest = rest[n:]
		}
		if !reflect.DeepEqual(whole, parts) || len(whole.status.Changed) != whole.status.Total {
			t.Errorf("%+v\n%+v", whole.status, parts.status)
		}
	})
}
