package commands

import (
	"context"
	"errors"
	"fmt"
	"time"

	"foreword/workspace/trust"
)

// TrustParams changes or lists the user's trusted folders.
type TrustParams struct {
	// Folder is the URI of the folder; without one the list is only shown.
	Folder string `json:"folder,omitempty"`
	// Trusted is true to add the folder (the default), false to take it off.
	Trusted *bool `json:"trusted,omitempty"`
}

// TrustResult is the list after the change.
type TrustResult struct {
	Head
	// Folders that the user trusts, by path.
	Folders []TrustedFolder `json:"folders"`
	// File that holds the list.
	File string `json:"file"`
}

// TrustedFolder is one entry of the user's list.
type TrustedFolder struct {
	// Path is the real path of the folder.
	Path string `json:"path"`
	// Since is when it was added, RFC 3339.
	Since string `json:"since"`
}

// Trust changes the user's own list. It is the user who calls it: a client on
// a click, or the command line; nothing in a workspace can.
func (s *Service) Trust(ctx context.Context, params TrustParams) (*TrustResult, error) {
	r := &TrustResult{Head: head(), Folders: []TrustedFolder{}, File: s.trustFile}
	if params.Folder != "" {
		folder, err := filePath(params.Folder)
		if err != nil {
			return nil, failf(CodeInvalidParams, "folder: %w", err)
		}
		trusted := params.Trusted == nil || *params.Trusted
		change := s.trust.Trust
		if !trusted {
			change = s.trust.Distrust
		}
		var corrupt *trust.CorruptError
		switch err := change(folder); {
		case errors.As(err, &corrupt): // the change is made, what could not be read was kept aside
			r.Warnings = append(r.Warnings, Warning{Code: "trust-list", Message: corrupt.Error()})
		case err != nil:
			return nil, failf(CodeFailed, "cannot change the list of trusted folders: %w", err)
		}
		if now := s.snapshot(ctx).Trusted(folder); now != trusted {
			r.Warnings = append(r.Warnings, Warning{Code: "editor-decides", URI: params.Folder, Message: fmt.Sprintf(
				"the list is changed, but the editor's own decision about %s holds as long as it is open there", folder)})
		}
	}
	entries, err := s.trust.List()
	if err != nil {
		return nil, failf(CodeFailed, "cannot read the list of trusted folders: %w", err)
	}
	for _, e := range entries {
		r.Folders = append(r.Folders, TrustedFolder{Path: e.Path, Since: e.Since.UTC().Format(time.RFC3339)})
	}
	return r, nil
}
