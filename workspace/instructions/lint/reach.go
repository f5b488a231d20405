package lint

import (
	"path/filepath"
	"slices"
	"strings"

	"foreword/workspace/instructions"
	"foreword/workspace/instructions/frontmatter"
	"foreword/workspace/instructions/globs"
)

// Reach is what an instruction file is for.
type Reach struct {
	// Mode is how the file asks to be loaded: always, auto-attached,
	// model-decides or manual; empty where no tool reads it.
	Mode string
	// Patterns are those of its header, as the tool that it is written for takes
	// them apart.
	Patterns []string
	// Description of a rule or skill that the model is told.
	Description string
	// Files is the number of files of the workspace that it holds for. A rule
	// that the model or the user chooses may hold for any file, so it counts
	// those below its directory.
	Files int
	// Tools are the profiles that send it, at once or in their own time, when
	// they are started in its directory; sorted.
	Tools []string
}

// Reach says what a file of the workspace is for, to the tools in question.
func (in *Input) Reach(f *File) Reach {
	var r Reach
	for _, t := range in.Tools {
		switch e := t.entry(f); {
		case e == nil:
		case e.Sent, e.State == instructions.OnRead, e.State == instructions.Listed,
			e.State == instructions.ModelDecides, e.State == instructions.Manual,
			e.State == instructions.OutOfScope && e.Mode == "auto-attached":
			r.Tools = append(r.Tools, t.Profile.Name)
			if r.Mode == "" || t.Profile.Name != instructions.Own {
				r.Mode = e.Mode
			}
		}
	}
	slices.Sort(r.Tools)
	r.Files = len(in.below(f.Dir))
	read, ok := in.ownRead(f)
	if !ok {
		return r
	}
	r.Mode = read.entry.Mode
	if d, ok := read.header.Field("description"); ok && d.Kind == frontmatter.String {
		r.Description = strings.TrimSpace(d.Text)
	}
	if _, field, ok := read.globs(); ok && r.Mode == "auto-attached" {
		r.Patterns = texts(read.patterns(f, field))
		r.Files = in.countMatches(globs.Dialect(read.step.Rules.Dialect), r.Patterns, f.Dir)
	}
	return r
}

// countMatches says how many files below a directory patterns match. Many rules
// have the same ones, so each list is counted once.
func (in *Input) countMatches(dialect globs.Dialect, patterns []string, dir string) int {
	key := countedPatterns{dialect, strings.Join(patterns, "\x00"), dir}
	if n, ok := in.counts[key]; ok {
		return n
	}
	set, _ := globs.Compile(dialect, patterns)
	n := set.Count(in.below(dir))
	if in.counts == nil {
		in.counts = map[countedPatterns]int{}
	}
	in.counts[key] = n
	return n
}

type countedPatterns struct {
	dialect       globs.Dialect
	patterns, dir string
}

// ownRead is a rule as the tool reads it for which it is written. foreword
// follows that tool's dialect in each folder that it reads; in the others it is
// the tool of which the folder is a sign.
func (in *Input) ownRead(f *File) (ruleRead, bool) {
	reads := in.ruleReads(f)
	if len(reads) == 0 {
		return ruleRead{}, false
	}
	for _, r := range reads {
		if r.tool.Profile.Name == instructions.Own {
			return r, true
		}
	}
	rel, err := filepath.Rel(f.Dir, f.Path)
	if err != nil {
		return reads[0], true
	}
	for _, r := range reads {
		for _, s := range signs {
			if s.Tool == r.tool.Profile.Name && slices.ContainsFunc(s.Paths, func(sign string) bool { return strings.HasPrefix(filepath.ToSlash(rel), sign+"/") }) {
				return r, true
			}
		}
	}
	return reads[0], true
}

// below lists the files of the workspace below a directory, relative to it.
func (in *Input) below(dir string) []string {
	if list, ok := in.inside[dir]; ok {
		return list
	}
	list := in.listBelow(dir)
	if in.inside == nil {
		in.inside = map[string][]string{}
	}
	in.inside[dir] = list
	return list
}

func (in *Input) listBelow(dir string) []string {
	rel, err := filepath.Rel(in.Root, dir)
	if err != nil {
		return nil
	}
	if rel == "." {
		return in.Paths
	}
	prefix := filepath.ToSlash(rel) + "/"
	from, _ := slices.BinarySearch(in.Paths, prefix)
	var out []string
	for _, path := range in.Paths[from:] {
		inside, ok := strings.CutPrefix(path, prefix)
		if !ok {
			break
		}
		out = append(out, inside)
	}
	return out
}

// State is what becomes of a file when the tool is started in its directory,
// and why; of several tools the first that knows the file says so. Empty where
// none does.
func (in *Input) State(f *File) (state instructions.State, why string) {
	for _, t := range in.Tools {
		if e := t.entry(f); e != nil {
			return e.State, e.Why
		}
	}
	return "", ""
}

// Configured lists what foreword's own settings name for the workspace, wherever
// it lies, in the order in which it is told.
func (in *Input) Configured() []instructions.Entry {
	var out []instructions.Entry
	for _, t := range in.Tools {
		p := t.Places[in.Root]
		if p == nil || t.Profile.Name != instructions.Own {
			continue
		}
		for _, e := range p.Here.Entries {
			if (e.Kind == instructions.KindConfig || e.Kind == instructions.KindURL) && !e.Personal {
				out = append(out, e)
			}
		}
	}
	return out
}
