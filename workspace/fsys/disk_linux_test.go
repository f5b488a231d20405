package fsys

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
)

// asNobody runs f with the file access of a user without rights, also when the
// tests run as root, whom no mode keeps out. Only the calling thread changes
// and the thread ends with it.
func asNobody(t *testing.T, f func()) {
	t.Helper()
	done := make(chan struct{})
	go func() {
		defer close(done)
		runtime.LockOSThread() // never unlocked: the thread is not fit for anything else
		if os.Geteuid() == 0 {
			const nobody = 65534
			syscall.RawSyscall(syscall.SYS_SETFSGID, nobody, 0, 0)
			syscall.RawSyscall(syscall.SYS_SETFSUID, nobody, 0, 0)
		}
		f()
	}()
	<-done
}

func TestUnreadable(t *testing.T) {
	root := tree(t, map[string]string{"file.md": "text", "dir/file.md": "text"})
	// The folder that the test made is private; the way to the files is not what is tested.
	must(t, os.Chmod(root, 0o755))
	must(t, os.Chmod(filepath.Dir(root), 0o755))
	must(t, os.Chmod(filepath.Join(root, "file.md"), 0))
	must(t, os.Chmod(filepath.Join(root, "dir"), 0))
	defer os.Chmod(filepath.Join(root, "dir"), 0o755)

	asNobody(t, func() {
		_, err := Disk().ReadFile(filepath.Join(root, "file.md"))
		wantReason(t, err, ReasonPermission)
		if err == nil || !strings.Contains(err.Error(), "permission denied") {
			t.Errorf("error %v does not say why", err)
		}
		_, err = Disk().ReadFile(filepath.Join(root, "dir/file.md"))
		wantReason(t, err, ReasonPermission)
		_, err = Disk().ReadDir(filepath.Join(root, "dir"))
		wantReason(t, err, ReasonPermission)
		_, err = Confine(Disk(), root).ReadFile(filepath.Join(root, "file.md"))
		wantReason(t, err, ReasonPermission)
	})
}

// A file that becomes readable is read, although its time and size stay.
func TestCacheSeesNewPermission(t *testing.T) {
	root := tree(t, map[string]string{"file.md": "text"})
	path := filepath.Join(root, "file.md")
	must(t, os.Chmod(root, 0o755))
	must(t, os.Chmod(filepath.Dir(root), 0o755))
	must(t, os.Chmod(path, 0))
	asNobody(t, func() {
		now := later()
		cache := NewCache(Disk(), now.Now)
		_, err := cache.ReadFile(path)
		wantReason(t, err, ReasonPermission)
		if err := os.Chmod(path, 0o644); os.Geteuid() == 0 && err == nil {
			t.Error("this thread still has root's rights: the test shows nothing")
		}
		done := make(chan error)
		go func() { done <- os.Chmod(path, 0o644) }() // another thread may
		must(t, <-done)
		now.advance(FreshFor)
		wantText(t, cache, path, "text")
	})
}

// The files of /proc say that they are empty and are not.
func TestDiskReadsFilesOfUnknownSize(t *testing.T) {
	const path = "/proc/self/status"
	f, err := Disk().ReadFile(path)
	must(t, err)
	if !strings.HasPrefix(f.Text, "Name:") || f.Size != int64(len(f.Text)) {
		t.Errorf("read %d bytes: %.60q", f.Size, f.Text)
	}
}
