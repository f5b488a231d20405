package lint

import (
	"path/filepath"

	"foreword/workspace/instructions/frontmatter"
	"foreword/workspace/skills"
)

var skillDescriptionMissing = Rule{
	Code: skills.DescriptionMissing, Severity: Error, Source: skills.Source,
	Doc: Doc{
		What: "The skill has no description.",
		Why:  "The description is all that the model is told of a skill at first; clients skip a skill without one.",
		Mend: "Add description: with what the skill does and when to use it.",
	},
	check: func(in *Input) []Diagnostic { return in.skillFaults(skills.DescriptionMissing) },
}

// skillFaults are the faults of one code of each skill that a tool in question
// reads.
func (in *Input) skillFaults(code string) []Diagnostic {
	var out []Diagnostic
	for _, f := range in.Files {
		if !f.isSkill() {
			continue
		}
		reads := in.ruleReads(f)
		if len(reads) == 0 {
			continue
		}
		for _, fault := range skills.Check(f.Text, f.Header(frontmatter.YAML), filepath.Base(filepath.Dir(f.Path))) {
			if fault.Code != code {
				continue
			}
			d := Diagnostic{Path: f.Path, Place: fault.Place, Message: fault.Message}
			for _, r := range reads {
				d.Tools = append(d.Tools, r.tool.Profile.Name)
			}
			out = append(out, d)
		}
	}
	return out
}
