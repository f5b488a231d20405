package lint

import (
	"fmt"

	"foreword/workspace/instructions"
)

var hiddenByClaudeMD = Rule{
	Code: "hidden-by-claude-md", Severity: Warning, ByTool: true, Tools: []string{"claude-code"},
	Doc: Doc{
		What: "Claude Code does not read this AGENTS.md while there is a CLAUDE.md.",
		Why:  "It reads AGENTS.md only as a fallback (since 2.1.277): one CLAUDE.md in the directory that it is started in, or above, turns that off, for nested files too. Started above that CLAUDE.md, it reads both.",
		Mend: "Import it with @AGENTS.md from a CLAUDE.md beside it, or ask users to set instructionFiles to claude-md-and-agents-md.",
	},
	check: func(in *Input) []Diagnostic {
		var out []Diagnostic
		for _, s := range in.shadows() {
			if !byClaudeMD(s) {
				continue
			}
			out = append(out, Diagnostic{
				Path: s.file.Path, Tools: []string{s.tool.Profile.Name}, Source: s.entry.Rule.Source,
				Message: fmt.Sprintf("%s does not read this file while %s exists: import it there with @%s, or add a CLAUDE.md beside it that does",
					s.tool.startedWhere(in, s), in.show(s.winner.Path), in.from(s.winner.Path, s.file.Path)),
			})
		}
		return out
	},
}

// startedWhere names the tool, and where it must be started for the file to be
// shadowed: started in the root it may well read the file, as an explanation
// for that start says.
func (t *Tool) startedWhere(in *Input, s shadow) string {
	if e := t.entryFromRoot(s.file); e == nil || e.State == instructions.Shadowed {
		return t.Profile.Title
	}
	return fmt.Sprintf("%s, started in %s/ or below,", t.Profile.Title, in.show(s.winner.Scope))
}

// byClaudeMD tells whether a stage that finds CLAUDE.md hides a file.
func byClaudeMD(s shadow) bool {
	return s.cause == stage && s.winner.Kind == instructions.KindClaude && s.tool.Profile.Name == "claude-code"
}
