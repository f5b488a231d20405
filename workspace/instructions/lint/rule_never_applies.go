package lint

import (
	"fmt"
	"strings"

	"foreword/workspace/instructions/frontmatter"
)

var ruleNeverApplies = Rule{
	Code: "rule-never-applies", Severity: Info, ByTool: true,
	Doc: Doc{
		What: "The header names no files, and not by leaving the key out.",
		Why:  "An empty list matches nothing, so the rule is never sent.",
		Mend: "Write patterns, or delete the key for a rule that holds always.",
	},
	check: func(in *Input) []Diagnostic {
		var out []Diagnostic
		for _, f := range in.Files {
			for _, r := range in.ruleReads(f) {
				key, field, ok := r.globs()
				if !ok || r.always() || r.wrongType(field) || len(r.patterns(f, field)) > 0 {
					continue
				}
				if field.Kind == frontmatter.String && strings.TrimSpace(field.Text) == "" {
					continue // as good as no key
				}
				out = append(out, Diagnostic{
					Path: f.Path, Place: f.ofValue(field), Tools: []string{r.tool.Profile.Name},
					Message: fmt.Sprintf("%s holds no pattern, so %s never applies the rule", key, r.tool.Profile.Title),
				})
			}
		}
		return out
	},
}

// always tells whether the header asks for the rule in every chat.
func (r ruleRead) always() bool {
	if r.step.Rules.Always == "" {
		return false
	}
	f, ok := r.header.Field(r.step.Rules.Always)
	return ok && f.Kind == frontmatter.Bool && f.Bool
}
