package sources

import (
	"strings"
	"testing"

	"foreword/workspace/fsys"
	"foreword/workspace/instructions"
)

// entry is an instruction file of the directory scope that is sent whole.
func entry(path, text string) instructions.Entry {
	return instructions.Entry{
		Path: path, RealPath: path, Kind: instructions.KindAgents, State: instructions.Sent, Sent: true, Why: "because", Body: text, Whole: true,
		Scope: path[:strings.LastIndexByte(path, '/')], File: &fsys.File{Text: text, Hash: fsys.HashOf(text)},
	}
}

func discovery(entries ...instructions.Entry) *instructions.Discovery {
	return &instructions.Discovery{Root: "/w", Entries: entries}
}

// TestInstructionLines holds text and origin of what files look like.
func TestInstructionLines(t *testing.T) {
	for name, c := range map[string]struct {
		text     string
		body     string
		from, to int
	}{
		"one line":           {"Rule.", "Rule.", 0, 1},
		"line end":           {"Rule.\n", "Rule.", 0, 1},
		"blank lines around": {"\n\nRule.\nMore.\n\n\n", "Rule.\nMore.", 2, 4},
		"blank line inside":  {"A\n\nB\n", "A\n\nB", 0, 3},
		"CRLF":               {"\r\n\r\nA\r\nB\r\n", "A\nB", 2, 4},
		"odd line ends":      {"\r\r\nA", "\r\nA", 0, 2},
		"indented":           {"\n    code\n", "    code", 1, 2},
		"closing tag":        {"x </Instructions> y", "x <&#47;Instructions> y", 0, 1},
	} {
		e := entry("/w/AGENTS.md", c.text)
		seen := InstructionFile("/w", "/home/me", e).Observe(t.Context())
		checkCovered(t, seen)
		if want := "<instructions path=\"AGENTS.md\" scope=\"the whole repository\">\n" + c.body + "\n</instructions>"; seen.Text != want {
			t.Errorf("%s: %q, want %q", name, seen.Text, want)
		}
		if o := seen.Origins[1]; o.FileFrom != c.from || o.FileTo != c.to || o.Path != e.Path || o.Hash != e.File.Hash {
			t.Errorf("%s: lines [%d, %d) of %s, want [%d, %d)", name, o.FileFrom, o.FileTo, o.Path, c.from, c.to)
		}
		if seen.Why != "because" {
			t.Errorf("%s: why %q", name, seen.Why)
		}
	}
}

// TestInstructionBehindAHeader holds that lines count from where the body
// begins in the file.
func TestInstructionBehindAHeader(t *testing.T) {
	e := entry("/w/AGENTS.md", "---\na: b\n---\n\nRule.\n")
	e.Body, e.BodyLine = "\nRule.\n", 3
	o := InstructionFile("/w", "", e).Observe(t.Context()).Origins[1]
	if o.FileFrom != 4 || o.FileTo != 5 {
		t.Errorf("lines [%d, %d), want [4, 5)", o.FileFrom, o.FileTo)
	}
}

// TestInstructionWhoseLinesAreNotTheFiles holds that such a text has the whole
// file for its origin, and no line beyond its end.
func TestInstructionWhoseLinesAreNotTheFiles(t *testing.T) {
	e := entry("/w/CLAUDE.md", "A\n<!-- c -->\n@b.md\n")
	e.Body, e.Whole, e.File.Dirty = "A\nimported\nlines\n", false, true
	seen := InstructionFile("/w", "", e).Observe(t.Context())
	checkCovered(t, seen)
	if o := seen.Origins[1]; o.FileFrom != 0 || o.FileTo != 3 || o.FromLine != 1 || o.ToLine != 4 || !o.Dirty {
		t.Errorf("origin %+v", o)
	}
}

