package lint

import (
	"fmt"

	"foreword/workspace/instructions"
)

var notLoadedFromHere = Rule{
	Code: "not-loaded-from-here", Severity: Info, ByTool: true,
	Doc: Doc{
		What: "The tool does not load this file when it is started in the root of the project.",
		Why:  "It looks in directories from the root to the one in which it is started, and never below.",
		Mend: "Start the tool deeper, or say in the root's file that this one is to be read.",
	},
	check: checkNotLoadedFromHere,
}

func checkNotLoadedFromHere(in *Input) []Diagnostic {
	var out []Diagnostic
	for _, f := range in.Files {
		if f.Kind == instructions.KindRule || f.Kind == instructions.KindSkill {
			continue
		}
		for _, t := range in.Tools {
			root, here := t.entryFromRoot(f), t.entry(f)
			if root == nil || here == nil || root == here {
				continue
			}
			message := ""
			switch {
			case here.Sent && (root.State == instructions.OutOfScope || root.State == instructions.NotReadByTool):
				message = fmt.Sprintf("loaded only when %s is started in %s/ or deeper", t.Profile.Title, in.show(f.Dir))
			case here.State == instructions.OutOfScope && root.State == instructions.OutOfScope:
				message = fmt.Sprintf("%s reads this name only in the root of the project, and never looks into %s/", t.Profile.Title, in.show(f.Dir))
			default:
				continue
			}
			out = append(out, Diagnostic{Path: f.Path, Tools: []string{t.Profile.Name}, Message: message})
		}
	}
	return out
}
