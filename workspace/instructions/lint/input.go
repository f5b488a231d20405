package lint

import (
	"path/filepath"
	"slices"
	"strings"

	"foreword/workspace/fsys"
	"foreword/workspace/instructions"
	"foreword/workspace/instructions/frontmatter"
)

// Input is what the rules look at.
type Input struct {
	// Root is the folder that is checked.
	Root string
	// FS has the open buffers before the disk.
	FS fsys.FS
	// Files are the instruction files, sorted by path.
	Files []*File
	// Paths are all files below Root, relative with slashes, sorted.
	Paths []string
	// Truncated tells that Paths does not hold all.
	Truncated bool
	// Tools in question, ours first.
	Tools []*Tool

	// What several rules ask for; they run one after the other.
	reads    map[*File][]ruleRead
	compared map[comparison]answer
	inside   map[string][]string // files below a directory
	counts   map[countedPatterns]int
}

// Tool is a tool in question with what it loads.
type Tool struct {
	Profile  *instructions.Profile
	Evidence Evidence
	// Places by directory, one for each that instruction files speak for.
	Places map[string]*Place
}

// Place is what a tool loads for a file in one directory.
type Place struct {
	// Root of the repository (or the folder) that the directory belongs to.
	Root string
	// FromRoot is what it loads when it is started in Root, Here when it is
	// started in the directory itself. They are one where the directory is Root.
	FromRoot, Here *instructions.Discovery

	fromRoot, here map[string]*instructions.Entry
}

// index makes entries be found by path.
func index(d *instructions.Discovery) map[string]*instructions.Entry {
	byPath := make(map[string]*instructions.Entry, len(d.Entries))
	for i := range d.Entries {
		e := &d.Entries[i]
		if _, ok := byPath[e.Path]; !ok {
			byPath[e.Path] = e
		}
	}
	return byPath
}

// entry is what becomes of a file when the tool is started in its directory;
// nil where the tool knows nothing of it.
func (t *Tool) entry(f *File) *instructions.Entry {
	if p := t.Places[f.Dir]; p != nil {
		return p.here[f.Path]
	}
	return nil
}

// entryFromRoot is the same when the tool is started in the root.
func (t *Tool) entryFromRoot(f *File) *instructions.Entry {
	if p := t.Places[f.Dir]; p != nil {
		return p.fromRoot[f.Path]
	}
	return nil
}

// step is the stage of loading that found an entry; nil for none.
func (t *Tool) step(e *instructions.Entry) *instructions.Step {
	if e == nil || e.Step == "" {
		return nil
	}
	for i := range t.Profile.Steps {
		if s := &t.Profile.Steps[i]; s.ID == e.Step {
			return s
		}
	}
	return nil
}

// reads tells whether the tool does something with a file in this state.
func reads(e *instructions.Entry) bool {
	if e == nil {
		return false
	}
	switch e.State {
	case instructions.NotReadByTool, instructions.NeedsSetting, instructions.Excluded, instructions.NeedsTrust:
		return false
	}
	return true
}

// delivered tells whether the model gets the text of a file, in spite of its
// state, when the tool is started in the file's directory: by an import, by a
// link, or by a copy that says the same.
func (t *Tool) delivered(f *File) bool {
	p := t.Places[f.Dir]
	if p == nil {
		return false
	}
	real := f.Path
	if e := p.here[f.Path]; e != nil {
		real = e.RealPath
	}
	for _, e := range p.Here.Sent() {
		if e.Path == f.Path || e.RealPath == real || e.File != nil && f.File != nil && e.File.Hash == f.File.Hash {
			return true
		}
	}
	return false
}

// ruleRead is a rule file as one tool reads it.
type ruleRead struct {
	tool   *Tool
	step   *instructions.Step
	entry  *instructions.Entry
	header frontmatter.Document
}

// ruleReads gives a file of a folder of rules as each tool reads it.
func (in *Input) ruleReads(f *File) []ruleRead {
	if f.File == nil {
		return nil
	}
	if all, ok := in.reads[f]; ok {
		return all
	}
	var all []ruleRead
	for _, t := range in.Tools {
		e := t.entry(f)
		s := t.step(e)
		if s == nil || s.Rules == nil || !reads(e) {
			continue
		}
		all = append(all, ruleRead{t, s, e, f.Header(frontmatter.Reader(s.Rules.Reader))})
	}
	if in.reads == nil {
		in.reads = make(map[*File][]ruleRead, len(in.Files))
	}
	in.reads[f] = all
	return all
}

// globs is the header's list of patterns and the key under which it stands.
func (r ruleRead) globs() (key string, field frontmatter.Field, ok bool) {
	for _, key := range r.step.Rules.Globs {
		if f, ok := r.header.Field(key); ok && f.Kind != frontmatter.Null {
			return key, f, true
		}
	}
	return "", frontmatter.Field{}, false
}

// Header is the file's header as a reader reads it.
func (f *File) Header(r frontmatter.Reader) frontmatter.Document {
	if d, ok := f.headers[r]; ok {
		return d
	}
	d := frontmatter.Read(r, f.Text)
	if f.headers == nil {
		f.headers = map[frontmatter.Reader]frontmatter.Document{}
	}
	f.headers[r] = d
	return d
}

// isSkill tells whether a file is a SKILL.md, in that very case.
func (f *File) isSkill() bool { return filepath.Base(f.Path) == skillFile }

// line is the place of a whole line of the file's text, without its line end.
func (f *File) line(n int) *instructions.Place {
	lines := strings.SplitN(f.Text, "\n", n+2)
	if n >= len(lines) {
		return nil
	}
	return &instructions.Place{Line: n, EndColumn: len(strings.TrimRight(lines[n], "\r"))}
}

// ofKey and ofValue are the places of a header's key and of its value on the
// line where it begins.
func ofKey(f frontmatter.Field) *instructions.Place {
	return &instructions.Place{Line: f.KeyLine, Column: f.KeyColumn, EndColumn: max(f.KeyEndColumn, f.KeyColumn+len(f.Key))}
}

func (f *File) ofValue(v frontmatter.Field) *instructions.Place {
	if v.EndLine == v.Line {
		return &instructions.Place{Line: v.Line, Column: v.Column, EndColumn: v.EndColumn}
	}
	p := f.line(v.Line)
	if p == nil {
		return ofKey(v)
	}
	p.Column = min(v.Column, p.EndColumn)
	return p
}

// show is a path as messages give it: relative to the root.
func (in *Input) show(path string) string { return instructions.Display(in.Root, "", path) }

// titles joins the names of tools.
func titles(tools []*Tool) string {
	names := make([]string, len(tools))
	for i, t := range tools {
		names[i] = t.Profile.Title
	}
	return joinAnd(names)
}

func joinAnd(names []string) string {
	switch n := len(names); n {
	case 0, 1:
		return strings.Join(names, "")
	default:
		return strings.Join(names[:n-1], ", ") + " and " + names[n-1]
	}
}

func names(tools []*Tool) []string {
	out := make([]string, len(tools))
	for i, t := range tools {
		out[i] = t.Profile.Name
	}
	slices.Sort(out)
	return out
}

// from is the path of a file relative to the directory of another, with
// slashes.
func (in *Input) from(importer, path string) string {
	rel, err := filepath.Rel(filepath.Dir(importer), path)
	if err != nil {
		return filepath.ToSlash(path)
	}
	return filepath.ToSlash(rel)
}
