package lint

import "foreword/workspace/skills"

var skillCompatibilityTooLong = Rule{
	Code: skills.CompatibilityTooLong, Severity: Warning, Source: skills.Source,
	Doc: Doc{
		What: "The text of compatibility is longer than the specification allows.",
		Why:  "Clients warn, or refuse the skill.",
		Mend: "Name the product, the packages and the network access that the skill needs, and nothing else.",
	},
	check: func(in *Input) []Diagnostic { return in.skillFaults(skills.CompatibilityTooLong) },
}
