package workspace

import (
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"sync"
	"testing"
	"time"

	"foreword/workspace/fsys"

	"go.lsp.dev/uri"
)

// A snapshot stays what it was, whatever events follow.
func TestSnapshotIsImmutable(t *testing.T) {
	root := folder(t, map[string]string{"a.md": "disk"})
	path := filepath.Join(root, "a.md")
	w := New(Options{Folders: []Folder{{root, "first"}}})
	settings := map[string]any{"tree": map[string]any{"tokens": 5.0}}
	selection := span(1, 2, 3, 4)
	w.ConfigChanged(settings)
	w.DidFocus(Focus{Path: path, Range: selection, Visible: []string{path}})
	w.DidOpen(fileURI(path), "markdown", 1, "one")
	w.DidOpen("untitled:y", "markdown", 1, "")
	w.TrustChanged(root, true)
	s := w.Snapshot()
	d := s.Document(fileURI(path))

	settings["tree"].(map[string]any)["tokens"] = 6.0
	selection.Start.Line = 99
	w.SetEncoding(UTF8)
	must(t, w.DidChange(fileURI(path), 2, []Change{{Text: "two"}}))
	w.DidOpen("untitled:x", "", 1, "")
	w.DidClose(fileURI(path))
	w.FoldersChanged([]Folder{{"/other", "other"}}, []Folder{{Path: root}})
	w.ConfigChanged(nil)
	w.TrustChanged(root, false)
	w.DidFocus(Focus{})

	if s.Document(fileURI(path)) != d || d.Text != "one" || len(s.Documents()) != 2 || s.Documents()[0] != d {
		t.Errorf("documents: %+v", s.Documents())
	}
	wantFile(t, s, path, "one")
	if s.Encoding() != UTF16 || !s.Trusted(path) || !slices.Equal(s.Folders(), []Folder{{root, "first"}}) {
		t.Errorf("encoding %s, trusted %v, folders %v", s.Encoding(), s.Trusted(path), s.Folders())
	}
	if f := s.Focus(); f.Path != path || f.Range.Start.Line != 1 || len(f.Visible) != 1 {
		t.Errorf("focus %+v", f)
	}
	if got := s.EditorConfig(); !reflect.DeepEqual(got, map[string]any{"tree": map[string]any{"tokens": 5.0}}) {
		t.Errorf("settings %v", got)
	}
	after := w.Snapshot()
	if after.ID() <= s.ID() || after.EditorConfig() != nil || after.Encoding() != UTF8 || after.Trusted(path) || after.Focus().Path != "" {
		t.Errorf("the newest snapshot missed something: %+v", after.state)
	}
	wantFile(t, after, path, "disk")
}

// Closing takes the buffer out of the next snapshot's list, not of this one's.
func TestCloseLeavesOldSnapshotsAlone(t *testing.T) {
	w := New(Options{})
	w.DidOpen("file:///w/a.md", "", 1, "a")
	w.DidOpen("file:///w/b.md", "", 1, "b")
	s := w.Snapshot()
	w.DidClose("file:///w/a.md")
	if d := s.Documents(); len(d) != 2 || d[0].Text != "a" || d[1].Text != "b" {
		t.Errorf("documents %+v", d)
	}
}

// An event copies what it changes and nothing else.
func TestSnapshotsShare(t *testing.T) {
	w := New(Options{})
	for i := range 20 {
		w.DidOpen(uri.URI(fmt.Sprintf("file:///w/%02d.md", i)), "", 1, "text")
	}
	before := w.Snapshot()
	must(t, w.DidChange("file:///w/07.md", 2, []Change{{Text: "new"}}))
	after := w.Snapshot()
	for i, d := range before.Documents() {
		if shared := d == after.Documents()[i]; shared != (i != 7) {
			t.Errorf("document %d shared: %v", i, shared)
		}
	}
	a, _ := before.FS().ReadFile("/w/03.md")
	b, _ := after.FS().ReadFile("/w/03.md")
	if a == nil || a != b {
		t.Error("an unchanged buffer was read again for the next snapshot")
	}
	if before.Cache() != after.Cache() {
		t.Error("two caches")
	}
}

