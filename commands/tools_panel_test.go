package commands

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"go.lsp.dev/uri"

	"foreword/workspace"
)

// The problems that the editor shows are told by file, those of files that are left out are not.
func TestDiagnosticsOfTheEditor(t *testing.T) {
	r := newRepo(t, toolFiles)
	s := r.open()
	for _, name := range []string{"main.go", "pay/x.go", ".env", "out/a.go", "gen/b.go", "~/elsewhere.go"} {
		s.Workspace().DidChangeDiagnostics(uri.File(r.path(name)), nil, []workspace.Diagnostic{
			{Range: workspace.Range{Start: workspace.Position{Line: 2, Character: 5}}, Severity: workspace.SeverityError, Message: "wrong in " + name, Source: "compiler", Code: "E1"},
			{Range: workspace.Range{Start: workspace.Position{Line: 0}}, Severity: workspace.SeverityWarning, Message: "odd\nin two lines"},
		})
	}
	diagnostics := func(arguments string) *CallToolResult {
		return callTool(t, s, map[string]any{"name": "diagnostics", "arguments": arguments})
	}
	want := "main.go:3:6: error: wrong in main.go (compiler E1)\nmain.go:1:1: warning: odd?in two lines\n"
	pay := strings.ReplaceAll(want, "main.go", "pay/x.go")
	for arguments, want := range map[string]string{`{}`: want + pay, `{"path":"pay"}`: pay, `{"path":"main.go"}`: want} {
		if got := diagnostics(arguments); got.Text != want || got.Title == "" {
			t.Errorf("%s: %q, want %q", arguments, got.Text, want)
		}
	}
	if got := diagnostics(`{"path":".env"}`); !got.IsError || strings.Contains(got.Text, "wrong") {
		t.Errorf("%+v", got)
	}
}

// A call that the panel gives up ends, and says nothing else.
func TestACancelledCall(t *testing.T) {
	r := newRepo(t, toolFiles)
	s := r.open()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	command, _ := Lookup("foreword.tools.call")
	for _, name := range []string{"read", "list", "glob", "grep", "diagnostics", "diff"} {
		arguments := map[string]any{"path": "pay"}
		switch name {
		case "read":
			arguments["path"] = "main.go"
		case "glob", "grep":
			arguments["pattern"] = "*o*"
			if name == "grep" {
				arguments["pattern"] = "o"
			}
		}
		raw, err := json.Marshal(map[string]any{"name": name, "arguments": arguments, "session": "s"})
		must(t, err)
		_, err = command.Call(ctx, s, raw)
		var fault *Error
		if !errors.As(err, &fault) || fault.Code != CodeCancelled {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// What foreword.tools.list gives is what foreword.turn.prepare takes, and no wire complains.
func TestToolsGoIntoATurnUnchanged(t *testing.T) {
	r := newRepo(t, toolFiles)
	s := r.open()
	listed := run[ListToolsResult](t, s, "foreword.tools.list", map[string]any{"uri": r.uri("main.go"), "agent": "plan", "mode": "plan", "session": "s", "model": "gpt-4o"})
	if len(listed.Tools) != 6 || listed.Tokens < 300 || listed.Tokens > 2000 {
		t.Fatalf("%d tools, %d tokens", len(listed.Tools), listed.Tokens)
	}
	for _, wire := range []string{"openai-chat", "openai-responses", "anthropic", "gemini", "ollama", "vscode-lm", "text"} {
		got := run[PrepareTurnResult](t, s, "foreword.turn.prepare", map[string]any{
			"uri": r.uri("main.go"), "wire": wire, "model": "gpt-4o", "tools": listed.Tools, "messages": []any{user("u", "hello")},
		})
		for _, w := range got.Warnings {
			if strings.Contains(w.Message, "tool") {
				t.Errorf("%s: %+v", wire, w)
			}
		}
		for _, d := range got.Downgrades {
			if wire != "text" && strings.Contains(d, "tool") {
				t.Errorf("%s: %s", wire, d)
			}
		}
		if wire == "text" {
			continue
		}
		for _, tool := range listed.Tools {
			if !strings.Contains(string(got.Body), tool.Description[:40]) {
				t.Errorf("%s: the description of %s is not in the body", wire, tool.Name)
			}
		}
	}
}

// A name that a provider refuses is a warning, for the wires of those that do.
func TestToolNamesThatAreRefusedAreWarnings(t *testing.T) {
	s := newRepo(t, small).open()
	for wire, want := range map[string]string{"anthropic": `"files.read"`, "openai-chat": `"files.read"`, "gemini": `"2read"`, "ollama": "", "text": ""} {
		got := run[PrepareTurnResult](t, s, "foreword.turn.prepare", map[string]any{
			"wire": wire, "model": "m", "tools": []map[string]any{{"name": "files.read"}, {"name": "2read"}, {"name": "read"}}, "messages": []any{user("u", "hello")},
		})
		var told []string
		for _, w := range got.Warnings {
			if w.Code == "tool-name-refused" {
				told = append(told, w.Message)
			}
		}
		if len(told) > 1 || (want == "") != (len(told) == 0) || want != "" && !strings.Contains(told[0], want) || want != "" && !strings.Contains(told[0], wire) {
			t.Errorf("%s: %q", wire, told)
		}
		if wire != "text" && !strings.Contains(string(got.Body), "files.read") {
			t.Errorf("%s: the tool is not in the body", wire)
		}
	}
}
