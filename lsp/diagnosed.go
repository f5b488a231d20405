package lsp

import (
	"context"

	"foreword/commands"
	"foreword/workspace"
)

// severities are the words of our own messages.
var severities = map[string]workspace.Severity{
	"error": workspace.SeverityError, "warning": workspace.SeverityWarning, "info": workspace.SeverityInfo, "hint": workspace.SeverityHint,
}

// didChangeDiagnostics is a writer: it notes what problems the editor shows in
// a file, from whatever server.
func (s *server) didChangeDiagnostics(_ context.Context, params *commands.DidChangeDiagnosticsParams) error {
	u, err := parseURI(params.URI)
	if err != nil {
		return err
	}
	list := make([]workspace.Diagnostic, 0, len(params.Diagnostics))
	for _, d := range params.Diagnostics {
		list = append(list, workspace.Diagnostic{
			Range: rangeFromCommand(d.Range), Severity: severities[d.Severity], Message: d.Message, Source: d.Source, Code: d.Code,
		})
	}
	if s.workspace.DidChangeDiagnostics(u, params.Version, list) {
		s.notices.diagnostics()
	}
	return nil
}
