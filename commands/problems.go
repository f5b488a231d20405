package commands

import (
	"foreword/promptbuilder/sources"
	"foreword/workspace"
)

// problems are what the editor shows in files, as the sources take it.
func problems(snap *workspace.Snapshot) []sources.Problems {
	var all []sources.Problems
	for _, d := range snap.Diagnostics() {
		of := sources.Problems{Path: d.Path, Label: string(d.URI), More: d.Total - len(d.List)}
		if open := snap.Document(d.URI); open != nil && d.Version != nil {
			of.Stale = open.Version != *d.Version
		}
		for _, p := range d.List {
			from, to := p.Range.Start.Line, p.Range.End.Line
			if p.Range.End.Character == 0 && to > from {
				to-- // whole lines end at the beginning of the next
			}
			of.List = append(of.List, sources.Problem{
				FromLine: from, ToLine: max(from, to), Severity: int(p.Severity), Message: p.Message, Source: p.Source, Code: p.Code,
			})
		}
		all = append(all, of)
	}
	return all
}
