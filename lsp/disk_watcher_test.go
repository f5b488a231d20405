package lsp

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// watching starts a watcher for one directory and waits until it watches.
func watching(t *testing.T, dir string) (changes chan []string) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	log, done := new(lockedBuffer), make(chan struct{})
	changes = make(chan []string, 100)
	w := newDiskWatcher(newLogger(log), func(string) []string { return []string{dir} }, func(paths []string) { changes <- paths })
	go func() { defer close(done); w.run(ctx) }()
	t.Cleanup(func() { cancel(); <-done })
	w.watch(filepath.Join(dir, "x"))
	for range 30_000 {
		if strings.Contains(log.String(), "watching "+dir) {
			return changes
		}
		time.Sleep(time.Millisecond)
	}
	t.Fatalf("the directory is not watched: %s", log)
	return nil
}

// reported waits until a change of path is reported.
func reported(t *testing.T, changes chan []string, path string) {
	t.Helper()
	for {
		select {
		case paths := <-changes:
			if paths == nil || slices.Contains(paths, path) {
				return
			}
		case <-time.After(30 * time.Second):
			t.Fatalf("no change of %s is reported", path)
		}
	}
}

func TestWatcherReportsWhatEditorsDo(t *testing.T) {
	dir := t.TempDir()
	path, other := filepath.Join(dir, "AGENTS.md"), filepath.Join(dir, "next")
	changes := watching(t, dir)
	for _, step := range []struct {
		name string
		do   func() error
	}{
		{"create", func() error { return os.WriteFile(path, []byte("a"), 0o600) }},
		{"write", func() error { return os.WriteFile(path, []byte("b"), 0o600) }},
		{"replace by renaming, first", func() error {
			if err := os.WriteFile(other, []byte("c"), 0o600); err != nil {
				return err
			}
			return os.Rename(other, path)
		}},
		// A watch on the file itself would be lost by now.
		{"replace by renaming, second", func() error {
			if err := os.WriteFile(other, []byte("d"), 0o600); err != nil {
				return err
			}
			return os.Rename(other, path)
		}},
		{"remove", func() error { return os.Remove(path) }},
	} {
		if err := step.do(); err != nil {
			t.Fatal(err)
		}
		t.Log(step.name)
		reported(t, changes, path)
	}
}

// One checkout is many events and one change.
func TestWatcherGathersEvents(t *testing.T) {
	dir := t.TempDir()
	changes := watching(t, dir)
	for i := range 50 {
		if err := os.WriteFile(filepath.Join(dir, string(rune('a'+i%26))+strings.Repeat("x", i)), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	seen := map[string]bool{}
	reports := 0
	for len(seen) < 50 {
		reports++
		for _, path := range <-changes {
			seen[path] = true
		}
	}
	if reports >= 50 {
		t.Errorf("%d reports for 50 files made at once", reports)
	}
}

// After an overflow nothing that was remembered of the disk counts.
func TestOverflowForgetsEverything(t *testing.T) {
	root := t.TempDir()
	path := filepath.Join(root, "AGENTS.md")
	if err := os.WriteFile(path, []byte("old"), 0o600); err != nil {
		t.Fatal(err)
	}
	s := openServer(t, root)
	if file, err := s.workspace.Snapshot().FS().ReadFile(path); err != nil || file.Text != "old" {
		t.Fatalf("%v, %v", file, err)
	}
	if err := os.WriteFile(path, []byte("new"), 0o600); err != nil {
		t.Fatal(err)
	}
	s.filesChanged(nil)
	if file, err := s.workspace.Snapshot().FS().ReadFile(path); err != nil || file.Text != "new" {
		t.Errorf("%v, %v", file, err)
	}
}

func TestDirectoriesThatDecide(t *testing.T) {
	root := t.TempDir()
	for _, dir := range []string{".git", "a/b"} {
		if err := os.MkdirAll(filepath.Join(root, dir), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	s := openServer(t, root)
	target := filepath.Join(root, "a", "b", "x.go")
	config := filepath.Join(s.options.Home, ".config", "foreword")
	want := []string{filepath.Join(root, "a", "b"), filepath.Join(root, "a"), root, filepath.Join(root, ".git"), config}
	if got := s.directoriesFor(target); !slices.Equal(got, want) {
		t.Errorf("directories %v, want %v", got, want)
	}
	// The client reports what happens inside its folders.
	s.clientWatches.Store(true)
	if got := s.directoriesFor(target); !slices.Equal(got, []string{config}) {
		t.Errorf("directories beside the client's %v, want %v", got, []string{config})
	}
}
