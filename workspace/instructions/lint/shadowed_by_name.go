package lint

import "fmt"

var shadowedByName = Rule{
	Code: "shadowed-by-name", Severity: Warning, ByTool: true,
	Doc: Doc{
		What: "A file of another name in another directory is read in place of this one.",
		Why:  "The tool settles on one name for all directories: the first that it finds anywhere.",
		Mend: "Use one name in the whole project.",
	},
	check: func(in *Input) []Diagnostic {
		var out []Diagnostic
		for _, s := range in.shadows() {
			if s.cause == name {
				out = append(out, Diagnostic{
					Path: s.file.Path, Tools: []string{s.tool.Profile.Name},
					Message: fmt.Sprintf("%s uses one file name for all directories, and found %s: rename this file to %s", s.tool.Profile.Title, in.show(s.winner.Path), base(s.winner.Path)),
				})
			}
		}
		return out
	},
}
