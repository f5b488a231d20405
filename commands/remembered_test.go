package commands

import (
	"context"
	"strings"
	"testing"
)

// The list of files is remembered from one prompt to the next, and shows what
// became of the files as soon as it is told of; so does what is kept back.
func TestWhatIsRememberedOfFilesHolds(t *testing.T) {
	r := newRepo(t, map[string]string{"a.go": "package a\n", "b.go": "package b\n", ".gitignore": "c.go\n"})
	s := r.open()
	r.edit(s, "b.go", "package changed\n")
	list := func() (tree, buffers string) {
		t.Helper()
		for _, section := range run[BuildPromptResult](t, s, "foreword.prompt.build", map[string]any{"uri": r.uri("a.go")}).Sections {
			switch section.Key {
			case "core/tree":
				tree = section.Text
			case "core/buffers":
				buffers = section.Text
			}
		}
		return tree, buffers
	}
	tree, buffers := list()
	if !strings.Contains(tree, "a.go") || !strings.Contains(buffers, "package changed") {
		t.Fatalf("%s\n%s", tree, buffers)
	}
	if again, _ := list(); again != tree {
		t.Errorf("with nothing changed\n%s\nbecame\n%s", tree, again)
	}
	r.write("c.go", "package c\n")
	r.write("d.go", "package d\n")
	s.FilesChanged([]string{r.path("c.go"), r.path("d.go")})
	if tree, _ = list(); !strings.Contains(tree, "d.go") || strings.Contains(tree, "c.go") {
		t.Errorf("a new file is not listed, or one that git ignores is:\n%s", tree)
	}
	r.write(".gitignore", "b.go\nd.go\n")
	s.FilesChanged([]string{r.path(".gitignore")})
	if tree, buffers = list(); strings.Contains(tree, "d.go") || !strings.Contains(tree, "c.go") || strings.Contains(buffers, "package changed") {
		t.Errorf("what git ignores now is still told:\n%s\n%s", tree, buffers)
	}
	// An ignore file counts as it stands in the editor.
	r.edit(s, ".gitignore", "")
	if tree, buffers = list(); !strings.Contains(tree, "d.go") || !strings.Contains(buffers, "package changed") {
		t.Errorf("what the editor's ignore file allows is not told:\n%s\n%s", tree, buffers)
	}
}

// What a request that was given up left unfinished is not what others are told.
func TestUnfinishedWorkIsNotRemembered(t *testing.T) {
	s := newRepo(t, nil).open()
	snap := s.snapshot(context.Background())
	type key struct{}
	calls := 0
	ask := func(ctx context.Context) bool {
		return remembered(ctx, snap, key{}, func() bool { calls++; return ctx.Err() == nil })
	}
	gone, cancel := context.WithCancel(context.Background())
	cancel()
	if ask(gone) {
		t.Fatal("a request that was given up has a result")
	}
	for range 2 {
		if !ask(context.Background()) {
			t.Error("a request is told what another one that was given up left")
		}
	}
	if calls > 4 {
		t.Errorf("worked out %d times", calls)
	}
}
