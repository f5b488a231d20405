package commands

import (
	"errors"
	"regexp"
	"strings"
	"testing"
)

// TestDocumentIsThePreview holds that the bytes that are served are the bytes
// that the command gave.
func TestDocumentIsThePreview(t *testing.T) {
	r := newRepo(t, small)
	s := r.open()
	p := run[PreviewPromptResult](t, s, "foreword.prompt.preview", map[string]any{"uri": r.uri("svc/pay/x.go"), "model": "gpt-5", "mode": "plan"})
	served, err := s.Document(t.Context(), p.URI)
	must(t, err)
	if served != p.Markdown {
		t.Error("the document differs from the preview")
	}
	for _, part := range []string{"# Prompt for `svc/pay/x.go`", "Pay rule.", "**Cache boundary.**", "core/tools", "## Left out", "gpt-5"} {
		if !strings.Contains(p.Markdown, part) {
			t.Errorf("the preview lacks %q", part)
		}
	}
	if !strings.HasPrefix(p.URI, "foreword-preview:/") || strings.Contains(p.URI, "//") {
		t.Errorf("uri %s is not in the form that editors give back", p.URI)
	}
	r.edit(s, "AGENTS.md", "Fresh rule.\n")
	if served, err = s.Document(t.Context(), p.URI); err != nil || !strings.Contains(served, "Fresh rule.") {
		t.Errorf("the document does not follow an unsaved edit: %v", err)
	}
}

func TestExplanationIsADocumentToo(t *testing.T) {
	r := newRepo(t, small)
	s := r.open()
	e := run[ExplainInstructionsResult](t, s, "foreword.instructions.explain", map[string]any{"uri": r.uri("svc/pay/x.go")})
	served, err := s.Document(t.Context(), e.Document)
	must(t, err)
	if served != e.Markdown || !strings.Contains(served, "3 files") || strings.Contains(served, "Mail") {
		t.Errorf("served:\n%s", served)
	}
}

func TestForeignDocumentsAreRefused(t *testing.T) {
	s := newRepo(t, small).open()
	for _, document := range []string{"", "foreword-preview:/x.md?***", "foreword-preview:/x.md?e30x", "http://example.com/?e30", "x", "foreword-explain:/x?e30"} {
		var fault *Error
		if _, err := s.Document(t.Context(), document); !errors.As(err, &fault) || fault.Code != CodeInvalidParams {
			t.Errorf("%q: got %v", document, err)
		}
	}
}

var codeSpan = regexp.MustCompile("`[^`]*`")

// TestMarkdownFromFilesIsHarmless holds that names and reasons form no link,
// image or HTML in what an editor renders.
func TestMarkdownFromFilesIsHarmless(t *testing.T) {
	r := newRepo(t, map[string]string{"![x](http:a)<b>/AGENTS.md": "```\n![pixel](http://a/b.png)\n````", "![x](http:a)<b>/f.go": ""})
	s := r.open()
	p := run[PreviewPromptResult](t, s, "foreword.prompt.preview", map[string]any{"uri": r.uri("![x](http:a)<b>/f.go")})
	fence := ""
	for i, line := range strings.Split(p.Markdown, "\n") {
		switch marks := line[:len(line)-len(strings.TrimLeft(line, "`"))]; {
		case fence == "" && len(marks) >= 3:
			fence = marks
		case fence != "" && line == fence:
			fence = ""
		case fence == "" && strings.Contains(codeSpan.ReplaceAllString(line, ""), "![x]("):
			t.Errorf("line %d is not escaped: %s", i+1, line)
		}
	}
}

func TestExplainStates(t *testing.T) {
	r := newRepo(t, map[string]string{
		"AGENTS.md": "A", "CLAUDE.md": "->AGENTS.md", "sub/AGENTS.md": " ", "sub/AGENT.md": "G", "sub/x.go": "",
		"~/.config/foreword/AGENTS.md": "Mine",
	})
	s := r.open()
	e := run[ExplainInstructionsResult](t, s, "foreword.instructions.explain", map[string]any{"uri": r.uri("sub/x.go")})
	want := []struct {
		path, state, scope string
		order              int
	}{
		{"~/.config/foreword/AGENTS.md", "sent", "~", 1}, {"AGENTS.md", "sent", ".", 2},
		{"CLAUDE.md", "shadowed", ".", 0}, {"sub/AGENTS.md", "blank", "sub", 0}, {"sub/AGENT.md", "not-read-by-tool", "sub", 0},
	}
	if len(e.Entries) != len(want) {
		t.Fatalf("%d entries: %+v", len(e.Entries), e.Entries)
	}
	for i, w := range want {
		got := e.Entries[i]
		if got.Path != w.path || got.State != w.state || got.Order != w.order || got.Scope != w.scope || got.Why == "" || got.Sent != (w.order > 0) {
			t.Errorf("entry %d: %+v, want %+v", i, got, w)
		}
	}
	if e.Entries[2].Target != "AGENTS.md" || e.Entries[2].SameAs != "AGENTS.md" {
		t.Errorf("the link's target is not told: %+v", e.Entries[2])
	}
	if strings.Index(e.Text, "Mine") > strings.Index(e.Text, "scope=\"the whole repository\"") || e.Tokens == 0 {
		t.Errorf("text: %s", e.Text)
	}
	p := build(t, s, BuildPromptParams{URI: r.uri("sub/x.go")})
	if !strings.Contains(p.Messages[0].Content, e.Text) {
		t.Error("what explain says is sent is not what the prompt sends")
	}
}

