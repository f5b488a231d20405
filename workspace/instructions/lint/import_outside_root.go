package lint

import (
	"fmt"

	"foreword/workspace/instructions"
)

// importOutsideRootAsks is the milder half of the rule import-outside-root: the
// tool follows the import after it has asked.
var importOutsideRootAsks = Rule{
	Code: "import-outside-root", Severity: Info,
	Doc: Doc{
		What: "An import leads out of the project.",
		Why:  "The tool asks each user before it follows the import; a refusal is remembered.",
		Mend: "Move the file into the project, or into the user's own instructions.",
	},
	check: func(in *Input) []Diagnostic {
		var out []Diagnostic
		for _, t := range in.Tools {
			for _, p := range t.Places {
				for _, e := range p.Here.Entries {
					if e.State == instructions.NeedsApproval && e.ImportedBy != "" {
						out = append(out, Diagnostic{
							Path: e.ImportedBy, Tools: []string{t.Profile.Name},
							Message: fmt.Sprintf("imports %s from outside the project: %s asks each user before it follows that", in.show(e.Path), t.Profile.Title),
						})
					}
				}
			}
		}
		return out
	},
}
