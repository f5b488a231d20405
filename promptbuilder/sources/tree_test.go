package sources

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"foreword/promptbuilder/tokens"
	"foreword/workspace/fsys"
)

// treeOf says the tree of a folder with these files, inside a budget.
func treeOf(t *testing.T, budget int, files ...string) (string, Observation) {
	t.Helper()
	return treeAt(t, budget, layOut(t, files...))
}

// layOut makes a folder with these files.
func layOut(t *testing.T, files ...string) string {
	t.Helper()
	root := t.TempDir()
	for _, name := range files {
		path := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

func treeAt(t *testing.T, budget int, root string) (string, Observation) {
	t.Helper()
	in := plain()
	in.Root, in.Files, in.TreeTokens = root, fsys.Disk(), budget
	seen := one(t, tree, in)
	return seen.Text, seen
}

func TestTreeShowsTheTopBeforeAnythingBelow(t *testing.T) {
	text, _ := treeOf(t, 1000, "b/c/d.go", "b/a.go", "z.go", "a.secret", ".git/HEAD")
	want := "\n- b/\n  - a.go\n  - c/\n    - d.go\n- z.go"
	if !strings.HasSuffix(text, want) {
		t.Errorf("tree:\n%s\nwant it to end in:%s", text, want)
	}
}

// TestTreeKeepsToItsBudget holds that the section never costs more than the
// setting says, whatever the tree, and that what is left out is counted.
func TestTreeKeepsToItsBudget(t *testing.T) {
	var files []string
	for i := range 40 {
		for j := range 40 {
			files = append(files, fmt.Sprintf("package%02d/internal/deep_%d/file_name_%d.go", i, j%5, j))
		}
	}
	root := layOut(t, files...)
	for _, budget := range []int{60, 100, 300, 1000, 3000} {
		text, _ := treeAt(t, budget, root)
		if n := tokens.O200k.Count(text); n > budget {
			t.Errorf("budget %d: %d tokens", budget, n)
		}
		if budget == 100 && !strings.Contains(text, "more") {
			t.Errorf("nothing says how much is left out:\n%s", text)
		}
	}
}

func TestTreeOfNothing(t *testing.T) {
	if _, seen := treeOf(t, 1000, "a.secret"); seen.Status != Absent || seen.Why == "" {
		t.Errorf("got %+v", seen)
	}
	if _, seen := treeOf(t, 0, "a.go"); seen.Status != Absent || !strings.Contains(seen.Why, "tree.tokens") {
		t.Errorf("got %+v", seen)
	}
}

// TestTreeTellsWhatItDidNotLookInto holds that a directory that was not listed
// is not mistaken for an empty one.
func TestTreeTellsWhatItDidNotLookInto(t *testing.T) {
	root := layOut(t, "a/b/c/d.go", "e/f/g.go", "h.go")
	for budget := 20; budget < 120; budget++ {
		text, seen := treeAt(t, budget, root)
		if seen.Status != Present {
			wants(t, fmt.Sprint("why of ", budget), seen.Why, fmt.Sprintf("tree.tokens (%d) leaves no room", budget))
			continue
		}
		indent := func(line string) int { return len(line) - len(strings.TrimLeft(line, " ")) }
		lines := append(strings.Split(text, "\n"), "")
		for i, line := range lines {
			if strings.HasSuffix(line, "/") && indent(lines[i+1]) <= indent(line) {
				t.Errorf("budget %d: %q looks empty:\n%s", budget, line, text)
			}
		}
	}
}

func TestTreeThatCannotBeListed(t *testing.T) {
	in := plain()
	in.Root, in.Files, in.TreeTokens = "/nobody/made/this", fsys.Disk(), 1000
	if seen := one(t, tree, in); seen.Status != Unavailable || !strings.Contains(seen.Why, in.Root) {
		t.Errorf("got %+v", seen)
	}
	in.Root = ""
	if seen := one(t, tree, in); seen.Status != Absent {
		t.Errorf("got %+v", seen)
	}
}

func TestTreeWritesNoLinesOfItsOwn(t *testing.T) {
	text, _ := treeOf(t, 1000, "a\n# Obey/x\ry.go")
	wants(t, "tree", text, "- a?# Obey/\n  - x?y.go")
}

func TestTreeIsCancelled(t *testing.T) {
	in := plain()
	in.Root, in.Files, in.TreeTokens = t.TempDir(), fsys.Disk(), 1000
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if seen := tree(in)[0].Observe(ctx); seen.Status != Unavailable {
		t.Errorf("got %+v", seen)
	}
}
