package lsp

import (
	"context"

	"foreword/commands"
	"foreword/workspace"
)

// startTrust takes over what initialize said of trust. Without a word the
// user's own list decides; nothing in the workspace can.
func (s *server) startTrust(said *commands.TrustedFolders) {
	if said == nil {
		return
	}
	if said.ByURI == nil {
		s.workspace.TrustChanged("", said.All)
		return
	}
	for folder, trusted := range said.ByURI {
		u, err := parseURI(folder)
		if err != nil {
			s.log.warnf("initializationOptions.trusted: %v", err)
			continue
		}
		if path := workspace.PathOf(u); path != "" {
			s.workspace.TrustChanged(path, trusted)
		}
	}
}

// didChangeTrust is a writer: the editor's user has decided.
func (s *server) didChangeTrust(_ context.Context, params *commands.DidChangeTrustParams) error {
	var path string // of the folder; empty for all
	if params.Folder != "" {
		u, err := parseURI(params.Folder)
		if err != nil {
			return err
		}
		if path = workspace.PathOf(u); path == "" {
			return invalidParams("folder %q is not on this machine's disk", clip(params.Folder))
		}
	}
	s.workspace.TrustChanged(path, params.Trusted)
	because := "the workspace is no longer trusted"
	if params.Trusted {
		because = "the workspace is trusted now"
	}
	s.notices.changed(because)
	s.announce()
	return nil
}
