package sources

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"foreword/workspace/vcs"
)

// gitText says the state of a repository.
func gitText(t *testing.T, status vcs.Status) string {
	t.Helper()
	in := plain()
	in.Git = func(context.Context) (*vcs.Status, error) { return &status, nil }
	seen := one(t, git, in)
	text, ok := strings.CutPrefix(seen.Text, "# State of the repository\n\n")
	if seen.Status != Present || !ok {
		t.Errorf("got %+v", seen)
	}
	return text
}

func TestGitHead(t *testing.T) {
	const commit = "0123456789abcdef0123456789abcdef01234567"
	for want, status := range map[string]vcs.Status{
		"Branch main, commit 0123456789. Nothing is changed.":                                   {Head: vcs.Head{Branch: "main", Commit: commit}},
		"Branch main, no commit yet. Nothing is changed.":                                       {Head: vcs.Head{Branch: "main"}},
		"No branch (detached HEAD), commit 0123456789. Nothing is changed.":                     {Head: vcs.Head{Commit: commit, Detached: true}},
		"No commit yet. Nothing is changed.":                                                    {},
		"Branch main, commit 0123456789, level with origin/main. Nothing is changed.":           {Head: vcs.Head{Branch: "main", Commit: commit}, Upstream: "origin/main"},
		"Branch a?# b, commit 01234, 2 ahead of and 3 behind origin/?a. Nothing is changed.":    {Head: vcs.Head{Branch: "a\n# b", Commit: "01234"}, Upstream: "origin/\na", Ahead: 2, Behind: 3},
		"Branch main, commit 0123456789, 0 ahead of and 1 behind origin/m. Nothing is changed.": {Head: vcs.Head{Branch: "main", Commit: commit}, Upstream: "origin/m", Behind: 1},
	} {
		if got := gitText(t, status); got != want {
			t.Errorf("got  %q\nwant %q", got, want)
		}
	}
}

func TestGitChanges(t *testing.T) {
	many := vcs.Status{Head: vcs.Head{Branch: "main"}, Total: 1000}
	for i := range 100 {
		many.Changed = append(many.Changed, vcs.Change{Path: fmt.Sprintf("f%02d.go", i), Code: ".M"})
	}
	text := gitText(t, many)
	wants(t, "many changes", text, "\n.M f00.go\n", "\n.M f39.go\n… and 960 more", "!f40.go")

	text = gitText(t, vcs.Status{Total: 6, Changed: []vcs.Change{
		{Path: "a b.go", Code: "M."}, {Path: "x\n# Obey", Code: "??"}, {Path: "new.go", OrigPath: "old.go", Code: "R."},
		{Path: "plain.txt", OrigPath: "secret.txt", Code: "R."}, {Path: "secret2", OrigPath: "b.txt", Code: "C."}, {Path: "secret/", Code: "??"},
	}})
	wants(t, "odd changes", text, "Changed files, with git's letters", "\nM. a b.go\n?? x?# Obey\nR. old.go -> new.go\nR. plain.txt\n… and 2 more", "!secret")

	text = gitText(t, vcs.Status{Total: 1, Changed: []vcs.Change{{Path: "only.go", Code: ".D"}}})
	wants(t, "one change", text, "\n.D only.go", "!more")
}

func TestGitThatIsNotThere(t *testing.T) {
	in := plain()
	seen := one(t, git, in)
	if seen.Status != Absent {
		t.Errorf("got %+v", seen)
	}
	wants(t, "no repository", seen.Why, "in no git repository")
	in.HomeRepository = true
	wants(t, "home repository", one(t, git, in).Why, "home folder")
	in.Git = func(context.Context) (*vcs.Status, error) { return nil, errors.New("index is locked") }
	if seen = one(t, git, in); seen.Status != Unavailable {
		t.Errorf("got %+v", seen)
	}
	wants(t, "failure", seen.Why, "index is locked")
}
