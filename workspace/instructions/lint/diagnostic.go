package lint

import (
	"cmp"
	"slices"
	"strings"

	"foreword/workspace/instructions"
)

// Severity says how much a diagnostic matters; a larger one matters more.
type Severity uint8

// The severities.
const (
	unset Severity = iota // the rule's own
	Hint
	Info
	Warning
	Error
)

// String is the name of a severity in answers.
func (s Severity) String() string {
	switch s {
	case Hint:
		return "hint"
	case Info:
		return "info"
	case Warning:
		return "warning"
	}
	return "error"
}

// Diagnostic is one thing that is wrong with an instruction file.
type Diagnostic struct {
	// Path of the file, absolute.
	Path string
	// Place in it (lines from 0, columns in bytes from 0); nil where the whole
	// file is meant.
	Place *instructions.Place
	// Code of the rule that found it, and its severity for these tools.
	Code     string
	Severity Severity
	// Message says what is wrong, for whom, and what to do.
	Message string
	// Tools are the names of the profiles that it concerns, sorted; empty where
	// it concerns the file whoever reads it.
	Tools []string
	// Source is where the fact behind it stands.
	Source string
}

// arrange merges what several tools or directories gave alike, and sorts.
func arrange(found []Diagnostic) []Diagnostic {
	for i := range found {
		slices.Sort(found[i].Tools)
	}
	slices.SortStableFunc(found, compare)
	var out []Diagnostic
	for _, d := range found {
		if n := len(out); n > 0 && out[n-1].says(d) {
			last := &out[n-1]
			last.Severity = max(last.Severity, d.Severity)
			last.Tools = append(last.Tools, d.Tools...)
			slices.Sort(last.Tools)
			last.Tools = slices.Compact(last.Tools)
			continue
		}
		out = append(out, d)
	}
	return out
}

// compare orders by path, place, code and message; a diagnostic of the whole
// file comes before those of its lines.
func compare(a, b Diagnostic) int {
	return cmp.Or(
		strings.Compare(a.Path, b.Path),
		comparePlaces(a.Place, b.Place),
		strings.Compare(a.Code, b.Code),
		strings.Compare(a.Message, b.Message),
		slices.Compare(a.Tools, b.Tools),
	)
}

func comparePlaces(a, b *instructions.Place) int {
	switch {
	case a == nil && b == nil:
		return 0
	case a == nil:
		return -1
	case b == nil:
		return 1
	}
	return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column), cmp.Compare(a.EndColumn, b.EndColumn))
}

func (d *Diagnostic) says(other Diagnostic) bool {
	return d.Path == other.Path && d.Code == other.Code && d.Message == other.Message && comparePlaces(d.Place, other.Place) == 0
}
