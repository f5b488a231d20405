package lint

import "foreword/workspace/skills"

var skillDescriptionTooLong = Rule{
	Code: skills.DescriptionTooLong, Severity: Error, Source: skills.Source,
	Doc: Doc{
		What: "The description of the skill is longer than the specification allows.",
		Why:  "Clients warn, cut it, or refuse the skill.",
		Mend: "Shorten it; details belong in the text of the skill.",
	},
	check: func(in *Input) []Diagnostic { return in.skillFaults(skills.DescriptionTooLong) },
}
