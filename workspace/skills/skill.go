package skills

import (
	"cmp"
	"path/filepath"
	"slices"
	"strings"

	"foreword/workspace/fsys"
	"foreword/workspace/instructions"
	"foreword/workspace/instructions/frontmatter"
)

// Skill is one skill that was found.
type Skill struct {
	Header
	// Path of the SKILL.md, absolute, as it was found.
	Path string
	// State is what became of it; ModelDecides for a skill that the model is
	// told of. Why names the evidence in one sentence.
	State instructions.State
	Why   string
	// SameAs is the path of the skill that counts in its place, where one does.
	SameAs string
	// Personal marks the user's own skill. Scope is the directory whose folder
	// of skills holds it; empty for the user's own.
	Personal bool
	Scope    string
	// File is the SKILL.md; nil where it could not be read.
	File *fsys.File
	// Faults are what the specification has against it, in the order of the file.
	Faults []Fault
}

// Header is what the beginning of a SKILL.md says.
type Header struct {
	// Name is the header's, or the folder's where the header has none.
	Name string
	// Description is one line; empty where the header has none.
	Description string
	// License and Compatibility are as written.
	License, Compatibility string
	// AllowedTools are the tools that the skill expects to be allowed.
	AllowedTools []string
	// Body is the text that follows the header, BodyLine the 0-based line of the
	// file at which it begins.
	Body     string
	BodyLine int
}

// Dir is the folder of the skill, to which the paths in its text are relative.
func (s *Skill) Dir() string { return filepath.Dir(s.Path) }

// Told tells whether the model is told of the skill.
func (s *Skill) Told() bool { return s.State == instructions.ModelDecides }

// Usable tells whether the skill can be given to a model that asks for it by
// name: those that the model is told of, and those that only lack what would be
// told.
func (s *Skill) Usable() bool {
	switch s.State {
	case instructions.ModelDecides, instructions.Manual, instructions.OutOfScope:
		return s.File != nil
	}
	return false
}

// Of takes the skills out of what a profile found, sorted by name; of one name
// those that the model is told of come first, then by path.
func Of(d *instructions.Discovery) []Skill {
	var all []Skill
	for i := range d.Entries {
		e := &d.Entries[i]
		if e.Kind != instructions.KindSkill {
			continue
		}
		s := Skill{Path: e.Path, State: e.State, Why: e.Why, SameAs: e.SameAs, Personal: e.Personal, File: e.File}
		if !e.Personal {
			s.Scope = e.Scope
		}
		folder := filepath.Base(filepath.Dir(e.Path))
		s.Name = folder
		if e.File != nil {
			s.Header, s.Faults = Read(e.File, folder)
		}
		all = append(all, s)
	}
	slices.SortFunc(all, compare)
	return all
}

func rank(s *Skill) int {
	switch {
	case s.Told():
		return 0
	case s.Usable():
		return 1
	}
	return 2
}

// Named finds the skill that is meant by a name: that of the header, else that
// of the folder. Skills are given as Of sorts them.
func Named(all []Skill, name string) (*Skill, bool) {
	var byFolder *Skill
	for i := range all {
		s := &all[i]
		if !s.Usable() {
			continue
		}
		if s.Name == name {
			return s, true
		}
		if byFolder == nil && filepath.Base(s.Dir()) == name {
			byFolder = s
		}
	}
	return byFolder, byFolder != nil
}

// Read reads a SKILL.md that lies in a folder of the given name, and says what
// is wrong with its header.
func Read(file *fsys.File, folder string) (Header, []Fault) {
	doc, byLines := instructions.SkillHeader(file)
	h := Header{
		Name: text(doc, "name"), Description: strings.Join(strings.Fields(text(doc, "description")), " "),
		License: text(doc, "license"), Compatibility: text(doc, "compatibility"), AllowedTools: allowedTools(doc),
		Body: doc.Body, BodyLine: doc.BodyLine,
	}
	if h.Name == "" {
		h.Name = folder
	}
	strict := doc
	if byLines {
		strict = frontmatter.Read(frontmatter.YAML, file.Text)
	}
	faults := Check(file.Text, strict, folder)
	for _, p := range strict.Problems {
		faults = append(faults, Fault{Code: p.Code, Message: p.Message, Place: &instructions.Place{Line: p.Line, Column: p.Column, EndColumn: p.EndColumn}})
	}
	slices.SortStableFunc(faults, func(a, b Fault) int {
		return cmp.Or(cmp.Compare(a.Place.Line, b.Place.Line), cmp.Compare(a.Place.Column, b.Place.Column))
	})
	return h, faults
}

// text is a key's value on one piece; empty for what is no single value.
func text(d frontmatter.Document, key string) string {
	f, ok := d.Field(key)
	if !ok || f.Kind == frontmatter.List || f.Kind == frontmatter.Map || f.Kind == frontmatter.Null {
		return ""
	}
	return strings.TrimSpace(f.Text)
}

// allowedTools are the entries of a list, or the words of a text: the
// specification has blanks between them, and people write commas as well. A
// blank or comma in parentheses, as in Bash(git add:*), separates nothing.
func allowedTools(d frontmatter.Document) []string {
	f, ok := d.Field("allowed-tools")
	if !ok {
		return nil
	}
	var tools []string
	if f.Kind == frontmatter.List {
		for _, item := range f.Items {
			if name := strings.TrimSpace(item.Text); name != "" {
				tools = append(tools, name)
			}
		}
		return tools
	}
	return words(text(d, "allowed-tools"))
}

// words cuts a text at blanks and commas outside parentheses.
func words(list string) []string {
	var out []string
	depth, start := 0, 0
	cut := func(end int) {
		if end > start {
			out = append(out, list[start:end])
		}
		start = end + 1
	}
	for i := range len(list) {
		switch list[i] {
		case '(':
			depth++
		case ')':
			depth = max(0, depth-1)
		case ',', ' ', '\t', '\n', '\r':
			if depth == 0 {
				cut(i)
			}
		}
	}
	cut(len(list))
	return out
}
