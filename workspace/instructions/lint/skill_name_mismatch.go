package lint

import "foreword/workspace/skills"

var skillNameMismatch = Rule{
	Code: skills.NameMismatch, Severity: Warning, Source: skills.Source,
	Doc: Doc{
		What: "The name of the skill is not that of its folder.",
		Why:  "The specification wants them equal: some clients warn, VS Code, Cline and Roo Code skip the skill.",
		Mend: "Rename the folder, or change the name.",
	},
	check: func(in *Input) []Diagnostic { return in.skillFaults(skills.NameMismatch) },
}
