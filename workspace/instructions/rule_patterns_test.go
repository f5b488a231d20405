package instructions

import (
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"foreword/workspace/fsys"
)

// TestARuleKnowsItsPatterns holds that an entry tells which files a rule names,
// and where its patterns begin, so that nobody takes it for one that holds for
// all; what it imports holds for no more.
func TestARuleKnowsItsPatterns(t *testing.T) {
	root := lay(t, map[string]string{
		".cursor/rules/go.mdc": "---\nglobs: src/**/*.go, *.md\n---\nCursor.\n",
		".claude/rules/all.md": "Always.\n",
		".claude/rules/go.md":  "---\npaths:\n  - \"**/*.go\"\n---\n@../../part.md\n",
		"part.md":              "Part.\n",
		"src/.github/instructions/a.instructions.md": "---\napplyTo: \"**/*.go\"\n---\nCopilot.\n",
		"src/a/x.go": "package a\n",
	})
	d := discover(t, fsys.Disk(), Request{
		Dir: filepath.Join(root, "src/a"), Target: filepath.Join(root, "src/a/x.go"), Root: root, Settings: map[string]any{"instructions.rules": true},
	})
	got := map[string][]string{}
	for _, e := range d.Sent() {
		base := ""
		if e.PatternBase != "" {
			base = Display(root, "", e.PatternBase)
		}
		got[Display(root, "", e.Path)] = append([]string{base}, e.Patterns...)
	}
	want := map[string][]string{
		".cursor/rules/go.mdc": {".", "src/**/*.go", "*.md"},
		".claude/rules/all.md": {""},
		".claude/rules/go.md":  {".", "**/*.go"},
		"part.md":              {".", "**/*.go"},
		"src/.github/instructions/a.instructions.md": {"src", "**/*.go"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}
