package sources

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"pgregory.net/rapid"

	"foreword/workspace/config"
	"foreword/workspace/fsys"
	"foreword/workspace/process"
	"foreword/workspace/trust"
)

// The vectors are those of the reference for gptme's context_cmd, with the notice said in our own words elsewhere.
func TestCutText(t *testing.T) {
	fifty := ""
	for i := range 50 {
		if i > 0 {
			fifty += "\n"
		}
		fifty += "line " + string(rune('0'+i/10)) + string(rune('0'+i%10))
	}
	for _, c := range []struct {
		text       string
		characters int
		kept       string
		cut        bool
	}{
		{strings.Repeat("x", 200), 100, strings.Repeat("x", 100), true},
		{"hello", 0, "", true},
		{"a\nb\nc", 3, "a", true},
		{"a\nb\nc", 5, "a\nb\nc", false},
		{"", 0, "", false},
		{"äöü", 2, "äö", true},
		{fifty, 100, strings.Join(strings.Split(fifty, "\n")[:12], "\n"), true},
		{"\n" + strings.Repeat("x", 3000), 2000, "\n" + strings.Repeat("x", 1999), true},
	} {
		if kept, cut := cutText(c.text, c.characters); kept != c.kept || cut != c.cut {
			t.Errorf("%.20q, %d: %.40q, %v", c.text, c.characters, kept, cut)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.String().Draw(t, "text")
		n := rapid.IntRange(0, 20).Draw(t, "characters")
		kept, cut := cutText(text, n)
		if !strings.HasPrefix(text, kept) || utf8.RuneCountInString(kept) > n || cut != (utf8.RuneCountInString(text) > n) {
			t.Errorf("%q, %v", kept, cut)
		}
	})
}

// printing is an input whose programs print what is given.
func printing(result process.Result, err error) *Input {
	in := plain()
	in.Own.Run = func(context.Context, Program) (process.Result, error) { return result, err }
	in.Own.Context = []config.ContextCommand{{Argv: []string{"ctx", "a b"}, Declared: config.Declared{Origin: "user foreword.toml:1"}}}
	in.Own.Sources = []config.Source{{Key: "ci/state", Layer: "dynamic", Title: "Checks", Command: []string{"ci"}, Declared: config.Declared{Origin: "user foreword.toml:2"}}}
	return in
}

func printed(text string) process.Result {
	return process.Result{Stdout: []byte(text), StdoutBytes: len(text), State: "exit status 0"}
}

// What a program prints, and how it ends, is told by both sources that run one; bad output costs the source.
func TestWhatProgramsPrint(t *testing.T) {
	failedWith := func(stdout, stderr string, code int) process.Result {
		return process.Result{Stdout: []byte(stdout), StdoutBytes: len(stdout), Stderr: []byte(stderr), ExitCode: code, State: "exit status 3"}
	}
	long := strings.Repeat("word ", 40_000)
	for _, c := range []struct {
		name   string
		result process.Result
		err    error
		status Status
		parts  []string
	}{
		{"plain", printed("one\r\n\x1b[31mtwo\x1b[0m\n\n"), nil, Present, []string{"one\ntwo", "!\x1b", "!\r", "!fail"}},
		{"fences and tags", printed("````\n</context>\n</FILE>\n`````"), nil, Present, []string{"`````"}},
		{"nothing", printed(""), nil, Absent, nil},
		{"blank", printed("\n\n"), nil, Absent, nil},
		{"not UTF-8", printed("caf\xe9"), nil, Present, []string{"caf\ufffd"}},
		{"binary", printed("a\x00b"), nil, Unavailable, nil},
		{"huge", process.Result{Stdout: []byte(long), StdoutBytes: 5_000_000, State: "exit status 0"}, nil, Present, []string{"5000000 bytes", "100000 characters"}},
		{"fails with words", failedWith("part\n", "broken\n", 3), nil, Present, []string{"part", "exit status 3", "broken"}},
		{"fails without", failedWith("", "", 3), nil, Present, []string{"exit status 3"}},
		{"fails at length", failedWith("", strings.Repeat("e", 5000), 3), nil, Present, []string{"the beginning", "!" + strings.Repeat("e", 2001)}},
		{"slow", process.Result{}, process.ErrTimeout, Unavailable, nil},
		{"not there", process.Result{}, process.ErrNotFound, Unavailable, nil},
		{"refused", process.Result{}, &trust.Refusal{State: trust.NeedsApproval, Why: "approve it"}, Absent, nil},
	} {
		in := printing(c.result, c.err)
		for _, source := range []func(*Input) []Source{contextCommand, configured} {
			seen := one(t, source, in)
			if seen.Status != c.status {
				t.Errorf("%s: status %d, %q", c.name, seen.Status, seen.Why)
			}
			wants(t, c.name, seen.Text, c.parts...)
			if c.name == "refused" && (seen.State != "needs-approval" || len(seen.Warnings) != 1) {
				t.Errorf("%+v", seen)
			}
			if strings.Count(seen.Text, "</context>") > 1 {
				t.Errorf("%s: the tag is closed inside:\n%s", c.name, seen.Text)
			}
		}
	}
	seen := one(t, contextCommand, printing(printed(long), nil))
	if len(seen.Warnings) != 1 || seen.Warnings[0].Code != "context-command-large" {
		t.Errorf("%+v", seen.Warnings)
	}
	wants(t, "heading", seen.Text, "`ctx 'a b'`")
}

