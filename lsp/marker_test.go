package lsp

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"go.lsp.dev/uri"
	"golang.org/x/tools/txtar"
)

var update = flag.Bool("update", false, "rewrite the golden answers in testdata")

// TestMarkers runs every archive in testdata: a workspace, and a script of what
// an editor does in it.
//
// The text before the first file says what the archive shows. Files of these
// names are for the runner:
//
//	capabilities.json   of the client, in place of none
//	init.json           initializationOptions; $URI stands for the root
//	settings.json       the answer to workspace/configuration; needs that capability
//	flags               -folders=a,b (of the workspace, in place of the root),
//	                    -norepo (no .git is made), -encoding=utf-8|utf-16|utf-32
//	symlinks            lines "link -> target"
//	bytes               lines "path: hexadecimal"
//	@name               the golden answer that a mark calls name; -update writes it
//	~/path              in the home folder
//
// All others are written below the root. A mark is a call in a comment: //@, #@
// or <!--@ … -->; it is taken out before the file is written. Marks run in the
// order of the archive. A line of carets with a call below a line of text, as in
//
//	Some text
//	     ^^^^ hover(want)
//
// runs the call at that place; for the others it is the start of the mark's
// file. marker_actions_test.go lists the calls.
func TestMarkers(t *testing.T) {
	archives, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(archives) == 0 {
		t.Fatalf("no archives: %v", err)
	}
	for _, path := range archives {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".txtar"), func(t *testing.T) {
			t.Parallel()
			runArchive(t, path)
		})
	}
}

func runArchive(t *testing.T, path string) {
	parsed, err := txtar.ParseFile(path)
	if err != nil {
		t.Fatal(err)
	}
	a, err := readArchive(parsed)
	if err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	r := newRun(t, a)
	r.open()
	for _, mark := range a.marks {
		r.mark = mark
		if err := r.do(mark); err != nil {
			t.Fatalf("%s: %s: %v\nlog of the server:\n%s", path, mark, err, r.editor.log)
		}
	}
	if code := r.editor.stop(); code != 0 {
		t.Errorf("exit code %d", code)
	}
	for name := range a.golden {
		if !r.used[name] {
			t.Errorf("golden answer @%s is used by no mark", name)
		}
	}
	if *update && !t.Failed() {
		for i, file := range parsed.Files {
			if name, ok := strings.CutPrefix(file.Name, "@"); ok {
				parsed.Files[i].Data = []byte(a.golden[name])
			}
		}
		if err := os.WriteFile(path, txtar.Format(parsed), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// run is one archive while it runs.
type run struct {
	t      *testing.T
	a      *archive
	editor *editor
	mark   mark
	used   map[string]bool // golden answers that were compared

	root, home string // absolute, links resolved
	buffers    map[string]*buffer
}

func newRun(t *testing.T, a *archive) *run {
	base, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	r := &run{
		t: t, a: a, used: map[string]bool{}, buffers: map[string]*buffer{},
		root: filepath.Join(base, "w"), home: filepath.Join(base, "home"),
	}
	r.mkdir(r.root)
	r.mkdir(r.home)
	if !a.flags.noRepository {
		r.write(filepath.Join(r.root, ".git", "HEAD"), []byte("ref: refs/heads/main\n"))
		r.write(filepath.Join(r.root, ".git", "config"), []byte("[core]\n\trepositoryformatversion = 0\n\tbare = false\n"))
		r.mkdir(filepath.Join(r.root, ".git", "objects"))
		r.mkdir(filepath.Join(r.root, ".git", "refs", "heads"))
	}
	for _, file := range a.files {
		r.write(r.path(file.name), file.data)
	}
	for _, link := range a.symlinks {
		r.mkdir(filepath.Dir(r.path(link[0])))
		if err := os.Symlink(link[1], r.path(link[0])); err != nil {
			t.Fatal(err)
		}
	}
	return r
}

// open starts the server and waits until it has the settings.
func (r *run) open() {
	env := map[string]string{"HOME": r.home, "PATH": os.Getenv("PATH")}
	r.editor = startEditor(r.t, Options{
		Version: "test", Home: r.home, TempDir: filepath.Dir(r.root),
		Env: func(name string) string { return env[name] },
		Now: func() time.Time { return time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC) },
	})
	r.editor.settings = r.a.settings
	type folder struct {
		URI  uri.URI `json:"uri"`
		Name string  `json:"name"`
	}
	folders := []folder{}
	for _, name := range r.a.flags.folders {
		path := r.path(name)
		folders = append(folders, folder{uri.File(path), filepath.Base(path)})
	}
	capabilities := r.a.capabilities
	if enc := r.a.flags.encoding; enc != "" {
		capabilities["general"] = map[string]any{"positionEncodings": []string{string(enc)}}
	}
	params := map[string]any{
		"processId": nil, "rootUri": nil, "workspaceFolders": folders, "capabilities": capabilities, "trace": "messages",
	}
	if r.a.init != "" {
		params["initializationOptions"] = json.RawMessage(r.expand(r.a.init))
	}
	r.editor.initialize(params)
	if r.a.settings != nil {
		r.settled()
	}
}

// settled waits until the server has taken the editor's settings.
func (r *run) settled() {
	r.editor.await("$/logTrace", func(raw json.RawMessage) bool {
		return bytes.Contains(raw, []byte("settings taken"))
	})
}

// path is where a file of the archive is on disk.
func (r *run) path(name string) string {
	if rest, ok := strings.CutPrefix(name, "~/"); ok {
		return filepath.Join(r.home, filepath.FromSlash(rest))
	}
	return filepath.Join(r.root, filepath.FromSlash(name))
}

func (r *run) uri(name string) uri.URI { return uri.File(r.path(name)) }

// expand puts the places of this run into JSON of the archive.
func (r *run) expand(text string) string {
	return strings.NewReplacer(
		"$HOMEURI", string(uri.File(r.home)), "$URI", string(uri.File(r.root)), "$ROOT", r.root, "$HOME", r.home,
	).Replace(text)
}

func (r *run) mkdir(path string) {
	r.t.Helper()
	if err := os.MkdirAll(path, 0o755); err != nil {
		r.t.Fatal(err)
	}
}

func (r *run) write(path string, data []byte) {
	r.t.Helper()
	r.mkdir(filepath.Dir(path))
	if err := os.WriteFile(path, data, 0o644); err != nil {
		r.t.Fatal(err)
	}
}

// compare holds an answer against the golden one, or makes it that.
func (r *run) compare(golden, got string) error {
	got = r.normal(got)
	if !strings.HasSuffix(got, "\n") {
		got += "\n"
	}
	want, ok := r.a.golden[golden]
	if !ok {
		return fmt.Errorf("the archive has no file @%s; the answer was\n%s", golden, got)
	}
	if *update && !r.used[golden] {
		r.a.golden[golden] = got
		want = got
	}
	r.used[golden] = true
	if got != want {
		return fmt.Errorf("answer differs from @%s\ngot:\n%s\nwant:\n%s", golden, got, want)
	}
	return nil
}
