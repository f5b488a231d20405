package commands

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var listable = map[string]string{
	"AGENTS.md":                 "Use tabs.\n",
	"svc/AGENTS.md":             "Service.\n",
	"svc/main.go":               "package main\n",
	"web/cart.ts":               "1\n",
	"web/cart.test.ts":          "1\n",
	".cursor/rules/ts.mdc":      "---\ndescription: for scripts\nglobs: **/*.ts\n---\nRule.\n",
	".cursor/rules/choose.mdc":  "---\ndescription: when in doubt\n---\nRule.\n",
	".agents/skills/a/SKILL.md": "---\nname: a\ndescription: does a\n---\nBody.\n",
	"WARP.md":                   "Warp.\n",
}

func listedLines(r *ListInstructionsResult) []string {
	var out []string
	for _, f := range r.Files {
		out = append(out, strings.TrimSpace(fmt.Sprintf("%s %s %s %s %d %s", f.Path, f.Kind, f.Mode, f.Scope, f.Reach, strings.Join(f.Patterns, ","))))
	}
	return out
}

func TestListInstructions(t *testing.T) {
	r := newRepo(t, listable)
	got := run[ListInstructionsResult](t, r.open(), "foreword.instructions.list", ListInstructionsParams{})
	want := []string{
		".agents/skills/a/SKILL.md skill model-decides . 9",
		".cursor/rules/choose.mdc rule model-decides . 9",
		".cursor/rules/ts.mdc rule auto-attached . 2 **/*.ts",
		"AGENTS.md agents always . 9",
		"WARP.md other always . 9",
		"svc/AGENTS.md agents always svc 2",
	}
	if diff := cmp.Diff(want, listedLines(got)); diff != "" {
		t.Errorf("files (-want +got):\n%s", diff)
	}
	sum := 0
	for _, f := range got.Files {
		sum += f.Tokens
		if f.Tokens <= 0 || f.Bytes <= 0 || len(f.Tools) == 0 || f.URI != r.uri(f.Path) {
			t.Errorf("%+v", f)
		}
	}
	if got.Tokens != sum || got.Counter == "" {
		t.Errorf("%d tokens by %q, want %d", got.Tokens, got.Counter, sum)
	}
	byPath := map[string]ListedInstruction{}
	for _, f := range got.Files {
		byPath[f.Path] = f
	}
	if tools := strings.Join(byPath["AGENTS.md"].Tools, " "); !strings.Contains(tools, "codex") || !strings.Contains(tools, "foreword") || strings.Contains(tools, "gemini-cli") {
		t.Errorf("AGENTS.md is sent by %s", tools)
	}
	if tools := strings.Join(byPath["WARP.md"].Tools, " "); tools != "warp" {
		t.Errorf("WARP.md is sent by %s", tools)
	}
	if d := byPath[".agents/skills/a/SKILL.md"].Description; d != "does a" {
		t.Errorf("the skill is described as %q", d)
	}
}

func TestListSomeOfIt(t *testing.T) {
	r := newRepo(t, listable)
	s := r.open()
	r.edit(s, "svc/AGENTS.md", "Service, and much more than before.\n")
	got := run[ListInstructionsResult](t, s, "foreword.instructions.list", ListInstructionsParams{Folder: r.uri("svc"), Profile: "gemini-cli"})
	if len(got.Files) != 1 || got.Files[0].Path != "svc/AGENTS.md" || !got.Files[0].Dirty || len(got.Files[0].Tools) != 0 || got.Files[0].Mode != "" {
		t.Errorf("%+v", got.Files)
	}
	if _, err := try[ListInstructionsResult](t, s, "foreword.instructions.list", ListInstructionsParams{Profile: "nobody"}); err == nil {
		t.Error("an unknown profile is accepted")
	}
}

// What the settings name is listed with its state, wherever it lies.
func TestListConfiguredInstructions(t *testing.T) {
	r := newRepo(t, map[string]string{
		"AGENTS.md": "A", "CLAUDE.md": "C", "docs/x.md": "X", "a.go": "",
		"foreword.toml": "[instructions]\notherTools = false\nfiles = [\"docs/*.md\", \"gone.md\", \"~/x.md\", \"https://example.com/x.md\"]\n",
	})
	got := run[ListInstructionsResult](t, r.open(), "foreword.instructions.list", ListInstructionsParams{})
	var lines []string
	for _, f := range got.Files {
		lines = append(lines, fmt.Sprintf("%s %s %s %d", f.Path, f.Kind, f.State, f.Reach))
		if f.Why == "" {
			t.Errorf("%s says no reason", f.Path)
		}
	}
	want := []string{
		"AGENTS.md agents sent 5", "CLAUDE.md claude excluded 5", "docs/x.md config sent 5", "gone.md config unreadable 5",
		"~/x.md config needs-trust 5", "https://example.com/x.md url needs-trust 5",
	}
	if diff := cmp.Diff(want, lines); diff != "" {
		t.Error(diff)
	}
	if why := got.Files[1].Why; !strings.Contains(why, "instructions.otherTools is off (workspace ") || !strings.Contains(why, "foreword.toml:2)") {
		t.Error(why)
	}
	if uri := got.Files[5].URI; uri != "https://example.com/x.md" {
		t.Error(uri)
	}
}
