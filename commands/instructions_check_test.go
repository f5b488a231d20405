package commands

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// told writes diagnostics as "path:line:column code severity", from 1.
func told(r *CheckInstructionsResult) []string {
	out := []string{}
	for _, d := range r.Diagnostics {
		out = append(out, fmt.Sprintf("%s:%d:%d %s %s", d.Path, d.Range.Start.Line+1, d.Range.Start.Character+1, d.Code, d.Severity))
	}
	return out
}

var faulty = map[string]string{
	"AGENTS.md":           "Use tabs.\n",
	"CLAUDE.md":           "Ä𝕏 @docs/gone.md\n",
	"svc/AGENTS.md":       "Service.\n",
	"svc/CLAUDE.local.md": "mine, and @gone.md too\n",
	"dist/AGENTS.md":      "built\n",
	".gitignore":          "dist/\nCLAUDE.local.md\n",
	"svc/main.go":         "package main\n",
	"dist/CLAUDE.md":      "@gone.md\n",
}

// TestCheckTheWholeWorkspace holds the default: the tools that show signs, all
// files that git knows, the personal ones that it ignores, and no other ignored
// folder. Columns are UTF-16.
func TestCheckTheWholeWorkspace(t *testing.T) {
	r := newRepo(t, faulty)
	got := run[CheckInstructionsResult](t, r.open(), "foreword.instructions.check", CheckInstructionsParams{})
	want := []string{
		"AGENTS.md:1:1 hidden-by-claude-md warning",
		"CLAUDE.md:1:5 import-missing warning",
		"svc/AGENTS.md:1:1 hidden-by-claude-md warning",
		"svc/CLAUDE.local.md:1:11 import-missing warning",
	}
	if diff := cmp.Diff(want, told(got)); diff != "" {
		t.Errorf("diagnostics (-want +got):\n%s", diff)
	}
	if !slices.Equal(got.Tools, []string{"claude-code", "foreword"}) || got.Files != 4 {
		t.Errorf("tools %q, %d files", got.Tools, got.Files)
	}
	for _, d := range got.Diagnostics {
		if d.URI != r.uri(d.Path) || d.Message == "" || d.Source == "" || len(d.Tools) == 0 || d.Range.End.Character <= d.Range.Start.Character {
			t.Errorf("%+v", d)
		}
	}
	if end := got.Diagnostics[1].Range.End.Character; end != 17 { // Ä is one unit, 𝕏 two
		t.Errorf("the import ends at %d", end)
	}
}

func TestCheckSomeFilesForSomeTools(t *testing.T) {
	r := newRepo(t, faulty)
	s := r.open()
	got := run[CheckInstructionsResult](t, s, "foreword.instructions.check", CheckInstructionsParams{URIs: []string{r.uri("svc")}, Tools: []string{"codex", "any"}})
	want := []string{
		"svc/AGENTS.md:1:1 not-loaded-from-here info", "svc/CLAUDE.local.md:1:1 not-read-by-tool info", "svc/CLAUDE.local.md:1:11 import-missing warning",
	}
	if diff := cmp.Diff(want, told(got)); diff != "" {
		t.Errorf("in svc, for Codex and foreword (-want +got):\n%s", diff)
	}
	got = run[CheckInstructionsResult](t, s, "foreword.instructions.check", CheckInstructionsParams{
		URIs: []string{r.uri("AGENTS.md")}, Tools: []string{"claude-code"}, ToolVersion: "2.1.200",
	})
	if diff := cmp.Diff([]string{"AGENTS.md:1:1 not-read-by-tool info"}, told(got)); diff != "" {
		t.Errorf("an old version (-want +got):\n%s", diff)
	}
	got = run[CheckInstructionsResult](t, s, "foreword.instructions.check", CheckInstructionsParams{
		URIs: []string{r.uri("AGENTS.md")}, Tools: []string{"codex"}, ToolSettings: map[string]any{"project_doc_max_bytes": 0},
	})
	if diff := cmp.Diff([]string{"AGENTS.md:1:1 budget-excluded warning"}, told(got)); diff != "" {
		t.Errorf("with settings (-want +got):\n%s", diff)
	}
}

