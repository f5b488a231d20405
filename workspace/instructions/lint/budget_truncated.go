package lint

import (
	"fmt"
	"strings"

	"foreword/workspace/instructions"
)

var budgetTruncated = Rule{
	Code: "budget-truncated", Severity: Warning, ByTool: true,
	Doc: Doc{
		What: "The tool sends the file only up to this place.",
		Why:  "It reads so many bytes of all files together, outermost directory first, so the deepest is cut, and without a word.",
		Mend: "Shorten this file or those above it, or raise the limit in the tool's settings.",
	},
	check: func(in *Input) []Diagnostic {
		return in.overBudget(func(t *Tool, f *File, e *instructions.Entry) (Diagnostic, bool) {
			if e.Cut == nil || f.File == nil {
				return Diagnostic{}, false
			}
			at := min(e.Cut.Byte, len(f.Text))
			column := at - (strings.LastIndexByte(f.Text[:at], '\n') + 1)
			place := &instructions.Place{Line: e.Cut.Line, Column: column, EndColumn: column}
			if whole := f.line(e.Cut.Line); whole != nil {
				place.EndColumn = max(column, whole.EndColumn)
			}
			return Diagnostic{
				Path: f.Path, Place: place,
				Message: fmt.Sprintf("%s sends this file only up to here: its first %d of %d bytes", t.Profile.Title, e.Cut.Byte, e.Size),
			}, true
		})
	},
}
