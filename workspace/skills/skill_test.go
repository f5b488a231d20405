package skills

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"foreword/workspace/fsys"
	"foreword/workspace/instructions"
)

func fileOf(text string) *fsys.File { return &fsys.File{Text: text, Hash: fsys.HashOf(text)} }

// A header is read as its author meant it, and what the specification has
// against it is told with its place.
func TestRead(t *testing.T) {
	long := strings.Repeat("ö", MaxDescription+1)
	tests := []struct {
		name, text string
		want       Header
		faults     []string // code line:column-end
	}{
		{"plain", "---\nname: pdf\ndescription: Reads PDFs.\n---\n# Body\n",
			Header{Name: "pdf", Description: "Reads PDFs.", Body: "# Body\n", BodyLine: 4}, nil},
		{"all keys", "---\nname: pdf\ndescription: >\n  Reads\n  PDFs.\nlicense: MIT\ncompatibility: needs git\nallowed-tools: Bash(git add:*), Read Write\nmetadata:\n  a: b\n---\n",
			Header{Name: "pdf", Description: "Reads PDFs.", License: "MIT", Compatibility: "needs git", AllowedTools: []string{"Bash(git add:*)", "Read", "Write"}, BodyLine: 11}, nil},
		{"tools as a list", "---\nname: pdf\ndescription: d\nallowed-tools: [Read, \"Bash(a, b)\"]\n---\n",
			Header{Name: "pdf", Description: "d", AllowedTools: []string{"Read", "Bash(a, b)"}, BodyLine: 5}, nil},
		{"byte order mark and carriage returns", "---\r\nname: pdf\r\ndescription: d\r\n---\r\nx\r\n",
			Header{Name: "pdf", Description: "d", Body: "x\r\n", BodyLine: 4}, nil},
		{"no header", "Just text.\n",
			Header{Name: "pdf", Body: "Just text.\n"}, []string{"skill-name-invalid 0:0-10", "skill-description-missing 0:0-10"}},
		{"a colon without quotes", "---\nname: pdf\ndescription: Use when: asked\n---\nx\n",
			Header{Name: "pdf", Description: "Use when: asked", Body: "x\n", BodyLine: 4}, []string{"yaml-unquoted-colon 2:13-28"}},
		{"quotes where the rest is no YAML", "---\nname: \"pdf\"\ndescription: 'it works'\nx: a: b\n---\n",
			Header{Name: "pdf", Description: "it works", BodyLine: 5}, []string{"yaml-unquoted-colon 3:3-7"}},
		{"another name", "---\nname: PDF--x\ndescription: d\n---\n",
			Header{Name: "PDF--x", Description: "d", BodyLine: 4}, []string{"skill-name-invalid 1:6-12", "skill-name-mismatch 1:6-12"}},
		{"a long name", "---\nname: " + strings.Repeat("a", MaxName+1) + "\ndescription: d\n---\n",
			Header{Name: strings.Repeat("a", MaxName+1), Description: "d", BodyLine: 4}, []string{"skill-name-invalid 1:6-71", "skill-name-mismatch 1:6-71"}},
		{"a long description", "---\nname: pdf\ndescription: " + long + "\n---\n",
			Header{Name: "pdf", Description: long, BodyLine: 4}, []string{"skill-description-too-long 2:13-2063"}},
		{"a description of as many characters as may be", "---\nname: pdf\ndescription: " + long[2:] + "\n---\n",
			Header{Name: "pdf", Description: long[2:], BodyLine: 4}, nil},
		{"an empty description", "---\nname: pdf\ndescription:\n---\n",
			Header{Name: "pdf", BodyLine: 4}, []string{"skill-description-missing 2:0-11"}},
		{"wrong types", "---\nname: pdf\ndescription: d\nmetadata: x\nlicense: [a]\n---\n",
			Header{Name: "pdf", Description: "d", BodyLine: 6}, []string{"skill-key-type 3:10-11", "skill-key-type 4:9-12"}},
		{"never closed", "---\nname: pdf\n",
			Header{Name: "pdf", Body: "---\nname: pdf\n"}, []string{"frontmatter-unclosed 0:0-3", "skill-name-invalid 0:0-3", "skill-description-missing 0:0-3"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got, faults := Read(fileOf(test.text), "pdf")
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("header (-want +got):\n%s", diff)
			}
			var told []string
			for _, f := range faults {
				told = append(told, f.Code+" "+placeText(f.Place))
				if f.Message == "" {
					t.Errorf("%s has no message", f.Code)
				}
			}
			slices.Sort(told)
			want := slices.Clone(test.faults)
			slices.Sort(want)
			if diff := cmp.Diff(want, told); diff != "" {
				t.Errorf("faults (-want +got):\n%s", diff)
			}
		})
	}
}

