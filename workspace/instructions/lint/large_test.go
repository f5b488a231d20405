package lint

import (
	"fmt"
	"testing"

	"foreword/workspace/fsys"
	"foreword/workspace/instructions"
)

// manyRules is a workspace with a large folder of rules at its root and packages
// that have rules of their own, with one mistake in the first and in the last.
func manyRules(rules, packages int) map[string]string {
	files := map[string]string{"AGENTS.md": "A", "CLAUDE.md": "C"}
	for i := range rules {
		files[fmt.Sprintf(".claude/rules/r%d.md", i)] = fmt.Sprintf("---\npaths: src/m%d/**\n---\nRule.\n", i)
		files[fmt.Sprintf(".cursor/rules/r%d.mdc", i)] = fmt.Sprintf("---\nglobs: src/m%d/**\n---\nRule.\n", i)
	}
	for i := range packages {
		files[fmt.Sprintf("src/m%d/.claude/rules/own.md", i)] = "---\npaths: '**'\n---\nOwn.\n"
		files[fmt.Sprintf("src/m%d/CLAUDE.md", i)] = "Own.\n"
	}
	files[".claude/rules/r0.md"] = "---\npaths: 'src/**'\n---\n@gone.md\n"
	files[fmt.Sprintf("src/m%d/.claude/rules/own.md", packages-1)] = "---\npaths: '**'\n---\n@gone.md\n"
	return files
}

// A folder of rules is read for the directory that holds it, and not again for
// each below: twice the packages cost twice their own files, no more.
func TestCheckOfManyRulesIsLinear(t *testing.T) {
	calls := func(rules, packages int) int {
		w := layOut(t, manyRules(rules, packages))
		found, err := Find(t.Context(), Search{Root: w.root, FS: fsys.Disk(), Secret: secret})
		must(t, err)
		counting := fsys.NewCounting(fsys.Disk())
		tools := instructions.ProfileNames()
		diagnostics, err := Check(t.Context(), Workspace{Root: w.root, FS: counting, Found: found, Tools: tools, Request: w.request("", nil)})
		must(t, err)
		missing := 0
		for _, d := range diagnostics {
			if d.Code == "import-missing" {
				missing++
			}
		}
		if missing != 2 {
			t.Errorf("%d packages: %d missing imports are told, want that of the root and that of the last package", packages, missing)
		}
		return len(counting.Calls())
	}
	perPackage := func(rules int) int { return (calls(rules, 8) - calls(rules, 4)) / 4 }
	if few, many := perPackage(10), perPackage(150); many > few+20 {
		t.Errorf("a package costs %d calls to the disk with 20 rules at the root, and %d with 300", few, many)
	}
}

// BenchmarkCheckManyRules checks 2,000 rules at the root and 60 packages, by all tools.
func BenchmarkCheckManyRules(b *testing.B) {
	w := layOut(b, manyRules(1_000, 60))
	b.ReportAllocs()
	for b.Loop() {
		check(b, w, instructions.ProfileNames(), "", nil)
	}
}
