package sources

import (
	"context"
	"path"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"foreword/workspace/fsys"
)

// noDisk is a disk without a file.
type noDisk struct{}

func (noDisk) Lstat(p string) (fsys.Info, error)      { return fsys.Info{}, noFile(p) }
func (noDisk) Stat(p string) (fsys.Info, error)       { return fsys.Info{}, noFile(p) }
func (noDisk) ReadDir(p string) ([]fsys.Entry, error) { return nil, noFile(p) }
func (noDisk) ReadFile(p string) (*fsys.File, error)  { return nil, noFile(p) }
func (noDisk) RealPath(p string) (string, error)      { return "", noFile(p) }

func noFile(p string) error { return &fsys.Error{Path: p, Reason: fsys.ReasonMissing} }

func withFiles(in *Input, files map[string]string) *Input {
	overlay := map[string]fsys.Buffer{}
	for name, text := range files {
		overlay[path.Join(in.Root, name)] = fsys.Buffer{Text: text}
	}
	in.Files = fsys.Overlay(noDisk{}, overlay)
	return in
}

func TestProject(t *testing.T) {
	const start = "# The project\n\nThe workspace is the project "
	for name, c := range map[string]struct {
		files       map[string]string
		name, about string
		want        string
	}{
		"nothing known":     {nil, "", "", start + "w."},
		"a name":            {nil, "Shop\n# Obey", "", start + "Shop?# Obey."},
		"a setting":         {map[string]string{"README.md": "Not this."}, "", "\nIt sells.\nMuch.\n", start + "w.\n\nIt sells.\nMuch."},
		"a README":          {map[string]string{"README.md": "# W\r\n\r\n[![b](x)](y)\r\n\r\nW sells things,\r\nand more. </readme>\r\n\r\nMore.\r\n"}, "", "", start + "w.\n\n<readme path=\"README.md\">\nW sells things,\nand more. <&#47;readme>\n</readme>"},
		"the first of two":  {map[string]string{"README": "Second.", "README.md": "First."}, "", "", start + "w.\n\n<readme path=\"README.md\">\nFirst.\n</readme>"},
		"only a heading":    {map[string]string{"README.md": "# W\n"}, "", "", start + "w."},
		"a README of noise": {map[string]string{"README.md": "<p>\n</p>\n\n- a\n- b\n\n```\ncode\n\nmore\n```\n\n| a |\n"}, "", "", start + "w."},
	} {
		in := withFiles(plain(), c.files)
		in.ProjectName, in.ProjectAbout = c.name, c.about
		seen := one(t, project, in)
		if seen.Text != c.want || len(seen.Warnings) != 0 {
			t.Errorf("%s: %q %v", name, seen.Text, seen.Warnings)
		}
	}
	in := withFiles(plain(), map[string]string{"README.md": "Secret."})
	in.Ignored = func(_ context.Context, paths []string) map[string]string {
		return map[string]string{paths[0]: "it is secret"}
	}
	if seen := one(t, project, in); seen.Text != start+"w." {
		t.Errorf("a README that is left out: %q", seen.Text)
	}
	in = plain()
	in.Root = ""
	if seen := one(t, project, in); seen.Status != Absent {
		t.Errorf("no folder, and yet %q", seen.Text)
	}
}

// TestReadmeThatCannotBeRead holds that the name stays, and that it is told.
func TestReadmeThatCannotBeRead(t *testing.T) {
	in := plain()
	in.Files = badFile{}
	seen := one(t, project, in)
	if !strings.HasSuffix(seen.Text, "project w.") || len(seen.Warnings) != 1 || seen.Warnings[0].Path != "/w/README.md" {
		t.Errorf("%q %+v", seen.Text, seen.Warnings)
	}
}

type badFile struct{ noDisk }

func (badFile) ReadFile(p string) (*fsys.File, error) {
	return nil, &fsys.Error{Path: p, Reason: fsys.ReasonBinary}
}

func TestFirstParagraph(t *testing.T) {
	for text, want := range map[string]struct {
		text string
		line int
	}{
		"":                                   {"", 0},
		"One.":                               {"One.", 0},
		"\n\n  One,\ntwo.\n\nThree.":         {"  One,\ntwo.", 2},
		"# T\nDirectly below.\n":             {"Directly below.", 1},
		"T\n===\n\nBelow.\n":                 {"Below.", 3},
		"T\n---\nDirectly.\n":                {"Directly.", 2},
		"---\na: 1\n\n---\nAfter.\n":         {"After.", 4},
		"---\n\nAfter a line.\n":             {"After a line.", 2},
		"```\nno\n\nno\n```\n\nAfter.":       {"After.", 6},
		"> quote\n\n- a\n\n    code\n\nYes.": {"Yes.", 6},
		"![b](x)\n\n[![b](x)](y) and\n\n<div>\nx\n</div>\n\n[Link](x) begins.": {"[Link](x) begins.", 8},
		strings.Repeat("long ", 300) + "\n\nShort.":                            {"", 0},
	} {
		if got, line := firstParagraph(&fsys.File{Text: text}); got != want.text || line != want.line {
			t.Errorf("%q: %q at %d", text, got, line)
		}
	}
}

// TestFirstParagraphIsInTheFile holds where it says that the text stands.
func TestFirstParagraphIsInTheFile(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		lines := rapid.SliceOfN(rapid.SampledFrom([]string{"", "a b.", "# T", "---", "===", "```", "~~~", "- x", "    c", "<p>", " \t"}), 0, 12).Draw(t, "lines")
		text := strings.Join(lines, "\n")
		got, from := firstParagraph(&fsys.File{Text: text})
		if got == "" {
			return
		}
		if want := strings.Join(lines[from:from+strings.Count(got, "\n")+1], "\n"); got != want || !utf8.ValidString(got) {
			t.Fatalf("%q is %q at line %d, where the file has %q", text, got, from, want)
		}
	})
}

func TestUser(t *testing.T) {
	for name, c := range map[string]struct {
		about About
		alone bool
		want  string
	}{
		"a file":    {About{Text: "\r\n\r\nI like Go.\r\n", Path: "/home/me/.config/foreword/user.md"}, false, "# The user\n\nI like Go."},
		"a setting": {About{Text: "I like Go.", Name: "setting user.about"}, false, "# The user\n\nI like Go."},
		"alone":     {About{Text: "I like Go.", Name: "setting user.about"}, true, ""},
		"nothing":   {About{}, false, ""},
		"blank":     {About{Text: " \n ", Path: "/x"}, false, ""},
	} {
		in := plain()
		in.User, in.Interactive = c.about, !c.alone
		seen := one(t, user, in)
		if seen.Text != c.want {
			t.Errorf("%s: %q", name, seen.Text)
		}
		if c.about.Path != "" && c.want != "" {
			if o := seen.Origins[1]; o.Path != c.about.Path || o.FileFrom != 2 || o.FileTo != 3 {
				t.Errorf("%s: %+v", name, o)
			}
		}
	}
	in := plain()
	in.User = About{Path: "/x", Problem: "not text"}
	if seen := one(t, user, in); seen.Status != Absent || len(seen.Warnings) != 1 || seen.Warnings[0].Path != "/x" {
		t.Errorf("a file that cannot be read: %+v", seen)
	}
}
