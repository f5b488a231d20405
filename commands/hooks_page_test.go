package commands

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"foreword/promptbuilder/hooks"
	"foreword/workspace/config"
	"foreword/workspace/fsys"
)

// blocks lists the code blocks of a page that have this info string.
func blocks(t *testing.T, page, info string) []string {
	t.Helper()
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for i, part := range strings.Split(string(text), "\n```") {
		if body, ok := strings.CutPrefix(part, info+"\n"); ok && i%2 == 1 {
			all = append(all, body+"\n")
		}
	}
	if len(all) == 0 {
		t.Fatalf("%s has no block %q", page, info)
	}
	return all
}

// What docs/hooks.md shows is what foreword reads, and what its example prints.
func TestPageOfHooks(t *testing.T) {
	const page = "../docs/hooks.md"
	home := t.TempDir()
	path := filepath.Join(home, ".config", "foreword", "foreword.toml")
	for _, text := range blocks(t, page, "toml") {
		files := fsys.Overlay(fsys.Disk(), map[string]fsys.Buffer{path: {Path: path, Text: text}})
		c, problems := config.Load(files, home, func(string) string { return "" }, "", nil, false)
		if len(problems) != 0 || len(c.Sources)+len(c.Hooks)+len(c.ContextCommands) == 0 {
			t.Errorf("%v\n%s", problems, text)
		}
	}
	answers := blocks(t, page, "json answer")
	for _, text := range answers {
		if out, err := hooks.Parse([]byte(text)); err != nil || len(out.Add)+len(out.EditMessages)+len(out.Context) == 0 {
			t.Errorf("%v\n%s", err, text)
		}
	}
	input := blocks(t, page, "json input")[0]
	var in hooks.Input
	decoder := json.NewDecoder(strings.NewReader(input))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&in); err != nil {
		t.Errorf("%v\n%s", err, input)
	}
	if _, err := exec.LookPath("jq"); err != nil {
		return // the example needs it; everything else was looked at
	}
	must(t, os.MkdirAll(filepath.Join(home, "tickets"), 0o755))
	must(t, os.WriteFile(filepath.Join(home, "tickets", "T-42.md"), []byte("Carts must survive a restart.\n"), 0o600))
	run := func(input string) string {
		c := exec.Command("sh", "-c", blocks(t, page, "sh")[0])
		c.Env = append(os.Environ(), "HOME="+home)
		c.Stdin = strings.NewReader(input)
		out, err := c.Output()
		if err != nil {
			t.Fatal(err)
		}
		return string(out)
	}
	got, err := hooks.Parse([]byte(run(input)))
	want, _ := hooks.Parse([]byte(answers[0]))
	if err != nil || len(got.Add) != 1 || got.Add[0] != want.Add[0] {
		t.Errorf("the example prints %+v, %v", got, err)
	}
	if out := run(strings.ReplaceAll(input, "T-42", "main")); out != "" {
		t.Errorf("without a ticket it prints %s", out)
	}
}
