package trust

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"
)

var noon = time.Date(2026, 3, 4, 12, 0, 0, 0, time.UTC)

func at(when time.Time) func() time.Time { return func() time.Time { return when } }

// place returns a temporary folder by its real path and the path of a list in it.
func place(t *testing.T) (base, file string) {
	t.Helper()
	base, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	return base, filepath.Join(base, "config", "foreword", "trusted.json")
}

func folder(t *testing.T, elem ...string) string {
	t.Helper()
	path := filepath.Join(elem...)
	if err := os.MkdirAll(path, 0o755); err != nil {
		t.Fatal(err)
	}
	return path
}

func paths(list []Entry) []string {
	var out []string
	for _, e := range list {
		out = append(out, e.Path)
	}
	return out
}

// A trusted folder holds what is below it, by segment, and no other.
func TestTrustedBySegment(t *testing.T) {
	base, file := place(t)
	app := folder(t, base, "w", "app")
	s := Open(file, at(noon))
	if s.Trusted(app) {
		t.Error("trusted before anybody said so")
	}
	if err := s.Trust(app); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]bool{
		app:                                  true,
		filepath.Join(app, "sub", "x.txt"):   true,
		filepath.Join(app, "not", "there"):   true,
		app + "-secret":                      false,
		filepath.Dir(app):                    false,
		base:                                 false,
		"/":                                  false,
		"":                                   false,
		"app":                                false,
		app + "/../app-secret":               false,
		app + "/":                            false,
		filepath.Join(base, "w", "APP", "x"): false,
	} {
		if got := s.Trusted(path); got != want {
			t.Errorf("%q: %v, want %v", path, got, want)
		}
	}
	list, err := s.List()
	if err != nil || !reflect.DeepEqual(list, []Entry{{Path: app, Since: noon}}) {
		t.Errorf("list: %v, %v", list, err)
	}
}

// A folder is known by its real path: trusting a link trusts what it leads to, and moving the link does not move trust.
func TestLinksAreResolved(t *testing.T) {
	base, file := place(t)
	real, other := folder(t, base, "real"), folder(t, base, "other")
	link := filepath.Join(base, "link")
	if err := os.Symlink(real, link); err != nil {
		t.Fatal(err)
	}
	s := Open(file, at(noon))
	if err := s.Trust(link); err != nil {
		t.Fatal(err)
	}
	if !s.Trusted(real) || s.Trusted(link) || s.Trusted(other) {
		t.Error("the link's target, and nothing else, should be trusted")
	}
	if err := os.Remove(link); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(other, link); err != nil {
		t.Fatal(err)
	}
	if s.Trusted(other) {
		t.Error("trust moved with the link")
	}
}

// Trusting twice keeps the first time; distrusting removes, also a folder that is gone; a holder is named.
func TestDistrust(t *testing.T) {
	base, file := place(t)
	a, b := folder(t, base, "a"), folder(t, base, "b")
	inner := folder(t, base, "a", "inner")
	s := Open(file, at(noon))
	for _, dir := range []string{b, a, inner} {
		if err := s.Trust(dir); err != nil {
			t.Fatal(err)
		}
	}
	later := Open(file, at(noon.Add(time.Hour)))
	if err := later.Trust(a); err != nil {
		t.Fatal(err)
	}
	list, _ := later.List()
	if !reflect.DeepEqual(paths(list), []string{a, inner, b}) || !list[0].Since.Equal(noon) {
		t.Errorf("list: %v", list)
	}
	if err := os.RemoveAll(b); err != nil {
		t.Fatal(err)
	}
	if err := later.Distrust(b); err != nil || s.Trusted(b) {
		t.Errorf("distrust a folder that is gone: %v", err)
	}
	if err := later.Distrust(inner); err == nil || !strings.Contains(err.Error(), a) || !s.Trusted(inner) {
		t.Errorf("distrust inside a trusted folder: %v", err)
	}
	if err := later.Distrust(a); err != nil || s.Trusted(a) || s.Trusted(inner) {
		t.Errorf("distrust: %v", err)
	}
	if err := later.Distrust(folder(t, base, "never")); err != nil {
		t.Errorf("distrust what was not trusted: %v", err)
	}
}

func TestCannotTrust(t *testing.T) {
	base, file := place(t)
	plain := filepath.Join(base, "file.txt")
	if err := os.WriteFile(plain, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	s := Open(file, at(noon))
	for _, path := range []string{"/", plain, filepath.Join(base, "missing")} {
		if err := s.Trust(path); err == nil || !strings.Contains(err.Error(), path) {
			t.Errorf("%s: %v", path, err)
		}
	}
	if _, err := os.Stat(file); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a refused folder made a list: %v", err)
	}
}

