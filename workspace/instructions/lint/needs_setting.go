package lint

import (
	"fmt"

	"foreword/workspace/instructions"
)

var needsSetting = Rule{
	Code: "needs-setting", Severity: Info, ByTool: true,
	Doc: Doc{
		What: "The tool reads this file only when a setting is on.",
		Why:  "The setting is off, or nobody set it.",
		Mend: "Switch the setting on, or move the text to a file that is read.",
	},
	check: func(in *Input) []Diagnostic {
		var out []Diagnostic
		for _, f := range in.Files {
			for _, t := range in.Tools {
				e, here := t.entryFromRoot(f), t.entry(f)
				if e == nil || e.State != instructions.NeedsSetting || t.delivered(f) && here != nil && !here.Sent {
					continue
				}
				out = append(out, Diagnostic{
					Path: f.Path, Tools: []string{t.Profile.Name}, Message: settingWanted(in, t, f, t.step(e), here),
				})
			}
		}
		return out
	},
}

func settingWanted(in *Input, t *Tool, f *File, s *instructions.Step, here *instructions.Entry) string {
	what := "a setting"
	switch {
	case s == nil:
	case s.Walk != nil && s.Walk.BelowSetting != "" && here != nil && here.Step == s.ID:
		what = "the setting " + s.Walk.BelowSetting
	case s.Enabled.Setting != "":
		what = fmt.Sprintf("the setting %s with %s", s.Enabled.Setting, orValues(s.Enabled.In))
	}
	message := fmt.Sprintf("%s reads this file only with %s", t.Profile.Title, what)
	if here != nil && here.Sent {
		message += fmt.Sprintf(", or when it is started in %s/", in.show(f.Dir))
	}
	return message
}

func orValues(values []any) string {
	text := ""
	for i, v := range values {
		if i > 0 {
			text += " or "
		}
		text += fmt.Sprint(v)
	}
	return text
}