// layOut writes files below a new folder; a text that begins with "->" is a
// link.
func layOut(t *testing.T, files map[string]string) string {
	t.Helper()
	root, err := filepath.EvalSymlinks(t.TempDir())
	must(t, err)
	for name, text := range files {
		path := filepath.Join(root, filepath.FromSlash(name))
		must(t, os.MkdirAll(filepath.Dir(path), 0o755))
		if target, link := strings.CutPrefix(text, "->"); link {
			must(t, os.Symlink(target, path))
			continue
		}
		must(t, os.WriteFile(path, []byte(text), 0o644))
	}
	return root
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func discover(t *testing.T, root, target string) *instructions.Discovery {
	t.Helper()
	own, _, err := instructions.LookupProfile(instructions.Own)
	must(t, err)
	d, err := instructions.Resolve(t.Context(), fsys.Disk(), own, instructions.Request{
		Target: filepath.Join(root, "w", target), Dir: filepath.Join(root, "w", filepath.Dir(target)), Root: filepath.Join(root, "w"), Home: filepath.Join(root, "home"),
		Exclude: func(rel string) (string, bool) { return "old/", strings.Contains(rel, "/old/") },
		Secret:  func(path string) (string, bool) { return "a key", strings.HasSuffix(path, "/keys/SKILL.md") },
	})
	must(t, err)
	return d
}

func skill(name, description string) string {
	return "---\nname: " + name + "\ndescription: " + description + "\n---\nDo it.\n"
}

func TestOf(t *testing.T) {
	root := layOut(t, map[string]string{
		"home/.agents/skills/a/SKILL.md":    skill("a", "the user's"),
		"home/.agents/skills/mine/SKILL.md": skill("mine", "the user's"),
		"w/.agents/skills/a/SKILL.md":       skill("a", "the project's"),
		"w/.agents/skills/z/SKILL.md":       "---\nname: z\n---\nNot described.\n",
		"w/.agents/skills/old/SKILL.md":     skill("old", "left out"),
		"w/.agents/skills/keys/SKILL.md":    skill("keys", "never read"),
		"w/.agents/skills/out/SKILL.md":     "->../../../../home/.agents/skills/mine/SKILL.md",
		"w/.agents/skills/SKILL.md/x":       "a folder of that name",
		"w/.claude/skills":                  "->../.agents/skills",
		"w/AGENTS.md":                       "no skill\n",
		"w/main.go":                         "package main\n",
	})
	var got []string
	all := Of(discover(t, root, "main.go"))
	for _, s := range all {
		rel, _ := filepath.Rel(root, s.Path)
		got = append(got, strings.Join([]string{s.Name, string(s.State), filepath.ToSlash(rel)}, " "))
		if s.Why == "" {
			t.Errorf("%s: no reason", s.Path)
		}
		if s.Personal != strings.HasPrefix(rel, "home") || s.Personal != (s.Scope == "") {
			t.Errorf("%s: personal %v, scope %q", rel, s.Personal, s.Scope)
		}
	}
	want := []string{
		"a model-decides w/.agents/skills/a/SKILL.md",
		"a shadowed home/.agents/skills/a/SKILL.md",
		"a shadowed w/.claude/skills/a/SKILL.md",
		"keys excluded w/.agents/skills/keys/SKILL.md",
		"keys excluded w/.claude/skills/keys/SKILL.md",
		"mine model-decides home/.agents/skills/mine/SKILL.md",
		"old excluded w/.agents/skills/old/SKILL.md",
		"old excluded w/.claude/skills/old/SKILL.md",
		"out needs-trust w/.agents/skills/out/SKILL.md",
		"out needs-trust w/.claude/skills/out/SKILL.md",
		"z out-of-scope w/.agents/skills/z/SKILL.md",
		"z out-of-scope w/.claude/skills/z/SKILL.md",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("skills (-want +got):\n%s", diff)
	}
	for name, path := range map[string]string{"a": "w/.agents/skills/a", "mine": "home/.agents/skills/mine", "z": "w/.agents/skills/z", "old": "", "keys": "", "out": "", "none": ""} {
		s, ok := Named(all, name)
		if ok != (path != "") || ok && s.Dir() != filepath.Join(root, filepath.FromSlash(path)) {
			t.Errorf("%s: %v %+v", name, ok, s)
		}
	}
}

func TestMerge(t *testing.T) {
	of := func(pairs ...string) (all []Skill) {
		for i := 0; i < len(pairs); i += 2 {
			all = append(all, Skill{Header: Header{Name: pairs[i]}, Path: "/" + pairs[i+1], State: instructions.ModelDecides})
		}
		return all
	}
	hidden := of("c", "hidden")
	hidden[0].State = instructions.Shadowed
	var got []string
	for _, s := range Merge(of("b", "here"), append(of("a", "one", "b", "one"), hidden...), of("a", "two", "d", "two")) {
		got = append(got, s.Name+s.Path)
	}
	if diff := cmp.Diff([]string{"a/one", "b/here", "d/two"}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestNamedByFolder(t *testing.T) {
	root := layOut(t, map[string]string{"w/.agents/skills/folder/SKILL.md": skill("header", "d"), "w/a": ""})
	all := Of(discover(t, root, "a"))
	for _, name := range []string{"header", "folder"} {
		if s, ok := Named(all, name); !ok || s.Name != "header" {
			t.Errorf("%s is not found", name)
		}
	}
}

func TestFiles(t *testing.T) {
	root := layOut(t, map[string]string{
		"s/SKILL.md":              "x",
		"s/scripts/run.sh":        "x",
		"s/references/b.md":       "x",
		"s/references/a.md":       "x",
		"s/references/SKILL.md":   "not the skill's own",
		"s/.git/HEAD":             "x",
		"s/node_modules/x/y":      "x",
		"s/keys/id_rsa":           "x",
		"s/inside":                "->references/a.md",
		"s/outside":               "->../elsewhere",
		"s/outside-folder":        "->../other",
		"s/1/2/3/4/5/six-deep":    "x",
		"s/1/2/3/4/5/6/too-deep":  "x",
		"elsewhere":               "x",
		"other/x":                 "x",
		"many/SKILL.md":           "x",
		"many/references/last.md": "x",
	})
	for i := range maxFiles + 5 {
		must(t, os.WriteFile(filepath.Join(root, "many", "f"+strings.Repeat("x", i%7)+string(rune('a'+i%26))+strings.Repeat("y", i/26)), nil, 0o644))
	}
	secret := func(path string) (string, bool) { return "a key", filepath.Base(path) == "id_rsa" }
	names, more, err := Files(t.Context(), fsys.Disk(), filepath.Join(root, "s"), secret)
	must(t, err)
	want := []string{"1/2/3/4/5/six-deep", "inside", "references/SKILL.md", "references/a.md", "references/b.md", "scripts/run.sh"}
	if diff := cmp.Diff(want, names); diff != "" || !more {
		t.Errorf("files (-want +got), more %v:\n%s", more, diff)
	}
	names, more, err = Files(t.Context(), fsys.Disk(), filepath.Join(root, "many"), nil)
	must(t, err)
	if len(names) != maxFiles || !more || !slices.IsSorted(names) {
		t.Errorf("%d files, more %v", len(names), more)
	}
	if names, more, err = Files(t.Context(), fsys.Disk(), filepath.Join(root, "nowhere"), nil); names != nil || more || err != nil {
		t.Errorf("a folder that is not there: %v %v %v", names, more, err)
	}
}

// Whatever a header says: nothing is lost of the text, places lie in the file,
// and the name is never empty.
func FuzzRead(f *testing.F) {
	f.Add("---\nname: a\ndescription: d\n---\nbody", "a")
	f.Add("---\nname: a: b\ndescription: [\n---\nbody", "")
	f.Add("\ufeff---\r\nallowed-tools: a(b\r\n---\r\n", "x")
	f.Add("---\n&a\n*a\n---", "\x00")
	f.Fuzz(checkRead)
}

func TestReadIsTotal(t *testing.T) {
	line := rapid.SampledFrom([]string{"---", "name: a", "name: 'A b'", "description: Use when: x", "description: >", "  folded", "allowed-tools: a, b(c d)", "metadata:", "  k: v", "\t", "x: [", "", "ünï: \u00a0"})
	rapid.Check(t, func(r *rapid.T) {
		lines := rapid.SliceOfN(line, 0, 12).Draw(r, "lines")
		end := rapid.SampledFrom([]string{"\n", "\r\n"}).Draw(r, "end")
		checkReadWith(r, strings.Join(lines, end), "folder")
	})
}

func checkRead(t *testing.T, text, folder string) { checkReadWith(t, text, folder) }

func checkReadWith(t interface{ Errorf(string, ...any) }, text, folder string) {
	file := fileOf(strings.ToValidUTF8(text, "\ufffd"))
	h, faults := Read(file, folder)
	if h.Name == "" && folder != "" {
		t.Errorf("no name for %q", text)
	}
	if !strings.HasSuffix(file.Text, h.Body) || strings.ContainsAny(h.Description, "\r\n") {
		t.Errorf("%q is read as %+v", file.Text, h)
	}
	lines := strings.Split(file.Text, "\n")
	for _, f := range faults {
		if f.Place == nil || f.Place.Line < 0 || f.Place.Line >= len(lines)+strings.Count(file.Text, "\r") || f.Place.Column < 0 || f.Place.EndColumn < f.Place.Column {
			t.Errorf("%q: %s is at %s", file.Text, f.Code, placeText(f.Place))
		}
	}
	again, faultsAgain := Read(file, folder)
	if !cmp.Equal(h, again) || !cmp.Equal(faults, faultsAgain) {
		t.Errorf("%q is read differently the second time", file.Text)
	}
}
