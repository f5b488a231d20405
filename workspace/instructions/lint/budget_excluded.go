package lint

import (
	"fmt"

	"foreword/workspace/instructions"
)

var budgetExcluded = Rule{
	Code: "budget-excluded", Severity: Warning, ByTool: true,
	Doc: Doc{
		What: "Nothing of the file is sent, as the bytes that the tool reads in all are used up before it.",
		Why:  "The budget is one for all files together, outermost directory first, and the tool says nothing.",
		Mend: "Shorten the files above, or raise the limit in the tool's settings.",
	},
	check: func(in *Input) []Diagnostic {
		return in.overBudget(func(t *Tool, f *File, e *instructions.Entry) (Diagnostic, bool) {
			// What a pattern excludes was not even read.
			if e.State != instructions.Excluded || e.File == nil {
				return Diagnostic{}, false
			}
			return Diagnostic{Path: f.Path, Message: e.Why}, true
		})
	},
}

// overBudget asks about each file that a step with a common limit found, when
// the tool is started in its directory.
func (in *Input) overBudget(ask func(*Tool, *File, *instructions.Entry) (Diagnostic, bool)) []Diagnostic {
	var out []Diagnostic
	for _, f := range in.Files {
		for _, t := range in.Tools {
			e := t.entry(f)
			s := t.step(e)
			if s == nil || s.CapBytes == 0 && s.CapSetting == "" {
				continue
			}
			if d, ok := ask(t, f, e); ok {
				d.Tools = []string{t.Profile.Name}
				if s.CapSetting != "" {
					d.Message += fmt.Sprintf("; the setting is %s", s.CapSetting)
				}
				out = append(out, d)
			}
		}
	}
	return out
}
