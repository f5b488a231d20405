package lint

import "foreword/workspace/skills"

var skillKeyType = Rule{
	Code: skills.KeyType, Severity: Warning, Source: skills.Source,
	Doc: Doc{
		What: "An optional key of a skill has a value of a type that the specification does not know.",
		Why:  "Clients drop the value, or refuse the skill.",
		Mend: "Write the value in the form that the message names.",
	},
	check: func(in *Input) []Diagnostic { return in.skillFaults(skills.KeyType) },
}
