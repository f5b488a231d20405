package lint

import (
	"fmt"

	"foreword/workspace/instructions/frontmatter"
	"foreword/workspace/instructions/globs"
)

var globCommaNotSplit = Rule{
	Code: "glob-comma-not-split", Severity: Error, ByTool: true,
	Doc: Doc{
		What: "Patterns stand in one string with commas between them, and the tool takes the string for one pattern.",
		Why:  "No file has a comma in its path, so the rule never applies.",
		Mend: "Write a YAML list.",
	},
	check: checkGlobCommaNotSplit,
}

func checkGlobCommaNotSplit(in *Input) []Diagnostic {
	var out []Diagnostic
	for _, f := range in.Files {
		for _, r := range in.ruleReads(f) {
			if s := globs.Splitter(r.step.Rules.Split); s != globs.SplitNone && s != "" {
				continue
			}
			key, field, ok := r.globs()
			if !ok || r.wrongType(field) {
				continue
			}
			for _, p := range r.unsplit(f, field) {
				out = append(out, Diagnostic{
					Path: f.Path, Place: p.place, Tools: []string{r.tool.Profile.Name},
					Message: fmt.Sprintf("%s: %s takes %q for one pattern, as it does not split at commas; write a YAML list", key, r.tool.Profile.Title, p.text),
				})
			}
		}
	}
	return out
}

// unsplit lists the patterns in which a comma would separate, were it read so.
func (r ruleRead) unsplit(f *File, field frontmatter.Field) []pattern {
	var out []pattern
	for _, p := range r.patterns(f, field) {
		if len(globs.Split(globs.SplitCommaBraces, p.text)) > 1 {
			out = append(out, p)
		}
	}
	return out
}
