package lsp

import (
	"context"
	"fmt"
	"strings"

	"go.lsp.dev/protocol"

	"foreword/workspace"
)

// CodeLens is a reader: above an instruction file it tells what the file
// reaches and costs.
func (s *server) CodeLens(ctx context.Context, params *protocol.CodeLensParams) ([]protocol.CodeLens, error) {
	ctx, snapshot := s.read(ctx)
	document := params.TextDocument.URI
	path := workspace.PathOf(document)
	if path == "" || !s.service.IsInstructionFile(string(document)) || !s.settings(snapshot, path).CodeLens.Enabled {
		return []protocol.CodeLens{}, nil
	}
	return withProgress(ctx, s, params.WorkDoneToken, "Counting the files below "+baseName(document), func(ctx context.Context) ([]protocol.CodeLens, error) {
		reach, err := s.reach(ctx, document)
		if reach == nil || err != nil {
			return []protocol.CodeLens{}, err
		}
		explain := explainAction
		explain.title = appliesTo(reach) + " · " + tokenCount(reach.Tokens) + sentBy(reach.Tools)
		switch {
		case isToldSkill(reach.Kind, reach.State):
			explain.title = "skill · " + tokenCount(reach.Tokens) + knownTo(reach.Tools)
		case reach.State != "sent":
			explain.title = reach.State + " · " + tokenCount(reach.Tokens)
		}
		return []protocol.CodeLens{{Range: protocol.Range{}, Command: s.show(explain, document.String())}}, nil
	})
}

// sentBy names the first tools that send the file too; the hover has them all.
func sentBy(tools []string) string { return byTools("sent by", tools) }

// knownTo names the first tools that tell the model of the skill, too.
func knownTo(tools []string) string { return byTools("known to", tools) }

func byTools(verb string, tools []string) string {
	const named = 2 // what fits above a line
	switch {
	case len(tools) == 0:
		return ""
	case len(tools) <= named+1:
		return " · " + verb + " " + strings.Join(tools, ", ")
	}
	return fmt.Sprintf(" · %s %s and %d others", verb, strings.Join(tools[:named], ", "), len(tools)-named)
}
