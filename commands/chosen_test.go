package commands

import (
	"strings"
	"testing"

	"foreword/promptbuilder/history"
)

var chosenFiles = map[string]string{
	"foreword.toml":                    "[context]\nfiles = [\"docs/*.md\", \"~/notes.md\"]\n[[references]]\nname = \"lib\"\npath = \"../home/lib\"\ndescription = \"A library.\"\n",
	"docs/style.md":                    "Short sentences.\n",
	"main.go":                          "package main\n",
	"other.go":                         "package other\n",
	"~/notes.md":                       "Private.\n",
	"~/lib/x":                          "x",
	"~/ada/tasks.md":                   "Tasks of Ada.\n",
	"~/ada/README.md":                  "I am Ada.\n",
	"~/ada/foreword.toml":              "context.files = [\"tasks.md\"]\n",
	"~/.config/foreword/foreword.toml": "agent.folder = \"~/ada\"\n[[references]]\nname = \"mine\"\npath = \"~/lib\"\ndescription = \"My library.\"\n",
}

func TestPromptTellsWhatTheSettingsName(t *testing.T) {
	r := newRepo(t, chosenFiles)
	s := r.open()
	b := build(t, s, BuildPromptParams{URI: r.uri("main.go")})
	if got := section(t, b, "context/docs/style.md"); got.Layer != "cacheable" || !strings.Contains(got.Text, "Short sentences.") || got.Origins[1].URI != r.uri("docs/style.md") {
		t.Errorf("%+v", got)
	}
	if got := section(t, b, "core/references").Text; !strings.Contains(got, "My library.") || strings.Contains(got, "A library.") {
		t.Errorf("references:\n%s", got)
	}
	if got := section(t, b, "agent/tasks.md").Text; !strings.Contains(got, "Tasks of Ada.") {
		t.Errorf("the assistant's file: %s", got)
	}
	if got := section(t, b, "core/agent-folder").Text; !strings.Contains(got, "README.md") || strings.Contains(text(b), "I am Ada.") {
		t.Errorf("the assistant's folder: %s", got)
	}
	if strings.Contains(text(b), "Private.") {
		t.Error("a workspace's settings told of a file outside it")
	}
	// An unsaved buffer is what counts, and its text is told once.
	r.edit(s, "docs/style.md", "Long sentences.\n")
	b = build(t, s, BuildPromptParams{URI: r.uri("main.go")})
	if got := text(b); !strings.Contains(got, "Long sentences.") || strings.Contains(got, "Short sentences.") || strings.Count(got, "Long sentences.") != 1 {
		t.Errorf("unsaved:\n%s", got)
	}
	run[TrustResult](t, s, "foreword.trust", TrustParams{Folder: r.uri("."), Trusted: new(true)})
	b = build(t, s, BuildPromptParams{URI: r.uri("main.go")})
	if got := text(b); !strings.Contains(got, "Private.") || !strings.Contains(got, "A library.") {
		t.Errorf("trusted:\n%s", got)
	}
}

func TestActiveFilesFollowTheMessage(t *testing.T) {
	r := newRepo(t, map[string]string{"foreword.toml": "active.tokens = 500\n", "main.go": "package main\n", "other.go": "package other\n"})
	r.git("add", ".")
	r.git("commit", "-qm", "x")
	s := r.open()
	b := build(t, s, BuildPromptParams{URI: r.uri("main.go"), Message: "What does other.go do?"})
	if got := section(t, b, "core/active"); got.Layer != "dynamic" || !strings.Contains(got.Text, "package other") || !strings.Contains(got.Why, "named 1×") {
		t.Errorf("%+v", got)
	}
	if got := text(build(t, s, BuildPromptParams{URI: r.uri("main.go")})); strings.Contains(got, "package other") {
		t.Errorf("without a message:\n%s", got)
	}
}

func TestNewestUserText(t *testing.T) {
	parts := func(parts ...history.Part) history.Content { return history.Content{Parts: parts} }
	messages := []history.Message{
		{Role: history.RoleUser, Content: history.Content{Text: "first"}},
		{Role: history.RoleUser, Content: parts(history.Part{Type: history.PartText, Text: "second"}, history.Part{Type: history.PartImage})},
		{Role: history.RoleAssistant, Content: history.Content{Text: "answer"}},
		{Role: history.RoleUser, Content: parts(history.Part{Type: history.PartToolResult})},
	}
	for n, want := range []string{"", "first", "second", "second", "second"} {
		if got := newestUserText(messages[:n]); got != want {
			t.Errorf("of %d messages: %q, want %q", n, got, want)
		}
	}
}