func TestDocumentsAreSorted(t *testing.T) {
	w := New(Options{})
	for _, u := range []uri.URI{"untitled:2", "file:///w/b", "file:///w/a", "untitled:1", "file:///w/a/c"} {
		w.DidOpen(u, "", 1, "")
	}
	w.DidClose("file:///w/b")
	var got []uri.URI
	for _, d := range w.Snapshot().Documents() {
		got = append(got, d.URI)
	}
	if want := []uri.URI{"file:///w/a", "file:///w/a/c", "untitled:1", "untitled:2"}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

// T22: which text wins, the buffer's or the disk's.
func TestOpenBufferWinsOverDisk(t *testing.T) {
	root := folder(t, map[string]string{"a.md": "disk 1"})
	path := filepath.Join(root, "a.md")
	u := fileURI(path)
	now := &clock{now: time.Now().Add(time.Hour)}
	w := New(Options{Clock: now.Now})
	onDisk := func(text string) {
		t.Helper()
		must(t, os.WriteFile(path, []byte(text), 0o666))
		w.FilesChanged([]string{path})
	}
	wantFile(t, w.Snapshot(), path, "disk 1")
	w.DidOpen(u, "markdown", 1, "disk 1")
	onDisk("disk 2") // while clean
	wantFile(t, w.Snapshot(), path, "disk 1")
	must(t, w.DidChange(u, 2, []Change{{Range: span(0, 0, 0, 0), Text: "my "}}))
	must(t, w.DidChange(u, 3, []Change{{Range: span(0, 0, 0, 0), Text: "oh "}}))
	onDisk("disk 3") // while dirty
	if f := wantFile(t, w.Snapshot(), path, "oh my disk 1"); !f.Open || !f.Dirty || f.Version != 3 {
		t.Errorf("wrong facts: %+v", *f)
	}
	w.DidClose(u) // unsaved
	if f := wantFile(t, w.Snapshot(), path, "disk 3"); f.Open || f.Dirty {
		t.Errorf("wrong facts: %+v", *f)
	}

	// What is written between opening and closing is seen at once after it, with no event of its own.
	w.DidOpen(u, "markdown", 1, "disk 3")
	must(t, os.WriteFile(path, []byte("disk 4"), 0o666))
	w.DidClose(u)
	wantFile(t, w.Snapshot(), path, "disk 4")

	// A save changes the disk, which whoever looks below the buffers sees.
	w.DidOpen(u, "markdown", 1, "disk 4")
	must(t, os.WriteFile(path, []byte("saved"), 0o666))
	w.DidSave(u, nil)
	if f, err := w.Snapshot().Cache().ReadFile(path); err != nil || f.Text != "saved" {
		t.Errorf("after a save the cache has %+v, %v", f, err)
	}
	w.DidClose(u)

	// And without any event, after a second.
	must(t, os.WriteFile(path, []byte("disk 5"), 0o666))
	now.now = now.now.Add(fsys.FreshFor)
	wantFile(t, w.Snapshot(), path, "disk 5")
}

func TestFolders(t *testing.T) {
	root := folder(t, map[string]string{"api/x.go": "", "api/nested/y.go": "", "web/z.ts": "", "api-old/x.go": ""})
	at := func(name string) string { return filepath.Join(root, name) }
	must(t, os.Symlink("api", at("link")))
	w := New(Options{Folders: []Folder{{at("api") + "/", "api"}, {"relative", "dropped"}}})
	w.FoldersChanged([]Folder{{at("web"), "web"}, {at("api/nested"), "nested"}, {at("api"), "renamed"}}, nil)
	check := func(name, want string) {
		t.Helper()
		f, ok := w.Snapshot().FolderOf(at(name))
		if f.Name != want || ok != (want != "") {
			t.Errorf("the folder of %s is %q, want %q", name, f.Name, want)
		}
	}
	check("api/x.go", "renamed")
	check("api", "renamed")
	check("api/nested/y.go", "nested")
	check("api/nested/not/yet.go", "nested")
	check("web/z.ts", "web")
	check("api-old/x.go", "")
	check("link/x.go", "renamed")
	check("link/nested/new.go", "nested")
	check("", "")
	w.FoldersChanged(nil, []Folder{{at("api/nested"), "any name"}, {Path: at("never-was")}})
	check("api/nested/y.go", "renamed")
	if got := w.Snapshot().Folders(); !slices.Equal(got, []Folder{{at("api"), "renamed"}, {at("web"), "web"}}) {
		t.Errorf("folders %v", got)
	}
	w.FoldersChanged(nil, w.Snapshot().Folders())
	check("api/x.go", "")
}

func TestWorldIsInjected(t *testing.T) {
	at := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	s := New(Options{Home: "/home/me", Env: func(name string) string { return "value of " + name }, Now: func() time.Time { return at }}).Snapshot()
	if s.Home() != "/home/me" || s.Env("X") != "value of X" || !s.Now().Equal(at) {
		t.Errorf("home %q, environment %q, now %v", s.Home(), s.Env("X"), s.Now())
	}
	if s := New(Options{}).Snapshot(); s.Env("PATH") != "" || s.Now().IsZero() || s.Trusted("/") {
		t.Error("wrong defaults")
	}
}

// A date that stands still, as tests and --now have it, must not keep the cache
// from ever looking at the disk again.
func TestFixedDateDoesNotFreezeTheDisk(t *testing.T) {
	root := folder(t, map[string]string{"a.md": "one"})
	path := filepath.Join(root, "a.md")
	running := &clock{now: time.Now()}
	w := New(Options{Now: func() time.Time { return time.Unix(0, 0) }, Clock: running.Now})
	wantFile(t, w.Snapshot(), path, "one")
	must(t, os.WriteFile(path, []byte("two"), 0o666))
	running.now = running.now.Add(fsys.FreshFor)
	wantFile(t, w.Snapshot(), path, "two")
}

// No event looks at the disk: they run in wire order and must not wait for it.
func TestEventsDoNoIO(t *testing.T) {
	count := fsys.NewCounting(fsys.Disk())
	w := New(Options{Disk: count, Folders: []Folder{{"/w", "w"}}})
	text := "saved"
	w.SetEncoding(UTF8)
	w.DidOpen("file:///w/a.md", "", 1, "text")
	must(t, w.DidChange("file:///w/a.md", 2, []Change{{Text: "x"}}))
	w.DidSave("file:///w/a.md", &text)
	w.FilesChanged([]string{"/w/a.md", "/w"})
	w.FoldersChanged([]Folder{{"/v", "v"}}, []Folder{{"/w", "w"}})
	w.ConfigChanged(map[string]any{"a": 1})
	w.TrustChanged("/v", true)
	w.TrustChanged("", true)
	w.DidFocus(Focus{Path: "/w/a.md"})
	w.DidClose("file:///w/a.md")
	w.Snapshot()
	if got := count.Calls(); len(got) > 0 {
		t.Errorf("events made the calls %v", got)
	}
}

// Readers never wait for events nor see half of one, under the race detector.
func TestReadersBesideEvents(t *testing.T) {
	w := New(Options{})
	w.DidOpen("file:///w/a.md", "", 0, "0")
	w.DidOpen("file:///w/b.md", "", 0, "0")
	stop := make(chan struct{})
	var readers sync.WaitGroup
	for range 4 {
		readers.Go(func() {
			last := int64(0)
			for {
				select {
				case <-stop:
					return
				default:
				}
				s := w.Snapshot()
				if s.ID() < last {
					t.Errorf("snapshot %d after %d", s.ID(), last)
				}
				last = s.ID()
				d := s.Document("file:///w/a.md")
				f, err := s.FS().ReadFile("/w/a.md")
				if err != nil || f.Text != d.Text || f.Version != d.Version || d.Text != fmt.Sprint(d.Version) || d.Mapper().Lines() != 1 {
					t.Errorf("snapshot %d: document %+v, file %+v, %v", s.ID(), d, f, err)
				}
			}
		})
	}
	var writers sync.WaitGroup
	for _, u := range []uri.URI{"file:///w/a.md", "file:///w/b.md"} {
		writers.Go(func() {
			for v := int32(1); v <= 500; v++ {
				if err := w.DidChange(u, v, []Change{{Text: fmt.Sprint(v)}}); err != nil {
					t.Error(err)
				}
			}
		})
	}
	writers.Wait()
	close(stop)
	readers.Wait()
	for _, d := range w.Snapshot().Documents() {
		if d.Text != "500" {
			t.Errorf("an edit was lost: %+v", d)
		}
	}
}
