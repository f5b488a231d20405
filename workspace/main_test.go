package workspace

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"foreword/workspace/fsys"

	"go.lsp.dev/uri"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// folder is a new folder, by its real path, with files in it.
func folder(t testing.TB, files map[string]string) string {
	t.Helper()
	root, err := filepath.EvalSymlinks(t.TempDir())
	must(t, err)
	for name, text := range files {
		path := filepath.Join(root, name)
		must(t, os.MkdirAll(filepath.Dir(path), 0o777))
		must(t, os.WriteFile(path, []byte(text), 0o666))
	}
	return root
}

func fileURI(path string) uri.URI { return uri.File(path) }

// span is the range from line:character to line:character.
func span(startLine, startCharacter, endLine, endCharacter int) *Range {
	return &Range{Position{startLine, startCharacter}, Position{endLine, endCharacter}}
}

func wantFile(t testing.TB, s *Snapshot, path, want string) *fsys.File {
	t.Helper()
	f, err := s.FS().ReadFile(path)
	if err != nil {
		t.Fatalf("reading %s: %v", path, err)
	}
	if f.Text != want {
		t.Fatalf("%s reads %q, want %q", path, f.Text, want)
	}
	return f
}

// clock is a clock that a test moves.
type clock struct{ now time.Time }

func (c *clock) Now() time.Time { return c.now }
