package vcs

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// fixture is a repository in a temporary folder with a home of its own.
type fixture struct {
	t    *testing.T
	home string
	root string
}

func newFixture(t *testing.T) *fixture {
	t.Helper()
	base, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	f := &fixture{t: t, home: filepath.Join(base, "home"), root: filepath.Join(base, "repo")}
	for _, dir := range []string{f.home, f.root} {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	f.git("init", "--quiet", "--initial-branch=main")
	return f
}

// reader is the Git under test: no variable of the machine reaches it except the path.
func (f *fixture) reader() Git {
	return Git{Home: f.home, Env: func(name string) string {
		if name == "PATH" {
			return os.Getenv("PATH")
		}
		return ""
	}}
}

func (f *fixture) git(args ...string) string { f.t.Helper(); return f.gitIn(f.root, args...) }

func (f *fixture) gitIn(dir string, args ...string) string {
	f.t.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir = dir
	cmd.Env = []string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + f.home, "GIT_CONFIG_NOSYSTEM=1",
		"GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@example.org", "GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a@example.org",
		"GIT_AUTHOR_DATE=2026-01-02T03:04:05Z", "GIT_COMMITTER_DATE=2026-01-02T03:04:05Z",
		"GIT_ALLOW_PROTOCOL=file",
	}
	out, err := cmd.CombinedOutput()
	if err != nil {
		f.t.Fatalf("git %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return strings.TrimSpace(string(out))
}

// write makes files from pairs of path and text.
func (f *fixture) write(pairs ...string) {
	f.t.Helper()
	for i := 0; i < len(pairs); i += 2 {
		path := filepath.Join(f.root, filepath.FromSlash(pairs[i]))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			f.t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(pairs[i+1]), 0o644); err != nil {
			f.t.Fatal(err)
		}
	}
}

func (f *fixture) commit() {
	f.t.Helper()
	f.git("add", "--all")
	f.git("commit", "--quiet", "--allow-empty", "--message=work")
}

func (f *fixture) status(limit int) *Status {
	f.t.Helper()
	status, err := f.reader().Status(context.Background(), f.root, limit)
	if err != nil {
		f.t.Fatal(err)
	}
	return status
}

// mayFail runs git and returns what it says, whatever its exit code.
func (f *fixture) mayFail(args ...string) (string, error) {
	cmd := exec.Command("git", args...)
	cmd.Dir = f.root
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + f.home, "GIT_CONFIG_NOSYSTEM=1",
		"GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a@example.org"}
	out, err := cmd.CombinedOutput()
	return string(out), err
}
