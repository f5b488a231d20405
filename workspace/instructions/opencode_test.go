package instructions

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"foreword/workspace/fsys"
)

// opencodeTree lays out what the worked examples of opencode's loading have in
// common: a folder of the user's, a repository with both names at several
// levels, and a folder beside it whose name begins alike.
func opencodeTree(t *testing.T, without ...string) string {
	t.Helper()
	files := map[string]string{
		"cfg/AGENTS.md": "G", "home/.claude/CLAUDE.md": "H",
		"repo/.git/HEAD": "ref: refs/heads/main\n", "repo/AGENTS.md": "R", "repo/CLAUDE.md": "RC",
		"repo/pkg/AGENTS.md": "P", "repo/pkg/a/CLAUDE.md": "A", "repo/pkg/a/y.go": "", "repo/pkg/a/logo.png": "",
		"repo/pkg/a/deep/AGENTS.md": "D", "repo/pkg/a/deep/x.go": "",
		"repo/e/AGENTS.md": "", "repo/e/q.go": "",
		"repo-other/AGENTS.md": "O", "repo-other/lib/AGENTS.md": "L", "repo-other/lib/z.go": "",
		"repo/docs/one.md": "1", "repo/pkg/docs/two.md": "2", "home/r/deep/n.md": "N", "home/r/m.md": "M",
	}
	for _, name := range without {
		delete(files, name)
	}
	return lay(t, files)
}

// sentIn lists what is sent, as paths below the tree, the launch's and what a
// read adds alike.
func sentIn(tree string, d *Discovery) []string {
	var out []string
	for _, e := range d.Sent() {
		out = append(out, Display(tree, "", e.Path))
	}
	return out
}

func opencodeRequest(tree, cwd, read, version string, env map[string]string) Request {
	variables := map[string]string{"OPENCODE_CONFIG_DIR": filepath.Join(tree, "cfg")}
	for name, value := range env {
		variables[name] = value
	}
	req := Request{
		Root: filepath.Join(tree, "repo"), Cwd: filepath.Join(tree, cwd), Home: filepath.Join(tree, "home"), Version: version,
		Env: func(name string) string { return variables[name] },
	}
	req.Target = filepath.Join(req.Cwd, "file.go")
	if read != "" {
		req.Target = filepath.Join(tree, read)
		req.Event = Event{Kind: "read", Path: req.Target}
	}
	req.Dir = filepath.Dir(req.Target)
	return req
}

