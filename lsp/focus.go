package lsp

import (
	"context"

	"foreword/commands"
	"foreword/workspace"
)

// didFocus is a writer: it notes which file the user looks at.
func (s *server) didFocus(_ context.Context, params *commands.DidFocusParams) error {
	u, err := parseURI(params.URI)
	if err != nil {
		return err
	}
	var focus workspace.Focus
	focus.Path = workspace.PathOf(u)
	if params.Range != nil {
		focus.Range = new(rangeFromCommand(*params.Range))
	}
	for _, visible := range params.Visible {
		u, err := parseURI(visible)
		if err != nil {
			return err
		}
		if path := workspace.PathOf(u); path != "" {
			focus.Visible = append(focus.Visible, path)
		}
	}
	s.workspace.DidFocus(focus)
	return nil
}
