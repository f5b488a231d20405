package instructions

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"foreword/workspace/fsys"
)

// TestToolFromData holds that a tool without a new kind of rule needs a data
// file and nothing else.
func TestToolFromData(t *testing.T) {
	p, err := ParseProfile([]byte(`
name = "acme"
title = "Acme"
newest = "3.0"
same = "real-path"
[rule]
versions = ">=1"
source = "https://acme.example/docs"
checked = "2026-11-30"
[frame]
before = "# {path}\n"
join = "\n"
[[step]]
id = "user"
personal = true
why = "your own"
[step.files]
paths = ["${ACME_HOME:-~/.acme}/ACME.md"]
[[step]]
id = "project"
cap_bytes = 10
[step.walk]
from = "marker"
markers = ["acme.toml"]
names = ["ACME.md"]
below = "on-read"
[[step]]
id = "rules"
[step.rules]
dirs = [".acme"]
suffixes = [".md"]
reader = "yaml"
globs = ["for"]
split = "comma"
dialect = "minimatch"
absent = "manual"
body = true
`))
	must(t, err)
	root := lay(t, map[string]string{
		"acme.toml": "", "ACME.md": "0123456789ABC", "sub/ACME.md": "S", "sub/x.go": "",
		".acme/go.md": "---\nfor: \"**/*.go\"\n---\nGo rule", ".acme/all.md": "no header", "home/.acme/ACME.md": "U",
	})
	req := Request{Target: filepath.Join(root, "sub/x.go"), Dir: filepath.Join(root, "sub"), Root: root, Home: filepath.Join(root, "home")}
	d, err := Resolve(t.Context(), fsys.Disk(), p, req)
	must(t, err)
	want := []string{
		"1 home/.acme/ACME.md sent", "2 ACME.md truncated", "3 .acme/go.md sent",
		"0 sub/ACME.md on-read", "0 .acme/all.md manual",
	}
	if diff := cmp.Diff(want, summary(d)); diff != "" {
		t.Errorf("entries (-want +got):\n%s", diff)
	}
	if text := p.Text(d, req.Home); text != "# home/.acme/ACME.md\nU\n# ACME.md\n0123456789\n# .acme/go.md\nGo rule" {
		t.Errorf("text:\n%s", text)
	}
	if cut := d.Entries[1].Cut; cut == nil || cut.Byte != 10 || cut.Line != 0 {
		t.Errorf("cut at %+v", cut)
	}
	req.Event = Event{Kind: "read", Path: req.Target}
	d, err = Resolve(t.Context(), fsys.Disk(), p, req)
	must(t, err)
	for _, e := range d.Entries {
		if Display(root, "", e.Path) == "sub/ACME.md" && e.Sent {
			t.Error("the budget of the step was used up before the read, and yet the file is sent")
		}
	}
}

func TestProfilesAreRefusedWithAReason(t *testing.T) {
	good := "name = \"a\"\ntitle = \"A\"\n[rule]\nsource = \"s\"\nchecked = \"2026-11-30\"\n"
	for text, part := range map[string]string{
		"":                              "want name and title",
		"name = \"a\"\ntitle = \"A\"\n": "rule.source",
		good + "[[step]]\nid = \"x\"\n": "exactly one of",
		good + "[[step]]\n[step.walk]\nfrom = \"moon\"\n": "step[0].walk.from",
		"nmae = \"a\"\n": "nmae",
		"name = [":       "not a profile",
	} {
		if _, err := ParseProfile([]byte(text)); err == nil || !strings.Contains(err.Error(), part) {
			t.Errorf("%q: got %v, want %q", text, err, part)
		}
	}
}

// TestEveryProfileSaysWhereItComesFrom holds that no rule stands without its
// source and day.
func TestEveryProfileSaysWhereItComesFrom(t *testing.T) {
	names := ProfileNames()
	if len(names) < 22 || names[0] != Own {
		t.Fatalf("profiles: %v", names)
	}
	for _, name := range names {
		p, ok, err := LookupProfile(name)
		if err != nil || !ok {
			t.Fatalf("%s: %v", name, err)
		}
		if p.Name != name || p.Newest == "" || p.Rule.Versions == "" || len(p.Rule.Checked) != len("2026-11-30") || len(p.Steps) == 0 {
			t.Errorf("%s is incomplete: %+v", name, p.Rule)
		}
		ids := map[string]bool{}
		for _, s := range p.Steps {
			if s.ID == "" || ids[s.ID] {
				t.Errorf("%s: a step without an id of its own: %q", name, s.ID)
			}
			ids[s.ID] = true
			for _, earlier := range s.UnlessStep {
				if !ids[earlier] {
					t.Errorf("%s: step %s waits for %s, which does not stand before it", name, s.ID, earlier)
				}
			}
		}
	}
}

func TestVersions(t *testing.T) {
	for _, c := range []struct {
		version, constraint string
		want                bool
	}{
		{"2.1.277", ">=2.1.277", true}, {"2.1.241", ">=2.1.277", false}, {"2.2", ">=2.1.277", true},
		{"1.18.33", "<2", true}, {"2.0.0", "<2", false}, {"", "<2", false}, {"", ">=2", true}, {"v1.2-beta", "=1.2", true},
		{"1.5", ">=1,<2", true}, {"3", "*", true}, {"3", "", true}, {"1.10", ">1.9", true},
	} {
		if got := inVersions(c.version, c.constraint); got != c.want {
			t.Errorf("inVersions(%q, %q) = %v", c.version, c.constraint, got)
		}
	}
}
