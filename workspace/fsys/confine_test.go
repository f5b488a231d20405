package fsys

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
)

func TestWithin(t *testing.T) {
	tests := []struct {
		root, path string
		want       bool
	}{
		{"/w/app", "/w/app", true},
		{"/w/app", "/w/app/x/y", true},
		{"/w/app/", "/w/app/x", true},
		{"/w/app", "/w/app-secret", false},
		{"/w/app", "/w/app-secret/x", false},
		{"/w/app", "/w/ap", false},
		{"/w/app", "/w", false},
		{"/w/app", "/w/app/../app-secret/x", false},
		{"/w/app", "/w/other/../app/x", true},
		{"/w/app", "/w/app/..", false},
		{"/w/app", "/w/app/...", true},
		{"/w/app", "/W/app/x", false},
		{"/w/app", "w/app/x", false},
		{"w/app", "/w/app", false},
		{"/", "/anything", true},
		{"/", "/", true},
		{"", "/x", false},
		{"/w", "", false},
	}
	for _, test := range tests {
		if got := Within(test.root, test.path); got != test.want {
			t.Errorf("Within(%q, %q) = %v", test.root, test.path, got)
		}
	}
}

// layers are the ways in which a confinement is put over the disk.
func layers() map[string]func() FS {
	return map[string]func() FS{
		"disk":                     Disk,
		"cache":                    func() FS { return NewCache(Disk(), later().Now) },
		"overlay over cache":       overlayOverCache,
		"counting":                 func() FS { return NewCounting(Disk()) },
		"confined to all":          func() FS { return Confine(Disk(), "/") },
		"base that reads anywhere": func() FS { return plain{Disk()} },
	}
}

func overlayOverCache() FS {
	return Overlay(NewCache(Disk(), later().Now), map[string]Buffer{"/nowhere/open.md": {Text: "open"}})
}

// plain hides everything but the interface.
type plain struct{ FS }

func TestConfine(t *testing.T) {
	root := tree(t, map[string]string{
		"app/in.md":            "in",
		"app/sub/in.md":        "sub",
		"app/link-in.md":       "-> sub/in.md",
		"app/link-out.md":      "-> ../app-secret/key.md",
		"app/dir-out":          "-> ../app-secret",
		"app/chain.md":         "-> chain2.md",
		"app/chain2.md":        "-> sub/chain3.md",
		"app/sub/chain3.md":    "-> ../../app-secret/key.md",
		"app/there-and-back":   "-> ../app-secret/back",
		"app-secret/key.md":    "secret",
		"app-secret/back":      "-> ../app",
		"entry":                "-> app",
		"personal/AGENTS.md":   "mine",
		"personal/other.md":    "not allowed by name",
		"app/absolute-out.md":  "-> /etc/hostname",
		"app/missing-out.md":   "-> ../app-secret/missing.md",
		"app/AGENTS.md/in-dir": "x",
	})
	at := func(name string) string { return filepath.Join(root, name) }
	must(t, syscall.Mkfifo(at("app/pipe.md"), 0o666))
	for name, base := range layers() {
		t.Run(name, func(t *testing.T) {
			fs := Confine(base(), at("entry"), at("personal/AGENTS.md"), at("no-such-root"))
			wantText(t, fs, at("app/in.md"), "in")
			wantText(t, fs, at("entry/in.md"), "in")
			wantText(t, fs, at("app/link-in.md"), "sub")
			wantText(t, fs, at("app/there-and-back/in.md"), "in")
			wantText(t, fs, at("personal/AGENTS.md"), "mine")
			for name, reason := range map[string]Reason{
				"app/link-out.md":          ReasonOutside,
				"app/dir-out/key.md":       ReasonOutside,
				"app/chain.md":             ReasonOutside,
				"app/absolute-out.md":      ReasonOutside,
				"app/../app-secret/key.md": ReasonOutside,
				"app-secret/key.md":        ReasonOutside,
				"personal/other.md":        ReasonOutside,
				"app/missing-out.md":       ReasonMissing,
				"app/pipe.md":              ReasonNotRegular,
				"app/AGENTS.md":            ReasonDirectory,
			} {
				f, err := fs.ReadFile(at(name))
				wantReason(t, err, reason)
				if f != nil {
					t.Errorf("%s: a file comes with the error", name)
				}
			}
			entries, err := fs.ReadDir(at("app/sub"))
			must(t, err)
			if want := []Entry{{"chain3.md", KindSymlink}, {"in.md", KindFile}}; !slices.Equal(entries, want) {
				t.Errorf("got %v, want %v", entries, want)
			}
			for _, name := range []string{"app/dir-out", "app-secret", ""} {
				_, err := fs.ReadDir(at(name))
				wantReason(t, err, ReasonOutside)
			}
			// What a refused path leads to can still be explained.
			if info, err := fs.Stat(at("app/link-out.md")); err != nil || info.Kind != KindFile {
				t.Errorf("Stat of a link that leads out: %+v, %v", info, err)
			}
			_, err = fs.ReadFile(at("app/link-out.md"))
			if want := "leads to " + at("app-secret/key.md"); err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("error %v does not say that it %s", err, want)
			}
		})
	}
}

