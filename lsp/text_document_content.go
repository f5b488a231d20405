package lsp

import (
	"context"

	"go.lsp.dev/protocol"
)

// TextDocumentContent is a reader: it gives the text of a virtual document, and
// from then on tells the client when the text may have changed.
func (s *server) TextDocumentContent(ctx context.Context, params *protocol.TextDocumentContentParams) (*protocol.TextDocumentContentResult, error) {
	// Also when there is no text now: a change may mend that.
	defer s.notices.serves(params.URI)()
	ctx, _ = s.read(ctx)
	return withProgress(ctx, s, nil, "Writing "+baseName(params.URI), func(ctx context.Context) (*protocol.TextDocumentContentResult, error) {
		text, err := s.service.Document(ctx, params.URI.String())
		if err != nil {
			return nil, err
		}
		return &protocol.TextDocumentContentResult{Text: text}, nil
	})
}
