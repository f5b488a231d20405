package lint

import (
	"fmt"
	"strings"

	"foreword/workspace/instructions"
)

var ruleNeverAutomatic = Rule{
	Code: "rule-never-automatic", Severity: Info, ByTool: true,
	Doc: Doc{
		What: "The header does not say when the rule holds.",
		Why:  "The tool then applies it only when the user names it.",
		Mend: "Add the keys that the message names, unless that is what you want.",
	},
	check: func(in *Input) []Diagnostic {
		var out []Diagnostic
		for _, f := range in.Files {
			for _, r := range in.ruleReads(f) {
				if r.entry.State != instructions.Manual || r.asksForManual() || r.header.Broken {
					continue
				}
				if _, field, ok := r.globs(); ok && r.wrongType(field) {
					continue // frontmatter-type says so
				}
				out = append(out, Diagnostic{
					Path: f.Path, Place: f.line(0), Tools: []string{r.tool.Profile.Name},
					Message: fmt.Sprintf("%s applies this rule only when the user names it: add %s", r.tool.Profile.Title, r.keysThatApply()),
				})
			}
		}
		return out
	},
}

// asksForManual tells whether the header says that the user names the rule.
func (r ruleRead) asksForManual() bool {
	if r.step.Rules.Trigger == "" {
		return false
	}
	f, ok := r.header.Field(r.step.Rules.Trigger)
	return ok && f.Text == "manual"
}

// keysThatApply are the keys with which the tool applies a rule by itself.
func (r ruleRead) keysThatApply() string {
	rules := r.step.Rules
	var keys []string
	if rules.Trigger != "" {
		keys = append(keys, rules.Trigger)
	} else {
		keys = append(keys, rules.Globs...)
	}
	if rules.Description != "" && rules.Trigger == "" {
		keys = append(keys, rules.Description)
	}
	if rules.Always != "" {
		keys = append(keys, rules.Always+": true")
	}
	return strings.Join(keys, " or ")
}