// TestOpencodeExamples holds the worked examples of the two versions, faults
// included. What a session was told before is not the profile's to know; the
// session's ledger keeps it.
func TestOpencodeExamples(t *testing.T) {
	const v1, v2 = "1.4.0", "2.0.0"
	for _, c := range []struct {
		name, cwd, read, version string
		env                      map[string]string
		without                  []string
		settings                 Settings
		want                     []string
	}{
		{name: "D1: the name that is found first hides the other", cwd: "repo", version: v1, want: []string{"cfg/AGENTS.md", "repo/AGENTS.md"}},
		{name: "D2: in a package, nearest first, and its CLAUDE.md is lost", cwd: "repo/pkg/a", version: v1, want: []string{"cfg/AGENTS.md", "repo/pkg/AGENTS.md", "repo/AGENTS.md"}},
		{name: "D3: without the user's own, that for Claude Code", cwd: "repo/pkg/a", version: v1, without: []string{"cfg/AGENTS.md"}, want: []string{"home/.claude/CLAUDE.md", "repo/pkg/AGENTS.md", "repo/AGENTS.md"}},
		{name: "D3: unless it is switched off", cwd: "repo/pkg/a", version: v1, without: []string{"cfg/AGENTS.md"}, env: map[string]string{"OPENCODE_DISABLE_CLAUDE_CODE": "true"}, want: []string{"repo/pkg/AGENTS.md", "repo/AGENTS.md"}},
		{name: "D4: a read adds each directory's first name, nearest first", cwd: "repo", read: "repo/pkg/a/deep/x.go", version: v1, want: []string{"cfg/AGENTS.md", "repo/AGENTS.md", "repo/pkg/a/deep/AGENTS.md", "repo/pkg/a/CLAUDE.md", "repo/pkg/AGENTS.md"}},
		{name: "D5: the directory in which it was started is never looked at by a read", cwd: "repo/pkg/a", read: "repo/pkg/a/y.go", version: v1, want: []string{"cfg/AGENTS.md", "repo/pkg/AGENTS.md", "repo/AGENTS.md"}},
		{name: "D6: an empty file is taken, and adds nothing", cwd: "repo", read: "repo/e/q.go", version: v1, want: []string{"cfg/AGENTS.md", "repo/AGENTS.md"}},
		{name: "D7: a folder whose name begins alike counts as below", cwd: "repo", read: "repo-other/lib/z.go", version: v1, want: []string{"cfg/AGENTS.md", "repo/AGENTS.md", "repo-other/lib/AGENTS.md", "repo-other/AGENTS.md"}},
		{name: "D7: not in 2.x", cwd: "repo", read: "repo-other/lib/z.go", version: v2, want: []string{"cfg/AGENTS.md", "repo/AGENTS.md"}},
		{name: "D8: a read of the file itself adds only what lies above", cwd: "repo", read: "repo/pkg/a/deep/AGENTS.md", version: v1, want: []string{"cfg/AGENTS.md", "repo/AGENTS.md", "repo/pkg/a/CLAUDE.md", "repo/pkg/AGENTS.md"}},
		{
			name: "D9: patterns are looked for in each directory up; from home in the last segment alone; addresses are never fetched here", cwd: "repo/pkg", version: v1,
			settings: Settings{"instructions": []any{"docs/*.md", "~/r/**/*.md", "https://h/x.md"}},
			want:     []string{"cfg/AGENTS.md", "repo/pkg/AGENTS.md", "repo/AGENTS.md", "repo/pkg/docs/two.md", "repo/docs/one.md"},
		},
		{name: "D10: 2.x without CLAUDE.md, as its source of July has it", cwd: "repo/pkg/a", version: v2, env: map[string]string{"OPENCODE_DISABLE_CLAUDE_CODE": "1"}, want: []string{"cfg/AGENTS.md", "repo/pkg/AGENTS.md", "repo/AGENTS.md"}},
		{name: "D10: 2.x as its pages have it", cwd: "repo/pkg/a", version: v2, want: []string{"cfg/AGENTS.md", "repo/pkg/a/CLAUDE.md", "repo/pkg/AGENTS.md", "repo/AGENTS.md"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			tree := opencodeTree(t, c.without...)
			req := opencodeRequest(tree, c.cwd, c.read, c.version, c.env)
			req.Settings = c.settings
			req.Trusted = strings.HasPrefix(c.read, "repo-other/") // outside the repository, so only where the user trusts it
			d := resolve(t, fsys.Disk(), "opencode", req)
			if diff := cmp.Diff(c.want, sentIn(tree, d)); diff != "" {
				t.Errorf("sent (-want +got):\n%s", diff)
			}
			for _, e := range d.Entries {
				if strings.HasPrefix(Display(tree, "", e.Path), "home/r/") {
					t.Errorf("a pattern of folders found %s", e.Path)
				}
			}
		})
	}
}

