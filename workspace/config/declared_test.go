package config

import (
	"fmt"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"
)

func TestSourcesAndHooks(t *testing.T) {
	p := newPlace(t)
	p.user(`contextCommand = ["user-context", "-v"]
[commands]
keepEnv = ["GH_*"]
[[sources]]
key = "notes/today"
file = "~/notes/today.md"
layer = "cacheable"
title = "Notes of the day"
update = "Now: {text}"
removal = "No more notes."

[[hooks]]
name = "team"
at = ["messages", "system"]
command = ["team-hook"]
stable = true
timeout = 20
`)
	p.workspace(`contextCommand = ["./ctx.sh"]
[[sources]]
key = "ci/state"
command = ["./ci.sh", "a b"]
timeout = 5
[[sources]]
key = "notes/today"
file = "x"
[[hooks]]
name = "lint"
at = "compacting"
command = ["./lint.sh"]
`)
	c, problems := p.load(nil, false)
	user := func(line int) Declared {
		return Declared{Path: filepath.Join(p.home, ".config/foreword/foreword.toml"), Line: line, Origin: fmt.Sprintf("user ~/.config/foreword/foreword.toml:%d", line)}
	}
	work := func(line int) Declared {
		return Declared{Workspace: true, Path: filepath.Join(p.root, "foreword.toml"), Line: line, Origin: fmt.Sprintf("workspace ~/work/foreword.toml:%d", line)}
	}
	want := Config{
		ContextCommands: []ContextCommand{{[]string{"user-context", "-v"}, user(1)}, {[]string{"./ctx.sh"}, work(1)}},
		Sources: []Source{
			{Key: "notes/today", Layer: "cacheable", Title: "Notes of the day", File: filepath.Join(p.home, "notes/today.md"), Update: "Now: {text}", Removal: "No more notes.", Declared: user(4)},
			{Key: "ci/state", Layer: "dynamic", Title: "ci/state", Command: []string{"./ci.sh", "a b"}, Timeout: 5 * time.Second, Declared: work(2)},
		},
		Hooks: []Hook{
			{Name: "team", At: []string{"system", "messages"}, Command: []string{"team-hook"}, Stable: true, Timeout: 20 * time.Second, Declared: user(12)},
			{Name: "lint", At: []string{"compacting"}, Command: []string{"./lint.sh"}, Declared: work(9)},
		},
	}
	if !reflect.DeepEqual(c.ContextCommands, want.ContextCommands) || !reflect.DeepEqual(c.Sources, want.Sources) || !reflect.DeepEqual(c.Hooks, want.Hooks) {
		t.Errorf("%+v\n%+v\n%+v", c.ContextCommands, c.Sources, c.Hooks)
	}
	if !reflect.DeepEqual(c.Commands.KeepEnv, []string{"GH_*"}) {
		t.Errorf("%+v", c.Commands)
	}
	if len(problems) != 1 || !strings.Contains(problems[0], "foreword.toml:6 a table of [[sources]] (notes/today) is left out: that key is declared before, by user ~/.config") {
		t.Errorf("%q", problems)
	}
	if v := c.value("sources"); !reflect.DeepEqual(v.Value, []string{"notes/today", "ci/state"}) || !strings.HasSuffix(v.Origin, "workspace ~/work/foreword.toml:2") {
		t.Errorf("%+v", v)
	}
}

