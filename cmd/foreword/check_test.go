package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func TestCheckExitsWithFindings(t *testing.T) {
	root, injected := project(t)
	write(t, filepath.Join(root, "settings.json"), `{"project_doc_max_bytes": 0}`)
	for _, c := range []struct {
		args []string
		code int
		out  string
	}{
		{[]string{"check"}, exitDone, ""},
		{[]string{"check", "--tools", "codex"}, exitDone, "svc/AGENTS.md:1:1: info not-loaded-from-here: loaded only when Codex CLI is started in svc/ or deeper\n"},
		{[]string{"check", "--tools", "codex", "--tool-settings", "settings.json", "AGENTS.md"}, exitFindings, "AGENTS.md:1:1: warning budget-excluded: "},
		{[]string{"check", "--tools", "claude-code", "--tool-version", "2.1.200", "AGENTS.md"}, exitDone, "AGENTS.md:1:1: info not-read-by-tool: "},
		{[]string{"check", "--tools", "nobody"}, exitUsage, ""},
		{[]string{"check", "nowhere"}, exitUsage, ""},
		{[]string{"check", "--tool-version", "1"}, exitUsage, ""},
	} {
		r := foreword(t, "", append(c.args, injected...)...)
		if r.code != c.code || !strings.HasPrefix(r.stdout, c.out) || c.out == "" && r.stdout != "" {
			t.Errorf("%v: exit %d, %q\n%s; want %d, %q", c.args, r.code, r.stdout, r.stderr, c.code, c.out)
		}
	}
}

func TestCheckAsJSON(t *testing.T) {
	root, injected := project(t)
	write(t, filepath.Join(root, "CLAUDE.md"), "See @gone.md\n")
	r := foreword(t, "", append([]string{"check", "--json", "CLAUDE.md"}, injected...)...)
	var answer struct {
		Version     int
		Diagnostics []struct {
			Path, Code, Severity, Message, Source string
			Tools                                 []string
			Range                                 struct{ Start, End struct{ Line, Character int } }
		}
	}
	if err := json.Unmarshal([]byte(r.stdout), &answer); err != nil || r.code != exitFindings || answer.Version != 1 || len(answer.Diagnostics) != 1 {
		t.Fatalf("exit %d, %v: %s", r.code, err, r.stdout)
	}
	d := answer.Diagnostics[0]
	if d.Path != "CLAUDE.md" || d.Code != "import-missing" || d.Severity != "warning" || d.Range.Start.Character != 4 || d.Range.End.Character != 12 || len(d.Tools) == 0 || d.Source == "" {
		t.Errorf("%+v", d)
	}
}

func TestListForPeople(t *testing.T) {
	root, injected := project(t)
	write(t, filepath.Join(root, ".cursor", "rules", "go.mdc"), "---\nglobs: **/*.go\n---\nRule.\n")
	r := foreword(t, "", append([]string{"list"}, injected...)...)
	for _, part := range []string{"holds for", "AGENTS.md", "svc/AGENTS.md", "2 files in svc", "1 file (**/*.go)", "3 files, "} {
		if r.code != exitDone || !strings.Contains(r.stdout, part) {
			t.Errorf("exit %d, %q is missing:\n%s%s", r.code, part, r.stdout, r.stderr)
		}
	}
	r = foreword(t, "", append([]string{"list", "--profile", "cursor", "--json", "svc"}, injected...)...)
	var answer struct{ Files []struct{ Path string } }
	if err := json.Unmarshal([]byte(r.stdout), &answer); err != nil || len(answer.Files) != 1 || answer.Files[0].Path != "svc/AGENTS.md" {
		t.Errorf("%v: %s", err, r.stdout)
	}
}
