package lsp

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"foreword/workspace"
)

// openServer is a server after initialize, without a connection.
func openServer(t *testing.T, root string) *server {
	t.Helper()
	s := newServer(context.Background(), Options{Home: t.TempDir(), TempDir: t.TempDir(), Env: func(string) string { return "" }}.withDefaults())
	t.Cleanup(s.end)
	var params protocol.InitializeParams
	params.RootURI = new(uri.File(root))
	if _, err := s.Initialize(context.Background(), &params); err != nil {
		t.Fatal(err)
	}
	if got := s.workspace.Snapshot().Folders(); len(got) != 1 || got[0] != (workspace.Folder{Path: root, Name: got[0].Name}) {
		t.Fatalf("folders %v", got)
	}
	return s
}

// A client that can watch files and settings is asked to, with few patterns.
func TestRegistrations(t *testing.T) {
	e := startEditor(t, Options{})
	e.initialize(fmt.Sprintf(`{"processId":null,"rootUri":%q,"initializationOptions":{"settings":{"instructions":{"names":["RULES.md","AGENTS.md"]}}},"capabilities":{"workspace":{
		"configuration":true,"didChangeConfiguration":{"dynamicRegistration":true},"didChangeWatchedFiles":{"dynamicRegistration":true}}}}`, uri.File(t.TempDir())))
	registered := func(method string) string {
		return string(e.await("client/registerCapability", func(raw json.RawMessage) bool { return strings.Contains(string(raw), method) }))
	}
	if raw := registered("workspace/didChangeConfiguration"); !strings.Contains(raw, `"section":"foreword"`) {
		t.Errorf("settings: %s", raw)
	}
	raw := registered("workspace/didChangeWatchedFiles")
	var params struct {
		Registrations []struct {
			RegisterOptions struct {
				Watchers []struct{ GlobPattern string }
			}
		}
	}
	if err := json.Unmarshal([]byte(raw), &params); err != nil {
		t.Fatal(err)
	}
	var patterns []string
	for _, watcher := range params.Registrations[0].RegisterOptions.Watchers {
		patterns = append(patterns, watcher.GlobPattern)
	}
	want := "**/{AGENTS.md,RULES.md} **/foreword.toml **/.gitignore **/.git/{HEAD,index}"
	if got := strings.Join(patterns, " "); got != want {
		t.Errorf("patterns %s, want %s", got, want)
	}
	e.stop()
}

// A client that asks for nothing is sent no request at all.
func TestBareClientIsAskedNothing(t *testing.T) {
	e := startEditor(t, Options{})
	e.initialize(workspaceParams(t.TempDir(), "{}"))
	e.must("workspace/executeCommand", `{"command":"foreword.status"}`)
	e.stop()
	e.mu.Lock()
	defer e.mu.Unlock()
	for _, m := range e.received {
		if m.method != "window/logMessage" {
			t.Errorf("sent to a client that can do nothing: %v", m)
		}
	}
}

func TestMarkdownIsEscaped(t *testing.T) {
	for text, want := range map[string]string{
		"plain words":              "plain words",
		"*bold* _it_ `code`":       "\\*bold\\* \\_it\\_ \\`code\\`",
		"[a](http://x)":            `\[a\]\(http&#58;//x\)`,
		"![i](x) <img src=x> & c":  `\!\[i\]\(x\) &lt;img src=x&gt; &amp; c`,
		"one\ntwo\r\n# three":      `one two  \# three`,
		"me@example.org www.x.org": "me&#64;example.org www&#46;x.org",
		"\u202eabc\x00\x1b[0m":     "\ufffdabc\ufffd\ufffd\\[0m",
	} {
		m := &markup{markdown: true}
		m.text(text)
		if got := m.b.String(); got != want {
			t.Errorf("%q is written as %q, want %q", text, got, want)
		}
	}
	for text, want := range map[string]string{
		"a.go": "`a.go`", "a`b": "`` a`b ``", "``": "``` `` ```", "a\nb": "`a b`",
	} {
		m := &markup{markdown: true}
		m.code(text)
		if got := m.b.String(); got != want {
			t.Errorf("%q is written as %q, want %q", text, got, want)
		}
	}
}
