package lsp

import (
	"context"

	"go.lsp.dev/protocol"
)

// DidChangeWorkspaceFolders is a writer.
func (s *server) DidChangeWorkspaceFolders(_ context.Context, params *protocol.DidChangeWorkspaceFoldersParams) error {
	added, removed := foldersFrom(params.Event.Added), foldersFrom(params.Event.Removed)
	s.workspace.FoldersChanged(added, removed)
	s.watchFolders(added)
	s.disk.again()
	s.notices.changed("the folders of the workspace changed")
	s.announce()
	return nil
}
