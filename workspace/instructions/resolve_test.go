package instructions

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"foreword/workspace/fsys"
)

// TestOwnRules holds what foreword's own profile takes of other tools' folders
// of rules, and that each file keeps its own tool's meaning.
func TestOwnRules(t *testing.T) {
	root := lay(t, map[string]string{
		"AGENTS.md":                                "A",
		".claude/rules/api.md":                     "---\npaths:\n  - \"src/api/**\"\n---\nClaude rule",
		".claude/rules/all.md":                     "Claude rule for all",
		".cursor/rules/ts.mdc":                     "---\nglobs: **/*.ts\n---\nCursor rule",
		".cursor/rules/manual.mdc":                 "---\nalwaysApply: false\n---\nBy hand",
		".cursor/rules/ask.mdc":                    "---\ndescription: when asked\n---\nAsk",
		".github/instructions/ts.instructions.md":  "---\napplyTo: \"*.ts\"\n---\nCopilot rule",
		".github/instructions/css.instructions.md": "---\napplyTo: \"*.css\"\n---\nNot this one",
		".clinerules/one.md":                       "---\npaths: []\n---\nNever",
		".windsurf/rules/w.md":                     "---\ntrigger: always_on\n---\nWindsurf rule",
		".continue/rules/c.md":                     "---\nglobs: \"src/**/*.ts\"\n---\nContinue rule",
		"src/api/.cursor/rules/deep.mdc":           "---\nglobs: *.ts\n---\nDeep rule",
		"src/api/x.ts":                             "",
	})
	d := discover(t, fsys.Disk(), Request{Target: filepath.Join(root, "src/api/x.ts"), Dir: filepath.Join(root, "src/api"), Root: root, Settings: Settings{"instructions.rules": true}})
	want := []string{
		"1 AGENTS.md sent", "2 .claude/rules/all.md sent", "3 .claude/rules/api.md sent", "4 .cursor/rules/ts.mdc sent",
		"5 src/api/.cursor/rules/deep.mdc sent", "6 .github/instructions/ts.instructions.md sent", "7 .windsurf/rules/w.md sent", "8 .continue/rules/c.md sent",
		"0 .cursor/rules/ask.mdc model-decides", "0 .cursor/rules/manual.mdc manual",
		"0 .github/instructions/css.instructions.md out-of-scope", "0 .clinerules/one.md out-of-scope",
	}
	if diff := cmp.Diff(want, summary(d)); diff != "" {
		t.Errorf("entries (-want +got):\n%s", diff)
	}
	for _, e := range d.Sent() {
		if strings.Contains(e.Body, "---") {
			t.Errorf("%s: the header is sent: %q", e.Path, e.Body)
		}
		if lines := strings.Split(e.Text(), "\n"); e.Whole && !strings.HasPrefix(strings.Join(lines[e.BodyLine:], "\n"), e.Body) {
			t.Errorf("%s: body does not begin in line %d", e.Path, e.BodyLine)
		}
	}
}

// TestOwnImports holds T9: bases per hop, circles, quotes of code, what is
// missing, what lies outside.
func TestOwnImports(t *testing.T) {
	root := lay(t, map[string]string{
		"repo/AGENTS.md":       "See @docs/a.md and @docs/a.md again.\n`@docs/code.md` x@y.z @dataclass\n@docs/gone.md\n@../outside.md\n",
		"repo/docs/a.md":       "@b.md\n@../AGENTS.md\n",
		"repo/docs/b.md":       "@c/c.md",
		"repo/docs/c/c.md":     "C",
		"repo/docs/code.md":    "no",
		"repo/sub/AGENTS.md":   "@\"my notes.md\" @my\\ notes.md",
		"repo/sub/my notes.md": "N",
		"outside.md":           "OUT",
		"repo/sub/file.go":     "",
	})
	repo := filepath.Join(root, "repo")
	d := discover(t, fsys.Disk(), Request{Target: filepath.Join(repo, "sub/file.go"), Dir: filepath.Join(repo, "sub"), Root: repo})
	want := []string{
		"1 AGENTS.md sent", "2 docs/a.md sent", "3 docs/b.md sent", "4 docs/c/c.md sent", "5 sub/AGENTS.md sent", "6 sub/my notes.md sent",
		"0 " + filepath.Join(root, "outside.md") + " excluded",
	}
	if diff := cmp.Diff(want, summary(d)); diff != "" {
		t.Errorf("entries (-want +got):\n%s", diff)
	}
	warnings := map[string]string{}
	for _, w := range d.Warnings {
		place := ""
		if w.Place != nil {
			place = fmt.Sprintf(" %d:%d-%d", w.Place.Line, w.Place.Column, w.Place.EndColumn)
		}
		warnings[w.Code] = Display(repo, "", w.Path) + place
	}
	wantWarnings := map[string]string{
		"import-missing": "AGENTS.md 2:0-13", "import-outside-root": "AGENTS.md 3:0-14", "import-cycle": "docs/a.md 1:0-13",
	}
	if diff := cmp.Diff(wantWarnings, warnings); diff != "" {
		t.Errorf("warnings (-want +got):\n%s\n%+v", diff, d.Warnings)
	}
}

