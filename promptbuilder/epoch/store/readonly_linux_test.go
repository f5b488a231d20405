package store

import (
	"os"
	"path/filepath"
	"runtime"
	"syscall"
	"testing"
)

// asNobody runs do as a user to whom permissions apply, which they do not to
// root. It costs the thread.
func asNobody(t *testing.T, do func()) {
	t.Helper()
	done := make(chan error)
	go func() {
		runtime.LockOSThread() // never unlocked: the thread ends with the goroutine
		var err error
		if os.Geteuid() == 0 {
			err = syscall.Setfsuid(65534)
		}
		if err == nil {
			do()
		}
		done <- err
	}()
	if err := <-done; err != nil {
		t.Fatal(err)
	}
}

// openTo lets every user reach a path.
func openTo(t *testing.T, path string) {
	t.Helper()
	for folder := filepath.Dir(path); folder != os.TempDir() && folder != "/"; folder = filepath.Dir(folder) {
		if err := os.Chmod(folder, 0o755); err != nil {
			return // not ours, so open already
		}
	}
}

func TestAFolderThatCannotBeWritten(t *testing.T) {
	for name, prepare := range map[string]func(path string) error{
		"no file yet":  os.Remove,
		"a file there": func(path string) error { return os.Chmod(path, 0o444) },
		"its log, too": func(path string) error {
			if err := os.WriteFile(path+"-wal", nil, 0o444); err != nil {
				return err
			}
			return os.Chmod(path, 0o444)
		},
	} {
		path := closedFile(t)
		if err := prepare(path); err != nil {
			t.Fatal(err)
		}
		openTo(t, path)
		if err := os.Chmod(filepath.Dir(path), 0o555); err != nil {
			t.Fatal(err)
		}
		var err error
		asNobody(t, func() { _, err = Open(t.Context(), path, clock) })
		if err == nil {
			t.Errorf("%s: it could be opened", name)
			continue
		}
		degraded(t, err, ReadOnly)
		if err := os.Chmod(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
	}
}
