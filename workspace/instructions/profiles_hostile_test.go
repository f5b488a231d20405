package instructions

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"foreword/workspace/fsys"
)

// hostileNames are names that one profile or another reads in the root, in a
// folder of it, or at home.
var hostileNames = []string{
	"AGENTS.md", "AGENTS.override.md", "AGENTS.local.md", "AGENT.md", "CLAUDE.md", "CLAUDE.local.md", "GEMINI.md", "COPILOT.md", "CRUSH.md",
	"CONTEXT.md", "WARP.md", ".goosehints", ".cursorrules", ".windsurfrules", ".clinerules", ".roorules", ".rules", ".kilocoderules", ".continuerules",
	".junie/guidelines.md", ".github/copilot-instructions.md", ".claude/CLAUDE.md", "rules.md", "LISTED.md",
	".claude/rules/r.md", ".cursor/rules/r.mdc", ".github/instructions/r.instructions.md", ".cline/rules/r.md", ".roo/rules/r.md",
	".windsurf/rules/r.md", ".devin/rules/r.md", ".continue/rules/r.md", ".kilo/rules/r.md", ".kilocode/rules/r.md",
	".agents/skills/r/SKILL.md", ".claude/skills/r/SKILL.md",
}

// hostileSettings name LISTED.md in each tool that lists files.
var hostileSettings = map[string]string{
	".aider.conf.yml": "read: [LISTED.md, loop/x.md]\n", "opencode.json": `{"instructions": ["LISTED.md", "**/LISTED.md", "[", "{a,"]}`,
	"kilo.jsonc": `{"instructions": ["LISTED.md"]}`, "crush.json": `{"options": {"context_paths": ["LISTED.md", "loop"]}}`,
	"gptme.toml": `files = ["LISTED.md", "**/*.md"]`, ".gemini/settings.json": "\x00", ".vscode/settings.json": "{",
}

// TestEveryProfileTakesBadInput holds that whatever lies where a profile looks
// costs a state or a warning, and never a hang or a crash.
func TestEveryProfileTakesBadInput(t *testing.T) {
	header := "---\npaths: \"**\"\nglobs: \"**\"\napplyTo: \"**\"\nalwaysApply: true\ntrigger: always_on\nname: r\ndescription: d\n---\n"
	for _, bad := range []struct {
		name string
		make func(t *testing.T, path string)
		// body is what must never be in the text that is sent.
		body string
		// state of what would be sent otherwise; empty where it may be sent.
		state State
	}{
		{"circle", func(t *testing.T, path string) {
			write(t, path, header+"@"+filepath.Base(path)+" @./"+filepath.Base(path)+" @../AGENTS.md @AGENTS.md @LISTED.md @./LISTED.md\n")
		}, "", ""},
		{"nul", func(t *testing.T, path string) { write(t, path, header+"SECRET\x00\n") }, "SECRET", Unreadable},
		{"utf-16", func(t *testing.T, path string) { write(t, path, "\xff\xfeS\x00E\x00C\x00R\x00E\x00T\x00") }, "SECRET", Unreadable},
		{"bad-utf-8", func(t *testing.T, path string) { write(t, path, header+"ok \xff\xc3\n") }, "\xff", ""},
		{"byte-order-mark", func(t *testing.T, path string) { write(t, path, "\ufeff"+header+"ok\n") }, "\ufeff", ""},
		{"100-megabytes", func(t *testing.T, path string) {
			write(t, path, "SECRET")
			must(t, os.Truncate(path, 100<<20))
		}, "SECRET", Unreadable},
		{"pipe", func(t *testing.T, path string) { must(t, syscall.Mkfifo(path, 0o644)) }, "", Unreadable},
		{"link-to-itself", func(t *testing.T, path string) { must(t, os.Symlink(filepath.Base(path), path)) }, "", Unreadable},
		{"link-to-nowhere", func(t *testing.T, path string) { must(t, os.Symlink("gone", path)) }, "", Unreadable},
		{"link-to-a-device", func(t *testing.T, path string) { must(t, os.Symlink("/dev/zero", path)) }, "", ""},
		{"directory", func(t *testing.T, path string) { must(t, os.MkdirAll(path, 0o755)) }, "", ""},
		{"header-that-never-ends", func(t *testing.T, path string) { write(t, path, strings.TrimSuffix(header, "---\n")) }, "", ""},
		{"header-of-braces", func(t *testing.T, path string) {
			open := strings.Repeat("{a,", 10_000)
			write(t, path, "---\npaths: \""+open+"\"\nglobs: "+open+"\napplyTo: \""+open+"\"\n---\nx\n")
		}, "", ""},
	} {
		t.Run(bad.name, func(t *testing.T) {
			base := lay(t, map[string]string{"w/.git/HEAD": "ref: refs/heads/main\n", "w/loop": "->.", "w/a.ts": "x", "w/.claude/loop": "->..", "home/x": ""})
			root, home := filepath.Join(base, "w"), filepath.Join(base, "home")
			for _, dir := range []string{root, filepath.Join(root, "svc"), home} {
				for _, name := range hostileNames {
					path := filepath.Join(dir, filepath.FromSlash(name))
					must(t, os.MkdirAll(filepath.Dir(path), 0o755))
					bad.make(t, path)
				}
			}
			for name, text := range hostileSettings {
				path := filepath.Join(root, filepath.FromSlash(name))
				must(t, os.MkdirAll(filepath.Dir(path), 0o755))
				write(t, path, text)
			}
			for _, name := range ProfileNames() {
				for _, event := range []Event{{}, {Kind: "read", Path: filepath.Join(root, "svc/b.ts")}} {
					checkBad(t, name, bad.body, bad.state, Request{Target: filepath.Join(root, "svc/b.ts"), Dir: filepath.Join(root, "svc"), Root: root, Home: home, Event: event})
				}
			}
		})
	}
}

