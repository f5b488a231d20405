package lint

import (
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"foreword/workspace/instructions"
)

var wrongCaseName = Rule{
	Code: "wrong-case-name", Severity: Warning, Source: "https://agents.md; https://agentskills.io/specification",
	Doc: Doc{
		What: "The name differs from the one that is read in nothing but its case.",
		Why:  "On disks that tell cases apart (Linux, CI) the file is not found; on others it works, and breaks elsewhere.",
		Mend: "Rename the file with git mv.",
	},
	check: checkWrongCaseName,
}

func checkWrongCaseName(in *Input) []Diagnostic {
	var out []Diagnostic
	for _, f := range in.Files {
		byName := map[string][]*Tool{}
		for _, t := range in.Tools {
			if right, ok := t.rightName(f); ok {
				byName[right] = append(byName[right], t)
			}
		}
		for right, tools := range byName { // arrange sorts
			out = append(out, Diagnostic{
				Path: f.Path, Tools: names(tools),
				Message: fmt.Sprintf("%s is read by %s only when it is named %s, in exactly this case: rename it", in.show(f.Path), titles(tools), right),
			})
		}
	}
	return out
}

// rightName is the name that the tool reads where the file has one that differs
// only in case.
func (t *Tool) rightName(f *File) (string, bool) {
	if e := t.entry(f); e != nil && reads(e) {
		return "", false // this spelling counts too
	}
	rel, err := filepath.Rel(f.Dir, f.Path)
	if err != nil {
		return "", false
	}
	rel = filepath.ToSlash(rel)
	right := ""
	for i := range t.Profile.Steps {
		s := &t.Profile.Steps[i]
		for _, name := range namesOf(s, rel) {
			switch {
			case name == rel, s.Walk != nil && s.Walk.FoldCase && strings.EqualFold(name, rel):
				return "", false
			case right == "" && parent(name) == parent(rel) && strings.EqualFold(path.Base(name), path.Base(rel)):
				right = path.Base(name)
			}
		}
	}
	return right, right != ""
}

// namesOf lists what a step reads in a directory of the project, relative to
// it; in a folder of skills that is a SKILL.md in the place of the file at rel.
func namesOf(s *instructions.Step, rel string) []string {
	switch {
	case s.Personal:
	case s.Walk != nil:
		return slices.Concat(s.Walk.Names, s.Walk.BelowNames)
	case s.Files != nil:
		return s.Files.Paths
	case s.Listed != nil:
		return s.Listed.Default
	case s.Rules != nil && isSkills(s.Rules):
		for _, dir := range s.Rules.Dirs {
			if strings.HasPrefix(rel, path.Clean(dir)+"/") {
				return []string{path.Join(parent(rel), skillFile)}
			}
		}
	}
	return nil
}
