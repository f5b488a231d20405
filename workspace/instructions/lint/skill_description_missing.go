package lint

import (
	"strings"

	"foreword/workspace/instructions/frontmatter"
)

// skillSource is the specification that clients of skills follow.
const skillSource = "https://agentskills.io/specification; agentskills/agentskills docs/specification.mdx"

var skillDescriptionMissing = Rule{
	Code: "skill-description-missing", Severity: Error, Source: skillSource,
	Doc: Doc{
		What: "The skill has no description.",
		Why:  "The description is all that the model is told of a skill at first; clients skip a skill without one.",
		Mend: "Add description: with what the skill does and when to use it.",
	},
	check: func(in *Input) []Diagnostic {
		return in.eachSkill(func(s skill) (Diagnostic, bool) {
			field, ok := s.header.Field("description")
			if s.header.Broken || ok && field.Kind != frontmatter.Null && strings.TrimSpace(field.Text) != "" {
				return Diagnostic{}, false
			}
			if ok && (field.Kind == frontmatter.List || field.Kind == frontmatter.Map) {
				return Diagnostic{}, false // frontmatter-type says so
			}
			d := Diagnostic{Place: s.file.line(0), Message: "the skill has no description, and clients skip a skill without one"}
			if ok {
				d.Place = ofKey(field)
			}
			return d, true
		})
	},
}

// skill is a SKILL.md with its header.
type skill struct {
	file   *File
	header frontmatter.Document
}

// eachSkill asks about each skill that a tool in question reads. A header that
// is no YAML has its own diagnostic.
func (in *Input) eachSkill(ask func(skill) (Diagnostic, bool)) []Diagnostic {
	var out []Diagnostic
	for _, f := range in.Files {
		if !f.isSkill() {
			continue
		}
		reads := in.ruleReads(f)
		if len(reads) == 0 {
			continue
		}
		d, ok := ask(skill{f, f.Header(frontmatter.YAML)})
		if !ok {
			continue
		}
		d.Path = f.Path
		for _, r := range reads {
			d.Tools = append(d.Tools, r.tool.Profile.Name)
		}
		out = append(out, d)
	}
	return out
}
