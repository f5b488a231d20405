package lsp

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"go.lsp.dev/uri"
)

// A preview that is asked for, an edit while its text is being made, and the
// client told of the edit before it has the text: the text that it gets is old,
// and nothing else will happen that makes the client ask again.
func TestEditWhileADocumentIsMade(t *testing.T) {
	var slow atomic.Bool
	making, proceed := make(chan struct{}), make(chan struct{})
	root := t.TempDir()
	file := filepath.Join(root, "AGENTS.md")
	if err := os.WriteFile(file, []byte("Old rules.\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	e := startEditor(t, Options{
		// Only a prompt asks for the time.
		Now: func() time.Time {
			if slow.CompareAndSwap(true, false) {
				close(making)
				<-proceed
			}
			return time.Unix(0, 0)
		},
	})
	e.initialize(strings.Replace(workspaceParams(root, `{"workspace":{"textDocumentContent":{}}}`), "{", `{"initializationOptions":{"notifications":["foreword/promptChanged"]},`, 1))
	rules := uri.File(file)
	edited := func(raw json.RawMessage) bool { return strings.Contains(string(raw), "was edited") }
	e.notify("textDocument/didOpen", fmt.Sprintf(`{"textDocument":{"uri":%q,"languageId":"markdown","version":1,"text":"Old rules."}}`, rules))
	e.await(methodPromptChanged, nil)

	var preview struct{ URI string }
	raw := e.must("workspace/executeCommand", fmt.Sprintf(`{"command":"foreword.prompt.preview","arguments":[{"uri":%q}]}`, uri.File(filepath.Join(root, "x.go"))))
	if err := json.Unmarshal(raw, &preview); err != nil {
		t.Fatal(err)
	}
	content := fmt.Sprintf(`{"uri":%q}`, preview.URI)
	refreshed := func(raw json.RawMessage) bool { return strings.Contains(string(raw), preview.URI) }

	slow.Store(true)
	answered := make(chan string, 1)
	go func() {
		raw, err := e.call("workspace/textDocumentContent", content)
		answered <- fmt.Sprint(string(raw), err)
	}()
	<-making
	e.notify("textDocument/didChange", fmt.Sprintf(`{"textDocument":{"uri":%q,"version":2},"contentChanges":[{"text":"New rules."}]}`, rules))
	e.await(methodPromptChanged, edited)
	e.await("workspace/textDocumentContent/refresh", refreshed) // while a client has nothing to refresh
	close(proceed)
	if text := <-answered; !strings.Contains(text, "Old rules.") {
		t.Fatalf("the text is not that of the moment at which it was asked for:\n%s", text)
	}
	e.await("workspace/textDocumentContent/refresh", refreshed)
	if text := string(e.must("workspace/textDocumentContent", content)); !strings.Contains(text, "New rules.") {
		t.Errorf("after the refresh the text is still the old one:\n%s", text)
	}
	e.stop()
}

// A document that cannot be made now is refreshed too: a change may mend it.
func TestDocumentThatFailsIsRefreshed(t *testing.T) {
	root := t.TempDir()
	e := startEditor(t, Options{})
	e.initialize(workspaceParams(root, `{"workspace":{"textDocumentContent":{}}}`))
	const broken = "foreword-preview:/x.prompt.md?nothing"
	if _, err := e.call("workspace/textDocumentContent", fmt.Sprintf(`{"uri":%q}`, broken)); err == nil {
		t.Fatal("the document does not fail")
	}
	e.notify("textDocument/didOpen", fmt.Sprintf(`{"textDocument":{"uri":%q,"languageId":"go","version":1,"text":"package x"}}`, uri.File(filepath.Join(root, "x.go"))))
	e.await("workspace/textDocumentContent/refresh", func(raw json.RawMessage) bool { return strings.Contains(string(raw), broken) })
	e.stop()
}

// Other problems in a file are part of a prompt: a preview that is open is
// refreshed.
func TestPreviewFollowsDiagnostics(t *testing.T) {
	root := t.TempDir()
	e := startEditor(t, Options{})
	e.initialize(workspaceParams(root, `{"workspace":{"textDocumentContent":{}}}`))
	file := uri.File(filepath.Join(root, "x.go"))
	var preview struct{ URI string }
	raw := e.must("workspace/executeCommand", fmt.Sprintf(`{"command":"foreword.prompt.preview","arguments":[{"uri":%q}]}`, file))
	if err := json.Unmarshal(raw, &preview); err != nil {
		t.Fatal(err)
	}
	content := fmt.Sprintf(`{"uri":%q}`, preview.URI)
	e.must("workspace/textDocumentContent", content)
	e.notify(methodDidChangeDiagnostics, fmt.Sprintf(`{"uri":%q,"diagnostics":[{"range":{"start":{"line":4,"character":0},"end":{"line":4,"character":1}},"severity":"error","message":"wrong word"}]}`, file))
	e.await("workspace/textDocumentContent/refresh", func(raw json.RawMessage) bool { return strings.Contains(string(raw), preview.URI) })
	if text := string(e.must("workspace/textDocumentContent", content)); !strings.Contains(text, "x.go:5: error: wrong word") {
		t.Errorf("the preview does not tell it: %s", text)
	}
	e.stop()
}
