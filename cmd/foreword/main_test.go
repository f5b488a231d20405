package main

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// result is what one run of the program left behind.
type result struct {
	code           int
	stdout, stderr string
}

func foreword(t *testing.T, stdin string, args ...string) result {
	t.Helper()
	var out, errs bytes.Buffer
	code := run(args, strings.NewReader(stdin), &out, &errs)
	return result{code, out.String(), errs.String()}
}

// project lays out a repository and goes into it; it gives the arguments that
// inject a home folder and a clock.
func project(t *testing.T) (root string, injected []string) {
	t.Helper()
	base, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	root = filepath.Join(base, "repo")
	for name, text := range map[string]string{"repo/AGENTS.md": "Root rule.\n", "repo/svc/AGENTS.md": "Service rule.\n", "repo/svc/main.go": "package main\n", "home/.keep": ""} {
		path := filepath.Join(base, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if out, err := exec.Command("git", "init", "-q", "-b", "main", root).CombinedOutput(); err != nil {
		t.Fatalf("git init: %v\n%s", err, out)
	}
	t.Chdir(root)
	return root, []string{"--home", filepath.Join(base, "home"), "--env", "LANG=C", "--now", "2026-11-30T12:00:00Z"}
}

func TestPromptForPeople(t *testing.T) {
	_, injected := project(t)
	r := foreword(t, "", append([]string{"prompt", "svc/main.go"}, injected...)...)
	if r.code != 0 || r.stderr != "" {
		t.Fatalf("exit %d, %s", r.code, r.stderr)
	}
	for _, part := range []string{"── core/identity · core ·", "Root rule.", "Service rule.", "══ cache boundary:", "30 November 2026", "── account ──", "total", "exact, o200k_base"} {
		if !strings.Contains(r.stdout, part) {
			t.Errorf("output lacks %q", part)
		}
	}
}

// TestSameBytesTwice holds that with the surroundings given the answer is the
// same to the byte.
func TestSameBytesTwice(t *testing.T) {
	_, injected := project(t)
	args := append([]string{"prompt", "--json", "svc/main.go"}, injected...)
	first, second := foreword(t, "", args...), foreword(t, "", args...)
	if first.stdout != second.stdout || first.code != 0 {
		t.Error("two runs differ")
	}
	var answer struct {
		Version  int
		Sections []struct{ Key string }
	}
	if err := json.Unmarshal([]byte(first.stdout), &answer); err != nil || answer.Version != 1 || len(answer.Sections) < 6 {
		t.Errorf("%v: %+v", err, answer)
	}
}

func TestExplainForPeople(t *testing.T) {
	_, injected := project(t)
	r := foreword(t, "", append([]string{"explain", "svc/main.go"}, injected...)...)
	if r.code != 0 || !strings.Contains(r.stdout, "2 instruction files, in this order") || strings.Index(r.stdout, "AGENTS.md") > strings.Index(r.stdout, "svc/AGENTS.md") {
		t.Errorf("exit %d\n%s%s", r.code, r.stdout, r.stderr)
	}
}

func TestPathsOfOtherRepositories(t *testing.T) {
	root, injected := project(t)
	t.Chdir(t.TempDir())
	r := foreword(t, "", append([]string{"explain", "--json", filepath.Join(root, "svc", "main.go")}, injected...)...)
	if r.code != 0 || !strings.Contains(r.stdout, `"path": "svc/AGENTS.md"`) {
		t.Errorf("exit %d\n%s%s", r.code, r.stdout, r.stderr)
	}
}

func TestOtherSubcommands(t *testing.T) {
	_, injected := project(t)
	for _, c := range []struct {
		stdin string
		args  []string
		parts []string
	}{
		{"hello world", []string{"count", "--model", "gpt-4o"}, []string{"2  exact by o200k_base"}},
		{"", []string{"count", "AGENTS.md", "svc/AGENTS.md"}, []string{"AGENTS.md", "exact"}},
		{"", []string{"touch", "svc/main.go"}, []string{"read of svc/main.go", "Service rule."}},
		{"", []string{"doctor"}, []string{"restricted", "branch main", "no problems", "tree.tokens"}},
		{"", []string{"version"}, []string{"foreword "}},
		{"", []string{"version", "--json"}, []string{`"contract": 1`}},
		{`{"wire":"text","messages":[{"role":"user","content":"hi"}],"model":"m"}`, []string{"turn"}, []string{`"body"`, "Root rule."}},
		{`{"wire":"text","messages":[{"role":"user","content":"hi"}]}`, []string{"turn", "--wire", "openai-chat", "--model", "m", "--mode", "plan", "--session", "s"}, []string{`"turn": 1`, "system-reminder"}},
		{`{"messages":[{"role":"user","content":"hi"}],"protect":{"tokens":5}}`, []string{"history", "--budget", "500", "--protect", "read", "--strategy", "reduce"}, []string{`"budget": 500`}},
		{`{"budget":100,"messages":[{"role":"user","content":"hi"}]}`, []string{"history"}, []string{`"status": "fit"`}},
		{"", []string{"prompt", "--preview"}, []string{"# Prompt for"}},
		{"", []string{"trust", "."}, []string{"repo  since 2026-11-30T12:00:00Z"}},
		{"", []string{"doctor"}, []string{"trusted"}},
		{"", []string{"trust", "--remove", "."}, []string{"no folder is trusted"}},
		{"", []string{"completion", "bash"}, []string{"__start_foreword"}},
		{"", nil, []string{"Available Commands"}},
	} {
		r := foreword(t, c.stdin, append(c.args, injected...)...)
		if r.code != 0 {
			t.Errorf("%v: exit %d: %s", c.args, r.code, r.stderr)
		}
		for _, part := range c.parts {
			if !strings.Contains(r.stdout, part) {
				t.Errorf("%v: output lacks %q:\n%s", c.args, part, r.stdout)
			}
		}
	}
}

func TestWrongCalls(t *testing.T) {
	_, injected := project(t)
	for _, c := range []struct {
		stdin string
		args  []string
		code  int
		part  string
	}{
		{"", []string{"promt"}, 2, "did you mean prompt"},
		{"", []string{"prompt", "--modle", "x"}, 2, "--help"},
		{"", []string{"explain"}, 2, "want one PATH"},
		{"", []string{"prompt", "no/such/file.go"}, 2, "no such file"},
		{"", []string{"prompt", "--root", "nowhere", "svc/main.go"}, 2, "no such folder"},
		{"", []string{"prompt", "--root", "svc", "--root", "AGENTS.md"}, 2, "not a folder"},
		{"", []string{"prompt", "--now", "yesterday"}, 2, "want a time"},
		{"", []string{"prompt", "--env", "NOVALUE"}, 2, "NAME=VALUE"},
		{"", []string{"prompt", "--mode", "fast"}, 2, "plan"},
		{"", []string{"explain", "--profile", "nobody", "svc/main.go"}, 2, "nobody"},
		{"{", []string{"turn"}, 2, "JSON"},
		{`{"wire":"text","mesages":[]}`, []string{"turn"}, 2, `"messages"`},
		{`{"budget":3,"messages":[{"role":"user","content":"far too long for this"}]}`, []string{"history"}, 3, "budget is 3"},
		{"", []string{"turn", "missing.json"}, 2, "missing.json"},
	} {
		r := foreword(t, c.stdin, append(slices.Clone(injected), c.args...)...)
		if r.code != c.code || !strings.Contains(r.stderr, c.part) {
			t.Errorf("%v: exit %d, %q; want %d with %q", c.args, r.code, r.stderr, c.code, c.part)
		}
	}
}

func TestErrorsAreJSONToo(t *testing.T) {
	_, injected := project(t)
	r := foreword(t, "", append([]string{"explain", "--json", "--profile", "nobody", "svc/main.go"}, injected...)...)
	var answer struct {
		Error struct{ Code, Message string }
	}
	if err := json.Unmarshal([]byte(r.stdout), &answer); err != nil || answer.Error.Code != "unknown_profile" {
		t.Errorf("%v in %q", err, r.stdout)
	}
}

func TestAFileThatDoesNotExistYet(t *testing.T) {
	_, injected := project(t)
	r := foreword(t, "", append([]string{"explain", "svc/new.go"}, injected...)...)
	if r.code != 0 || !strings.Contains(r.stderr, "does not exist") || !strings.Contains(r.stdout, "svc/AGENTS.md") {
		t.Errorf("exit %d\n%s%s", r.code, r.stdout, r.stderr)
	}
}

// TestEverySubcommandHasAnExample holds that --help shows how.
func TestEverySubcommandHasAnExample(t *testing.T) {
	p := &program{stdout: os.Stdout, stderr: os.Stderr}
	for _, c := range p.root().Commands() {
		if c.Example == "" || c.Short == "" {
			t.Errorf("%s has no example or no summary", c.Name())
		}
	}
}
