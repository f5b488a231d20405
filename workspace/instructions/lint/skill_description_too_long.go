package lint

import (
	"fmt"
	"unicode/utf8"
)

// maxDescription is the number of characters of a skill's description.
const maxDescription = 1024

var skillDescriptionTooLong = Rule{
	Code: "skill-description-too-long", Severity: Error, Source: skillSource,
	Doc: Doc{
		What: "The description of the skill is longer than the specification allows.",
		Why:  "Clients warn, cut it, or refuse the skill.",
		Mend: "Shorten it; details belong in the text of the skill.",
	},
	check: func(in *Input) []Diagnostic {
		return in.eachSkill(func(s skill) (Diagnostic, bool) {
			field, ok := s.header.Field("description")
			n := utf8.RuneCountInString(field.Text)
			if !ok || n <= maxDescription {
				return Diagnostic{}, false
			}
			return Diagnostic{Place: s.file.ofValue(field), Message: fmt.Sprintf("the description has %d characters; the limit is %d", n, maxDescription)}, true
		})
	},
}
