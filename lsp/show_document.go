package lsp

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"foreword/commands"
	"foreword/workspace/fsys"
)

// shownDocuments are the files that stand for virtual documents in a client
// that can show files only.
type shownDocuments struct {
	dir string // in which to make our own

	mu   sync.Mutex // guards made
	made string     // our own directory, once it is there
}

// write puts a document into a file that only the user can read.
func (d *shownDocuments) write(name, text string) (string, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.made == "" {
		// MkdirTemp makes a directory with mode 0700 under a name that nobody
		// can have made before.
		made, err := os.MkdirTemp(d.dir, "foreword-")
		if err != nil {
			return "", err
		}
		d.made = made
	}
	path := filepath.Join(d.made, name)
	next, err := os.CreateTemp(d.made, ".next-") // mode 0600
	if err != nil {
		return "", err
	}
	_, err = next.WriteString(text)
	if closeErr := next.Close(); err == nil {
		err = closeErr
	}
	if err == nil {
		err = os.Rename(next.Name(), path)
	}
	if err != nil {
		_ = os.Remove(next.Name())
		return "", err
	}
	return path, nil
}

// holds tells whether a path is one of the files.
func (d *shownDocuments) holds(path string) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return path != "" && d.made != "" && fsys.Within(d.made, path)
}

// remove takes the files away at the end.
func (d *shownDocuments) remove() {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.made != "" {
		_ = os.RemoveAll(d.made)
		d.made = ""
	}
}

// showResult opens the document of a result in the client.
func (s *server) showResult(ctx context.Context, result any) error {
	switch result := result.(type) {
	case *commands.PreviewPromptResult:
		return s.showDocument(ctx, result.URI, result.Markdown)
	case *commands.ExplainInstructionsResult:
		return s.showDocument(ctx, result.Document, result.Markdown)
	}
	return nil
}

func (s *server) showDocument(ctx context.Context, virtual, markdown string) error {
	u, err := uri.Parse(virtual)
	if err != nil {
		return fmt.Errorf("virtual document %q: %w", clip(virtual), err)
	}
	if !s.can.documentContent {
		path, err := s.shown.write(fileName(u), markdown)
		if err != nil {
			return fmt.Errorf("cannot write the document to show: %w", err)
		}
		u = uri.File(path)
		if !s.can.showsDocuments {
			return s.client.ShowMessage(ctx, &protocol.ShowMessageParams{
				Type: protocol.MessageTypeInfo, Message: "foreword: the document is in " + path,
			})
		}
	}
	answer, err := s.client.ShowDocument(ctx, &protocol.ShowDocumentParams{URI: u, TakeFocus: new(true)})
	if err != nil {
		return fmt.Errorf("window/showDocument: %w", err)
	}
	if answer == nil || !answer.Success {
		return fmt.Errorf("the client could not show %s", u)
	}
	return nil
}

// fileName is a safe name for the file of a virtual document.
func fileName(u uri.URI) string {
	name := strings.Map(func(r rune) rune {
		if r == '/' || r == '\\' || r == ':' || r < ' ' {
			return '-'
		}
		return r
	}, baseName(u))
	const longest = 120 // bytes; file systems allow 255, and some editors add to it
	if len(name) > longest {
		name = strings.ToValidUTF8(name[len(name)-longest:], "")
	}
	name = strings.TrimLeft(name, ".")
	if name == "" {
		name = "document.md"
	}
	return name
}
