package lsp

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"go.lsp.dev/uri"

	"foreword/commands"
)

// answers is a network on which every address says the same, once it is open.
type answers struct {
	text string
	open chan struct{}
}

func (a answers) Fetch(ctx context.Context, _ commands.AddressQuestion) (commands.AddressAnswer, error) {
	select {
	case <-a.open:
		return commands.AddressAnswer{Raw: a.text}, nil
	case <-ctx.Done():
		return commands.AddressAnswer{}, ctx.Err()
	}
}

// A hover does not wait for an address of the settings; when it has come, the
// client is told that prompts changed, and the next hover has it.
func TestAddressComesAfterTheHover(t *testing.T) {
	base, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	home, root := filepath.Join(base, "home"), filepath.Join(base, "w")
	settings := filepath.Join(home, ".config", "foreword", "foreword.toml")
	for _, dir := range []string{filepath.Dir(settings), root} {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(settings, []byte("instructions.files = [\"https://example.com/rules.md\"]\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	network := answers{text: "Be brief.", open: make(chan struct{})}
	e := startEditor(t, Options{Home: home, Env: func(string) string { return "" }, Service: func(o commands.Options) (*commands.Service, error) {
		o.Fetcher = network
		return commands.Open(o)
	}})
	e.initialize(fmt.Sprintf(`{"processId":null,"rootUri":%q,"capabilities":{},"initializationOptions":{"notifications":["foreword/promptChanged"]}}`, uri.File(root)))
	target := hoverParams(uri.File(filepath.Join(root, "x.go")))
	if hover := string(e.must("textDocument/hover", target)); !strings.Contains(hover, "it was not fetched yet") {
		t.Errorf("hover before the text has come: %s", hover)
	}
	close(network.open)
	e.await("foreword/promptChanged", func(raw json.RawMessage) bool {
		return strings.Contains(string(raw), "https://example.com/rules.md says something else")
	})
	hover := string(e.must("textDocument/hover", target))
	if !strings.Contains(hover, "1 instruction file applies here") || !strings.Contains(hover, "https://example.com/rules.md") {
		t.Errorf("hover after the text has come: %s", hover)
	}
	e.stop()
}
