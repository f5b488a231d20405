package lint

import "fmt"

var shadowedBySibling = Rule{
	Code: "shadowed-by-sibling", Severity: Info, ByTool: true,
	Doc: Doc{
		What: "Another file of the same directory is read in place of this one.",
		Why:  "The tool reads one file of a directory, and the other name comes first.",
		Mend: "Keep one of the files, or make one a link to the other.",
	},
	check: func(in *Input) []Diagnostic {
		var out []Diagnostic
		for _, s := range in.shadows() {
			if s.cause == sibling || s.cause == stage && !byClaudeMD(s) {
				out = append(out, Diagnostic{
					Path: s.file.Path, Tools: []string{s.tool.Profile.Name},
					Message: fmt.Sprintf("%s reads %s here instead", s.tool.Profile.Title, in.show(s.winner.Path)),
				})
			}
		}
		return out
	},
}
