package lint

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"foreword/workspace/fsys"
	"foreword/workspace/instructions"
)

// shown writes files as "path kind scope" for comparison.
func shown(w laid, found *Found) []string {
	var out []string
	for _, f := range found.Files {
		dir, _ := filepath.Rel(w.root, f.Dir)
		out = append(out, f.Rel+" "+string(f.Kind)+" "+filepath.ToSlash(dir))
	}
	return out
}

var findable = map[string]string{
	"AGENTS.md": "x", "web/agents.md": "x", "web/deep/er/CLAUDE.local.md": "x", "web/.claude/rules/sub/a.md": "x", "web/.claude/CLAUDE.md": "x",
	".github/copilot-instructions.md": "x", ".github/instructions/a.instructions.md": "x", ".github/workflows/ci.yml": "x",
	".cursor/rules/a.mdc": "x", ".cursor/rules/b.md": "x", ".cursor/rules/picture.png": "x",
	".agents/skills/a/SKILL.md": "x", ".agents/skills/a/references/more.md": "x", ".agents/skills/b/skill.md": "x",
	".clinerules": "x", "README.md": "x", "src/main.go": "x",
}

var wantFound = []string{
	".agents/skills/a/SKILL.md skill .", ".agents/skills/b/skill.md skill .", ".clinerules cline .", ".cursor/rules/a.mdc rule .", ".cursor/rules/b.md rule .",
	".github/copilot-instructions.md copilot .", ".github/instructions/a.instructions.md rule .", "AGENTS.md agents .",
	"web/.claude/CLAUDE.md claude web", "web/.claude/rules/sub/a.md rule web", "web/agents.md agents web", "web/deep/er/CLAUDE.local.md claude web/deep/er",
}

func TestFindByWalking(t *testing.T) {
	w := layOut(t, findable)
	must(t, os.MkdirAll(filepath.Join(w.root, "node_modules", "x"), 0o755))
	must(t, os.WriteFile(filepath.Join(w.root, "node_modules", "x", "AGENTS.md"), nil, 0o644))
	found, err := Find(t.Context(), Search{Root: w.root, FS: fsys.Disk()})
	must(t, err)
	if got := shown(w, found); !slices.Equal(got, wantFound) {
		t.Errorf("found %q\nwant  %q", got, wantFound)
	}
	if len(found.Paths) != len(findable) || !slices.IsSorted(found.Paths) {
		t.Errorf("paths %q", found.Paths)
	}
}

// TestFindWithGit holds that personal files, which git ignores, are found in
// every directory that git knows, and that other ignored folders are not.
func TestFindWithGit(t *testing.T) {
	w := layOut(t, findable)
	must(t, os.MkdirAll(filepath.Join(w.root, "dist"), 0o755))
	must(t, os.WriteFile(filepath.Join(w.root, "dist", "AGENTS.md"), nil, 0o644))
	listing := []string{".cursor/rules/a.mdc", ".github/workflows/ci.yml", "README.md", "src/main.go", "web/deep/er/x.ts"}
	found, err := Find(t.Context(), Search{Root: w.root, FS: fsys.Disk(), Listing: listing})
	must(t, err)
	if got := shown(w, found); !slices.Equal(got, wantFound) {
		t.Errorf("found %q\nwant  %q", got, wantFound)
	}
	if !slices.Equal(found.Paths, listing) {
		t.Errorf("paths %q", found.Paths)
	}
}

func TestFindSeesBuffersBeforeTheDisk(t *testing.T) {
	w := layOut(t, map[string]string{"AGENTS.md": "disk"})
	buffers := map[string]fsys.Buffer{}
	for _, name := range []string{"AGENTS.md", "CLAUDE.md"} {
		path := filepath.Join(w.root, name)
		buffers[path] = fsys.NewBuffer(path, "buffer", 1, true)
	}
	found, err := Find(t.Context(), Search{Root: w.root, FS: fsys.Overlay(fsys.Disk(), buffers), Listing: []string{"AGENTS.md"}})
	must(t, err)
	if len(found.Files) != 2 || found.Files[0].Text != "buffer" || found.Files[1].Text != "buffer" {
		t.Errorf("%+v", found.Files)
	}
}

// TestFindReadsNoSecret holds that a link with the name of an instruction file
// does not make a file of secrets be read.
func TestFindReadsNoSecret(t *testing.T) {
	w := layOut(t, map[string]string{".env": "TOKEN=x", "AGENTS.md": "->.env"})
	found, err := Find(t.Context(), Search{Root: w.root, FS: fsys.Disk(), Secret: secret})
	must(t, err)
	if len(found.Files) != 1 || found.Files[0].File != nil || found.Files[0].Text != "" {
		t.Errorf("%+v", found.Files)
	}
}

// TestFindEndsInCircles holds that links that go round are not followed for
// ever.
func TestFindEndsInCircles(t *testing.T) {
	w := layOut(t, map[string]string{".cursor/rules/a.mdc": "x", ".cursor/rules/round": "->.", "again": "->.", ".claude": "->.cursor"})
	found, err := Find(t.Context(), Search{Root: w.root, FS: fsys.Disk()})
	must(t, err)
	for _, f := range found.Files {
		if filepath.Base(f.Path) != "a.mdc" {
			t.Errorf("found %s", f.Rel)
		}
	}
}

func TestSigns(t *testing.T) {
	for _, c := range []struct {
		files map[string]string
		want  []string
	}{
		{map[string]string{"AGENTS.md": "x"}, []string{"foreword"}},
		{map[string]string{"CLAUDE.md": "x"}, []string{"foreword", "claude-code"}},
		{map[string]string{"pkg/CLAUDE.md": "x"}, []string{"foreword", "claude-code"}},
		{map[string]string{".cursor/mcp.json": "{}"}, []string{"foreword", "cursor"}},
		{map[string]string{".github/workflows/ci.yml": "x"}, []string{"foreword"}},
		{map[string]string{".github/copilot-instructions.md": "x"}, []string{"foreword", "copilot-cli", "github-copilot-cloud", "vscode-copilot"}},
		{map[string]string{".claude/skills/a/SKILL.md": "x"}, []string{"foreword", "agent-skills", "claude-code"}},
		{map[string]string{"opencode.json": "{}", ".aider.conf.yml": "read: x"}, []string{"foreword", "aider", "opencode"}},
	} {
		w := layOut(t, c.files)
		found, err := Find(t.Context(), Search{Root: w.root, FS: fsys.Disk()})
		must(t, err)
		if got := Signs(fsys.Disk(), w.root, found.Files); !slices.Equal(got, c.want) {
			t.Errorf("%v: %q, want %q", c.files, got, c.want)
		}
	}
}

// TestSignsNameProfiles holds that each sign is of a tool that there is.
func TestSignsNameProfiles(t *testing.T) {
	if !slices.IsSortedFunc(AllSigns(), func(a, b Sign) int { return strings.Compare(a.Tool, b.Tool) }) {
		t.Error("signs are not sorted by tool")
	}
	for _, s := range AllSigns() {
		if _, ok, err := instructions.LookupProfile(s.Tool); !ok || err != nil {
			t.Errorf("no profile %s", s.Tool)
		}
	}
	for tool := range evidence {
		if _, ok, err := instructions.LookupProfile(tool); !ok || err != nil {
			t.Errorf("evidence for %s, which is no profile", tool)
		}
	}
}
