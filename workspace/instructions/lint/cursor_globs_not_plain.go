package lint

import (
	"fmt"
	"strings"

	"foreword/workspace/instructions/frontmatter"
)

var cursorGlobsNotPlain = Rule{
	Code: "cursor-globs-not-plain", Severity: Warning, Tools: []string{"cursor"},
	Source: "https://cursor.com/docs/rules; https://forum.cursor.com/t/rule-frontmatter-format/146274",
	Doc: Doc{
		What: "The globs of a Cursor rule are quoted, in brackets, or a list.",
		Why:  "Cursor reads the rest of the line as plain text, and documents patterns with commas between them; quoted values are reported not to match.",
		Mend: "Write globs: **/*.ts,**/*.tsx without quotes and brackets, though it is no YAML.",
	},
	check: checkCursorGlobsNotPlain,
}

func checkCursorGlobsNotPlain(in *Input) []Diagnostic {
	var out []Diagnostic
	for _, f := range in.Files {
		for _, r := range in.ruleReads(f) {
			if r.tool.Profile.Name != "cursor" {
				continue
			}
			_, field, ok := r.globs()
			if !ok {
				continue
			}
			form := ""
			switch text := strings.TrimSpace(field.Text); {
			case field.Kind == frontmatter.List:
				form = "a list"
			case strings.HasPrefix(text, "[") && strings.HasSuffix(text, "]"):
				form = "in brackets"
			case strings.ContainsAny(text, `"'`):
				form = "in quotes"
			default:
				continue
			}
			out = append(out, Diagnostic{
				Path: f.Path, Place: f.ofValue(field), Tools: []string{"cursor"},
				Message: fmt.Sprintf("the globs are %s; Cursor documents plain text with commas between patterns, and other forms are reported not to match", form),
			})
		}
	}
	return out
}