// TestCheckSeesBuffers holds that what the editor shows counts, saved or not.
func TestCheckSeesBuffers(t *testing.T) {
	r := newRepo(t, map[string]string{"CLAUDE.md": "@docs/gone.md\n"})
	s := r.open()
	r.edit(s, "CLAUDE.md", "fine\n")
	r.edit(s, "GEMINI.md", "Use @dataclass.\n")
	got := run[CheckInstructionsResult](t, s, "foreword.instructions.check", CheckInstructionsParams{Tools: []string{"claude-code", "gemini-cli"}})
	if diff := cmp.Diff([]string{"GEMINI.md:1:5 at-token-will-be-replaced warning"}, told(got)); diff != "" {
		t.Errorf("diagnostics (-want +got):\n%s", diff)
	}
}

// TestCheckPastAFolderOfTheRepository holds that files above the open folder
// count for what is found, and are not told about themselves.
func TestCheckPastAFolderOfTheRepository(t *testing.T) {
	r := newRepo(t, faulty)
	got := run[CheckInstructionsResult](t, r.open("svc"), "foreword.instructions.check", CheckInstructionsParams{Tools: []string{"claude-code"}})
	if diff := cmp.Diff([]string{"AGENTS.md:1:1 hidden-by-claude-md warning", "CLAUDE.local.md:1:11 import-missing warning"}, told(got)); diff != "" {
		t.Errorf("diagnostics (-want +got):\n%s", diff)
	}
}

// TestCheckWithoutGit holds that a folder that git knows nothing of is walked,
// also where it only looks like a repository, and repositories in it are found.
func TestCheckWithoutGit(t *testing.T) {
	r := newRepo(t, map[string]string{"agents.md": "x", "sub/.git/HEAD": "ref: refs/heads/main\n", "sub/GEMINI.md": "@../agents.md\n"})
	must(t, os.RemoveAll(r.path(".git")))
	got := run[CheckInstructionsResult](t, r.open(), "foreword.instructions.check", CheckInstructionsParams{Tools: []string{"gemini-cli", "codex"}})
	if diff := cmp.Diff([]string{"agents.md:1:1 wrong-case-name warning", "sub/GEMINI.md:1:1 import-outside-root error"}, told(got)); diff != "" {
		t.Errorf("diagnostics (-want +got):\n%s", diff)
	}
}

// TestCheckReadsNoSecrets holds that a link with the name of an instruction
// file tells nothing of a file of secrets, nor of what lies outside.
func TestCheckReadsNoSecrets(t *testing.T) {
	r := newRepo(t, map[string]string{
		".env": "---\nglobs: TOKEN-1\n---\n", "AGENTS.md": "->.env", "~/private.md": "---\nglobs: TOKEN-2\n---\n@TOKEN-2.md\n",
	})
	r.write("CLAUDE.md", "->"+r.path("~/private.md"))
	got := run[CheckInstructionsResult](t, r.open(), "foreword.instructions.check", CheckInstructionsParams{Tools: []string{"*"}})
	for _, d := range got.Diagnostics {
		if strings.Contains(d.Message, "TOKEN") || d.Range.End.Line > 0 || d.Range.End.Character > 0 && (d.Path == "AGENTS.md" || d.Path == "CLAUDE.md") {
			t.Errorf("%+v", d)
		}
	}
}

func TestCheckRefusesWhatItCannotAnswer(t *testing.T) {
	r := newRepo(t, faulty)
	s := r.open()
	for _, c := range []struct {
		params CheckInstructionsParams
		code   Code
	}{
		{CheckInstructionsParams{Tools: []string{"nobody"}}, CodeUnknownProfile},
		{CheckInstructionsParams{Tools: []string{""}}, CodeUnknownProfile},
		{CheckInstructionsParams{ToolVersion: "1.0"}, CodeInvalidParams},
		{CheckInstructionsParams{URIs: []string{"svc"}}, CodeInvalidParams},
		{CheckInstructionsParams{URIs: []string{r.uri("~/elsewhere")}}, CodeNotInWorkspace},
	} {
		_, err := try[CheckInstructionsResult](t, s, "foreword.instructions.check", c.params)
		var fault *Error
		if !errors.As(err, &fault) || fault.Code != c.code {
			t.Errorf("%+v: %v, want %s", c.params, err, c.code)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	command, _ := Lookup("foreword.instructions.check")
	_, err := command.Call(ctx, s, []byte(`{}`))
	var fault *Error
	if !errors.As(err, &fault) || fault.Code != CodeCancelled {
		t.Errorf("cancelled: %v", err)
	}
}
