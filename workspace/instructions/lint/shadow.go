package lint

import (
	"path/filepath"
	"slices"

	"foreword/workspace/instructions"
)

// shadow is an instruction file that one tool does not send because of another
// one.
type shadow struct {
	tool  *Tool
	file  *File
	entry *instructions.Entry
	step  *instructions.Step
	// winner is what the tool reads in its place.
	winner *instructions.Entry
	cause  cause
}

// cause is why a file is shadowed.
type cause uint8

const (
	sibling cause = iota // another name in the same directory comes first
	name                 // another name was found somewhere, and counts everywhere
	stage                // an earlier stage of loading found something
)

// shadows lists the shadowed files of all tools, when each is started in the
// file's directory. Files whose text reaches the model in another way are left
// out: by a link, an import or a copy.
func (in *Input) shadows() []shadow {
	var out []shadow
	for _, f := range in.Files {
		for _, t := range in.Tools {
			e := t.entry(f)
			if e == nil || e.State != instructions.Shadowed || e.SameAs != "" || t.delivered(f) {
				continue
			}
			s := t.step(e)
			if s == nil {
				continue
			}
			if winner, cause, ok := t.winner(f, e, s); ok {
				out = append(out, shadow{t, f, e, s, winner, cause})
			}
		}
	}
	return out
}

// winner finds what is read in the place of a shadowed file.
func (t *Tool) winner(f *File, e *instructions.Entry, s *instructions.Step) (*instructions.Entry, cause, bool) {
	place := t.Places[f.Dir]
	var other *instructions.Entry
	for i := range place.Here.Entries {
		w := &place.Here.Entries[i]
		if w.Step != e.Step || w.State == instructions.Shadowed || w.Path == e.Path {
			continue
		}
		if w.Scope == e.Scope {
			return w, sibling, true
		}
		if other == nil {
			other = w
		}
	}
	for i := range place.Here.Entries {
		if w := &place.Here.Entries[i]; slices.Contains(s.UnlessStep, w.Step) && w.State != instructions.Shadowed {
			return w, stage, true
		}
	}
	if other != nil && s.Walk != nil && s.Walk.Choice == "first-name" {
		return other, name, true
	}
	return nil, 0, false
}

// base is the last part of a path.
func base(path string) string { return filepath.Base(path) }
