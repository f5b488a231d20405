package lint

import (
	"fmt"
	"slices"
	"strings"

	"foreword/workspace/instructions"
	"foreword/workspace/instructions/frontmatter"
)

var scopeIgnoredByTool = Rule{
	Code: "scope-ignored-by-tool", Severity: Info, ByTool: true,
	Doc: Doc{
		What: "The header says when the file holds, and a tool reads no header.",
		Why:  "The tool sends the file to every chat, header and all.",
		Mend: "Move the rule to where its tool looks for rules, or live with it.",
	},
	check: checkScopeIgnoredByTool,
}

// scopeKeys are the keys by which headers limit a rule, of all tools.
var scopeKeys = []string{"alwaysApply", "applyTo", "globs", "paths", "trigger"}

func checkScopeIgnoredByTool(in *Input) []Diagnostic {
	var out []Diagnostic
	for _, f := range in.Files {
		if f.File == nil || f.Kind == instructions.KindSkill {
			continue
		}
		header := f.Header(frontmatter.Cursor)
		if !header.Found || !header.Closed {
			continue
		}
		at := slices.IndexFunc(header.Fields, func(k frontmatter.Field) bool { return slices.Contains(scopeKeys, k.Key) })
		if at < 0 {
			continue
		}
		var tools []*Tool
		for _, t := range in.Tools {
			e := t.entry(f)
			// foreword's own warning is front-matter-as-text.
			if t.Profile.Name != instructions.Own && e != nil && e.Sent && e.BodyLine == 0 && strings.HasPrefix(e.Body, "---") {
				tools = append(tools, t)
			}
		}
		if len(tools) == 0 {
			continue
		}
		out = append(out, Diagnostic{
			Path: f.Path, Place: ofKey(header.Fields[at]), Tools: names(tools),
			Message: fmt.Sprintf("%s in the header says nothing to %s: the file is sent to every chat, with its header", header.Fields[at].Key, titles(tools)),
		})
	}
	return out
}
