package instructions

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"foreword/workspace/fsys"
)

var updateLayouts = flag.Bool("update-layouts", false, "write testdata/layouts; check each line against the tool's rules before you commit it")

// layout is a monorepo as people have them, and the files of it that are asked
// about.
type layout struct {
	name    string
	files   map[string]string
	targets []layoutTarget
}

type layoutTarget struct {
	path, cwd, event string
}

// layouts are five ways to spread instruction files over a repository.
func layouts() []layout {
	deep := map[string]string{".git/HEAD": "ref: refs/heads/main\n"}
	for level, dir := 0, ""; level <= 7; level++ {
		deep[dir+"AGENTS.md"] = fmt.Sprintf("level %d\n", level)
		deep[dir+"x.go"] = "package x\n"
		dir += string(rune('a'+level)) + "/"
	}

	links := map[string]string{
		".git/HEAD": "ref: refs/heads/main\n", "AGENTS.md": "root\n", "CLAUDE.md": "->AGENTS.md", "GEMINI.md": "->AGENTS.md",
		".github/copilot-instructions.md": "->../AGENTS.md", "packages/ui/AGENTS.md": "ui\n", "packages/ui/CLAUDE.md": "->AGENTS.md", "packages/ui/src/a.tsx": "x\n",
		"packages/db/CLAUDE.md": "AGENTS.md", "packages/db/AGENTS.md": "db\n", "packages/db/q.sql": "x\n",
	}

	rules := map[string]string{
		".git/HEAD": "ref: refs/heads/main\n", "web/src/app.tsx": "x\n", "api/main.py": "x\n",
		".cursor/rules/ts.mdc": "---\nglobs: **/*.tsx\n---\nts\n", ".cursor/rules/all.mdc": "---\nalwaysApply: true\n---\nall\n", "web/.cursor/rules/web.mdc": "---\nglobs: src/**\n---\nweb\n",
		".github/instructions/py.instructions.md": "---\napplyTo: \"*.py\"\n---\npy\n", ".github/instructions/web.instructions.md": "---\napplyTo: \"web/**\"\n---\nweb\n",
		".claude/rules/api.md": "---\npaths: \"api/**/*.py\"\n---\napi\n", ".claude/rules/style.md": "style\n",
		".clinerules/py.md": "---\npaths: [\"**/*.py\"]\n---\npy\n", ".windsurf/rules/w.md": "---\ntrigger: glob\nglobs: **/*.tsx\n---\nw\n",
		".continue/rules/c.md": "---\nglobs: \"api/**\"\n---\nc\n", ".kilo/rules/k.md": "---\npaths: \"web/**\"\n---\nk\n", ".roo/rules/r.md": "r\n",
	}

	mixed := map[string]string{
		".git/HEAD": "ref: refs/heads/main\n", "AGENTS.md": "root agents\n", "WARP.md": "warp\n", ".rules": "zed\n", ".goosehints": "goose\n", "AGENTS.override.md": "override\n",
		"CLAUDE.local.md": "mine\n", "svc/CLAUDE.md": "svc claude\n", "svc/pay/AGENTS.md": "pay\n", "svc/pay/main.go": "x\n", "ml/GEMINI.md": "ml\n", "ml/CONTEXT.md": "ml context\n", "ml/train.py": "x\n",
	}

	large := map[string]string{".git/HEAD": "ref: refs/heads/main\n", "AGENTS.md": "root\n", "CLAUDE.md": "@AGENTS.md\n", ".agents/skills/release/SKILL.md": "---\nname: release\ndescription: Releases\n---\nbody\n", "docs/guide.md": "x\n"}
	for i := range 40 {
		dir := fmt.Sprintf("packages/p%02d/", i)
		for j := range 7 {
			large[fmt.Sprintf("%ssrc/f%d.ts", dir, j)] = "x\n"
		}
		switch i % 4 {
		case 0:
			large[dir+"AGENTS.md"] = fmt.Sprintf("package %d\n", i)
		case 1:
			large[dir+"CLAUDE.md"] = fmt.Sprintf("package %d\n", i)
		case 3:
			large[dir+"AGENTS.md"], large[dir+"CLAUDE.md"] = fmt.Sprintf("package %d\n", i), "@AGENTS.md\n"
		}
	}
	return []layout{
		{"deep", deep, []layoutTarget{{path: "a/b/c/d/e/f/g/x.go"}, {path: "a/b/x.go", cwd: "a", event: "read"}}},
		{"links", links, []layoutTarget{{path: "packages/ui/src/a.tsx"}, {path: "packages/db/q.sql", cwd: "packages/db"}}},
		{"rules", rules, []layoutTarget{{path: "web/src/app.tsx", event: "read"}, {path: "api/main.py"}}},
		{"mixed", mixed, []layoutTarget{{path: "svc/pay/main.go", cwd: "svc"}, {path: "ml/train.py", event: "read"}}},
		{"large", large, []layoutTarget{{path: "packages/p07/src/f3.ts", cwd: "packages/p07"}, {path: "packages/p09/src/f0.ts", event: "read"}}},
	}
}

