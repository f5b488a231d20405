package workspace

import (
	"fmt"
	"path/filepath"
	"testing"
	"time"

	"foreword/workspace/fsys"

	"go.lsp.dev/uri"
)

// Typing into a file that a result was not made from costs nobody that result;
// every other event does.
func TestResultsAreKeptOverEditsOfOtherBuffers(t *testing.T) {
	root := folder(t, map[string]string{"read.md": "disk", "other.md": "disk"})
	read, other := filepath.Join(root, "read.md"), filepath.Join(root, "other.md")
	version := int32(1)
	edit := func(path, text string) func(*testing.T, *Workspace) {
		return func(t *testing.T, w *Workspace) {
			version++
			must(t, w.DidChange(uri.File(path), version, []Change{{Text: text}}))
		}
	}
	for _, test := range []struct {
		name  string
		event func(*testing.T, *Workspace)
		kept  bool
	}{
		{"another buffer", edit(other, "typed"), true},
		{"the buffer that was read", edit(read, "typed"), false},
		{"another focus", func(_ *testing.T, w *Workspace) { w.DidFocus(Focus{Path: other}) }, true},
		{"diagnostics", func(t *testing.T, w *Workspace) {
			if !w.DidChangeDiagnostics(uri.File(other), nil, []Diagnostic{{Message: "bad", Severity: 1}}) {
				t.Error("the diagnostics changed nothing")
			}
		}, true},
		{"a buffer that opens", func(_ *testing.T, w *Workspace) { w.DidOpen(uri.File(filepath.Join(root, "new.md")), "", 1, "x") }, false},
		{"a buffer that closes", func(_ *testing.T, w *Workspace) { w.DidClose(uri.File(other)) }, false},
		{"a save", func(_ *testing.T, w *Workspace) { w.DidSave(uri.File(other), nil) }, false},
		{"a file on disk", func(_ *testing.T, w *Workspace) { w.FilesChanged([]string{other}) }, false},
		{"a setting", func(_ *testing.T, w *Workspace) { w.ConfigChanged(map[string]any{"window": 1.0}) }, false},
		{"trust", func(_ *testing.T, w *Workspace) { w.TrustChanged("", true) }, false},
		{"a folder", func(_ *testing.T, w *Workspace) { w.FoldersChanged([]Folder{{Path: root}}, nil) }, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			start := time.Now()
			w := New(Options{Clock: func() time.Time { return start }})
			w.DidOpen(uri.File(read), "", 1, "first")
			w.DidOpen(uri.File(other), "", 1, "first")
			computed := 0
			ask := func() string {
				s := w.Snapshot()
				return s.MemoDisk(memoKey("a"), func() any {
					computed++
					f, err := s.FS().ReadFile(read)
					must(t, err)
					return f.Text
				}).(string)
			}
			ask()
			test.event(t, w)
			f, err := w.Snapshot().FS().ReadFile(read)
			must(t, err)
			if got := ask(); got != f.Text {
				t.Errorf("got %q, the buffer says %q", got, f.Text)
			}
			if kept := computed == 1; kept != test.kept {
				t.Errorf("computed %d times", computed)
			}
		})
	}
}

// A look tells the size of a buffer, which is its text's.
func TestSizeOfBufferIsRead(t *testing.T) {
	w := New(Options{})
	u := uri.URI("file:///w/a.md")
	w.DidOpen(u, "", 1, "text")
	s := w.Snapshot()
	look, err := s.FS().Lstat("/w/a.md")
	must(t, err)
	must(t, w.DidChange(u, 2, []Change{{Text: "more text"}}))
	if w.Snapshot().kept != s.kept {
		t.Error("a look alone counts as a read")
	}
	if got := fsys.SizeOf(s.FS(), look); got != 4 {
		t.Errorf("size %d", got)
	}
	if s.kept.holdsFor(w.Snapshot().state.documents) {
		t.Error("the size is kept for a text of another size")
	}
}

// A request on an older snapshot that reads a buffer late spoils nothing for the
// newest one, nor the newest one for it.
func TestLateReaderOfOlderSnapshot(t *testing.T) {
	w := New(Options{})
	u := uri.URI("file:///w/a.md")
	w.DidOpen(u, "", 1, "version 1")
	older := w.Snapshot()
	must(t, w.DidChange(u, 2, []Change{{Text: "version 2"}}))
	ask := func(s *Snapshot) string {
		return s.MemoDisk(memoKey("a"), func() any {
			f, err := s.FS().ReadFile("/w/a.md")
			must(t, err)
			return f.Text
		}).(string)
	}
	for i := range 2 {
		if got := ask(older); got != "version 1" {
			t.Errorf("%d: the older snapshot reads %q", i, got)
		}
		if got := ask(w.Snapshot()); got != "version 2" {
			t.Errorf("%d: the newest snapshot reads %q", i, got)
		}
	}
	must(t, w.DidChange(u, 3, []Change{{Text: "version 3"}}))
	if got := ask(w.Snapshot()); got != "version 3" {
		t.Errorf("then %q", got)
	}
}

// What nobody asks for any more does not grow with every keystroke.
func TestKeptResultsAreBounded(t *testing.T) {
	w := New(Options{})
	u := uri.URI("file:///w/a.md")
	w.DidOpen(u, "", 1, "text")
	for i := range 3 * maxKept {
		w.Snapshot().MemoDisk(memoKey(fmt.Sprint(i)), func() any { return i })
		must(t, w.DidChange(u, int32(i)+2, []Change{{Text: fmt.Sprint(i)}}))
		if held := w.Snapshot().kept.results.len(); held > maxKept+1 {
			t.Fatalf("%d results are held", held)
		}
	}
}
