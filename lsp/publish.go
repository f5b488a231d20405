package lsp

import (
	"context"
	"encoding/json"
	"go.lsp.dev/uri"
	"maps"
	"slices"

	"foreword/commands"
)

// methodPublishDiagnostics is of the protocol.
const methodPublishDiagnostics = "textDocument/publishDiagnostics"

// publishedDiagnostics is its parameter, with what we say only: the package's
// own type has unions where a string does.
type publishedDiagnostics struct {
	URI         string                `json:"uri"`
	Version     int32                 `json:"version"`
	Diagnostics []publishedDiagnostic `json:"diagnostics"`
}

type publishedDiagnostic struct {
	Range    commands.Range `json:"range"`
	Severity int            `json:"severity"`
	Code     string         `json:"code"`
	Source   string         `json:"source"`
	Message  string         `json:"message"`
}

// publishSeverities are the protocol's numbers.
var publishSeverities = map[string]int{"error": 1, "warning": 2, "info": 3, "hint": 4}

// publish tells what is wrong with the instruction files that are open, to a
// client that knows nothing of ours. Our own show the answer of
// foreword.instructions.check, and would tell the server of its own findings as
// problems of the editor's. Only the notices' goroutine calls it.
func (n *notices) publish(ctx context.Context) {
	s := n.server
	if !s.can.showsDiagnostics {
		return
	}
	snapshot := s.workspace.Snapshot()
	versions := map[string]int32{}
	for _, document := range snapshot.Documents() {
		if u := string(document.URI); s.service.IsInstructionFile(u) {
			versions[u] = document.Version
		}
	}
	found := map[string][]publishedDiagnostic{}
	if len(versions) > 0 {
		uris := slices.Sorted(maps.Keys(versions))
		result, err := s.service.CheckInstructions(commands.WithSnapshot(ctx, snapshot), commands.CheckInstructionsParams{URIs: uris})
		if err != nil {
			if ctx.Err() == nil {
				s.log.log("warning", "the open instruction files could not be checked: "+err.Error())
			}
			return
		}
		for _, d := range result.Diagnostics {
			found[d.URI] = append(found[d.URI], publishedDiagnostic{
				Range: d.Range, Severity: publishSeverities[d.Severity], Code: d.Code, Source: "foreword", Message: d.Message,
			})
		}
	}
	for _, u := range slices.Sorted(maps.Keys(n.published)) {
		if _, open := versions[u]; !open {
			delete(n.published, u)
			s.notify(ctx, methodPublishDiagnostics, &publishedDiagnostics{URI: u, Diagnostics: []publishedDiagnostic{}})
		}
	}
	for _, document := range snapshot.Documents() {
		n.publishOne(ctx, document.URI, versions, found)
	}
}

// publishOne tells what is wrong with one document, where that changed.
func (n *notices) publishOne(ctx context.Context, u uri.URI, versions map[string]int32, found map[string][]publishedDiagnostic) {
	version, wanted := versions[string(u)]
	if !wanted {
		return
	}
	list := found[string(u)]
	if list == nil {
		list = []publishedDiagnostic{}
	}
	// The diagnostics are plain values; what they are encoded as is compared.
	said, _ := json.Marshal(list)
	before, known := n.published[string(u)]
	if before == string(said) || !known && len(list) == 0 {
		return
	}
	n.published[string(u)] = string(said)
	n.server.notify(ctx, methodPublishDiagnostics, &publishedDiagnostics{URI: string(u), Version: version, Diagnostics: list})
}
