package skills

import (
	"fmt"

	"foreword/workspace/instructions"
)

func placeText(p *instructions.Place) string {
	if p == nil {
		return "no place"
	}
	return fmt.Sprintf("%d:%d-%d", p.Line, p.Column, p.EndColumn)
}
