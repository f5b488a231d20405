package lsp

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	protocolJSON "github.com/go-json-experiment/json"
	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"
)

// A client that knows the protocol only is told what is wrong with an
// instruction file while it is edited, and that it is right when it is closed.
func TestPublishToAnyClient(t *testing.T) {
	root := t.TempDir()
	file := filepath.Join(root, "CLAUDE.md")
	if err := os.WriteFile(file, []byte("Rules.\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	e := startEditor(t, Options{})
	e.initialize(workspaceParams(root, `{"textDocument":{"publishDiagnostics":{}}}`))
	u := uri.File(file)
	e.notify("textDocument/didOpen", fmt.Sprintf(`{"textDocument":{"uri":%q,"languageId":"markdown","version":1,"text":"# Rules\n\nSee @no/such.md.\n"}}`, u))
	var told publishedDiagnostics
	about := func(raw json.RawMessage) bool {
		told = publishedDiagnostics{}
		return json.Unmarshal(raw, &told) == nil && told.URI == string(u)
	}
	e.await(methodPublishDiagnostics, about)
	if len(told.Diagnostics) != 1 || told.Version != 1 {
		t.Fatalf("told %+v", told)
	}
	got := told.Diagnostics[0]
	if got.Code != "import-missing" || got.Severity != 2 || got.Source != "foreword" || got.Range.Start.Line != 2 || !strings.Contains(got.Message, "no/such.md") {
		t.Errorf("told %+v", got)
	}
	e.notify("textDocument/didChange", fmt.Sprintf(`{"textDocument":{"uri":%q,"version":2},"contentChanges":[{"text":"# Rules\n"}]}`, u))
	e.await(methodPublishDiagnostics, func(raw json.RawMessage) bool { return about(raw) && told.Version == 2 && len(told.Diagnostics) == 0 })
	e.notify("textDocument/didChange", fmt.Sprintf(`{"textDocument":{"uri":%q,"version":3},"contentChanges":[{"text":"@no/such.md\n"}]}`, u))
	e.await(methodPublishDiagnostics, func(raw json.RawMessage) bool { return about(raw) && told.Version == 3 && len(told.Diagnostics) == 1 })
	e.notify("textDocument/didClose", fmt.Sprintf(`{"textDocument":{"uri":%q}}`, u))
	e.await(methodPublishDiagnostics, func(raw json.RawMessage) bool { return about(raw) && len(told.Diagnostics) == 0 })
}

// Our own clients ask; what they were told by the server they would tell it as
// problems that the editor shows.
func TestPublishNotToOurClients(t *testing.T) {
	for _, params := range []string{
		`{"capabilities":{}}`,
		`{"capabilities":{"textDocument":{"publishDiagnostics":{}}},"initializationOptions":{"notifications":["foreword/status"]}}`,
	} {
		if clientOf(t, params).showsDiagnostics {
			t.Errorf("%s is told", params)
		}
	}
	if !clientOf(t, `{"capabilities":{"textDocument":{"publishDiagnostics":{}}}}`).showsDiagnostics {
		t.Error("a client that shows diagnostics is not told")
	}
}

func clientOf(t *testing.T, initialize string) client {
	t.Helper()
	var params protocol.InitializeParams
	if err := protocolJSON.Unmarshal([]byte(initialize), &params); err != nil {
		t.Fatal(err)
	}
	c, err := clientFrom(&params)
	if err != nil {
		t.Fatal(err)
	}
	return c
}
