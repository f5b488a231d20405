package lsp

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"go.lsp.dev/uri"

	"foreword/commands"
)

// A client that offers to is asked what it adds to a prompt, and for nothing else; a wrong answer costs its own
// part.
func TestEditorAddsSections(t *testing.T) {
	root := t.TempDir()
	file := filepath.Join(root, "a.go")
	if err := os.WriteFile(file, []byte("package a\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name, answer string
		fails        error
		want, warn   string
	}{
		{"adds and edits", `{"add":[{"key":"note","title":"A note","text":"read me"}],"edit":[{"key":"core/date","text":"No day."},{"key":"core/identity","text":"mine"}]}`, nil, "read me|No day.", "hook-refused"},
		{"nothing", `null`, nil, "", ""},
		{"an empty object", `{}`, nil, "", ""},
		{"a misspelt field", `{"adds":[]}`, nil, "", "hook-failed"},
		{"another type", `[1]`, nil, "", "hook-failed"},
		{"an error", "", errors.New("no callback"), "", "hook-failed"},
	} {
		var asked atomic.Int32
		e := startEditor(t, Options{})
		e.answer = func(method string, params json.RawMessage) (any, error) {
			if method != commands.CollectSectionsMethod {
				return nil, nil
			}
			asked.Add(1)
			var in commands.CollectSectionsParams
			if err := json.Unmarshal(params, &in); err != nil || len(in.Sections) == 0 || !strings.HasSuffix(in.URI, "/a.go") || in.Mode != "plan" {
				t.Errorf("%s: %s", c.name, params)
			}
			if c.fails != nil {
				return nil, c.fails
			}
			return json.RawMessage(c.answer), nil
		}
		e.initialize(strings.Replace(workspaceParams(root, `{}`), "{", `{"initializationOptions":{"requests":["foreword/collectSections"]},`, 1))
		document := string(uri.File(file))
		e.must("textDocument/hover", map[string]any{"textDocument": map[string]any{"uri": document}, "position": map[string]any{"line": 0, "character": 0}})
		if asked.Load() != 0 {
			t.Errorf("%s: a hover asks the editor", c.name)
		}
		var r commands.BuildPromptResult
		raw := e.must("workspace/executeCommand", map[string]any{"command": "foreword.prompt.build", "arguments": []any{map[string]any{"uri": document, "mode": "plan"}}})
		if err := json.Unmarshal(raw, &r); err != nil {
			t.Fatal(err)
		}
		if asked.Load() != 1 {
			t.Errorf("%s: the editor was asked %d times", c.name, asked.Load())
		}
		var said strings.Builder
		for _, section := range r.Sections {
			said.WriteString(section.Text + "\n")
		}
		for _, want := range strings.Split(c.want, "|") {
			if !strings.Contains(said.String(), want) {
				t.Errorf("%s: %q is not said", c.name, want)
			}
		}
		var codes []string
		for _, w := range r.Warnings {
			codes = append(codes, w.Code)
		}
		if strings.Join(codes, " ") != c.warn {
			t.Errorf("%s: %v", c.name, r.Warnings)
		}
		e.stop()
	}
}

// A client that says nothing of it is never asked.
func TestEditorThatOffersNothingIsNotAsked(t *testing.T) {
	root := t.TempDir()
	e := startEditor(t, Options{})
	e.initialize(workspaceParams(root, `{}`)) // an unexpected request would be answered with an error, and warned of
	var r commands.BuildPromptResult
	raw := e.must("workspace/executeCommand", map[string]any{"command": "foreword.prompt.build", "arguments": []any{map[string]any{}}})
	if err := json.Unmarshal(raw, &r); err != nil || len(r.Warnings) != 0 || len(r.Hooks) != 0 {
		t.Errorf("%+v, %v", r.Warnings, err)
	}
	e.stop()
}
