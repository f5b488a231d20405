package instructions

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"

	"foreword/workspace/fsys"
)

// named is a list of configured items of one file of settings.
func named(base string, user bool, items ...string) []Configured {
	var all []Configured
	for _, item := range items {
		all = append(all, Configured{Item: item, Base: base, Origin: "settings", Path: filepath.Join(base, "foreword.toml"), Line: 1, User: user})
	}
	return all
}

// What a workspace's settings name is sent where it lies inside; the rest waits
// for trust, and nothing of it is looked up before.
func TestConfiguredFiles(t *testing.T) {
	files := map[string]string{
		"w/foreword.toml": "instructions.files = [\n  'a',\n  'gone.md',\n]\n", "w/AGENTS.md": "A", "w/docs/x.md": "X", "w/docs/y.md": "Y", "w/docs/deep/z.md": "Z",
		"w/docs/n.txt": "N", "w/docs/[id].md": "I", "w/out.md": "->{root}/other/o.md", "w/.env": "KEY=1", "w/node_modules/m/x.md": "M",
		"other/o.md": "O", "home/h.md": "H", "w-secret/s.md": "S", "w/blank.md": " \n",
	}
	for _, c := range []struct {
		name    string
		items   []string
		trusted bool
		want    []string
	}{
		{"a path", []string{"docs/x.md"}, false, []string{"1 docs/x.md sent", "2 AGENTS.md sent"}},
		{"a pattern of one folder, sorted", []string{"docs/*.md"}, false, []string{"1 docs/[id].md sent", "2 docs/x.md sent", "3 docs/y.md sent", "4 AGENTS.md sent"}},
		{"a pattern of all folders, without node_modules", []string{"**/[x-z].md"}, false, []string{"1 docs/deep/z.md sent", "2 docs/x.md sent", "3 docs/y.md sent", "4 AGENTS.md sent"}},
		{"a name that looks like a pattern", []string{"docs/[id].md"}, false, []string{"1 docs/[id].md sent", "2 AGENTS.md sent"}},
		{"braces", []string{"docs/{y,x}.md"}, false, []string{"1 docs/x.md sent", "2 docs/y.md sent", "3 AGENTS.md sent"}},
		{"the same file twice, told once", []string{"docs/x.md", "docs/../docs/x.md", "AGENTS.md"}, false, []string{"1 docs/x.md sent", "2 AGENTS.md sent"}},
		{"nothing there", []string{"gone.md", "docs", "none/*.md"}, false, []string{"1 AGENTS.md sent", "0 gone.md unreadable", "0 docs unreadable", "0 none/*.md unreadable"}},
		{"blank", []string{"blank.md"}, false, []string{"1 AGENTS.md sent", "0 blank.md blank"}},
		{"secrets", []string{".env"}, true, []string{"1 AGENTS.md sent", "0 .env excluded"}},
		{"outside", []string{"../other/o.md", "../w-secret/s.md", "{root}/other/o.md", "{root}/w/docs/x.md", "~/h.md", "../other/*.md", "out.md"}, false, []string{
			"1 AGENTS.md sent", "0 {root}/other/o.md needs-trust", "0 {root}/w-secret/s.md needs-trust", "0 docs/x.md needs-trust", "0 {root}/home/h.md needs-trust",
			"0 {root}/other/*.md needs-trust", "0 out.md needs-trust",
		}},
		{"outside, trusted", []string{"../other/o.md", "{root}/w-secret/*.md", "~/h.md", "out.md"}, true, []string{
			"1 {root}/other/o.md sent", "2 {root}/w-secret/s.md sent", "3 {root}/home/h.md sent", "4 AGENTS.md sent", "0 out.md shadowed",
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			base := lay(t, files)
			put := func(list []string) []string {
				var out []string
				for _, s := range list {
					out = append(out, strings.ReplaceAll(s, "{root}", base))
				}
				return out
			}
			root := filepath.Join(base, "w")
			counting := fsys.NewCounting(fsys.Disk())
			d := discover(t, counting, Request{
				Dir: root, Root: root, Home: filepath.Join(base, "home"), Trusted: c.trusted, Configured: named(root, false, put(c.items)...),
				Secret: func(path string) (string, bool) { return ".env", filepath.Base(path) == ".env" },
			})
			if diff := cmp.Diff(put(c.want), summary(d)); diff != "" {
				t.Error(diff)
			}
			for _, e := range d.Entries {
				if filepath.Base(e.Path) != "AGENTS.md" && !strings.Contains(e.Why, "settings") && e.State != Shadowed && e.State != Blank && e.State != Excluded && e.State != NeedsTrust {
					t.Errorf("%s: %s: does not say who names it", e.Path, e.Why)
				}
			}
			for _, call := range counting.Calls() {
				if !c.trusted && (fsys.Within(filepath.Join(base, "other"), call.Path) || fsys.Within(filepath.Join(base, "w-secret"), call.Path) || call.Path == filepath.Join(base, "home", "h.md")) {
					t.Errorf("%s %s for the sake of a workspace that is not trusted", call.Op, call.Path)
				}
			}
		})
	}
}

