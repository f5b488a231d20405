package config

import (
	"path/filepath"
	"reflect"
	"testing"
)

// The lists of instructions.files add up, the user's first, and each item knows who names it and from where.
func TestInstructionFilesKnowWhoNamesThem(t *testing.T) {
	p := newPlace(t)
	p.user("[instructions]\nfiles = [\"style.md\", \"https://example.com/a.md\"]\n")
	p.workspace("\ninstructions.files = [\"docs/*.md\"]\n")
	c, problems := p.load(map[string]any{"instructions": map[string]any{"files": []any{"more.md"}}}, false)
	if len(problems) > 0 {
		t.Error(problems)
	}
	user, workspace := filepath.Join(p.home, ".config/foreword"), p.root
	want := []Named{
		{"style.md", user, "user ~/.config/foreword/foreword.toml:2", filepath.Join(user, FileName), 2, true},
		{"https://example.com/a.md", user, "user ~/.config/foreword/foreword.toml:2", filepath.Join(user, FileName), 2, true},
		{"docs/*.md", workspace, "workspace ~/work/foreword.toml:2", filepath.Join(workspace, FileName), 2, false},
		{"more.md", workspace, "editor", "", 0, false},
	}
	if !reflect.DeepEqual(c.Instructions.Files, want) {
		t.Errorf("got  %+v\nwant %+v", c.Instructions.Files, want)
	}
	value := Value{filesKey, []string{"style.md", "https://example.com/a.md", "docs/*.md", "more.md"},
		"user ~/.config/foreword/foreword.toml:2, workspace ~/work/foreword.toml:2, editor"}
	if got := c.value(filesKey); !reflect.DeepEqual(got, value) {
		t.Errorf("%+v", got)
	}
}

// A bad item of a list costs itself alone; a list that has no other counts as not set, and a command stays whole.
func TestABadItemCostsItselfAlone(t *testing.T) {
	p := newPlace(t)
	p.user(`instructions.names = ["OURS.md", "../x", "AGENTS.md"]
commands.keepEnv = ["A", 1]
contextCommand = ["git", 5]
`)
	p.workspace(`exclude = ["a", 5, "b"]
instructions.names = [".."]
instructions.files = ["style.md", "http://x/y.md", "https://me:secret@x/y.md", "docs/*.md"]
context.files = ["", "plan.md"]
`)
	c, problems := p.load(map[string]any{"context": map[string]any{"files": []any{false, "todo.txt"}}}, false)
	items := func(list []Named) (names []string) {
		for _, n := range list {
			names = append(names, n.Item)
		}
		return names
	}
	for what, pair := range map[string][2][]string{
		"names":         {c.Instructions.Names, {"OURS.md", "AGENTS.md"}},
		"exclude":       {c.Exclude, {"a", "b"}},
		"files":         {items(c.Instructions.Files), {"style.md", "docs/*.md"}},
		"context.files": {items(c.Context.Files), {"plan.md", "todo.txt"}},
		"keepEnv":       {c.Commands.KeepEnv, {"A"}},
	} {
		if !reflect.DeepEqual(pair[0], pair[1]) {
			t.Errorf("%s is %q, want %q", what, pair[0], pair[1])
		}
	}
	if len(c.ContextCommands) > 0 {
		t.Errorf("half a command runs: %+v", c.ContextCommands)
	}
	want := []string{
		`.config/foreword/foreword.toml:1 instructions.names must hold file names without folders, not "../x"; item 2 alone is left out`,
		`.config/foreword/foreword.toml:2 commands.keepEnv must be a list of strings, but its item 2 is an integer; item 2 alone is left out`,
		`.config/foreword/foreword.toml:3 contextCommand must be a list of strings, but its item 2 is an integer`,
		`work/foreword.toml:1 exclude must be a list of strings, but its item 2 is an integer; item 2 alone is left out`,
		`work/foreword.toml:2 instructions.names must hold file names without folders, not ".."; item 1 alone is left out`,
		`work/foreword.toml:3 instructions.files may hold https addresses alone, not "http://x/y.md"; item 2 alone is left out`,
		`work/foreword.toml:3 instructions.files must hold addresses like https://example.com/rules.md, without a name or password before the host; item 3 alone is left out`,
		`work/foreword.toml:4 context.files must hold paths and patterns, not ""; item 1 alone is left out`,
		`editor:0 context.files must be a list of strings, but its item 1 is a boolean; item 1 alone is left out`,
	}
	if !reflect.DeepEqual(problems, want) {
		t.Errorf("got  %q\nwant %q", problems, want)
	}
}
