package lint

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"foreword/workspace/fsys"
	"foreword/workspace/instructions"
)

// entryFor is what becomes of one file of a workspace for a target.
func entryFor(t *testing.T, w laid, profile, file string, req instructions.Request) *instructions.Entry {
	t.Helper()
	p, ok, err := instructions.LookupProfile(profile)
	if err != nil || !ok {
		t.Fatalf("profile %s: %v %v", profile, ok, err)
	}
	req.Root, req.Home, req.Dir = w.root, w.home, filepath.Dir(req.Target)
	d, err := instructions.Resolve(t.Context(), fsys.Disk(), p, req)
	must(t, err)
	for i := range d.Entries {
		if d.Entries[i].Path == filepath.Join(w.root, file) {
			return &d.Entries[i]
		}
	}
	return nil
}

// TestScopedRule holds T6: a rule for a list of patterns matches by each of
// them, says by which and what counted, and a pattern without a file is told.
func TestScopedRule(t *testing.T) {
	w := layOut(t, map[string]string{
		".github/instructions/ts.instructions.md": "---\napplyTo: \"src/**/*.ts, test/**\"\n---\nTypes.\n",
		".claude/rules/ts.md":                     "---\npaths: src/**/*.ts, test/**\n---\nTypes.\n",
		"src/a/b.ts":                              "1", "lib/c.ts": "1",
	})
	at := func(name string) string { return filepath.Join(w.root, filepath.FromSlash(name)) }
	for _, c := range []struct {
		profile, file, target, event string
		state                        instructions.State
		sent                         bool
		why                          string
	}{
		{"vscode-copilot", ".github/instructions/ts.instructions.md", "src/a/b.ts", "", instructions.Sent, true, `src/a/b.ts matches "src/**/*.ts" in line 2`},
		{"vscode-copilot", ".github/instructions/ts.instructions.md", "test/x.py", "", instructions.Sent, true, `test/x.py matches "test/**" in line 2`},
		{"vscode-copilot", ".github/instructions/ts.instructions.md", "lib/c.ts", "", instructions.OutOfScope, false, `lib/c.ts does not match "src/**/*.ts", "test/**" in line 2`},
		{"foreword", ".claude/rules/ts.md", "src/a/b.ts", "", instructions.Sent, true, `src/a/b.ts matches "src/**/*.ts" in line 2`},
		{"foreword", ".claude/rules/ts.md", "lib/c.ts", "", instructions.OutOfScope, false, "does not match"},
		// Claude Code waits for a read; a file that is merely open is none.
		{"claude-code", ".claude/rules/ts.md", "src/a/b.ts", "", instructions.OnRead, false, "it waits until a matching file is read"},
		{"claude-code", ".claude/rules/ts.md", "src/a/b.ts", "open", instructions.OnRead, false, "it waits until a matching file is read"},
		{"claude-code", ".claude/rules/ts.md", "src/a/b.ts", "read", instructions.OnRead, true, `src/a/b.ts was read and matches "src/**/*.ts" in line 2`},
	} {
		req := instructions.Request{Target: at(c.target)}
		if c.event != "" {
			req.Event = instructions.Event{Kind: c.event, Path: at(c.target)}
		}
		e := entryFor(t, w, c.profile, c.file, req)
		if e == nil || e.State != c.state || e.Sent != c.sent || !strings.Contains(e.Why, c.why) {
			t.Errorf("%s, %s %s: %+v; want %s, sent %v, %q", c.profile, c.event, c.target, e, c.state, c.sent, c.why)
		}
	}
	found := 0
	for _, d := range check(t, w, []string{"vscode-copilot", "claude-code"}, "", nil) {
		if d.Code == "glob-matches-nothing" && d.Severity == Hint && strings.Contains(d.Message, `"test/**"`) {
			found++
		}
	}
	if found != 2 {
		t.Errorf("%d hints for the pattern without a file, want one in each rule", found)
	}
}

// TestOddHeaders holds T7: whatever a header looks like, the rule has a state
// and a reason, and what is wrong is told with its line.
func TestOddHeaders(t *testing.T) {
	for _, c := range []struct {
		name, text string
		codes      string // of the diagnostics about the header, with lines from 1
	}{
		{"an alias of YAML", "---\npaths: *.ts\n---\nR\n", "yaml-alias:2"},
		{"tabs", "---\npaths:\n\t- '*.ts'\n---\nR\n", "yaml-tab:3"},
		{"a byte order mark", "\ufeff---\npaths: '*.ts'\n---\nR\n", ""},
		{"line ends of Windows", "---\r\npaths: '*.ts'\r\n---\r\nR\r\n", ""},
		{"no end", "---\npaths: '*.ts'\nR\n", "frontmatter-unclosed:1"},
	} {
		w := layOut(t, map[string]string{".claude/rules/r.md": c.text, "a.ts": "1"})
		for _, profile := range instructions.ProfileNames() {
			e := entryFor(t, w, profile, ".claude/rules/r.md", instructions.Request{Target: filepath.Join(w.root, "a.ts")})
			if e != nil && (e.State == "" || e.Why == "") {
				t.Errorf("%s, %s: dropped without a word: %+v", c.name, profile, e)
			}
			if e == nil && (profile == "claude-code" || profile == "foreword") {
				t.Errorf("%s, %s: nothing is said of the rule", c.name, profile)
			}
		}
		var codes []string
		for _, d := range check(t, w, []string{"claude-code"}, "", nil) {
			if d.Place != nil && (strings.HasPrefix(d.Code, "yaml-") || strings.HasPrefix(d.Code, "frontmatter-")) {
				codes = append(codes, fmt.Sprintf("%s:%d", d.Code, d.Place.Line+1))
			}
		}
		if got := strings.Join(codes, " "); got != c.codes {
			t.Errorf("%s: %q, want %q", c.name, got, c.codes)
		}
	}
}
