package lsp

import (
	"context"
	"fmt"
	"slices"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"foreword/commands"
	"foreword/workspace"
)

// The handlers of this file are writers: they run alone, in the order of the
// wire, and touch no disk.

// DidOpen takes over the text of a document.
func (s *server) DidOpen(_ context.Context, params *protocol.DidOpenTextDocumentParams) error {
	item := params.TextDocument
	if s.isOurs(item.URI) {
		return nil
	}
	s.workspace.DidOpen(item.URI, string(item.LanguageID), item.Version, item.Text)
	if path := workspace.PathOf(item.URI); path != "" {
		s.disk.watch(path)
	}
	s.notices.document(item.URI, "was opened")
	return nil
}

// changeParams is didChange as clients really send it. The protocol package
// reads {"range": null} as an insertion at the start of the text, and refuses
// a version that is null.
type changeParams struct {
	TextDocument struct {
		URI     string `json:"uri"`
		Version *int64 `json:"version"`
	} `json:"textDocument"`
	ContentChanges []struct {
		Range *protocol.Range `json:"range"`
		Text  *string         `json:"text"`
	} `json:"contentChanges"`
}

// didChange applies edits. An edit that does not fit leaves the document as it
// was, out of step until the client sends its whole text.
func (s *server) didChange(_ context.Context, raw []byte) error {
	var params changeParams
	err := json.Unmarshal(raw, &params, jsontext.AllowInvalidUTF8(true), jsontext.AllowDuplicateNames(true))
	if err != nil {
		return invalidParams("invalid parameters: %v", err)
	}
	u, err := parseURI(params.TextDocument.URI)
	if err != nil {
		return err
	}
	if s.isOurs(u) {
		return nil
	}
	changes := make([]workspace.Change, 0, len(params.ContentChanges))
	for i, change := range params.ContentChanges {
		if change.Text == nil {
			return invalidParams("contentChanges[%d].text is missing", i)
		}
		next := workspace.Change{Text: *change.Text}
		if change.Range != nil {
			next.Range = new(rangeFrom(*change.Range))
		}
		changes = append(changes, next)
	}
	version, err := s.nextVersion(u, params.TextDocument.Version)
	if err != nil {
		return err
	}
	if err := s.workspace.DidChange(u, version, changes); err != nil {
		// Nothing can be answered to a notification; the log is where an
		// author of a client looks.
		return fmt.Errorf("%s: %w", u, err)
	}
	s.notices.document(u, "was edited")
	return nil
}

// isOurs tells whether a document is one that the server shows: a virtual one or
// a file that stands for it. It is no part of the workspace; a preview that held
// itself would grow with every look at it.
func (s *server) isOurs(u uri.URI) bool {
	return slices.Contains(commands.Schemes(), u.Scheme()) || s.shown.holds(workspace.PathOf(u))
}

// nextVersion takes the client's version, or counts on where it gave none.
func (s *server) nextVersion(u uri.URI, said *int64) (int32, error) {
	if said != nil {
		if int64(int32(*said)) != *said {
			return 0, invalidParams("textDocument.version %d is out of range", *said)
		}
		return int32(*said), nil
	}
	if document := s.workspace.Snapshot().Document(u); document != nil {
		return document.Version + 1, nil
	}
	return 0, nil
}

// DidSave notes that the text is on disk.
func (s *server) DidSave(_ context.Context, params *protocol.DidSaveTextDocumentParams) error {
	s.workspace.DidSave(params.TextDocument.URI, params.Text)
	if path := workspace.PathOf(params.TextDocument.URI); path != "" {
		s.service.FilesChanged([]string{path})
	}
	s.notices.document(params.TextDocument.URI, "was saved")
	return nil
}

// DidClose gives the document back to the disk.
func (s *server) DidClose(_ context.Context, params *protocol.DidCloseTextDocumentParams) error {
	s.workspace.DidClose(params.TextDocument.URI)
	s.notices.document(params.TextDocument.URI, "was closed")
	return nil
}
