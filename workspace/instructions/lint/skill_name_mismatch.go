package lint

import (
	"fmt"
	"path/filepath"

	"foreword/workspace/instructions/frontmatter"
)

var skillNameMismatch = Rule{
	Code: "skill-name-mismatch", Severity: Warning, Source: skillSource,
	Doc: Doc{
		What: "The name of the skill is not that of its folder.",
		Why:  "The specification wants them equal: some clients warn, VS Code, Cline and Roo Code skip the skill.",
		Mend: "Rename the folder, or change the name.",
	},
	check: func(in *Input) []Diagnostic {
		return in.eachSkill(func(s skill) (Diagnostic, bool) {
			folder := filepath.Base(filepath.Dir(s.file.Path))
			field, ok := s.header.Field("name")
			if !ok || field.Kind != frontmatter.String || field.Text == folder {
				return Diagnostic{}, false
			}
			return Diagnostic{Place: s.file.ofValue(field), Message: fmt.Sprintf("the skill is named %q and its folder %q; they must be equal", field.Text, folder)}, true
		})
	},
}
