package lint

import (
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"foreword/workspace/instructions"
)

// layout is where instruction files may lie, over all profiles.
type layout struct {
	// names of files in any directory, by their lower-case form.
	names map[string][]string
	// nested are names with a folder, such as .github/copilot-instructions.md,
	// by that folder's first segment.
	nested map[string][]string
	// folders of rules, such as .cursor/rules, by their first segment.
	folders map[string][]folder
}

// folder is a folder of rules.
type folder struct {
	// path relative to the directory that holds it. Where a setting stands for
	// the end of its last name, prefix tells so, and path ends before it.
	path   string
	prefix bool
	// skills tells that only files of the name SKILL.md count in it.
	skills bool
	// skip lists folders in it that no tool reads for rules, between slashes.
	skip string
}

// skillFile is the name of the file that makes a folder a skill.
const skillFile = "SKILL.md"

// ruleSuffixes are those of files in a folder of rules that somebody may have
// meant as a rule.
var ruleSuffixes = []string{".md", ".mdc", ".mdx", ".markdown", ".txt"}

// known gathers the layout from the profiles once.
var known = sync.OnceValue(func() *layout {
	l := &layout{names: map[string][]string{}, nested: map[string][]string{}, folders: map[string][]folder{}}
	for _, name := range instructions.ProfileNames() {
		p, ok, err := instructions.LookupProfile(name)
		if err != nil || !ok {
			continue
		}
		for i := range p.Steps {
			l.addStep(&p.Steps[i])
		}
	}
	for _, name := range []string{"AGENTS.local.md", "AGENTS.override.md"} {
		l.addName(name)
	}
	return l
})

func (l *layout) addStep(s *instructions.Step) {
	switch {
	case s.Personal:
	case s.Walk != nil:
		for _, name := range slices.Concat(s.Walk.Names, s.Walk.BelowNames) {
			l.addName(name)
		}
	case s.Files != nil:
		for _, path := range s.Files.Paths {
			l.addName(path)
		}
	case s.Listed != nil:
		for _, path := range s.Listed.Default {
			if !strings.HasSuffix(path, "/") {
				l.addName(path)
			}
		}
	case s.Rules != nil:
		for _, name := range s.Rules.Beside {
			l.addName(name)
		}
		for _, dir := range s.Rules.Dirs {
			l.addFolder(dir, s.Rules)
		}
	}
}

// addFolder adds a folder of rules that is relative to a directory.
func (l *layout) addFolder(dir string, rules *instructions.RulesStep) {
	f := folder{path: path.Clean(dir), skills: isSkills(rules), skip: "/" + strings.Join(rules.SkipDirs, "/") + "/"}
	if before, _, setting := strings.Cut(f.path, "{"); setting && before != "" && !strings.HasSuffix(before, "/") && before[0] != '$' {
		f.path, f.prefix = before, true
	}
	if !isRelative(f.path) {
		return
	}
	first, _, _ := strings.Cut(f.path, "/")
	if at := slices.IndexFunc(l.folders[first], func(o folder) bool { return o.path == f.path && o.skills == f.skills }); at >= 0 {
		if l.folders[first][at].skip != f.skip {
			l.folders[first][at].skip = "/"
		}
		return
	}
	l.folders[first] = append(l.folders[first], f)
}

// isSkills tells whether a folder holds skills.
func isSkills(rules *instructions.RulesStep) bool {
	return rules.Skill != nil || slices.Equal(rules.Suffixes, []string{skillFile})
}

// isRelative tells a path below a directory from those that begin at home, at a
// variable, at a setting or at the root of the disk.
func isRelative(name string) bool {
	return name != "" && !strings.ContainsAny(name, "~${}:*") && !filepath.IsAbs(name) && !strings.HasPrefix(name, "..")
}

// addName adds a name that is relative to a directory.
func (l *layout) addName(name string) {
	if !isRelative(name) {
		return
	}
	first, _, deep := strings.Cut(name, "/")
	if deep {
		if !slices.Contains(l.nested[first], name) {
			l.nested[first] = append(l.nested[first], name)
		}
		return
	}
	lower := strings.ToLower(name)
	if !slices.Contains(l.names[lower], name) {
		l.names[lower] = append(l.names[lower], name)
	}
}

// isName tells whether a base name is that of an instruction file, in whatever
// case.
func (l *layout) isName(base string) bool {
	_, ok := l.names[strings.ToLower(base)]
	return ok
}

// isRule tells whether a file in a folder of rules may be meant as one.
func (f folder) isRule(base string) bool {
	if f.skills {
		return strings.EqualFold(base, skillFile)
	}
	return slices.ContainsFunc(ruleSuffixes, func(s string) bool { return strings.HasSuffix(base, s) })
}