// TestOpencodeText holds the text of D4 byte for byte: what the launch sends,
// and what the read tool's answer ends with.
func TestOpencodeText(t *testing.T) {
	tree := opencodeTree(t)
	p, _, err := LookupProfile("opencode")
	must(t, err)
	text := func(version string) string {
		req := opencodeRequest(tree, "repo", "repo/pkg/a/deep/x.go", version, nil)
		return strings.ReplaceAll(p.Text(resolve(t, fsys.Disk(), "opencode", req), req.Home), tree, "")
	}
	want := "Instructions from: /cfg/AGENTS.md\nG\nInstructions from: /repo/AGENTS.md\nR" +
		"\n\n<system-reminder>\nInstructions from: /repo/pkg/a/deep/AGENTS.md\nD\n\nInstructions from: /repo/pkg/a/CLAUDE.md\nA\n\nInstructions from: /repo/pkg/AGENTS.md\nP\n</system-reminder>"
	if diff := cmp.Diff(want, text("1.4.0")); diff != "" {
		t.Errorf("1.x (-want +got):\n%s", diff)
	}
	want = "Instructions from: /cfg/AGENTS.md\nG\n\nInstructions from: /repo/AGENTS.md\nR\n\nInstructions from: /repo/pkg/a/deep/AGENTS.md\nD\n\nInstructions from: /repo/pkg/a/CLAUDE.md\nA\n\nInstructions from: /repo/pkg/AGENTS.md\nP"
	if diff := cmp.Diff(want, text("2.0.0")); diff != "" {
		t.Errorf("2.x (-want +got):\n%s", diff)
	}
}

// TestOpencodeReasons holds that a fault is told as one.
func TestOpencodeReasons(t *testing.T) {
	tree := opencodeTree(t)
	outside := opencodeRequest(tree, "repo", "repo-other/lib/z.go", "1.4.0", nil)
	outside.Trusted = true
	d := resolve(t, fsys.Disk(), "opencode", outside)
	i := slices.IndexFunc(d.Entries, func(e Entry) bool { return Display(tree, "", e.Path) == "repo-other/AGENTS.md" })
	if i < 0 || !strings.Contains(d.Entries[i].Why, "compares no more than the beginning") {
		t.Errorf("%+v", d.Entries)
	}
	d = resolve(t, fsys.Disk(), "opencode", func() Request {
		req := opencodeRequest(tree, "repo/pkg", "", "1.4.0", nil)
		req.Settings = Settings{"instructions": []any{"https://h/x.md", "~/r/m.md"}}
		return req
	}())
	states := map[string]State{}
	for _, e := range d.Entries {
		states[Display(tree, "", e.Path)] = e.State
	}
	if states["https://h/x.md"] != NeedsTrust || states["home/r/m.md"] != NeedsTrust {
		t.Errorf("an address and a file outside without trust: %v", states)
	}
}

// TestOwnLacksTheFaultsOfOpencode holds that foreword's own rules send every
// directory's files, the nearest last, whatever their names, and nothing from
// a folder that is not the repository's.
func TestOwnLacksTheFaultsOfOpencode(t *testing.T) {
	tree := opencodeTree(t)
	req := opencodeRequest(tree, "repo/pkg/a", "repo/pkg/a/y.go", "", nil)
	want := []string{"home/.claude/CLAUDE.md", "repo/AGENTS.md", "repo/CLAUDE.md", "repo/pkg/AGENTS.md", "repo/pkg/a/CLAUDE.md"}
	if diff := cmp.Diff(want, sentIn(tree, discover(t, fsys.Disk(), req))); diff != "" {
		t.Errorf("a package (-want +got):\n%s", diff)
	}
	req = opencodeRequest(tree, "repo", "", "", nil)
	req.Event = Event{Kind: "read", Path: filepath.Join(tree, "repo-other/lib/z.go")}
	for _, path := range sentIn(tree, discover(t, fsys.Disk(), req)) {
		if strings.HasPrefix(path, "repo-other") {
			t.Errorf("%s is sent", path)
		}
	}
	tree = lay(t, map[string]string{"AGENTS.md": "", "CLAUDE.md": "C", "x.go": ""})
	if got := sentIn(tree, discover(t, fsys.Disk(), Request{Dir: tree, Root: tree})); !slices.Equal(got, []string{"CLAUDE.md"}) {
		t.Errorf("an empty AGENTS.md hides CLAUDE.md: %v", got)
	}
}
