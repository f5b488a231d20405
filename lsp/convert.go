package lsp

import (
	"path/filepath"
	"strings"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"foreword/commands"
	"foreword/workspace"
)

// parseURI reads a URI that came as a string in one of our own messages.
func parseURI(s string) (uri.URI, error) {
	if s == "" {
		return "", invalidParams("uri is empty")
	}
	u, err := uri.Parse(s)
	if err != nil {
		return "", invalidParams("uri %q: %v", clip(s), err)
	}
	if u.Scheme() == "" {
		return "", invalidParams("uri %q has no scheme", clip(s))
	}
	return u, nil
}

func folderAt(path string) workspace.Folder {
	path = filepath.Clean(path)
	return workspace.Folder{Path: path, Name: filepath.Base(path)}
}

// foldersFrom keeps the folders that are on disk; foreword reads no others.
func foldersFrom(folders []protocol.WorkspaceFolder) []workspace.Folder {
	var out []workspace.Folder
	for _, f := range folders {
		path := workspace.PathOf(f.URI)
		if path == "" {
			continue
		}
		folder := folderAt(path)
		if f.Name != "" {
			folder.Name = strings.Clone(f.Name)
		}
		out = append(out, folder)
	}
	return out
}

// positionFrom and the three below change the type only: a position keeps the
// unit that was negotiated.
func positionFrom(p protocol.Position) workspace.Position {
	return workspace.Position{Line: int(p.Line), Character: int(p.Character)}
}

func rangeFrom(r protocol.Range) workspace.Range {
	return workspace.Range{Start: positionFrom(r.Start), End: positionFrom(r.End)}
}

func rangeFromCommand(r commands.Range) workspace.Range {
	return workspace.Range{
		Start: workspace.Position{Line: r.Start.Line, Character: r.Start.Character},
		End:   workspace.Position{Line: r.End.Line, Character: r.End.Character},
	}
}

func rangeTo(r workspace.Range) protocol.Range {
	return protocol.Range{Start: positionTo(r.Start), End: positionTo(r.End)}
}

func positionTo(p workspace.Position) protocol.Position {
	return protocol.Position{Line: uint32(p.Line), Character: uint32(p.Character)}
}

// firstLine is the range of a document's first line, without its line end.
func firstLine(snapshot *workspace.Snapshot, u uri.URI) protocol.Range {
	document := snapshot.Document(u)
	if document == nil {
		return protocol.Range{}
	}
	mapper := document.Mapper()
	end := len(mapper.LineText(0))
	return rangeTo(workspace.Range{End: mapper.Position(end, snapshot.Encoding())})
}
