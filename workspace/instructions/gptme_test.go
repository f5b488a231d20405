package instructions

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"foreword/workspace/fsys"
)

// gptmeTree lays out what the vectors of gptme's walk have in common.
func gptmeTree(t *testing.T, more map[string]string) string {
	t.Helper()
	files := map[string]string{
		"AGENTS.md": "above home", "home/AGENTS.md": "h", "home/.cursorrules": "hc", "home/code/CLAUDE.md": "c",
		"home/code/proj/AGENTS.md": "pa", "home/code/proj/COPILOT.md": "pc", "home/code/proj/GEMINI.md": "pg",
		"home/code/proj/.github/copilot-instructions.md": "pi", "home/code/proj/.windsurfrules": "pw",
		"home/code/proj/sub/AGENTS.md": "s", "home/.config/gptme/AGENTS.md": "u",
		"out/side/AGENTS.md": "o", "out/side/deep/x.py": "",
	}
	for name, text := range more {
		files[name] = text
		if text == "" {
			delete(files, name)
		}
	}
	return lay(t, files)
}

// TestGptmeVectors holds what gptme answered when it was run on such trees,
// faults included; where it stopped with an error, the file is repaired here.
func TestGptmeVectors(t *testing.T) {
	proj := []string{
		"home/AGENTS.md", "home/.cursorrules", "home/code/CLAUDE.md", "home/code/proj/AGENTS.md", "home/code/proj/COPILOT.md", "home/code/proj/GEMINI.md",
		"home/code/proj/.github/copilot-instructions.md", "home/code/proj/.windsurfrules",
	}
	user := []string{"home/.config/gptme/AGENTS.md"}
	sub := append(slices.Clone(proj), "home/code/proj/sub/AGENTS.md")
	context := map[string]string{"home/code/proj/sub/README.md": "r", "home/code/proj/sub/Makefile": "m", "home/code/proj/sub/pyproject.toml": "p"}
	selected := []string{"home/code/proj/sub/README.md", "home/code/proj/sub/pyproject.toml", "home/code/proj/sub/Makefile"}
	own := map[string]string{
		"home/own/z.md": "z", "home/own/a.md": "a", "home/own/README.md": "r", "home/own/AGENTS.md": "oa", "home/own/CLAUDE.md": "oc",
		"home/own/gptme.toml": "files = [\"*.md\", \"AGENTS.md\"]\nexclude = [\"z*\"]\n",
	}
	alone := Settings{"include_user_context": false}
	for _, c := range []struct {
		name, cwd string
		more      map[string]string
		settings  Settings
		want      []string
	}{
		{name: "A1: every name from home down, and none above home", cwd: "home/code/proj", want: slices.Concat(user, proj)},
		{name: "A2: a folder of the project", cwd: "home/code/proj/sub", want: slices.Concat(user, sub)},
		{name: "A3: what is told already is left out, by its real path", cwd: "home/code/proj", more: map[string]string{"home/.config/gptme/AGENTS.md": "->../../code/proj/AGENTS.md"}, want: slices.Concat(user, slices.DeleteFunc(slices.Clone(proj), func(p string) bool { return p == "home/code/proj/AGENTS.md" }))},
		{name: "A4: outside home, from below the root of the disk", cwd: "out/side/deep", want: slices.Concat(user, []string{"AGENTS.md", "out/side/AGENTS.md"})},
		{name: "A5: home itself", cwd: "home", want: slices.Concat(user, []string{"home/AGENTS.md", "home/.cursorrules"})},
		{name: "A7: two links to one file are both listed", cwd: "home/code/proj/sub", more: map[string]string{"home/code/proj/sub/CLAUDE.md": "->AGENTS.md"}, want: slices.Concat(user, sub, []string{"home/code/proj/sub/CLAUDE.md"})},
		{name: "A8: context by the patterns that hold where none are set", cwd: "home/code/proj/sub", more: context, want: slices.Concat(user, sub, selected)},
		{name: "A9: without the user's context no agent file at all", cwd: "home/code/proj/sub", more: context, settings: alone, want: selected},
		{name: "A10: files and exclude, without the user's context", cwd: "home/own", more: own, settings: alone, want: []string{"home/own/README.md", "home/own/AGENTS.md", "home/own/CLAUDE.md", "home/own/a.md"}},
		{name: "A10: with it, agent files are no context", cwd: "home/own", more: own, want: slices.Concat(user, []string{"home/AGENTS.md", "home/.cursorrules", "home/own/AGENTS.md", "home/own/CLAUDE.md", "home/own/README.md", "home/own/a.md"})},
		{name: "A11: an empty list of files", cwd: "home/code/proj/sub", more: context, settings: Settings{"include_user_context": false, "files": []any{}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			tree := gptmeTree(t, c.more)
			d := resolve(t, fsys.Disk(), "gptme", Request{Root: filepath.Join(tree, c.cwd), Dir: filepath.Join(tree, c.cwd), Home: filepath.Join(tree, "home"), Settings: c.settings})
			if diff := cmp.Diff(c.want, sentIn(tree, d)); diff != "" {
				t.Errorf("sent (-want +got):\n%s", diff)
			}
		})
	}
}

