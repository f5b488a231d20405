package commands

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

func TestDiffTellsWhatIsNotInIt(t *testing.T) {
	r := newRepo(t, map[string]string{"a.txt": "one\n", "b.txt": "one\n", ".env": "K=1\n", ".gitignore": "out/\n"})
	r.git("add", "-f", ".")
	r.git("commit", "-q", "-m", "first")
	for name, text := range map[string]string{"a.txt": "two\n", ".env": "K=SECRET\n", "sub/new.txt": "new\n", "secrets.json": "{}", "out/x.txt": "x"} {
		r.write(name, text)
	}
	s := r.open()
	r.edit(s, "b.txt", "not saved\n")
	diff := func(arguments string) string {
		return callTool(t, s, map[string]any{"name": "diff", "arguments": arguments}).Text
	}
	got := diff(`{}`)
	for _, want := range []string{"-one\n+two\n", "left out: 1 file that may not be shown", "new, and not in git yet: sub/new.txt; ", "with unsaved text, which is not compared: b.txt)"} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is not in\n%s", want, got)
		}
	}
	for _, never := range []string{"SECRET", "secrets.json", "out/x", "not saved"} {
		if strings.Contains(got, never) {
			t.Errorf("%q is in\n%s", never, got)
		}
	}
	if got := diff(`{"path":"sub"}`); got != "nothing changed there since the last commit\n\n(new, and not in git yet: sub/new.txt)" {
		t.Errorf("sub: %q", got)
	}
	if got := diff(`{"staged":true}`); got != "nothing is staged there" {
		t.Errorf("staged: %q", got)
	}
	r.git("add", "a.txt")
	if got := diff(`{"staged":true,"path":"a.txt"}`); !strings.HasSuffix(got, "-one\n+two\n") {
		t.Errorf("staged: %q", got)
	}
}

// A folder that is not trusted may name another's repository as its own; nothing of that one is told.
func TestDiffTellsNothingOfAnotherRepository(t *testing.T) {
	other := newRepo(t, map[string]string{"plan.txt": "PRIVATE\n"})
	other.git("add", ".")
	other.git("commit", "-q", "-m", "first")
	r := newRepo(t, map[string]string{"a.txt": "a\n"})
	must(t, os.RemoveAll(filepath.Join(r.root, ".git")))
	r.write(".git", "gitdir: "+filepath.Join(other.root, ".git")+"\n")
	s := r.open()
	for _, name := range []string{"diff", "list", "glob", "grep"} {
		got := callTool(t, s, map[string]any{"name": name, "arguments": map[string]any{"diff": map[string]any{}, "list": map[string]any{}, "glob": map[string]any{"pattern": "*"}, "grep": map[string]any{"pattern": "PRIV|."}}[name]})
		if strings.Contains(got.Text, "PRIVATE") || strings.Contains(got.Text, "plan.txt") {
			t.Errorf("%s: %s", name, got.Text)
		}
		if name == "diff" && (!got.IsError || !strings.Contains(got.Text, "foreword trust")) {
			t.Errorf("diff: %+v", got)
		}
	}
	if out, err := exec.Command("git", "-C", r.root, "diff", "HEAD").Output(); err != nil || !strings.Contains(string(out), "PRIVATE") {
		t.Errorf("git itself tells nothing, so nothing is tested: %s, %v", out, err)
	}
}

func TestDiffWithoutARepository(t *testing.T) {
	r := newRepo(t, map[string]string{"a.txt": "a\n"})
	must(t, os.RemoveAll(filepath.Join(r.root, ".git")))
	if got := callTool(t, r.open(), map[string]any{"name": "diff"}); !got.IsError || !strings.Contains(got.Text, "is in no git repository") {
		t.Errorf("%+v", got)
	}
}

// The files that an answer names as read are those that it shows something of.
func TestDiffReadsWhatItShows(t *testing.T) {
	files := map[string]string{"~/.config/foreword/foreword.toml": "window = 8000\n"}
	for i := range 40 {
		files[fmt.Sprintf("f%02d.txt", i)] = "one\n"
	}
	r := newRepo(t, files)
	r.git("add", ".")
	r.git("commit", "-q", "-m", "first")
	for i := range 40 {
		r.write(fmt.Sprintf("f%02d.txt", i), strings.Repeat("two and more of it\n", 30))
	}
	got := callTool(t, r.open(), map[string]any{"name": "diff", "model": "gpt-4o"})
	shown := strings.Count(got.Text, "\ndiff --git ") + 1
	if shown < 3 || shown > 30 || len(got.Read) != shown || got.Read[shown-1] != r.uri(fmt.Sprintf("f%02d.txt", shown-1)) {
		t.Errorf("%d files are shown, read are %d", shown, len(got.Read))
	}
	if !strings.Contains(got.Text, "+two and more of it\n\n(the diff is cut after ") || !strings.Contains(got.Cut, "it is of 40 files: f00.txt, ") {
		t.Errorf("cut %q", got.Cut)
	}
}
