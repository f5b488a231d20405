package config

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Files and folders that the settings name keep who named them, and relative
// ones begin at the file that does.
func TestContextOfTheSettings(t *testing.T) {
	p := newPlace(t)
	p.user(`[agent]
folder = "~/assistant"
[context]
files = ["~/notes/*.md", "style.md"]
tokens = 99
[[references]]
name = "zlib"
path = "~/src/zlib"
description = """The library,
as we use it."""
`)
	p.workspace(`[agent]
folder = "/elsewhere"
[context]
files = ["docs/**/*.md"]
[[references]]
name = "api"
path = "../api"
[[references]]
name = "zlib"
path = "x"
[[references]]
path = "x"
[[references]]
name = "no path"
path = "x"
[[references]]
name = "none"
[[references]]
name = "more"
path = "x"
url = "https://example.com"
`)
	c, problems := p.load(map[string]any{"context.files": []any{"todo.txt"}, "references": []any{map[string]any{"name": "x", "path": "/x"}}}, false)
	userDir, root := filepath.Join(p.home, ".config/foreword"), p.root
	want := Context{Tokens: 99, Files: []Named{
		{Item: "~/notes/*.md", Base: userDir, Origin: "user ~/.config/foreword/foreword.toml:4", Path: filepath.Join(userDir, FileName), Line: 4, User: true},
		{Item: "style.md", Base: userDir, Origin: "user ~/.config/foreword/foreword.toml:4", Path: filepath.Join(userDir, FileName), Line: 4, User: true},
		{Item: "docs/**/*.md", Base: root, Origin: "workspace ~/work/foreword.toml:4", Path: filepath.Join(root, FileName), Line: 4},
		{Item: "todo.txt", Base: root, Origin: "editor"},
	}}
	if diff := cmp.Diff(want, c.Context); diff != "" {
		t.Errorf("context (-want +got):\n%s", diff)
	}
	if c.AgentFolder != filepath.Join(p.home, "assistant") {
		t.Errorf("the assistant's folder is %q", c.AgentFolder)
	}
	var got []string
	for _, r := range c.References {
		got = append(got, fmt.Sprintf("%s %s %q %v %d", r.Name, r.Path, r.Description, r.Workspace, r.Line))
	}
	wanted := []string{
		fmt.Sprintf("zlib %s \"The library, as we use it.\" false 6", filepath.Join(p.home, "src/zlib")),
		fmt.Sprintf("api %s \"\" true 5", filepath.Join(filepath.Dir(root), "api")),
	}
	if diff := cmp.Diff(wanted, got); diff != "" {
		t.Errorf("references (-want +got):\n%s", diff)
	}
	for _, part := range []string{"agent.folder cannot be set by a workspace", "(zlib) is left out: that name is declared before", "has no name", `has the name "no path"`, "(none) has no path", `has the unknown key "url"`, "references is read from foreword.toml alone"} {
		if !strings.Contains(strings.Join(problems, "\n"), part) {
			t.Errorf("no problem says %q:\n%s", part, strings.Join(problems, "\n"))
		}
	}
	if len(problems) != 7 {
		t.Errorf("%d problems: %q", len(problems), problems)
	}
}

func TestContextFilesAreNoAddresses(t *testing.T) {
	for _, item := range []string{"", "  ", "https://example.com/x", "a\x00b"} {
		if contextFile("ok.md") != nil || contextFile(item) == nil {
			t.Errorf("%q is taken", item)
		}
	}
}
