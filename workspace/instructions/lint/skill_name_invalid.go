package lint

import "foreword/workspace/skills"

var skillNameInvalid = Rule{
	Code: skills.NameInvalid, Severity: Warning, Source: skills.Source,
	Doc: Doc{
		What: "The skill has no name, or one that the specification does not allow.",
		Why:  "Clients warn, or skip the skill.",
		Mend: "Use 1 to 64 of a-z, 0-9 and single hyphens between them, as in the name of the folder.",
	},
	check: func(in *Input) []Diagnostic { return in.skillFaults(skills.NameInvalid) },
}
