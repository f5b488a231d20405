package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestSkillsForPeople(t *testing.T) {
	root, injected := project(t)
	path := filepath.Join(root, ".agents", "skills", "release", "SKILL.md")
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte("---\nname: Release\ndescription: Makes a release.\n---\nRun it.\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		args   []string
		code   int
		out    []string
		failed string
	}{
		{[]string{"skills"}, exitDone, []string{"Release", "model-decides", ".agents/skills/release/SKILL.md", "Makes a release.", "SKILL.md:2: warning: the name"}, ""},
		{[]string{"skills", "Release"}, exitDone, []string{"Run it.", `name="Release"`}, ""},
		{[]string{"skills", "--json", "release"}, exitDone, []string{`"body": "Run it.\n"`}, ""},
		{[]string{"skills", "releese"}, exitUsage, nil, `did you mean "Release"`},
		{[]string{"__complete", "skills", ""}, exitDone, []string{"Release\tMakes a release.", ":4"}, ""},
		{[]string{"__complete", "skills", "Release", ""}, exitDone, []string{":4"}, ""},
	} {
		args := slices.Concat(c.args, injected)
		if c.args[0] == "__complete" { // the word to be completed comes last
			args = append(append([]string{"__complete"}, injected...), c.args[1:]...)
		}
		r := foreword(t, "", args...)
		if r.code != c.code || !strings.Contains(r.stderr, c.failed) {
			t.Errorf("%v: exit %d, %q", c.args, r.code, r.stderr)
		}
		for _, part := range c.out {
			if !strings.Contains(r.stdout, part) {
				t.Errorf("%v: output lacks %q:\n%s", c.args, part, r.stdout)
			}
		}
	}
}

func TestNoSkills(t *testing.T) {
	_, injected := project(t)
	if r := foreword(t, "", append([]string{"skills"}, injected...)...); r.code != exitDone || r.stdout != "no skills\n" {
		t.Errorf("exit %d, %q", r.code, r.stdout)
	}
}
