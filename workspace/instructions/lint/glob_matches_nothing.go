package lint

import (
	"fmt"
	"strings"

	"foreword/workspace/fsys"
	"foreword/workspace/instructions/globs"
)

var globMatchesNothing = Rule{
	Code: "glob-matches-nothing", Severity: Hint, Source: "foreword docs/instructions.md",
	Doc: Doc{
		What: "A pattern of a header matches no file of the workspace.",
		Why:  "It is misspelt, was damaged by a formatter of Markdown, or speaks of files that are gone or still to come; until then it does nothing.",
		Mend: "Correct the pattern, or leave it where the files are still to come.",
	},
	check: func(in *Input) []Diagnostic {
		if in.Truncated {
			return nil // there are files that nobody looked at
		}
		var out []Diagnostic
		for _, f := range in.Files {
			for _, r := range in.ruleReads(f) {
				out = append(out, in.matchingNothing(f, r)...)
			}
		}
		return out
	},
}

// matchingNothing tells about the patterns of one rule, as one tool reads them.
func (in *Input) matchingNothing(f *File, r ruleRead) []Diagnostic {
	key, field, ok := r.globs()
	base := f.Dir
	if r.step.Rules.Base != "dir" {
		base = r.tool.Places[f.Dir].Root
	}
	if !ok || r.always() || !fsys.Within(in.Root, base) {
		return nil
	}
	dialect := globs.Dialect(r.step.Rules.Dialect)
	var out []Diagnostic
	for _, p := range r.patterns(f, field) {
		// What only takes away need not match; what is broken is told by another rule.
		if _, problems := globs.Compile(dialect, []string{p.text}); len(problems) > 0 || strings.HasPrefix(p.text, "!") {
			continue
		}
		if in.countMatches(dialect, []string{p.text}, base) == 0 {
			out = append(out, Diagnostic{
				Path: f.Path, Place: p.place, Tools: []string{r.tool.Profile.Name},
				Message: fmt.Sprintf("%s: %q matches no file of this workspace", key, p.text),
			})
		}
	}
	return out
}