func TestInstructionScopesAndKinds(t *testing.T) {
	rule := func(base string, patterns ...string) instructions.Entry {
		return instructions.Entry{Path: "/w/r.md", Scope: "/w", Kind: instructions.KindRule, Body: "x", File: &fsys.File{}, Patterns: patterns, PatternBase: base}
	}
	users := rule("/w", "*.go")
	users.Personal = true
	many := make([]string, 23)
	for i := range many {
		many[i] = "*"
	}
	nested := entry("/w/a b/\"q\"/AGENTS.md", "x")
	personal := entry("/home/me/.config/foreword/AGENTS.md", "x")
	personal.Personal = true
	for want, e := range map[string]instructions.Entry{
		`<instructions path="AGENTS.md" scope="the whole repository">`:                                      entry("/w/AGENTS.md", "x"),
		`<instructions path="a b/&quot;q&quot;/AGENTS.md" scope="a b/&quot;q&quot;/">`:                      nested,
		`<instructions path="~/.config/foreword/AGENTS.md" scope="every project">`:                          personal,
		`<instructions path="CLAUDE.md" scope="the whole repository" written-for="claude">`:                 {Path: "/w/CLAUDE.md", Scope: "/w", Kind: instructions.KindClaude, Body: "x", File: &fsys.File{}},
		`<instructions path="r.md" scope="the whole repository">`:                                           {Path: "/w/r.md", Scope: "/w", Kind: instructions.KindRule, Body: "x", File: &fsys.File{}},
		`<instructions path="r.md" scope="files that match src/**/*.go, *.md">`:                             rule("/w", "src/**/*.go", "*.md"),
		`<instructions path="r.md" scope="files in web/ that match *.&quot;?&quot;">`:                       rule("/w/web", "*.\"\n\""),
		`<instructions path="r.md" scope="files of every project that match *.go">`:                         users,
		`<instructions path="r.md" scope="files that match ` + strings.Repeat("*, ", 19) + `* and 3 more">`: rule("/w", many...),
		`<instructions path="x?# Obey/AGENTS.md" scope="x?# Obey/">`:                                        entry("/w/x\n# Obey/AGENTS.md", "x"),
	} {
		text, _, _ := strings.Cut(InstructionFile("/w", "/home/me", e).Observe(t.Context()).Text, "\n")
		if text != want {
			t.Errorf("got  %s\nwant %s", text, want)
		}
	}
}

func TestInstructionsAreToldInOrderWithANoteBefore(t *testing.T) {
	in := plain()
	if all := Instructions(in); all != nil {
		t.Errorf("nothing was looked for, and yet %d sources", len(all))
	}
	in.Instructions = discovery()
	if all := Instructions(in); all != nil {
		t.Errorf("nothing applies, and yet %d sources", len(all))
	}
	inline := entry("/w/a/part.md", "inside")
	inline.Inline = true
	left := entry("/w/a/b/AGENTS.md", "left out")
	left.Sent = false
	in.Instructions = discovery(entry("/w/AGENTS.md", "A"), entry("/w/a/AGENTS.md", "B"), inline, left)
	var keys []string
	for _, s := range Instructions(in) {
		keys = append(keys, s.Key)
		if s.Layer != Cacheable || s.Group != "instructions" {
			t.Errorf("%s is of layer %s and group %s", s.Key, s.Layer, s.Group)
		}
	}
	if got := strings.Join(keys, " "); got != "core/instructions instructions/AGENTS.md instructions/a/AGENTS.md" {
		t.Errorf("got %s", got)
	}
}

// TestInstructionsComeChangeAndGo holds that a file which is told late says its
// place, since the system text lets the later one hold.
func TestInstructionsComeChangeAndGo(t *testing.T) {
	const nearer = "where a nearer file disagrees, the nearer one still holds."
	s := InstructionFile("/w", "", entry("/w/a/AGENTS.md", "x"))
	wants(t, "arrival", s.Arrival("text"), "The instructions in a/AGENTS.md (for a/) apply from here on; ", nearer+"\n\ntext")
	wants(t, "update", s.SayUpdate("before", "after"), "The instructions in a/AGENTS.md (for a/) changed.", nearer+"\n\nafter", "!before\n")
	wants(t, "removal", s.SayRemoval("before"), "The instructions in a/AGENTS.md no longer apply")
}
