package fsys

import (
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// tree makes files below a new folder and gives its real path. A name that ends
// in / is a folder, a text that starts with "-> " a link to the rest of it.
func tree(t testing.TB, files map[string]string) string {
	t.Helper()
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range files {
		put(t, filepath.Join(root, name), text, name[len(name)-1] == '/')
	}
	return root
}

func put(t testing.TB, path, text string, folder bool) {
	t.Helper()
	must(t, os.MkdirAll(filepath.Dir(path), 0o777))
	switch {
	case folder:
		must(t, os.MkdirAll(path, 0o777))
	case len(text) > 3 && text[:3] == "-> ":
		must(t, os.Symlink(text[3:], path))
	default:
		must(t, os.WriteFile(path, []byte(text), 0o666))
	}
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func wantReason(t testing.TB, err error, want Reason) {
	t.Helper()
	if got := ReasonOf(err); got != want {
		t.Errorf("reason %q, want %q (error: %v)", got, want, err)
	}
}

func wantText(t testing.TB, fs FS, path, want string) *File {
	t.Helper()
	f, err := fs.ReadFile(path)
	if err != nil {
		t.Errorf("reading %s: %v", path, err)
		return nil
	}
	if f.Text != want || f.Hash != HashOf(want) {
		t.Errorf("%s has text %q, want %q", path, f.Text, want)
	}
	return f
}

// clock is a clock that a test moves.
type clock struct {
	mu  sync.Mutex
	now time.Time
}

func (c *clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *clock) advance(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
}

// later is a clock that stands far enough ahead for no file made by the test to
// be racily new.
func later() *clock { return &clock{now: time.Now().Add(time.Hour)} }