// Only the user may read the list and its folder.
func TestModes(t *testing.T) {
	base, file := place(t)
	if err := Open(file, at(noon)).Trust(folder(t, base, "a")); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]os.FileMode{file: 0o600, filepath.Dir(file): 0o700} {
		info, err := os.Stat(path)
		if err != nil || info.Mode().Perm() != want {
			t.Errorf("%s: %v, %v", path, info.Mode(), err)
		}
	}
	if names, _ := filepath.Glob(filepath.Join(filepath.Dir(file), ".trusted-*")); len(names) != 0 {
		t.Errorf("left behind: %v", names)
	}
}

// A list that others may write is not believed.
func TestWritableByOthers(t *testing.T) {
	base, file := place(t)
	app := folder(t, base, "a")
	s := Open(file, at(noon))
	if err := s.Trust(app); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(file, 0o620); err != nil {
		t.Fatal(err)
	}
	var writable *WritableError
	if s.Trusted(app) {
		t.Error("trusted")
	}
	if _, err := s.List(); !errors.As(err, &writable) {
		t.Errorf("list: %v", err)
	}
	if err := s.Trust(app); !errors.As(err, &writable) {
		t.Errorf("trust: %v", err)
	}
	if err := os.Chmod(file, 0o600); err != nil {
		t.Fatal(err)
	}
	if !s.Trusted(app) {
		t.Error("not trusted after the mode was mended")
	}
}