// The user's own settings may name what they like, from where they lie, and it
// comes before the project's.
func TestConfiguredByTheUser(t *testing.T) {
	base := lay(t, map[string]string{"home/.config/foreword/style.md": "S", "home/notes/n.md": "N", "w/AGENTS.md": "A", "w/team.md": "T"})
	root, own := filepath.Join(base, "w"), filepath.Join(base, "home/.config/foreword")
	d := discover(t, fsys.Disk(), Request{
		Dir: root, Root: root, Home: filepath.Join(base, "home"),
		Configured: append(named(own, true, "style.md", "~/notes/*.md"), named(root, false, "team.md")...),
	})
	want := []string{"1 " + own + "/style.md sent", "2 " + base + "/home/notes/n.md sent", "3 team.md sent", "4 AGENTS.md sent"}
	if diff := cmp.Diff(want, summary(d)); diff != "" {
		t.Error(diff)
	}
	if e := d.Entries[0]; !e.Personal || e.Kind != KindConfig || e.Scope != "" {
		t.Errorf("%+v", e)
	}
	if e := d.Entries[2]; e.Personal || e.Kind != KindConfig || e.Scope != root {
		t.Errorf("%+v", e)
	}
}

// An item that names nothing is told at its very place in the settings.
func TestConfiguredWarningsStandAtTheItem(t *testing.T) {
	root := lay(t, map[string]string{"foreword.toml": "[instructions]\nfiles = [\n  \"gone.md\",\n  'dir',\n]\n", "dir/x": ""})
	items := named(root, false, "gone.md", "dir")
	items[0].Line, items[1].Line = 2, 2
	d := discover(t, fsys.Disk(), Request{Dir: root, Root: root, Configured: items})
	file := filepath.Join(root, "foreword.toml")
	want := []Warning{
		{"configured-missing", file, `instructions.files names "gone.md", which does not exist`, &Place{2, 3, 10}},
		{"configured-missing", file, `instructions.files names "dir", which is a directory; name its files, such as dir/*.md`, &Place{3, 3, 6}},
	}
	if diff := cmp.Diff(want, d.Warnings); diff != "" {
		t.Error(diff)
	}
}