// swapped is a disk on which something changes right after a path was resolved,
// where an attacker would have to be quick.
type swapped struct {
	disk
	path string
	swap func()
}

func (s swapped) RealPath(path string) (string, error) {
	real, err := s.disk.RealPath(path)
	if path == s.path {
		s.swap()
	}
	return real, err
}

// From CVE-2026-25724 and others: a link is put in place between the check and the open.
func TestLinkSwappedBetweenCheckAndOpen(t *testing.T) {
	for _, target := range []string{"relative", "absolute"} {
		t.Run(target, func(t *testing.T) {
			root := tree(t, map[string]string{"app/file.md": "in", "app/other.md": "in", "app/dir/file.md": "in", "secret/file.md": "secret"})
			to := filepath.Join(root, "secret")
			replace := func(name, to string) func() {
				return func() {
					must(t, os.RemoveAll(filepath.Join(root, name)))
					link := to
					if target == "relative" {
						var err error
						link, err = filepath.Rel(filepath.Dir(filepath.Join(root, name)), to)
						must(t, err)
					}
					must(t, os.Symlink(link, filepath.Join(root, name)))
				}
			}
			app := filepath.Join(root, "app")
			other := filepath.Join(app, "other.md")
			_, err := Confine(plain{swapped{path: other, swap: replace("app/other.md", filepath.Join(to, "file.md"))}}, app).ReadFile(other)
			wantReason(t, err, ReasonOutside)
			file := filepath.Join(app, "file.md")
			f, err := Confine(swapped{path: file, swap: replace("app/file.md", filepath.Join(to, "file.md"))}, app).ReadFile(file)
			wantReason(t, err, ReasonOutside)
			if f != nil {
				t.Errorf("read %q", f.Text)
			}
			inDir := filepath.Join(app, "dir/file.md")
			f, err = Confine(swapped{path: inDir, swap: replace("app/dir", to)}, app).ReadFile(inDir)
			wantReason(t, err, ReasonOutside)
			if f != nil {
				t.Errorf("read %q", f.Text)
			}
		})
	}
	root := tree(t, map[string]string{"app/dir/in.md": "", "secret/out.md": ""})
	dir := filepath.Join(root, "app/dir")
	fs := Confine(swapped{path: dir, swap: func() {
		must(t, os.RemoveAll(dir))
		must(t, os.Symlink("../secret", dir))
	}}, filepath.Join(root, "app"))
	entries, err := fs.ReadDir(dir)
	wantReason(t, err, ReasonOutside)
	if len(entries) > 0 {
		t.Errorf("listed %v", entries)
	}
}

// A text that the cache has from a free read is not given to a confined one
// whose path leads out by then.
func TestConfinedReadIsCachedApart(t *testing.T) {
	root := tree(t, map[string]string{"app/file.md": "in", "secret.md": "secret"})
	path := filepath.Join(root, "app/file.md")
	now := later()
	cache := NewCache(Disk(), now.Now)
	fs := Confine(cache, filepath.Join(root, "app"))
	wantText(t, fs, path, "in")
	must(t, os.Remove(path))
	must(t, os.Symlink("../secret.md", path))
	now.advance(FreshFor)
	wantText(t, cache, path, "secret")
	_, err := fs.ReadFile(path)
	wantReason(t, err, ReasonOutside)
	// As after a check that still found the file in its place.
	_, err = cache.readFileIn(filepath.Join(root, "app"), path, path)
	wantReason(t, err, ReasonOutside)
}