// TestLayouts holds what every tool loads for two files of each layout. The
// reasons why each line is right stand at the head of its golden file.
func TestLayouts(t *testing.T) {
	for _, l := range layouts() {
		t.Run(l.name, func(t *testing.T) {
			root := lay(t, l.files)
			var got strings.Builder
			for _, target := range l.targets {
				writeTarget(t, &got, root, target)
			}
			path := filepath.Join("testdata", "layouts", l.name+".golden")
			golden, err := os.ReadFile(path)
			if err != nil && !*updateLayouts {
				t.Fatal(err)
			}
			head, want := cutHead(string(golden))
			if *updateLayouts {
				must(t, os.WriteFile(path, []byte(head+got.String()), 0o644))
				return
			}
			if diff := cmp.Diff(want, got.String()); diff != "" {
				t.Errorf("%s (-want +got):\n%s", path, diff)
			}
			if len(head) < 500 {
				t.Errorf("%s does not say why its lines are right", path)
			}
		})
	}
}

// cutHead separates the comment at the head of a golden file.
func cutHead(text string) (head, body string) {
	rest := text
	for strings.HasPrefix(rest, "#") {
		_, after, found := strings.Cut(rest, "\n")
		if !found {
			return text, ""
		}
		rest = after
	}
	return text[:len(text)-len(rest)], rest
}

// writeTarget writes for each profile what is sent, in its order, and what is
// not, by state.
func writeTarget(t *testing.T, out *strings.Builder, root string, target layoutTarget) {
	t.Helper()
	req := Request{Target: filepath.Join(root, target.path), Root: root, Cwd: filepath.Join(root, target.cwd), Home: filepath.Join(root, "nobody")}
	req.Dir = filepath.Dir(req.Target)
	fmt.Fprintf(out, "\n== %s", target.path)
	if target.cwd != "" {
		fmt.Fprintf(out, ", started in %s", target.cwd)
	}
	if target.event != "" {
		fmt.Fprintf(out, ", after a %s of it", target.event)
		req.Event = Event{Kind: target.event, Path: req.Target}
	}
	out.WriteString(" ==\n")
	for _, name := range ProfileNames() {
		d := resolve(t, fsys.Disk(), name, req)
		fmt.Fprintf(out, "%s\n", name)
		var states []string
		by := map[string][]string{}
		for _, e := range d.Entries {
			state := string(e.State)
			if e.State == OnRead && e.Sent {
				state = "on-read, and sent"
			}
			if !slices.Contains(states, state) {
				states = append(states, state)
			}
			by[state] = append(by[state], Display(root, "", e.Path))
		}
		for _, state := range states {
			fmt.Fprintf(out, "  %s: %s\n", state, strings.Join(by[state], " "))
		}
	}
}
