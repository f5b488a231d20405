package vcs

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

func TestOwns(t *testing.T) {
	base, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	run := func(dir string, args ...string) {
		t.Helper()
		c := exec.Command("git", append([]string{"-c", "user.name=t", "-c", "user.email=t@example.com", "-c", "protocol.file.allow=always"}, args...)...)
		c.Dir = dir
		if out, err := c.CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
	}
	write := func(path, text string) {
		t.Helper()
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	main, lib := filepath.Join(base, "main"), filepath.Join(base, "lib")
	for _, dir := range []string{main, lib} {
		write(filepath.Join(dir, "a.txt"), "a")
		run(dir, "init", "-q", "-b", "main")
		run(dir, "add", "-A")
		run(dir, "commit", "-qm", "a")
	}
	run(main, "worktree", "add", "-q", filepath.Join(base, "tree"), "-b", "other")
	run(main, "submodule", "add", "-q", lib, "vendor/lib")
	write(filepath.Join(base, "foreign", ".git"), "gitdir: "+filepath.Join(main, ".git")+"\n")
	write(filepath.Join(base, "stolen", ".git"), "gitdir: "+filepath.Join(main, ".git", "worktrees", "tree")+"\n")
	write(filepath.Join(base, "linked", "x"), "")
	if err := os.Symlink(filepath.Join(main, ".git"), filepath.Join(base, "linked", ".git")); err != nil {
		t.Fatal(err)
	}
	foreign := filepath.Join(main, ".git")
	for name, link := range map[string]string{"refs": "refs", "objects": "objects"} {
		write(filepath.Join(base, "by-"+name, ".git", "HEAD"), "ref: refs/heads/main\n")
		if err := os.Symlink(filepath.Join(foreign, link), filepath.Join(base, "by-"+name, ".git", name)); err != nil {
			t.Fatal(err)
		}
	}
	write(filepath.Join(base, "by-common", ".git", "HEAD"), "ref: refs/heads/main\n")
	write(filepath.Join(base, "by-common", ".git", "commondir"), foreign+"\n")
	for dir, want := range map[string]bool{
		"by-refs": false, "by-objects": false, "by-common": false,

		"main": true, "tree": true, "main/vendor/lib": true, "foreign": false, "stolen": false, "linked": false, "nothing": false,
	} {
		if got := Owns(filepath.Join(base, dir)); got != want {
			t.Errorf("%s: Owns is %v, want %v", dir, got, want)
		}
	}
}
