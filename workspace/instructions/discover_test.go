package instructions

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"

	"foreword/workspace/fsys"
)

// lay writes files below a fresh folder and gives its real path. A value that
// begins with "->" is a symbolic link, a key that ends in a slash a directory.
func lay(t *testing.T, files map[string]string) string {
	t.Helper()
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range files {
		path := filepath.Join(root, filepath.FromSlash(name))
		if strings.HasSuffix(name, "/") {
			must(t, os.MkdirAll(path, 0o755))
			continue
		}
		must(t, os.MkdirAll(filepath.Dir(path), 0o755))
		if target, link := strings.CutPrefix(text, "->"); link {
			must(t, os.Symlink(strings.ReplaceAll(target, "{root}", root), path))
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

// discover resolves by foreword's own rules.
func discover(t *testing.T, files fsys.FS, req Request) *Discovery {
	t.Helper()
	return resolve(t, files, Own, req)
}

func resolve(t *testing.T, files fsys.FS, profile string, req Request) *Discovery {
	t.Helper()
	p, ok, err := LookupProfile(profile)
	if err != nil || !ok {
		t.Fatalf("profile %s: %v %v", profile, ok, err)
	}
	if req.Target == "" {
		req.Target = filepath.Join(req.Dir, "file.go")
	}
	d, err := Resolve(t.Context(), files, p, req)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// summary writes an entry as "order path state" for comparison.
func summary(d *Discovery) []string {
	var out []string
	for _, e := range d.Entries {
		out = append(out, fmt.Sprintf("%d %s %s", e.Order, Display(d.Root, "", e.Path), e.State))
	}
	return out
}

func TestDiscover(t *testing.T) {
	for _, c := range []struct {
		name  string
		files map[string]string
		dir   string
		want  []string
		why   map[string]string // by path: a part of the reason
		warn  []string          // codes
	}{
		{
			name:  "T1: every level from the root to the file, the nearest last",
			files: map[string]string{"AGENTS.md": "A", "svc/AGENTS.md": "B", "svc/pay/AGENTS.md": "C"},
			dir:   "svc/pay",
			want:  []string{"1 AGENTS.md sent", "2 svc/AGENTS.md sent", "3 svc/pay/AGENTS.md sent"},
			why:   map[string]string{"AGENTS.md": "2 levels up", "svc/AGENTS.md": "ancestor, 1 level up", "svc/pay/AGENTS.md": "in the directory of the file"},
		},
		{
			name:  "T1: a level without a file is skipped, none is replaced",
			files: map[string]string{"AGENTS.md": "A", "svc/x.go": "", "svc/pay/AGENTS.md": "C"},
			dir:   "svc/pay",
			want:  []string{"1 AGENTS.md sent", "2 svc/pay/AGENTS.md sent"},
		},
		{
			name:  "T2: nothing from a sibling directory or from below",
			files: map[string]string{"AGENTS.md": "A", "svc/mail/AGENTS.md": "D", "svc/pay/AGENTS.md": "C", "svc/x.go": ""},
			dir:   "svc",
			want:  []string{"1 AGENTS.md sent"},
		},
		{
			name:  "T4: CLAUDE.md alone",
			files: map[string]string{"CLAUDE.md": "C"},
			want:  []string{"1 CLAUDE.md sent"},
		},
		{
			name:  "T4: both with different content, AGENTS.md first",
			files: map[string]string{"CLAUDE.md": "C", "AGENTS.md": "A"},
			want:  []string{"1 AGENTS.md sent", "2 CLAUDE.md sent"},
		},
		{
			name:  "T4: an empty file falls through",
			files: map[string]string{"CLAUDE.md": "C", "AGENTS.md": " \n\t\r\n"},
			want:  []string{"1 CLAUDE.md sent", "0 AGENTS.md blank"},
		},
		{
			name:  "T4: AGENT.md is not among the names, and says so",
			files: map[string]string{"AGENT.md": "x", "GEMINI.md": "y", ".cursorrules": "z", ".github/copilot-instructions.md": "w"},
			want: []string{
				"1 GEMINI.md sent", "2 .github/copilot-instructions.md sent", "3 .cursorrules sent", "0 AGENT.md not-read-by-tool",
			},
			why: map[string]string{"AGENT.md": "instructions.names"},
		},
		{
			name:  "T10: a link to the other name is sent once",
			files: map[string]string{"AGENTS.md": "A", "CLAUDE.md": "->AGENTS.md"},
			want:  []string{"1 AGENTS.md sent", "0 CLAUDE.md shadowed"},
			why:   map[string]string{"CLAUDE.md": "the same file as AGENTS.md, reached by a link"},
		},
		{
			name:  "T10: the link the other way round",
			files: map[string]string{"CLAUDE.md": "A", "AGENTS.md": "->CLAUDE.md"},
			want:  []string{"1 AGENTS.md sent", "0 CLAUDE.md shadowed"},
		},
		{
			name:  "T10: a hard copy is sent once, whatever its line ends",
			files: map[string]string{"AGENTS.md": "A\nB  \n", "CLAUDE.md": "A\r\nB"},
			want:  []string{"1 AGENTS.md sent", "0 CLAUDE.md shadowed"},
			why:   map[string]string{"CLAUDE.md": "says the same as AGENTS.md"},
		},
		{
			name:  "T10: a copy of an ancestor is sent once too",
			files: map[string]string{"AGENTS.md": "A", "svc/AGENTS.md": "A"},
			dir:   "svc",
			want:  []string{"1 AGENTS.md sent", "0 svc/AGENTS.md shadowed"},
		},
		{
			name:  "T10: a link checked out as a nine byte text file",
			files: map[string]string{"AGENTS.md": "A", "CLAUDE.md": "AGENTS.md"},
			want:  []string{"1 AGENTS.md sent", "0 CLAUDE.md shadowed"},
			warn:  []string{"symlink-as-text"},
		},
		{
			name:  "a file that does nothing but import the other is not sent beside it",
			files: map[string]string{"AGENTS.md": "A", "CLAUDE.md": "@AGENTS.md\n", "sub/CLAUDE.md": "@../AGENTS.md"},
			dir:   "sub",
			want:  []string{"1 AGENTS.md sent", "0 CLAUDE.md shadowed", "0 sub/CLAUDE.md shadowed"},
			why:   map[string]string{"CLAUDE.md": "does nothing but import AGENTS.md"},
		},
		{
			name:  "T10: another case is another file, and is told",
			files: map[string]string{"AGENTS.md": "A", "agents.md": "B"},
			want:  []string{"1 AGENTS.md sent", "0 agents.md not-read-by-tool"},
			why:   map[string]string{"agents.md": "the name that is read is AGENTS.md"},
		},
		{
			name:  "a directory of that name",
			files: map[string]string{"AGENTS.md/": "", "CLAUDE.md": "C"},
			want:  []string{"1 CLAUDE.md sent", "0 AGENTS.md unreadable"},
			why:   map[string]string{"AGENTS.md": "a directory has this name"},
			warn:  []string{"unreadable"},
		},
		{
			name:  "a binary file",
			files: map[string]string{"AGENTS.md": "a\x00b"},
			want:  []string{"0 AGENTS.md unreadable"},
			why:   map[string]string{"AGENTS.md": "NUL"},
			warn:  []string{"unreadable"},
		},
		{
			name:  "UTF-16",
			files: map[string]string{"AGENTS.md": "\xff\xfeU\x00s\x00e\x00"},
			want:  []string{"0 AGENTS.md unreadable"},
			why:   map[string]string{"AGENTS.md": "UTF-16"},
			warn:  []string{"encoding-utf16"},
		},
		{
			name:  "bytes that are not UTF-8 are replaced, with a warning",
			files: map[string]string{"AGENTS.md": "caf\xe9"},
			want:  []string{"1 AGENTS.md sent"},
			warn:  []string{"invalid-utf8"},
		},
		{
			name:  "too large",
			files: map[string]string{"AGENTS.md": strings.Repeat("a", fsys.MaxFileSize+1)},
			want:  []string{"0 AGENTS.md unreadable"},
			why:   map[string]string{"AGENTS.md": "larger than"},
			warn:  []string{"unreadable"},
		},
		{
			name:  "links that lead nowhere, to themselves, and in a circle",
			files: map[string]string{"AGENTS.md": "->nowhere.md", "CLAUDE.md": "->CLAUDE.md"},
			want:  []string{"0 AGENTS.md unreadable", "0 CLAUDE.md unreadable"},
			warn:  []string{"unreadable", "unreadable"},
		},
		{
			name:  "a link out of the repository needs trust",
			files: map[string]string{"AGENTS.md": "->/etc/passwd", "CLAUDE.md": "C"},
			want:  []string{"1 CLAUDE.md sent", "0 AGENTS.md needs-trust"},
			why:   map[string]string{"AGENTS.md": "leads to /etc/passwd"},
		},
		{
			name:  "front matter is sent as text, with a warning",
			files: map[string]string{"AGENTS.md": "---\nglobs: *.ts\n---\nA"},
			want:  []string{"1 AGENTS.md sent"},
			warn:  []string{"front-matter-as-text"},
		},
		{
			name:  "nothing at all",
			files: map[string]string{"main.go": ""},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			root := lay(t, c.files)
			dir := filepath.Join(root, filepath.FromSlash(c.dir))
			d := discover(t, fsys.Disk(), Request{Dir: dir, Root: root})
			if diff := cmp.Diff(c.want, summary(d)); diff != "" {
				t.Errorf("entries (-want +got):\n%s", diff)
			}
			for _, e := range d.Entries {
				if part := c.why[Display(root, "", e.Path)]; !strings.Contains(e.Why, part) {
					t.Errorf("%s: why is %q, want it to hold %q", e.Path, e.Why, part)
				}
				if e.Why == "" || e.Rule.Source == "" {
					t.Errorf("%s: no reason or no rule: %+v", e.Path, e)
				}
			}
			var codes []string
			for _, w := range d.Warnings {
				codes = append(codes, w.Code)
			}
			if diff := cmp.Diff(c.warn, codes); diff != "" {
				t.Errorf("warnings (-want +got):\n%s\n%+v", diff, d.Warnings)
			}
		})
	}
}

func TestTrustedLinkLeadsOut(t *testing.T) {
	outside := lay(t, map[string]string{"shared.md": "S"})
	root := lay(t, map[string]string{"AGENTS.md": "->" + filepath.Join(outside, "shared.md")})
	d := discover(t, fsys.Disk(), Request{Dir: root, Root: root, Trusted: true})
	if diff := cmp.Diff([]string{"1 AGENTS.md sent"}, summary(d)); diff != "" {
		t.Error(diff)
	}
}

func TestUserFileComesFirstAndEverywhere(t *testing.T) {
	home := lay(t, map[string]string{".config/foreword/AGENTS.md": "mine", "dotfiles/x": ""})
	root := lay(t, map[string]string{"AGENTS.md": "ours", "sub/CLAUDE.md": "mine\n"})
	d := discover(t, fsys.Disk(), Request{
		Dir: filepath.Join(root, "sub"), Root: root, Home: home,
	})
	want := []string{"1 " + filepath.Join(home, ".config/foreword/AGENTS.md") + " sent", "2 AGENTS.md sent", "0 sub/CLAUDE.md shadowed"}
	if diff := cmp.Diff(want, summary(d)); diff != "" {
		t.Error(diff)
	}
	if !d.Entries[0].Personal {
		t.Error("the user's own file is not marked as personal")
	}
	if why := d.Entries[2].Why; !strings.Contains(why, "~/.config/foreword/AGENTS.md") {
		t.Errorf("why is %q; want the user's file named from ~/", why)
	}
}

func TestMissingUserFileIsNoEntry(t *testing.T) {
	root := lay(t, map[string]string{"a": ""})
	d := discover(t, fsys.Disk(), Request{Dir: root, Root: root, Home: filepath.Join(root, "none")})
	if len(d.Entries) != 0 || len(d.Warnings) != 0 {
		t.Errorf("got %+v", d)
	}
}

func TestFIFOIsNeverOpened(t *testing.T) {
	root := lay(t, map[string]string{"CLAUDE.md": "C"})
	must(t, syscall.Mkfifo(filepath.Join(root, "AGENTS.md"), 0o644)) // opening it would hang
	d := discover(t, fsys.Disk(), Request{Dir: root, Root: root})
	if diff := cmp.Diff([]string{"1 CLAUDE.md sent", "0 AGENTS.md unreadable"}, summary(d)); diff != "" {
		t.Error(diff)
	}
}

func TestUnsavedTextCounts(t *testing.T) {
	root := lay(t, map[string]string{"AGENTS.md": "old", "sub/x": ""})
	agents, fresh := filepath.Join(root, "AGENTS.md"), filepath.Join(root, "sub", "AGENTS.md")
	files := fsys.Overlay(fsys.Disk(), map[string]fsys.Buffer{
		agents: {Path: agents, Text: "new", Dirty: true},
		fresh:  {Path: fresh, Text: "not on disk yet", Dirty: true},
	})
	d := discover(t, files, Request{Dir: filepath.Join(root, "sub"), Root: root})
	if diff := cmp.Diff([]string{"1 AGENTS.md sent", "2 sub/AGENTS.md sent"}, summary(d)); diff != "" {
		t.Fatal(diff)
	}
	if e := d.Entries[0]; e.Text() != "new" || !e.File.Dirty {
		t.Errorf("text %q, dirty %v; want the buffer's", e.Text(), e.File.Dirty)
	}
}

func TestExcludedFileSaysWhichPattern(t *testing.T) {
	root := lay(t, map[string]string{"AGENTS.md": "A", "vendor/AGENTS.md": "V"})
	d := discover(t, fsys.Disk(), Request{
		Dir: filepath.Join(root, "vendor"), Root: root,
		Exclude: func(rel string) (string, bool) { return "vendor/", strings.HasPrefix(rel, "vendor/") },
	})
	if diff := cmp.Diff([]string{"1 AGENTS.md sent", "0 vendor/AGENTS.md excluded"}, summary(d)); diff != "" {
		t.Fatal(diff)
	}
	if why := d.Entries[1].Why; !strings.Contains(why, `"vendor/"`) {
		t.Errorf("why is %q, want the pattern", why)
	}
}

func TestConfiguredNames(t *testing.T) {
	root := lay(t, map[string]string{".github/copilot-instructions.md": "P", "TEAM.md": "T", "AGENTS.md": "A"})
	d := discover(t, fsys.Disk(), Request{Dir: root, Root: root, Settings: Settings{"instructions.names": []string{"TEAM.md", ".github/copilot-instructions.md"}}})
	want := []string{"1 TEAM.md sent", "2 .github/copilot-instructions.md sent", "0 AGENTS.md not-read-by-tool"}
	if diff := cmp.Diff(want, summary(d)); diff != "" {
		t.Error(diff)
	}
}

func TestCancelled(t *testing.T) {
	root := lay(t, map[string]string{"AGENTS.md": "A"})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	p, _, err := LookupProfile(Own)
	must(t, err)
	if _, err := Resolve(ctx, fsys.Disk(), p, Request{Dir: root, Root: root}); err == nil {
		t.Error("a cancelled walk gave no error")
	}
}

func TestOnlyAncestorsAreLookedAt(t *testing.T) {
	root := lay(t, map[string]string{"AGENTS.md": "A", "svc/AGENTS.md": "B", "svc/pay/AGENTS.md": "C", "svc/mail/AGENTS.md": "D", "web/AGENTS.md": "E"})
	files := fsys.NewCounting(fsys.Disk())
	dir := filepath.Join(root, "svc", "pay")
	discover(t, files, Request{Dir: dir, Root: root})
	for _, call := range files.Calls() {
		if !fsys.Within(filepath.Dir(call.Path), dir) && call.Path != root {
			t.Errorf("%s %s: no ancestor of the file", call.Op, call.Path)
		}
	}
}

func TestDisplay(t *testing.T) {
	for _, c := range []struct{ root, home, path, want string }{
		{"/w", "/h", "/w/a/b", "a/b"},
		{"/w", "/h", "/w", "."},
		{"/w", "/h", "/w-secret/a", "/w-secret/a"},
		{"/w", "/h", "/h/x", "~/x"},
		{"", "", "/x", "/x"},
		{"/w", "", "/w/a\nb\x1b[31m/ü 字.md", "a?b?[31m/ü 字.md"},
	} {
		if got := Display(c.root, c.home, c.path); got != c.want {
			t.Errorf("Display(%q, %q, %q) = %q, want %q", c.root, c.home, c.path, got, c.want)
		}
	}
}

func TestKinds(t *testing.T) {
	for path, want := range map[string]Kind{
		"/w/AGENTS.md": KindAgents, "/w/a/CLAUDE.md": KindClaude, "/w/.github/copilot-instructions.md": KindCopilot,
		"copilot-instructions.md": KindOther, "/w/.cursorrules": KindCursor, "/w/x.md": KindOther,
	} {
		if got := kindOrOther(path); got != want {
			t.Errorf("%s is %s, want %s", path, got, want)
		}
	}
}
