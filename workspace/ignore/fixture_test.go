package ignore

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"go.uber.org/goleak"

	"foreword/workspace/fsys"
	"foreword/workspace/vcs"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// repo is a git repository in a temporary folder, with a home of its own beside it.
type repo struct {
	t    testing.TB
	home string
	root string
}

func newRepo(t testing.TB, dir string) *repo {
	t.Helper()
	base, err := filepath.EvalSymlinks(dir)
	if err != nil {
		t.Fatal(err)
	}
	r := &repo{t: t, home: filepath.Join(base, "home"), root: filepath.Join(base, "repo")}
	for _, dir := range []string{r.home, r.root} {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	r.git("", "init", "--quiet", "--initial-branch=main")
	return r
}

// git runs git with an input and returns what it prints; exit code 1 is not an error (check-ignore: nothing ignored).
func (r *repo) git(input string, args ...string) string {
	r.t.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir = r.root
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + r.home, "GIT_CONFIG_NOSYSTEM=1",
		"GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@example.org", "GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a@example.org"}
	cmd.Stdin = strings.NewReader(input)
	var complaint strings.Builder
	cmd.Stderr = &complaint
	out, err := cmd.Output()
	if err != nil && cmd.ProcessState.ExitCode() != 1 {
		r.t.Fatalf("git %s: %v\n%s", strings.Join(args, " "), err, complaint.String())
	}
	return string(out)
}

// write makes a file; a path that ends in a slash is a folder.
func (r *repo) write(path, text string) {
	r.t.Helper()
	full := filepath.Join(r.root, filepath.FromSlash(path))
	if strings.HasSuffix(path, "/") {
		if err := os.MkdirAll(full, 0o755); err != nil {
			r.t.Fatal(err)
		}
		return
	}
	if err := os.MkdirAll(filepath.Dir(full), 0o755); err != nil {
		r.t.Fatal(err)
	}
	if err := os.WriteFile(full, []byte(text), 0o644); err != nil {
		r.t.Fatal(err)
	}
}

func (r *repo) at(path string) string { return filepath.Join(r.root, filepath.FromSlash(path)) }

// caller is how the checkers under test call git.
func (r *repo) caller(program string) vcs.Git {
	return vcs.Git{Program: program, Home: r.home, Env: func(name string) string {
		if name == "PATH" {
			return os.Getenv("PATH")
		}
		return ""
	}}
}

// checkers returns one checker that asks git and one that has only the rules.
func (r *repo) checkers(fs fsys.FS) map[string]*Checker {
	return map[string]*Checker{
		"git":   NewCheckerWith(fs, r.root, r.caller("")),
		"rules": NewCheckerWith(fs, r.root, r.caller(vcs.NoProgram)),
	}
}

// oracle returns what git itself ignores among the paths, index and all.
func (r *repo) oracle(paths []string, flags ...string) map[string]bool {
	r.t.Helper()
	var input strings.Builder
	for _, path := range paths {
		// ./ keeps git from reading a leading ":" as pathspec magic.
		input.WriteString("./" + strings.TrimSuffix(path, "/") + "\x00")
	}
	out := r.git(input.String(), append([]string{"check-ignore", "-z", "--stdin"}, flags...)...)
	ignored := map[string]bool{}
	for path := range strings.SplitSeq(out, "\x00") {
		ignored[strings.TrimPrefix(path, "./")] = true
	}
	return ignored
}
