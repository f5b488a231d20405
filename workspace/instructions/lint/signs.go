package lint

import (
	"path/filepath"
	"slices"
	"strings"

	"foreword/workspace/fsys"
	"foreword/workspace/instructions"
)

// Sign is what shows that a tool is used in a workspace.
type Sign struct {
	// Tool is the name of its profile.
	Tool string
	// Paths are the files and folders, any of which is a sign, relative to the
	// root or to a directory that holds instruction files.
	Paths []string
}

// AllSigns is the table of signs, sorted by tool. AGENTS.md is none: everybody
// reads it.
func AllSigns() []Sign { return slices.Clone(signs) }

var signs = []Sign{
	{"agent-skills", []string{".agents/skills", ".claude/skills", ".cursor/skills", ".gemini/skills", ".opencode/skills", ".roo/skills", ".cline/skills", ".github/skills"}},
	{"aider", []string{".aider.conf.yml", ".aiderignore"}},
	{"amp", []string{".amp"}},
	{"claude-code", []string{".claude", "CLAUDE.md", "CLAUDE.local.md"}},
	{"cline", []string{".clinerules", ".cline", ".clineignore"}},
	{"codex", []string{".codex", "AGENTS.override.md"}},
	{"continue", []string{".continue", ".continuerules", ".continueignore"}},
	{"copilot-cli", []string{".github/copilot-instructions.md", ".github/instructions"}},
	{"crush", []string{"crush.json", ".crush.json", ".crush", "CRUSH.md"}},
	{"cursor", []string{".cursor", ".cursorrules", ".cursorignore"}},
	{"gemini-cli", []string{".gemini", ".geminiignore", "GEMINI.md"}},
	{"github-copilot-cloud", []string{".github/copilot-instructions.md", ".github/instructions", ".github/workflows/copilot-setup-steps.yml"}},
	{"goose", []string{".goosehints", ".gooseignore", ".goose"}},
	{"gptme", []string{"gptme.toml", ".gptme"}},
	{"junie", []string{".junie", ".aiignore"}},
	{"kilo", []string{".kilo", ".kilocode", "kilo.jsonc", ".kilocoderules"}},
	{"opencode", []string{"opencode.json", "opencode.jsonc", ".opencode"}},
	{"roo-code", []string{".roo", ".roorules", ".roomodes", ".rooignore"}},
	{"vscode-copilot", []string{".github/copilot-instructions.md", ".github/instructions", ".github/prompts", ".github/chatmodes", ".github/agents"}},
	{"warp", []string{"WARP.md", ".warp"}},
	{"windsurf", []string{".windsurf", ".windsurfrules", ".devin"}},
	{"zed", []string{".zed", ".rules"}},
}

// Signs lists the tools that a workspace shows signs of using, by what lies in
// its root and beside its instruction files; foreword itself is always among
// them. The names are those of profiles, ours first.
func Signs(files fsys.FS, root string, found []*File) []string {
	dirs := []string{root}
	for _, f := range found {
		dirs = append(dirs, f.Dir)
	}
	slices.Sort(dirs)
	dirs = slices.Compact(dirs)
	tools := []string{instructions.Own}
	for _, s := range signs {
		if shows(files, dirs, s.Paths) {
			tools = append(tools, s.Tool)
		}
	}
	return tools
}

func shows(files fsys.FS, dirs, paths []string) bool {
	for _, dir := range dirs {
		entries, err := files.ReadDir(dir)
		if err != nil {
			continue
		}
		for _, path := range paths {
			first, rest, deep := strings.Cut(path, "/")
			at, ok := slices.BinarySearchFunc(entries, first, func(e fsys.Entry, name string) int { return strings.Compare(e.Name, name) })
			if !ok {
				continue
			}
			if !deep {
				return true
			}
			if _, err := files.Lstat(filepath.Join(dir, entries[at].Name, filepath.FromSlash(rest))); err == nil {
				return true
			}
		}
	}
	return false
}
