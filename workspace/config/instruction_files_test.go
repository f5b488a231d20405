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