func TestNestedConfinementsBothHold(t *testing.T) {
	root := tree(t, map[string]string{"a/file.md": "a", "a/b/file.md": "b", "c/file.md": "c"})
	at := func(name string) string { return filepath.Join(root, name) }
	fs := Confine(Confine(Disk(), at("a/b"), at("c")), at("a"))
	wantText(t, fs, at("a/b/file.md"), "b")
	for _, name := range []string{"a/file.md", "c/file.md"} {
		_, err := fs.ReadFile(at(name))
		wantReason(t, err, ReasonOutside)
	}
	_, err := fs.ReadDir(at("a"))
	wantReason(t, err, ReasonOutside)

	// Also at the open, when both have checked already.
	path, looks := at("a/b/file.md"), 0
	swapping := swapped{path: path, swap: func() {
		if looks++; looks == 2 {
			must(t, os.Remove(path))
			must(t, os.Symlink("../file.md", path))
		}
	}}
	_, err = Confine(Confine(swapping, at("a/b")), at("a")).ReadFile(path)
	wantReason(t, err, ReasonOutside)
}

// An open buffer is no way around the confinement.
func TestConfinedBuffers(t *testing.T) {
	root := tree(t, map[string]string{"app/in.md": "disk", "secret/out.md": "disk", "app/link.md": "-> ../secret/out.md", "app/alias.md": "-> in.md"})
	at := func(name string) string { return filepath.Join(root, name) }
	fs := Confine(Overlay(Disk(), map[string]Buffer{
		at("app/in.md"):      {Text: "buffer in"},
		at("app/new/new.md"): {Text: "not saved yet"},
		at("secret/out.md"):  {Text: "buffer out"},
		at("app/link.md"):    {Text: "buffer of the link"},
	}), at("app"))
	wantText(t, fs, at("app/in.md"), "buffer in")
	wantText(t, fs, at("app/alias.md"), "buffer in")
	wantText(t, fs, at("app/new/new.md"), "not saved yet")
	for _, name := range []string{"secret/out.md", "app/link.md"} {
		_, err := fs.ReadFile(at(name))
		wantReason(t, err, ReasonOutside)
	}
	entries, err := fs.ReadDir(at("app/new"))
	must(t, err)
	if want := []Entry{{"new.md", KindFile}}; !slices.Equal(entries, want) {
		t.Errorf("got %v, want %v", entries, want)
	}
}

func TestResolve(t *testing.T) {
	root := tree(t, map[string]string{"dir/file": "", "link": "-> dir"})
	for in, want := range map[string]string{
		"link/file":        "dir/file",
		"link/new/file":    "dir/new/file",
		"new/file":         "new/file",
		"link/../dir/x":    "dir/x",
		"dir/file/beneath": "dir/file/beneath",
	} {
		if got := Resolve(Disk(), root+"/"+in); got != filepath.Join(root, want) {
			t.Errorf("Resolve(%s) = %s, want %s", in, got, want)
		}
	}
}

// Clean and Below are those of path/filepath.
func TestCleanAndBelow(t *testing.T) {
	pieces := []string{"", "/", "//", "a", "b.c", ".", "..", ".x", "...", "/a", "a/", "é"}
	for _, a := range pieces {
		for _, b := range pieces {
			for _, c := range pieces {
				path := a + "/" + b + "/" + c
				for _, path := range []string{path, "/" + path, a + b + c} {
					if got, want := Clean(path), filepath.Clean(path); got != want {
						t.Errorf("Clean(%q) = %q, want %q", path, got, want)
					}
					for _, root := range []string{"/", "/a", "/a/", "/a/b.c"} {
						rel, within := Below(root, path)
						if within != Within(root, path) {
							t.Errorf("Below(%q, %q) is %v", root, path, within)
						}
						if want, err := filepath.Rel(root, path); within && (err != nil || rel != want) {
							t.Errorf("Below(%q, %q) = %q, want %q", root, path, rel, want)
						}
					}
				}
			}
		}
	}
}
