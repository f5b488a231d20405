package workspace

import (
	"cmp"
	"slices"
	"strings"

	"go.lsp.dev/uri"
)

// Severity is how much a diagnostic matters. The numbers are LSP's.
type Severity uint8

// The severities, the worst first.
const (
	SeverityError Severity = iota + 1
	SeverityWarning
	SeverityInfo
	SeverityHint
)

// Diagnostic is one problem that the editor shows in a file: of its language
// server, of a linter, of foreword itself.
type Diagnostic struct {
	Range    Range
	Severity Severity
	Message  string
	Source   string // who found it, "" where the editor does not say
	Code     string // the rule, "" for none
}

// Diagnosed are the diagnostics of one file.
type Diagnosed struct {
	URI  uri.URI
	Path string // as in Document
	// Version of the buffer that they are about; nil where the client does not say.
	Version *int32
	// List is sorted: the worst first, then by place.
	List []Diagnostic
	// Total is how many the client told of; List holds the first maxDiagnostics.
	Total int

	key string
}

// Bounds on what is kept, so that a language server that has lost its way costs
// little: a file with more problems than this has one, and it stands among the
// first.
const (
	maxDiagnostics       = 200
	maxDiagnosedFiles    = 500
	maxDiagnosticMessage = 2000 // bytes
)

// DidChangeDiagnostics replaces the diagnostics of one file; none at all forgets
// it. Version is that of the buffer, nil for unknown. It tells whether that is
// news: editors tell the same again and again.
func (w *Workspace) DidChangeDiagnostics(u uri.URI, version *int32, list []Diagnostic) (news bool) {
	next := Diagnosed{URI: uri.URI(strings.Clone(string(u))), Path: PathOf(u), Total: len(list), key: keyOf(u)}
	if version != nil {
		next.Version = new(*version)
	}
	for _, d := range list {
		if len(d.Message) > maxDiagnosticMessage {
			d.Message = strings.ToValidUTF8(d.Message[:maxDiagnosticMessage], "")
		}
		d.Message, d.Source, d.Code = strings.Clone(d.Message), strings.Clone(d.Source), strings.Clone(d.Code)
		next.List = append(next.List, d)
	}
	slices.SortStableFunc(next.List, func(a, b Diagnostic) int {
		return cmp.Or(cmp.Compare(a.Severity, b.Severity), cmp.Compare(a.Range.Start.Line, b.Range.Start.Line), cmp.Compare(a.Range.Start.Character, b.Range.Start.Character))
	})
	if len(next.List) > maxDiagnostics {
		next.List = slices.Clip(next.List[:maxDiagnostics])
	}
	if w.Snapshot().state.diagnosed.knows(next) {
		return false
	}
	w.nextAlike(func(s *state) { s.diagnosed = s.diagnosed.with(next) })
	return true
}

// Diagnostics are those of all files that have any, sorted as Documents are.
func (s *Snapshot) Diagnostics() []Diagnosed { return s.state.diagnosed }

// diagnosed is copied for each change, as documents is.
type diagnosed []Diagnosed

func (all diagnosed) search(key string) (int, bool) {
	return slices.BinarySearchFunc(all, key, func(d Diagnosed, key string) int { return strings.Compare(d.key, key) })
}

// knows tells whether with would change nothing.
func (all diagnosed) knows(d Diagnosed) bool {
	i, found := all.search(d.key)
	if !found {
		return len(d.List) == 0 || len(all) >= maxDiagnosedFiles
	}
	same := d.Version == nil && all[i].Version == nil || d.Version != nil && all[i].Version != nil && *d.Version == *all[i].Version
	return same && d.Total == all[i].Total && slices.Equal(d.List, all[i].List)
}

func (all diagnosed) with(d Diagnosed) diagnosed {
	i, found := all.search(d.key)
	switch {
	case len(d.List) == 0:
		return all.without(d.key)
	case found:
		next := slices.Clone(all)
		next[i] = d
		return next
	case len(all) >= maxDiagnosedFiles:
		return all
	}
	return slices.Insert(slices.Clone(all), i, d)
}

func (all diagnosed) without(key string) diagnosed {
	i, found := all.search(key)
	if !found {
		return all
	}
	return append(slices.Clone(all[:i]), all[i+1:]...)
}