// TestGptmeBadFiles holds A12 and A13: a file that stopped gptme costs a
// warning, and a directory of the name is named to the model as if it were one.
func TestGptmeBadFiles(t *testing.T) {
	tree := gptmeTree(t, map[string]string{"home/code/proj/CLAUDE.md": "bad \xff\xfe bytes"})
	proj := filepath.Join(tree, "home/code/proj")
	must(t, os.WriteFile(filepath.Join(proj, "AGENTS.md"), []byte("\xff\xfe\x00\x00 bad"), 0o644))
	must(t, os.Remove(filepath.Join(proj, "COPILOT.md")))
	must(t, os.Mkdir(filepath.Join(proj, "COPILOT.md"), 0o755))
	for _, profile := range []string{"gptme", Own} {
		d := resolve(t, fsys.Disk(), profile, Request{Root: proj, Dir: proj, Home: filepath.Join(tree, "home")})
		entries := map[string]Entry{}
		for _, e := range d.Entries {
			entries[Display(proj, "", e.Path)] = e
		}
		if e := entries["CLAUDE.md"]; !e.Sent || e.Body != "bad \uFFFD\uFFFD bytes" {
			t.Errorf("%s: not repaired: %+v", profile, e)
		}
		if e := entries["AGENTS.md"]; e.State != Unreadable {
			t.Errorf("%s: not told as unreadable: %+v", profile, e)
		}
		want := Listed
		if profile == Own {
			want = Unreadable
		}
		if e := entries["COPILOT.md"]; e.State != want || e.Sent {
			t.Errorf("%s: a directory: %+v", profile, e)
		}
		var codes []string
		for _, w := range d.Warnings {
			codes = append(codes, w.Code)
		}
		if !slices.Contains(codes, "invalid-utf8") || !slices.Contains(codes, "encoding-utf16") {
			t.Errorf("%s: warnings %v", profile, codes)
		}
	}
}

// TestOwnLacksTheFaultsOfGptme holds that a file with two names is sent once.
func TestOwnLacksTheFaultsOfGptme(t *testing.T) {
	tree := gptmeTree(t, map[string]string{"home/code/proj/sub/CLAUDE.md": "->AGENTS.md"})
	sub := filepath.Join(tree, "home/code/proj/sub")
	d := discover(t, fsys.Disk(), Request{Root: filepath.Dir(sub), Dir: sub, Home: filepath.Join(tree, "home")})
	if text := strings.Join(sentIn(tree, d), " "); strings.Contains(text, "sub/CLAUDE.md") || !strings.Contains(text, "sub/AGENTS.md") {
		t.Errorf("sent %s", text)
	}
	for _, path := range sentIn(tree, d) {
		if path == "home/AGENTS.md" || path == "AGENTS.md" {
			t.Errorf("%s lies above the repository", path)
		}
	}
}