func write(t *testing.T, path, text string) {
	t.Helper()
	must(t, os.WriteFile(path, []byte(text), 0o644))
}

// checkBad holds that every entry says why, that nothing unreadable is sent,
// and that the text lacks what cannot be text.
func checkBad(t *testing.T, profile, body string, state State, req Request) {
	t.Helper()
	d := resolve(t, fsys.Disk(), profile, req)
	for _, e := range d.Entries {
		if e.Why == "" || e.State == "" {
			t.Errorf("%s: %s has no reason: %+v", profile, e.Path, e)
		}
		if e.Sent && e.File == nil {
			t.Errorf("%s: %s is sent, but was never read", profile, e.Path)
		}
		if state != "" && e.Sent && !strings.Contains(e.Path, "/loop/") { // crush is asked to read what lies there
			t.Errorf("%s: %s is sent", profile, e.Path)
		}
	}
	p, _, err := LookupProfile(profile)
	must(t, err)
	if text := p.Text(d, req.Home); body != "" && strings.Contains(text, body) {
		t.Errorf("%s: the text holds %q", profile, body)
	}
	told := len(d.Warnings) > 0
	for _, e := range d.Entries {
		told = told || e.State == state
	}
	if state != "" && profile != "aider" && !told {
		t.Errorf("%s: neither a warning nor a state: %v", profile, summary(d))
	}
}

// closed refuses to list some directories, as a disk does where the user may
// not read them.
type closed struct {
	fsys.FS
	dirs []string
}

func (c closed) ReadDir(path string) ([]fsys.Entry, error) {
	if slices.Contains(c.dirs, path) {
		return nil, &fsys.Error{Path: path, Reason: fsys.ReasonPermission}
	}
	return c.FS.ReadDir(path)
}

// TestUnreadableDirectories holds that a folder that cannot be listed costs
// itself, with a warning where the profile looks into it.
func TestUnreadableDirectories(t *testing.T) {
	folders := map[string]string{
		".claude/rules": "claude-code", ".cursor/rules": "cursor", ".github/instructions": "vscode-copilot", ".clinerules": "cline", ".roo/rules": "roo-code",
		".windsurf/rules": "windsurf", ".continue/rules": "continue", ".kilo/rules": "kilo", ".agents/skills": "agent-skills",
	}
	files := map[string]string{"AGENTS.md": "A", "svc/AGENTS.md": "S", "svc/x.go": ""}
	for dir := range folders {
		files[dir+"/a.md"], files[dir+"/a.mdc"], files[dir+"/a.instructions.md"], files[dir+"/a/SKILL.md"] = "a", "a", "a", "a"
	}
	root := lay(t, files)
	disk := closed{FS: fsys.Disk()}
	for dir := range folders {
		disk.dirs = append(disk.dirs, filepath.Join(root, filepath.FromSlash(dir)))
	}
	for _, name := range ProfileNames() {
		d := resolve(t, disk, name, Request{Dir: filepath.Join(root, "svc"), Root: root, Target: filepath.Join(root, "svc/x.go")})
		for _, e := range d.Entries {
			for dir := range folders {
				if strings.HasPrefix(e.Path, filepath.Join(root, dir)+"/") {
					t.Errorf("%s: %s out of a folder that cannot be listed", name, e.Path)
				}
			}
		}
		for dir, tool := range folders {
			if tool == name && !slices.ContainsFunc(d.Warnings, func(w Warning) bool {
				return w.Code == "unreadable-directory" && w.Path == filepath.Join(root, filepath.FromSlash(dir))
			}) {
				t.Errorf("%s: no warning of %s: %+v", name, dir, d.Warnings)
			}
		}
	}
	// Where the root itself cannot be listed, every profile still answers.
	disk.dirs = []string{root}
	for _, name := range ProfileNames() {
		resolve(t, disk, name, Request{Dir: root, Root: root, Target: filepath.Join(root, "x.go")})
	}
}