// The engine says of an address what it is told, and follows no import in what
// came from there.
func TestConfiguredAddresses(t *testing.T) {
	root := lay(t, map[string]string{"AGENTS.md": "A", "secret.md": "S", "foreword.toml": ""})
	text := func(text string) *fsys.File {
		return &fsys.File{Text: text, Hash: fsys.HashOf(text), Size: int64(len(text))}
	}
	said := map[string]Fetched{
		"https://x/ok.md":    {File: text("ok\n@secret.md\n")},
		"https://x/old.md":   {File: text("old"), Problem: "it is away"},
		"https://x/gone.md":  {Problem: "it answers 404"},
		"https://x/blank.md": {File: text(" ")},
		"https://x/copy.md":  {File: text("A\n")},
		"https://x/name.md":  {File: text("AGENTS.md")},
	}
	var asked []string
	addresses := func(address string, user bool) Fetched {
		asked = append(asked, address)
		return said[address]
	}
	items := named(root, false, "https://x/ok.md", "https://x/old.md", "https://x/gone.md", "https://x/blank.md", "https://x/copy.md", "https://x/name.md", "https://x/later.md")
	d := discover(t, fsys.Disk(), Request{Dir: root, Root: root, Trusted: true, Configured: items, Addresses: addresses})
	want := []string{
		"1 https://x/ok.md sent", "2 https://x/old.md sent", "3 https://x/copy.md sent", "4 https://x/name.md sent", "0 https://x/gone.md unreadable",
		"0 https://x/blank.md blank", "0 https://x/later.md unreadable", "0 AGENTS.md shadowed",
	}
	if diff := cmp.Diff(want, summary(d)); diff != "" {
		t.Error(diff)
	}
	if e := d.Entries[0]; e.Kind != KindURL || e.Body != "ok\n@secret.md\n" || e.Scope != root || e.Bytes != 14 {
		t.Errorf("%+v", e)
	}
	var codes []string
	for _, w := range d.Warnings {
		codes = append(codes, w.Code)
	}
	if diff := cmp.Diff([]string{"address-stale", "address-unreachable"}, codes); diff != "" {
		t.Error(diff)
	}

	asked = nil
	d = discover(t, fsys.Disk(), Request{Dir: root, Root: root, Configured: items[:1], Addresses: addresses})
	if diff := cmp.Diff([]string{"1 AGENTS.md sent", "0 https://x/ok.md needs-trust"}, summary(d)); diff != "" || asked != nil {
		t.Error(diff, asked)
	}
	items[0].User = true
	d = discover(t, fsys.Disk(), Request{Dir: root, Root: root, Configured: items[:1], Addresses: addresses})
	if diff := cmp.Diff([]string{"1 https://x/ok.md sent", "2 AGENTS.md sent"}, summary(d)); diff != "" {
		t.Error(diff)
	}
	d = discover(t, fsys.Disk(), Request{Dir: root, Root: root, Configured: items[:1]})
	if diff := cmp.Diff([]string{"1 AGENTS.md sent", "0 https://x/ok.md unreadable"}, summary(d)); diff != "" {
		t.Error(diff)
	}
}

// Nearest first turns the walk and the folders of rules round; what is told
// once is told where it is nearest.
func TestNearestFirst(t *testing.T) {
	root := lay(t, map[string]string{
		"home/AGENTS.md": "", "AGENTS.md": "A", "CLAUDE.md": "C", "a/AGENTS.md": "AA", "a/b/GEMINI.md": "A", "a/b/AGENTS.md": "B",
		".claude/rules/r.md": "R0", "a/.claude/rules/r.md": "R1",
	})
	d := discover(t, fsys.Disk(), Request{Dir: filepath.Join(root, "a/b"), Root: root, Settings: Settings{
		"instructions.order": "nearest-first", "instructions.rules": true, "instructions.otherTools": true,
	}})
	want := []string{
		"1 a/b/AGENTS.md sent", "2 a/b/GEMINI.md sent", "3 a/AGENTS.md sent", "4 CLAUDE.md sent", "5 a/.claude/rules/r.md sent", "6 .claude/rules/r.md sent",
		"0 AGENTS.md shadowed",
	}
	if diff := cmp.Diff(want, summary(d)); diff != "" {
		t.Error(diff)
	}
	if !d.NearestFirst {
		t.Error("the answer does not say that its order is turned round")
	}
}