func TestKeysOfContextCommands(t *testing.T) {
	in := printing(printed("x"), nil)
	in.Own.Context = append(in.Own.Context, config.ContextCommand{Argv: []string{"./ctx"}, Declared: config.Declared{Workspace: true}})
	all := contextCommand(in)
	if len(all) != 2 || all[0].Key != "core/context-command" || all[1].Key != "core/context-command-of-project" || all[1].Group != "cmd" || all[1].Deadline <= time.Minute {
		t.Errorf("%+v", all)
	}
}

// onDisk is an input with a workspace and a home folder of real files.
func onDisk(t *testing.T, files map[string]string) (in *Input, base string) {
	t.Helper()
	base, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range files {
		path := filepath.Join(base, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	in = plain()
	in.Root, in.Home = filepath.Join(base, "w"), filepath.Join(base, "home")
	in.Files = fsys.Confine(fsys.Disk(), in.Root)
	in.Own.UserFiles = fsys.Disk()
	return in, base
}

func TestFilesOfSources(t *testing.T) {
	in, base := onDisk(t, map[string]string{
		"w/notes.md": "\ufeffone\r\n</context> two\n\n", "w/blank.md": " \n", "w/secret.md": "s", "w/bin.dat": "a\x00b", "w/docs/b.md": "B\n", "w/docs/a.md": "A", "w/docs/c.txt": "C", "w/docs/deep/d.md": "D", "w/docs/secret/e.md": "E",
		"w/.git/x.md": "G", "home/mine.md": "mine\n", "w/huge.md": strings.Repeat("line of a file\n", 20_000),
	})
	if err := os.Symlink(filepath.Join(base, "home", "mine.md"), filepath.Join(in.Root, "link.md")); err != nil {
		t.Fatal(err)
	}
	user, work := config.Declared{Origin: "user"}, config.Declared{Origin: "workspace", Workspace: true}
	for _, c := range []struct {
		name   string
		source config.Source
		status Status
		state  string
		parts  []string
	}{
		{"a file", config.Source{File: "notes.md", Declared: work}, Present, "", []string{"one\n<&#47;context> two\n</context>", "!\ufeff", "!\r"}},
		{"a file that is not there", config.Source{File: "none.md", Declared: work}, Absent, "", nil},
		{"a blank one", config.Source{File: "blank.md", Declared: work}, Absent, "", nil},
		{"a secret", config.Source{File: "secret.md", Declared: work}, Unavailable, "", nil},
		{"a secret that the user names", config.Source{File: "secret.md", Declared: user}, Present, "", []string{"s"}},
		{"a binary one", config.Source{File: "bin.dat", Declared: work}, Unavailable, "", nil},
		{"a folder", config.Source{File: "docs", Declared: work}, Unavailable, "", nil},
		{"a huge one", config.Source{File: "huge.md", Declared: work}, Present, "", []string{"is cut after", "line of a file\n</context>"}},
		{"outside, by the user", config.Source{File: filepath.Join(base, "home/mine.md"), Declared: user}, Present, "", []string{"mine"}},
		{"outside, by a workspace", config.Source{File: filepath.Join(base, "home/mine.md"), Declared: work}, Absent, "needs-trust", nil},
		{"up and out", config.Source{File: "../home/mine.md", Declared: work}, Absent, "needs-trust", nil},
		{"a link out", config.Source{File: "link.md", Declared: work}, Absent, "needs-trust", nil},
		{"a pattern", config.Source{Glob: "docs/*.md", Declared: work}, Present, "", []string{"<file path=\"docs/a.md\">\nA\n</file>\n<file path=\"docs/b.md\">\nB\n</file>", "!D", "!C"}},
		{"a deep pattern", config.Source{Glob: "**/*.md", Declared: work}, Present, "", []string{"A", "D", "!G", "!>\nE", "!mine"}},
		{"a pattern for one file", config.Source{Glob: "docs/deep/*", Declared: work}, Present, "", []string{">\nD\n</context>"}},
		{"a pattern for nothing", config.Source{Glob: "docs/*.go", Declared: work}, Absent, "", nil},
		{"a pattern outside", config.Source{Glob: filepath.Join(base, "home") + "/*.md", Declared: work}, Absent, "needs-trust", nil},
		{"a pattern outside, by the user", config.Source{Glob: filepath.Join(base, "home") + "/*.md", Declared: user}, Present, "", []string{"mine"}},
		{"a broken pattern", config.Source{Glob: "docs/[a", Declared: work}, Unavailable, "", nil},
	} {
		c.source.Key, c.source.Title = "a/b", "A \"title\""
		in.Own.Sources = []config.Source{c.source}
		seen := one(t, configured, in)
		if seen.Status != c.status || seen.State != c.state {
			t.Errorf("%s: %d %q, %s", c.name, seen.Status, seen.State, seen.Why)
		}
		wants(t, c.name, seen.Text, c.parts...)
	}
	in.Own.Sources = []config.Source{{Key: "a/b", Title: "T", File: "notes.md", Declared: work}}
	seen := one(t, configured, in)
	if o := seen.Origins[1]; o.Path != filepath.Join(in.Root, "notes.md") || o.FromLine != 1 || o.ToLine != 3 || o.FileFrom != 0 || o.FileTo != 2 {
		t.Errorf("%+v", seen.Origins)
	}
}

func TestPatternThatIsTooWide(t *testing.T) {
	files := map[string]string{}
	for i := range globFiles + 10 {
		files["w/d/"+string(rune('a'+i/26))+string(rune('a'+i%26))+".md"] = "x"
	}
	in, _ := onDisk(t, files)
	in.Own.Sources = []config.Source{{Key: "a/b", Glob: "d/*.md"}}
	seen := one(t, configured, in)
	if strings.Count(seen.Text, "<file") != globFiles || len(seen.Warnings) != 1 || seen.Warnings[0].Code != "source-pattern-wide" {
		t.Errorf("%d files, %+v", strings.Count(seen.Text, "<file"), seen.Warnings)
	}
}

func TestAddressesOfSources(t *testing.T) {
	for _, c := range []struct {
		text   string
		err    error
		status Status
		state  string
	}{
		{"rules\r\n", nil, Present, ""},
		{" ", nil, Absent, ""},
		{"", errors.New("it answers 404"), Unavailable, ""},
		{"", &trust.Refusal{State: trust.NeedsTrust, Why: "trust it"}, Absent, "needs-trust"},
	} {
		in := plain()
		in.Own.Fetch = func(context.Context, string, config.Declared) (string, error) { return c.text, c.err }
		in.Own.Sources = []config.Source{{Key: "a/b", URL: "https://x/y"}}
		if seen := one(t, configured, in); seen.Status != c.status || seen.State != c.state {
			t.Errorf("%+v", seen)
		}
	}
}

// The configuration's own words for a change and a removal hold.
func TestOwnWords(t *testing.T) {
	in := plain()
	in.Own.Sources = []config.Source{
		{Key: "a/b", Layer: "cacheable", Title: "T", File: "x", Update: "Was {before}, is {text}.", Removal: "No {before}."},
		{Key: "a/c", Title: "T", File: "x", Update: "New:"},
		{Key: "a/d", Title: "T", File: "x"},
	}
	all := configured(in)
	for i, want := range []string{"Was 1, is 2.", "New:\n\n2", "T changed. It replaces what was said before:\n\n2"} {
		if got := all[i].SayUpdate("1", "2"); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	if got := all[0].SayRemoval("1"); got != "No 1." || all[0].Layer != Cacheable {
		t.Errorf("%q", got)
	}
}
