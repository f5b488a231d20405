package lsp

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"go.lsp.dev/uri"
)

// benchRoot is a repository of nested instruction files, six deep.
func benchRoot(b *testing.B) (root string, target uri.URI) {
	b.Helper()
	root = b.TempDir()
	dir := root
	for i := range 6 {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			b.Fatal(err)
		}
		text := strings.Repeat(fmt.Sprintf("Rule of level %d: write what you mean.\n", i), 40)
		if err := os.WriteFile(filepath.Join(dir, "AGENTS.md"), []byte(text), 0o644); err != nil {
			b.Fatal(err)
		}
		dir = filepath.Join(dir, fmt.Sprintf("level%d", i))
	}
	if err := os.MkdirAll(filepath.Join(root, ".git"), 0o755); err != nil {
		b.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(root, ".git", "HEAD"), []byte("ref: refs/heads/main\n"), 0o644); err != nil {
		b.Fatal(err)
	}
	return root, uri.File(filepath.Join(filepath.Dir(dir), "x.go"))
}

func hoverParams(u uri.URI) string {
	return fmt.Sprintf(`{"textDocument":{"uri":%q},"position":{"line":0,"character":0}}`, u)
}

// BenchmarkHoverCold is the first hover of a session: start, initialize, read
// the files, count the tokens.
func BenchmarkHoverCold(b *testing.B) {
	root, target := benchRoot(b)
	b.ReportAllocs()
	for b.Loop() {
		e := startEditor(b, Options{Home: root, TempDir: root})
		e.initialize(workspaceParams(root, "{}"))
		e.must("textDocument/hover", hoverParams(target))
		e.stop()
	}
}

// BenchmarkHoverWarm is a hover whose answer nothing has changed since.
func BenchmarkHoverWarm(b *testing.B) {
	root, target := benchRoot(b)
	e := startEditor(b, Options{Home: root, TempDir: root})
	e.initialize(workspaceParams(root, "{}"))
	e.must("textDocument/hover", hoverParams(target))
	b.ReportAllocs()
	for b.Loop() {
		e.must("textDocument/hover", hoverParams(target))
	}
	e.stop()
}

// BenchmarkHoverAfterEdit is a hover after a keystroke in an instruction file
// that applies.
func BenchmarkHoverAfterEdit(b *testing.B) {
	root, target := benchRoot(b)
	e := startEditor(b, Options{Home: root, TempDir: root})
	e.initialize(workspaceParams(root, "{}"))
	rules := uri.File(filepath.Join(root, "AGENTS.md"))
	e.notify("textDocument/didOpen", fmt.Sprintf(`{"textDocument":{"uri":%q,"languageId":"markdown","version":0,"text":"Rules.\n"}}`, rules))
	e.must("textDocument/hover", hoverParams(target))
	b.ReportAllocs()
	version := 0
	for b.Loop() {
		version++
		e.notify("textDocument/didChange", fmt.Sprintf(
			`{"textDocument":{"uri":%q,"version":%d},"contentChanges":[{"range":{"start":{"line":0,"character":0},"end":{"line":0,"character":1}},"text":"%d"}]}`, rules, version, version%10))
		e.must("textDocument/hover", hoverParams(target))
	}
	e.stop()
}

// BenchmarkDidChange is an edit of 1 kB in the middle of a buffer of 1 MB, from
// the client's write to the next request that sees it.
func BenchmarkDidChange(b *testing.B) {
	root := b.TempDir()
	e := startEditor(b, Options{Home: root, TempDir: root})
	e.initialize(workspaceParams(root, "{}"))
	u := uri.File(filepath.Join(root, "x.go"))
	line := strings.Repeat("x", 63) + `\n`
	text := strings.Repeat(line, 1<<20/64)
	e.notify("textDocument/didOpen", fmt.Sprintf(`{"textDocument":{"uri":%q,"languageId":"go","version":0,"text":"%s"}}`, u, text))
	block := strings.Repeat(line, 16)
	b.ReportAllocs()
	version := 0
	for b.Loop() {
		version++
		e.notify("textDocument/didChange", fmt.Sprintf(
			`{"textDocument":{"uri":%q,"version":%d},"contentChanges":[{"range":{"start":{"line":8000,"character":0},"end":{"line":8016,"character":0}},"text":"%s"}]}`, u, version, block))
		// A line without a hover: only the way there and back.
		e.must("textDocument/hover", fmt.Sprintf(`{"textDocument":{"uri":%q},"position":{"line":1,"character":0}}`, u))
	}
	e.stop()
}

// BenchmarkDidChangeWhole sends the whole buffer of 1 MB, as a client does that
// knows no incremental edits.
func BenchmarkDidChangeWhole(b *testing.B) {
	root := b.TempDir()
	e := startEditor(b, Options{Home: root, TempDir: root})
	e.initialize(workspaceParams(root, "{}"))
	u := uri.File(filepath.Join(root, "x.go"))
	text := strings.Repeat(strings.Repeat("x", 63)+`\n`, 1<<20/64)
	e.notify("textDocument/didOpen", fmt.Sprintf(`{"textDocument":{"uri":%q,"languageId":"go","version":0,"text":""}}`, u))
	b.ReportAllocs()
	version := 0
	for b.Loop() {
		version++
		e.notify("textDocument/didChange", fmt.Sprintf(
			`{"textDocument":{"uri":%q,"version":%d},"contentChanges":[{"text":"%s"}]}`, u, version, text))
		e.must("textDocument/hover", fmt.Sprintf(`{"textDocument":{"uri":%q},"position":{"line":1,"character":0}}`, u))
	}
	e.stop()
}