// Files for one other tool can be switched off; each says by which setting, and
// where that stands. The user's own, and what is named on purpose, stay.
func TestOtherToolsOff(t *testing.T) {
	base := lay(t, map[string]string{"w/AGENTS.md": "A", "w/CLAUDE.md": "C", "w/sub/.cursorrules": "R", "w/named/CLAUDE.md": "N", "home/.claude/CLAUDE.md": "M"})
	root := filepath.Join(base, "w")
	d := discover(t, fsys.Disk(), Request{
		Dir: filepath.Join(root, "sub"), Root: root, Home: filepath.Join(base, "home"), Configured: named(root, false, "named/CLAUDE.md"),
		Settings: Settings{"instructions.otherTools": false},
		Origin: func(key string) string {
			return map[string]string{"instructions.otherTools": "user foreword.toml:3"}[key]
		},
	})
	want := []string{"1 " + base + "/home/.claude/CLAUDE.md sent", "2 named/CLAUDE.md sent", "3 AGENTS.md sent", "0 CLAUDE.md excluded", "0 sub/.cursorrules excluded"}
	if diff := cmp.Diff(want, summary(d)); diff != "" {
		t.Error(diff)
	}
	if why := d.Entries[3].Why; why != "written for claude alone, and the setting instructions.otherTools is off (user foreword.toml:3)" {
		t.Error(why)
	}
}

// Whatever the settings name, it costs a state and a warning, and no hang.
func TestConfiguredBadInput(t *testing.T) {
	base := lay(t, map[string]string{
		"w/AGENTS.md": "A", "w/utf16.md": "\xff\xfea\x00", "w/nul.md": "a\x00", "w/self.md": "->self.md", "w/gone.md": "->nowhere.md", "w/round/round": "->../round",
		"w/round/r.md": "R", "w/foreword.toml": "", "w/good.md": "G",
	})
	root := filepath.Join(base, "w")
	must(t, syscall.Mkfifo(filepath.Join(root, "pipe.md"), 0o644))
	write(t, filepath.Join(root, "large.md"), "")
	must(t, os.Truncate(filepath.Join(root, "large.md"), 100<<20))
	braces := strings.Repeat("{a,", 10_000) + strings.Repeat("}", 10_000)
	for _, trusted := range []bool{false, true} {
		d := discover(t, fsys.Disk(), Request{Dir: root, Root: root, Trusted: trusted, Configured: named(root, false,
			"utf16.md", "nul.md", "self.md", "gone.md", "pipe.md", "large.md", braces, "[", "{a", "**/r.md", strings.Repeat("*/", 5_000)+"x", "good.md", "a\nb.md", "./.git/../good.md",
		)})
		states := map[string]State{}
		for _, e := range d.Entries {
			states[filepath.Base(e.Path)] = e.State
			if e.Why == "" || strings.ContainsRune(e.Why, '\n') {
				t.Errorf("%q: %q", e.Path, e.Why)
			}
		}
		for _, name := range []string{"utf16.md", "nul.md", "self.md", "gone.md", "pipe.md", "large.md", "[", "a\nb.md"} {
			if states[name] != Unreadable {
				t.Errorf("%s is %q, want unreadable", name, states[name])
			}
		}
		if states["good.md"] != Sent || states["r.md"] != Sent || states["AGENTS.md"] != Sent {
			t.Errorf("what is good is not sent: %v", summary(d))
		}
	}
}

// A file named in the wrong case is told, in .github too.
func TestWrongCaseIsTold(t *testing.T) {
	root := lay(t, map[string]string{"agents.MD": "A", ".github/Copilot-Instructions.md": "C", "x.go": ""})
	d := discover(t, fsys.Disk(), Request{Dir: root, Root: root})
	if diff := cmp.Diff([]string{"0 agents.MD not-read-by-tool", "0 .github/Copilot-Instructions.md not-read-by-tool"}, summary(d)); diff != "" {
		t.Error(diff)
	}
	for _, e := range d.Entries {
		if !strings.Contains(e.Why, "in exactly this case") {
			t.Error(e.Why)
		}
	}
}
