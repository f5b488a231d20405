package lsp

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"go.lsp.dev/uri"

	"foreword/commands"
	"foreword/workspace/fsys"
)

// A hover whose answer was given before neither lists a directory nor reads a
// file; a keystroke in an instruction file costs no walk either.
func TestWarmHoverReadsNothing(t *testing.T) {
	root := t.TempDir()
	dir := filepath.Join(root, "a", "b", "c")
	for _, at := range []string{root, filepath.Join(root, "a"), dir} {
		if err := os.MkdirAll(at, 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(at, "AGENTS.md"), []byte("Rules of "+at), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	disk := fsys.NewCounting(fsys.Disk())
	e := startEditor(t, Options{Service: func(o commands.Options) (*commands.Service, error) {
		o.Disk = disk
		return commands.Open(o)
	}})
	e.initialize(workspaceParams(root, "{}"))
	rules, target := uri.File(filepath.Join(root, "AGENTS.md")), uri.File(filepath.Join(dir, "x.go"))
	e.notify("textDocument/didOpen", fmt.Sprintf(`{"textDocument":{"uri":%q,"languageId":"markdown","version":1,"text":"Rules."}}`, rules))
	e.must("textDocument/hover", hoverParams(target))
	cold := len(disk.Calls())
	if cold == 0 {
		t.Fatal("the first hover was not counted: the test shows nothing")
	}
	e.must("textDocument/hover", hoverParams(target))
	e.notify("textDocument/didChange", fmt.Sprintf(`{"textDocument":{"uri":%q,"version":2},"contentChanges":[{"text":"Other rules."}]}`, rules))
	e.must("textDocument/hover", hoverParams(target))
	for _, call := range disk.Calls()[cold:] {
		// On a slow machine the cache may ask whether a file is still the same.
		if call.Op == "ReadDir" || call.Op == "ReadFile" {
			t.Errorf("a warm hover makes the call %s %s", call.Op, call.Path)
		}
	}
	e.stop()
}