// A table that is wrong costs itself, and says what is wrong with it.
func TestTablesThatAreWrong(t *testing.T) {
	source := func(rest string) string { return "[[sources]]\nkey = \"a/b\"\n" + rest }
	hook := func(rest string) string { return "[[hooks]]\nname = \"h\"\n" + rest }
	for _, c := range []struct{ text, want string }{
		{"[[sources]]\nfile = \"x\"", "has no key"},
		{"[[sources]]\nkey = \"plain\"\nfile = \"x\"", "want a namespace"},
		{"[[sources]]\nkey = \"a/b c\"\nfile = \"x\"", "want a namespace"},
		{"[[sources]]\nkey = \"a/b\\nc\"\nfile = \"x\"", "want a namespace"},
		{"[[sources]]\nkey = \"core/date\"\nfile = \"x\"", "for foreword's own sources"},
		{"[[sources]]\nkey = 3\nfile = \"x\"", "has a wrong key: it is an integer"},
		{source(""), "one of file, glob, url and command, and has 0"},
		{source("file = \"x\"\nurl = \"https://x/y\""), "has 2 of them"},
		{source("file = \"x\"\nlayer = \"fast\""), "want core, cacheable, dynamic"},
		{source("file = \"x\"\ntitle = \"a\\nb\""), "one line"},
		{source("file = \"x\\u0000\""), "NUL"},
		{source("file = \"x\"\ncolour = \"red\""), "unknown key \"colour\""},
		{source("url = \"http://x/y\""), "no address like"},
		{source("url = \"https://u:p@x/y\""), "no address like"},
		{source("command = \"git log\""), "since no shell reads it"},
		{source("command = [\"\"]"), "begin with the name of a program"},
		{source("command = [\"a\", \"\\u0000\"]"), "NUL"},
		{source("command = [\"a\"]\ntimeout = 0"), "seconds from 1 to 60"},
		{source("command = [\"a\"]\ntimeout = 61"), "seconds from 1 to 60"},
		{source("command = [\"a\"]\ntimeout = 9223372036854775807"), "seconds from 1 to 60"},
		{"[[hooks]]\nat = \"system\"\ncommand = [\"x\"]", "has no name"},
		{hook("command = [\"x\"]"), "does not say when it runs"},
		{hook("at = \"start\"\ncommand = [\"x\"]"), "runs at \"start\""},
		{hook("at = 3\ncommand = [\"x\"]"), "has a wrong at: it is an integer"},
		{hook("at = \"system\""), "has no command"},
		{hook("at = \"system\"\ncommand = [\"x\"]\nstable = \"yes\""), "want true or false"},
		{hook("at = \"system\"\ncommand = [\"x\"]\n") + "\n" + hook("at = \"system\"\ncommand = [\"x\"]"), "declared before"},
		{"[hooks]\nname = \"h\"", "each begun with [[hooks]]"},
		{"hooks = \"x\"", "each begun with [[hooks]]"},
		{"hooks = [1]", "each begun with [[hooks]]"},
		{"contextCommand = \"git log\"", "must be a list of strings"},
		{"contextCommand = [\" \"]", "begin with the name of a program"},
		{"context_cmd = [\"x\"]", "did you mean contextCommand"},
	} {
		p := newPlace(t)
		p.user(c.text + "\n[[sources]]\nkey = \"z/z\"\nfile = \"z\"\n")
		config, problems := p.load(nil, true)
		if len(problems) == 0 || !strings.Contains(problems[0], c.want) {
			t.Errorf("%s\n%q, want %q", c.text, problems, c.want)
		}
		if len(config.Sources) != 1 || config.Sources[0].Key != "z/z" {
			t.Errorf("%s\nthe table after it is gone: %+v", c.text, config.Sources)
		}
	}
}

// Nothing that an editor sends makes a program run.
func TestEditorDeclaresNothing(t *testing.T) {
	p := newPlace(t)
	c, problems := p.load(map[string]any{
		"hooks":          []any{map[string]any{"name": "x", "at": "system", "command": []any{"x"}}},
		"sources":        []any{},
		"contextCommand": []any{"touch", "PWNED"},
		"commands":       map[string]any{"keepEnv": []any{"*"}},
	}, true)
	if len(c.Hooks)+len(c.Sources)+len(c.ContextCommands)+len(c.Commands.KeepEnv) != 0 || len(problems) != 3 {
		t.Errorf("%+v\n%q", c, problems)
	}
}

// A file of tables without end is not a flood.
func TestManyTables(t *testing.T) {
	var text strings.Builder
	for i := range 1000 {
		fmt.Fprintf(&text, "[[sources]]\nkey = \"a/%d\"\nfile = \"x\"\n", i)
	}
	p := newPlace(t)
	p.workspace(text.String())
	if c, problems := p.load(nil, false); len(c.Sources) != 2*maxTables || len(problems) != maxProblems {
		t.Errorf("%d sources, %d problems", len(c.Sources), len(problems))
	}
}