func TestReach(t *testing.T) {
	r := newRepo(t, small)
	s := r.open()
	for name, want := range map[string]int{"AGENTS.md": 6, "svc/AGENTS.md": 4, "svc/pay/CLAUDE.md": 2} {
		got, err := s.Reach(t.Context(), r.uri(name))
		must(t, err)
		if got.Files != want || got.State != "sent" || got.Tokens == 0 {
			t.Errorf("%s: %+v, want %d files", name, got, want)
		}
	}
	if s.IsInstructionFile(r.uri("main.go")) || !s.IsInstructionFile(r.uri("svc/AGENTS.md")) || !s.IsInstructionFile(r.uri("x/GEMINI.md")) {
		t.Error("names of instruction files")
	}
	if _, err := s.Reach(t.Context(), r.uri("main.go")); err == nil {
		t.Error("a source file reaches nothing and must say so")
	}
}

func TestCountTokens(t *testing.T) {
	r := newRepo(t, small)
	s := r.open()
	hello := run[CountTokensResult](t, s, "foreword.tokens.count", map[string]any{"text": "hello world", "model": "gpt-4o"})
	if hello.Tokens != 2 || hello.Counter != "exact" || hello.Encoding != "o200k_base" {
		t.Errorf("got %+v", hello)
	}
	r.edit(s, "main.go", "package main // edited\n")
	files := run[CountTokensResult](t, s, "foreword.tokens.count", map[string]any{"uris": []string{r.uri("main.go"), r.uri("AGENTS.md"), r.uri("none")}})
	if len(files.Files) != 2 || !files.Files[0].Dirty || len(files.Warnings) != 1 || files.Tokens != files.Files[0].Tokens+files.Files[1].Tokens {
		t.Errorf("got %+v", files)
	}
	for _, params := range []map[string]any{{}, {"text": "a", "uris": []string{"file:///a"}}, {"uris": []string{r.uri("none")}}} {
		if _, err := try[CountTokensResult](t, s, "foreword.tokens.count", params); err == nil {
			t.Errorf("%v: want an error", params)
		}
	}
}

func TestStatus(t *testing.T) {
	r := newRepo(t, small)
	r.write("foreword.toml", "tree.tokens = 'many'\n")
	s := r.open()
	st := run[StatusResult](t, s, "foreword.status", map[string]any{"uri": r.uri("svc/pay/x.go")})
	if st.Instructions == nil || st.Instructions.Applies != 3 || st.Instructions.Tokens == 0 {
		t.Errorf("instructions: %+v", st.Instructions)
	}
	if len(st.Folders) != 1 || st.Folders[0].Trusted || st.Folders[0].Branch != "main" {
		t.Errorf("folders: %+v", st.Folders)
	}
	if len(st.Settings) == 0 || len(st.Problems) != 1 || !strings.Contains(st.Problems[0].Message, "tree.tokens") {
		t.Errorf("settings %d, problems %+v", len(st.Settings), st.Problems)
	}
}

func TestThePersonalFileCanBeAskedAbout(t *testing.T) {
	r := newRepo(t, map[string]string{"~/.config/foreword/AGENTS.md": "Mine", "AGENTS.md": "Ours"})
	s := r.open()
	reach, err := s.Reach(t.Context(), r.uri("~/.config/foreword/AGENTS.md"))
	must(t, err)
	if !reach.Everywhere || reach.State != "sent" {
		t.Errorf("reach %+v", reach)
	}
	e := run[ExplainInstructionsResult](t, s, "foreword.instructions.explain", map[string]any{"uri": r.uri("~/.config/foreword/AGENTS.md")})
	if len(e.Entries) != 1 || !e.Entries[0].Sent {
		t.Errorf("entries %+v", e.Entries)
	}
}
