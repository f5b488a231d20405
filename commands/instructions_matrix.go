package commands

import (
	"fmt"
	"strings"

	"foreword/workspace"
)

// matrixMarkdown writes for a reader what each tool sends for one file: a row a
// tool, then for every file that some tool leaves out the reason of each.
func matrixMarkdown(p *place, snap *workspace.Snapshot, r *ExplainInstructionsResult) string {
	var out strings.Builder
	target := p.display(snap, p.target)
	if target == "." {
		target = p.root
	}
	fmt.Fprintf(&out, "# What each tool is told for %s\n\n", inlineCode(target))
	out.WriteString("| tool | tokens | sent, in order |\n|---|--:|---|\n")
	for _, t := range r.Profiles {
		var sent []string
		for _, e := range t.Entries {
			if e.Sent {
				sent = append(sent, fmt.Sprintf("[%s](%s)", tableCell(e.Path), e.URI))
			}
		}
		fmt.Fprintf(&out, "| %s | %d | %s |\n", tableCell(t.Title), t.Tokens, strings.Join(sent, ", "))
	}
	out.WriteString("\n")
	for _, t := range r.Profiles {
		var rows []string
		for _, e := range t.Entries {
			if !e.Sent && e.State != "not-read-by-tool" {
				rows = append(rows, fmt.Sprintf("| [%s](%s) | %s | %s |\n", tableCell(e.Path), e.URI, e.State, tableCell(e.Why)))
			}
		}
		if len(rows) > 0 {
			fmt.Fprintf(&out, "## Left out by %s\n\n| file | state | why |\n|---|---|---|\n%s\n", headingText(t.Title), strings.Join(rows, ""))
		}
	}
	writeWarnings(&out, r.Warnings)
	return strings.TrimRight(out.String(), "\n") + "\n"
}
