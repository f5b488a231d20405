package lint

import (
	"fmt"
	"regexp"

	"foreword/workspace/instructions/frontmatter"
)

// skillName is what the specification allows: words of a-z and 0-9 with single
// hyphens between them.
var skillName = regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*$`)

// maxSkillName is the number of characters of a skill's name.
const maxSkillName = 64

var skillNameInvalid = Rule{
	Code: "skill-name-invalid", Severity: Warning, Source: skillSource,
	Doc: Doc{
		What: "The skill has no name, or one that the specification does not allow.",
		Why:  "Clients warn, or skip the skill.",
		Mend: "Use 1 to 64 of a-z, 0-9 and single hyphens between them, as in the name of the folder.",
	},
	check: func(in *Input) []Diagnostic {
		return in.eachSkill(func(s skill) (Diagnostic, bool) {
			field, ok := s.header.Field("name")
			switch {
			case s.header.Broken, ok && field.Kind != frontmatter.String && field.Kind != frontmatter.Null:
				return Diagnostic{}, false // other rules say so
			case !ok || field.Text == "":
				return Diagnostic{Place: s.file.line(0), Message: "the skill has no name; the specification wants one, equal to the folder's"}, true
			case skillName.MatchString(field.Text) && len(field.Text) <= maxSkillName:
				return Diagnostic{}, false
			}
			return Diagnostic{Place: s.file.ofValue(field), Message: fmt.Sprintf("the name %q is not allowed: 1 to %d of a-z, 0-9 and single hyphens between them", field.Text, maxSkillName)}, true
		})
	},
}