func TestImportsEndAfterFiveHops(t *testing.T) {
	files := map[string]string{"AGENTS.md": "@1.md"}
	for i := 1; i < 8; i++ {
		files[fmt.Sprintf("%d.md", i)] = fmt.Sprintf("hop %d @%d.md", i, i+1)
	}
	files["8.md"] = "end"
	root := lay(t, files)
	d := discover(t, fsys.Disk(), Request{Dir: root, Root: root})
	if n := len(d.Sent()); n != 6 {
		t.Errorf("%d files, want AGENTS.md and five imports: %v", n, summary(d))
	}
	if len(d.Warnings) != 1 || d.Warnings[0].Code != "import-depth" {
		t.Errorf("warnings %+v", d.Warnings)
	}
}

// TestHostileTrees holds that bad input costs a warning, never a hang.
func TestHostileTrees(t *testing.T) {
	files := map[string]string{
		"AGENTS.md": "@AGENTS.md @./AGENTS.md", "loop": "->loop", ".cursor/rules/loop": "->../rules", "x.go": "",
		".claude/rules/braces.md": "---\npaths: \"" + strings.Repeat("{a,", 10_000) + strings.Repeat("}", 10_000) + "\"\n---\nB",
		".claude/rules/bad.md":    "---\n: : :\n\t- [\n---\nB", ".claude/rules/nul.md": "a\x00b",
	}
	for i := range 5_000 {
		files[fmt.Sprintf(".cursor/rules/r%04d.mdc", i)] = fmt.Sprintf("---\nglobs: **/f%d.ts\n---\nR", i)
	}
	root := lay(t, files)
	must(t, os.Mkdir(filepath.Join(root, "AGENTS.md.d"), 0o000))
	cached := fsys.NewCache(fsys.Disk(), time.Now)
	for _, name := range ProfileNames() {
		d := resolve(t, cached, name, Request{Target: filepath.Join(root, "x.go"), Dir: root, Root: root, Settings: Settings{"instructions.rules": true}})
		if name == Own && len(d.Entries) < 5_000 {
			t.Errorf("only %d entries", len(d.Entries))
		}
	}
}

func BenchmarkResolve(b *testing.B) {
	root := b.TempDir()
	for i := range 300 {
		path := filepath.Join(root, ".cursor", "rules", fmt.Sprintf("r%03d.mdc", i))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			b.Fatal(err)
		}
		if err := os.WriteFile(path, fmt.Appendf(nil, "---\nglobs: src/m%d/**/*.ts, lib/**/*.tsx\n---\nRule %d\n", i, i), 0o644); err != nil {
			b.Fatal(err)
		}
	}
	for _, name := range []string{"AGENTS.md", "src/AGENTS.md", "src/m7/AGENTS.md", "src/m7/x.ts"} {
		path := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			b.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(name), 0o644); err != nil {
			b.Fatal(err)
		}
	}
	req := Request{Target: filepath.Join(root, "src/m7/x.ts"), Dir: filepath.Join(root, "src/m7"), Root: root}
	for _, name := range []string{Own, "codex", "claude-code", "cursor"} {
		p, _, err := LookupProfile(name)
		if err != nil {
			b.Fatal(err)
		}
		b.Run(name+"/cold", func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := Resolve(b.Context(), fsys.Disk(), p, req); err != nil {
					b.Fatal(err)
				}
			}
		})
		b.Run(name+"/warm", func(b *testing.B) {
			files := fsys.NewCache(fsys.Disk(), time.Now)
			b.ReportAllocs()
			for b.Loop() {
				if _, err := Resolve(b.Context(), files, p, req); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