// A damaged list trusts nobody, is not changed by reading, and is kept when a new one is written.
func TestDamagedListIsKept(t *testing.T) {
	base, _ := place(t)
	app := folder(t, base, "app")
	for i, text := range []string{
		"", "{", "null", "[]", `{"folders":[]}`, `{"version":1,"folders":[{"path":"relative"}]}`, `{"version":1,"folders":[{"path":"/"}]}`,
		`{"version":1,"folders":[{"path":"/a/../b"}]}`, `{"version":1,"folders":[{"path":5}]}`, `{"version":1,"trusted":true}`,
		"\x00\x01\x02", `{"version":1,"folders":[{"path":"` + app + `"`,
	} {
		file := filepath.Join(folder(t, base, fmt.Sprint("state", i)), "trusted.json")
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		s := Open(file, at(noon))
		var corrupt *CorruptError
		if list, err := s.List(); !errors.As(err, &corrupt) || corrupt.Kept != "" || len(list) != 0 || s.Trusted(app) {
			t.Errorf("%q: %v, %v", text, list, err)
		}
		if got, err := os.ReadFile(file); err != nil || string(got) != text {
			t.Errorf("%q: reading changed it to %q, %v", text, got, err)
		}
		for n, kept := range []string{file + ".corrupt", file + ".corrupt.1"} {
			if n > 0 {
				if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			err := s.Trust(app)
			if !errors.As(err, &corrupt) || corrupt.Kept != kept || !strings.Contains(err.Error(), kept) {
				t.Errorf("%q: trust: %v", text, err)
			}
			if got, err := os.ReadFile(kept); err != nil || string(got) != text {
				t.Errorf("%q: kept as %q, %v", text, got, err)
			}
			if list, err := s.List(); err != nil || !reflect.DeepEqual(paths(list), []string{app}) {
				t.Errorf("%q: the new list: %v, %v", text, list, err)
			}
		}
	}
}

// A list of a later version is neither believed nor replaced.
func TestNewerListIsLeftAlone(t *testing.T) {
	base, file := place(t)
	app := folder(t, base, "app")
	folder(t, filepath.Dir(file))
	text := `{"version":2,"folders":{"x":1}}`
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	s := Open(file, at(noon))
	if s.Trusted(app) {
		t.Error("trusted")
	}
	if err := s.Trust(app); err == nil || !strings.Contains(err.Error(), "update foreword") {
		t.Errorf("trust: %v", err)
	}
	if got, _ := os.ReadFile(file); string(got) != text {
		t.Errorf("replaced by %q", got)
	}
}

// A list that is a link stays one, and what it leads to is written; a dangling link is an error, not a new file.
func TestLinkedList(t *testing.T) {
	base, file := place(t)
	app := folder(t, base, "app")
	folder(t, filepath.Dir(file))
	dotfiles := filepath.Join(folder(t, base, "dotfiles"), "list.json")
	if err := os.Symlink(dotfiles, file); err != nil {
		t.Fatal(err)
	}
	s := Open(file, at(noon))
	if err := s.Trust(app); err == nil {
		t.Error("wrote through a dangling link")
	}
	if err := os.WriteFile(dotfiles, []byte(`{"version":1,"folders":[]}`), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := s.Trust(app); err != nil {
		t.Fatal(err)
	}
	if target, err := os.Readlink(file); err != nil || target != dotfiles || !s.Trusted(app) {
		t.Errorf("link: %q, %v", target, err)
	}
}

// A store sees at once what another store, or another process, wrote.
func TestSeesOthersWrites(t *testing.T) {
	base, file := place(t)
	reader, writer := Open(file, at(noon)), Open(file, at(noon))
	for i := range 50 {
		dir := folder(t, base, fmt.Sprint("d", i))
		if reader.Trusted(dir) {
			t.Fatal("trusted early")
		}
		if err := writer.Trust(dir); err != nil {
			t.Fatal(err)
		}
		if !reader.Trusted(dir) {
			t.Fatalf("write %d was not seen", i)
		}
		if err := writer.Distrust(dir); err != nil {
			t.Fatal(err)
		}
		if reader.Trusted(dir) {
			t.Fatalf("removal %d was not seen", i)
		}
	}
	if err := os.Remove(file); err != nil {
		t.Fatal(err)
	}
	if list, err := reader.List(); err != nil || len(list) != 0 {
		t.Errorf("after the list was deleted: %v, %v", list, err)
	}
}

// Goroutines and processes that write at the same time lose nothing of each other.
func TestConcurrentWriters(t *testing.T) {
	base, file := place(t)
	const processes, goroutines, each = 4, 4, 5
	var want []string
	for i := range processes + goroutines {
		for j := range each {
			want = append(want, folder(t, base, fmt.Sprintf("w%d-%d", i, j)))
		}
	}
	gone := folder(t, base, "gone")
	if err := Open(file, at(noon)).Trust(gone); err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	for i := range processes {
		wg.Go(func() {
			cmd := exec.Command(os.Args[0], "-test.run=^TestWriterProcess$")
			dirs, _ := json.Marshal(want[i*each : (i+1)*each])
			cmd.Env = append(os.Environ(), "FOREWORD_TEST_LIST="+file, "FOREWORD_TEST_DIRS="+string(dirs))
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Errorf("process %d: %v\n%s", i, err, out)
			}
		})
	}
	shared := Open(file, at(noon))
	for i := range goroutines {
		wg.Go(func() {
			s := shared
			if i%2 == 0 {
				s = Open(file, at(noon))
			}
			for _, dir := range want[(processes+i)*each : (processes+i+1)*each] {
				if err := s.Trust(dir); err != nil {
					t.Errorf("goroutine %d: %v", i, err)
				}
			}
			if i == 0 {
				if err := s.Distrust(gone); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	list, err := shared.List()
	if err != nil || !reflect.DeepEqual(paths(list), want) {
		t.Errorf("%v\n got %q\nwant %q", err, paths(list), want)
	}
}

// TestWriterProcess is the other process of TestConcurrentWriters; on its own it trusts nothing.
func TestWriterProcess(t *testing.T) {
	var dirs []string
	if text := os.Getenv("FOREWORD_TEST_DIRS"); text != "" {
		if err := json.Unmarshal([]byte(text), &dirs); err != nil {
			t.Fatal(err)
		}
	}
	s := Open(os.Getenv("FOREWORD_TEST_LIST"), at(noon))
	for _, dir := range dirs {
		if err := s.Trust(dir); err != nil {
			t.Fatal(err)
		}
	}
}

// Nothing that lies in a folder makes it trusted, and nothing in it is opened.
func TestFolderCannotTrustItself(t *testing.T) {
	base, file := place(t)
	app := folder(t, base, "app")
	own := fmt.Sprintf(`{"version":1,"folders":[{"path":%q,"since":"2026-01-01T00:00:00Z"}]}`, app)
	for _, name := range []string{"trusted.json", ".config/foreword/trusted.json", ".foreword/trusted.json", "foreword.toml"} {
		path := filepath.Join(app, filepath.FromSlash(name))
		folder(t, filepath.Dir(path))
		if err := os.WriteFile(path, []byte(own), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	t.Chdir(app)
	if Open(file, at(noon)).Trusted(app) {
		t.Error("trusted")
	}
}

func TestStateFile(t *testing.T) {
	for _, c := range []struct{ xdg, want string }{
		{"", "/home/ann/.config/foreword/trusted.json"},
		{"/xdg", "/xdg/foreword/trusted.json"},
		{"./relative", "/home/ann/.config/foreword/trusted.json"},
	} {
		got := StateFile("/home/ann", func(name string) string {
			if name == "XDG_CONFIG_HOME" {
				return c.xdg
			}
			return ""
		})
		if got != c.want {
			t.Errorf("%q: %q, want %q", c.xdg, got, c.want)
		}
	}
}
