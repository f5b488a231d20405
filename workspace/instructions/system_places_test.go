package instructions

import (
	"path/filepath"
	"runtime"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"foreword/workspace/fsys"
)

// TestSystemPlaces holds what tools read at places of the system, which no test
// may write: open buffers stand in for the files.
func TestSystemPlaces(t *testing.T) {
	managed := map[string]string{
		"linux": "/etc/claude-code/CLAUDE.md", "darwin": "/Library/Application Support/ClaudeCode/CLAUDE.md", "windows": `C:\Program Files\ClaudeCode\CLAUDE.md`,
	}[runtime.GOOS]
	root := lay(t, map[string]string{"w/CLAUDE.md": "root\n", "w/x.go": "", "home/.claude/CLAUDE.md": "user\n"})
	dir := filepath.Join(root, "w")
	request := func(settings Settings) Request {
		return Request{Root: dir, Dir: dir, Home: filepath.Join(root, "home"), Settings: settings}
	}
	sent := func(files fsys.FS, profile string, settings Settings) []string {
		var out []string
		for _, e := range resolve(t, files, profile, request(settings)).Sent() {
			out = append(out, Display(dir, filepath.Join(root, "home"), e.Path))
		}
		return out
	}
	with := func(paths ...string) fsys.FS {
		buffers := map[string]fsys.Buffer{}
		for _, path := range paths {
			buffers[path] = fsys.Buffer{Path: path, Text: "---\ntrigger: always_on\n---\nmanaged " + path + "\n"}
		}
		return fsys.Overlay(fsys.Disk(), buffers)
	}
	if managed != "" {
		files := with(managed)
		want := []string{filepath.ToSlash(managed), "~/.claude/CLAUDE.md", "CLAUDE.md"}
		if diff := cmp.Diff(want, sent(files, "claude-code", nil)); diff != "" {
			t.Errorf("the managed file comes first (-want +got):\n%s", diff)
		}
		if diff := cmp.Diff(want[:1], sent(files, "claude-code", Settings{"claudeMdExcludes": []any{"**/CLAUDE.md"}})); diff != "" {
			t.Errorf("the managed file cannot be excluded (-want +got):\n%s", diff)
		}
		if diff := cmp.Diff(want[:1], sent(files, "claude-code", Settings{"instructionFiles": "managed-only"})); diff != "" {
			t.Errorf("managed only (-want +got):\n%s", diff)
		}
	}
	if runtime.GOOS != "linux" {
		return
	}
	if got := sent(with("/etc/windsurf/rules/all.md"), "windsurf", nil); !slices.Contains(got, "/etc/windsurf/rules/all.md") {
		t.Errorf("windsurf: %v", got)
	}
	d := resolve(t, with("/etc/codex/skills/all/SKILL.md"), "codex", request(nil))
	if len(d.Sent()) != 0 || !slices.ContainsFunc(d.Entries, func(e Entry) bool { return e.Path == "/etc/codex/skills/all/SKILL.md" && e.Personal }) {
		t.Errorf("codex: %v", summary(d))
	}
}
