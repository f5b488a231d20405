package lint

import (
	"fmt"

	"foreword/workspace/instructions"
)

var emptyOverrideShadows = Rule{
	Code: "empty-override-shadows", Severity: Warning, ByTool: true,
	Doc: Doc{
		What: "An empty file hides the other instruction file of its directory.",
		Why:  "The tool takes the first name that exists; what it holds is looked at later, and an empty file says nothing.",
		Mend: "Delete the empty file, or write into it what is to hold.",
	},
	check: func(in *Input) []Diagnostic {
		var out []Diagnostic
		seen := map[string]bool{}
		for _, s := range in.shadows() {
			w := s.winner
			key := s.tool.Profile.Name + "\x00" + w.Path + "\x00" + s.file.Path
			if s.cause != sibling || w.State != instructions.Blank || seen[key] {
				continue
			}
			seen[key] = true
			out = append(out, Diagnostic{
				Path: w.Path, Tools: []string{s.tool.Profile.Name},
				Message: fmt.Sprintf("empty, and yet %s reads it in place of %s in this directory: delete it or write into it", s.tool.Profile.Title, base(s.file.Path)),
			})
		}
		return out
	},
}
