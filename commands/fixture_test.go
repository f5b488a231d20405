package commands

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"go.lsp.dev/uri"
)

// noon is the moment at which the tests' clock stands.
var noon = time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)

// repo is a git repository laid out for one test, with a home folder beside it.
type repo struct {
	t          *testing.T
	root, home string
}

// newRepo lays out files: a path ends in a slash for a directory, a text begins
// with "->" for a symbolic link, a path begins with "~/" for the home folder.
func newRepo(t *testing.T, files map[string]string) *repo {
	t.Helper()
	base, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	r := &repo{t: t, root: filepath.Join(base, "repo"), home: filepath.Join(base, "home")}
	for _, dir := range []string{r.root, r.home} {
		must(t, os.MkdirAll(dir, 0o755))
	}
	for name, text := range files {
		r.write(name, text)
	}
	r.git("init", "-q", "-b", "main")
	return r
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func (r *repo) path(name string) string {
	if rest, ok := strings.CutPrefix(name, "~/"); ok {
		return filepath.Join(r.home, rest)
	}
	return filepath.Join(r.root, filepath.FromSlash(name))
}

func (r *repo) uri(name string) string { return string(uri.File(r.path(name))) }

func (r *repo) write(name, text string) {
	r.t.Helper()
	path := r.path(name)
	if strings.HasSuffix(name, "/") {
		must(r.t, os.MkdirAll(path, 0o755))
		return
	}
	must(r.t, os.MkdirAll(filepath.Dir(path), 0o755))
	if target, link := strings.CutPrefix(text, "->"); link {
		must(r.t, os.Symlink(target, path))
		return
	}
	must(r.t, os.WriteFile(path, []byte(text), 0o644))
}

func (r *repo) git(args ...string) {
	r.t.Helper()
	c := exec.Command("git", append([]string{"-c", "user.name=t", "-c", "user.email=t@example.com", "-c", "commit.gpgsign=false"}, args...)...)
	c.Dir = r.root
	c.Env = append(os.Environ(), "HOME="+r.home, "GIT_CONFIG_NOSYSTEM=1")
	if out, err := c.CombinedOutput(); err != nil {
		r.t.Fatalf("git %v: %v\n%s", args, err, out)
	}
}

// open opens a service on the repository, or on the given folders.
func (r *repo) open(folders ...string) *Service {
	r.t.Helper()
	return r.openAt(noon, folders...)
}

func (r *repo) openAt(now time.Time, folders ...string) *Service {
	r.t.Helper()
	return r.openClock(func() time.Time { return now }, folders...)
}

// openClock opens a service with a clock that the test moves.
func (r *repo) openClock(now func() time.Time, folders ...string) *Service {
	r.t.Helper()
	o := Options{Home: r.home, Now: now, Version: "test"}
	if folders == nil {
		folders = []string{""}
	}
	for _, f := range folders {
		path := r.path(f)
		o.Roots = append(o.Roots, Folder{Path: path, Name: filepath.Base(path)})
	}
	s, err := Open(o)
	if err != nil {
		r.t.Fatal(err)
	}
	r.t.Cleanup(func() { must(r.t, s.Close()) })
	return s
}

// edit opens a buffer with a text that is not saved.
func (r *repo) edit(s *Service, name, text string) {
	r.t.Helper()
	disk, err := os.ReadFile(r.path(name))
	if err != nil && !os.IsNotExist(err) {
		r.t.Fatal(err)
	}
	u := uri.File(r.path(name))
	s.Workspace().DidOpen(u, "plaintext", 1, string(disk))
	if text != string(disk) {
		must(r.t, s.Workspace().DidChange(u, 2, wholeText(text)))
	}
}

// run calls a command as a client does.
func run[R any](t *testing.T, s *Service, name string, params any) *R {
	t.Helper()
	result, err := try[R](t, s, name, params)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return result
}

func try[R any](t *testing.T, s *Service, name string, params any) (*R, error) {
	t.Helper()
	raw, err := json.Marshal(params)
	must(t, err)
	command, ok := Lookup(name)
	if !ok {
		t.Fatalf("no command %s", name)
	}
	result, err := command.Call(t.Context(), s, raw)
	if err != nil {
		return nil, err
	}
	return result.(*R), nil
}

func build(t *testing.T, s *Service, params BuildPromptParams) *BuildPromptResult {
	t.Helper()
	return run[BuildPromptResult](t, s, "foreword.prompt.build", params)
}

func section(t *testing.T, r *BuildPromptResult, key string) Section {
	t.Helper()
	for _, s := range r.Sections {
		if s.Key == key {
			return s
		}
	}
	t.Fatalf("no section %s in %v", key, keys(r))
	return Section{}
}

func keys(r *BuildPromptResult) []string {
	var out []string
	for _, s := range r.Sections {
		out = append(out, s.Key)
	}
	return out
}

func text(r *BuildPromptResult) string {
	var parts []string
	for _, m := range r.Messages {
		parts = append(parts, m.Content)
	}
	return strings.Join(parts, "\n\n")
}
