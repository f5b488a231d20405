package vcs

import (
	"os"
	"path/filepath"
	"testing"

	"foreword/workspace/fsys"
)

// The nearest .git folder or file above a path is its root; home and what is above it are not.
func TestRoot(t *testing.T) {
	base, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	at := func(path string) string { return filepath.Join(base, filepath.FromSlash(path)) }
	for _, dir := range []string{
		"users/ann/.git", "users/ann/plain/deep", "users/ann/repo/.git", "users/ann/repo/pkg/deep", "users/ann/repo/nested/.git",
		"users/.git", "users/annex/x", "srv/repo/.git", "srv/repo/sub", "srv/repo/odd", "srv/repo/link", "real.git", "users/ann/repo/files",
	} {
		if err := os.MkdirAll(at(dir), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for path, text := range map[string]string{
		"srv/repo/sub/.git": "gitdir: ../.git/modules/sub\n", "users/ann/repo/files/a.txt": "",
	} {
		if err := os.WriteFile(at(path), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for link, target := range map[string]string{
		"srv/repo/odd/.git": "/dev/null", "srv/repo/link/.git": at("real.git"), "home-link": at("users/ann"), "srv/repo/sub/dangling": "nowhere",
	} {
		if err := os.Symlink(target, at(link)); err != nil {
			t.Fatal(err)
		}
	}

	for _, c := range []struct{ name, path, home, want string }{
		{"the root itself", "users/ann/repo", "users/ann", "users/ann/repo"},
		{"a folder below", "users/ann/repo/pkg/deep", "users/ann", "users/ann/repo"},
		{"a file", "users/ann/repo/files/a.txt", "users/ann", "users/ann/repo"},
		{"a file that does not exist yet", "users/ann/repo/new/b.txt", "users/ann", "users/ann/repo"},
		{"the innermost wins", "users/ann/repo/nested/x", "users/ann", "users/ann/repo/nested"},
		{"home is a repository of dot files", "users/ann/plain/deep", "users/ann", ""},
		{"home itself", "users/ann", "users/ann", ""},
		{"above home", "users/other", "users/ann", ""},
		{"no home known", "users/ann/plain", "", "users/ann"},
		{"home is a link and the path is real", "users/ann/plain/deep", "home-link", ""},
		{"home is a link and so is the path", "home-link/plain", "home-link", ""},
		{"a name that begins like home", "users/annex/x", "users/ann", ""},
		{"outside of home", "srv/repo/x", "users/ann", "srv/repo"},
		{"a submodule's .git file", "srv/repo/sub/x", "users/ann", "srv/repo/sub"},
		{"a device is no repository", "srv/repo/odd/x", "users/ann", "srv/repo"},
		{"a link to a git folder", "srv/repo/link/x", "users/ann", "srv/repo/link"},
		{"through a dangling link", "srv/repo/sub/dangling/x", "users/ann", "srv/repo/sub"},
	} {
		home := ""
		if c.home != "" {
			home = at(c.home)
		}
		got, ok := Root(fsys.Disk(), at(c.path), home)
		want := ""
		if c.want != "" {
			want = at(c.want)
		}
		if got != want || ok != (want != "") {
			t.Errorf("%s: got %q, %v; want %q", c.name, got, ok, want)
		}
	}
}

// Only folders between the path and the root are looked at.
func TestRootLooksAtAncestorsOnly(t *testing.T) {
	f := newFixture(t)
	f.write("a/b/c/file.txt", "1", "a/other/file.txt", "1")
	counting := fsys.NewCounting(fsys.Disk())
	if _, ok := Root(counting, filepath.Join(f.root, "a/b/c/file.txt"), f.home); !ok {
		t.Fatal("no root")
	}
	if calls := counting.Calls(); len(calls) != 6 { // home's real path, then five folders
		t.Errorf("calls: %v", calls)
	}
}
