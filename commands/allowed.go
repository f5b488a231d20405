package commands

import (
	"foreword/commands/internal/shape"
	"foreword/workspace/instructions"
)

// Allowed lists the strings that a parameter of a command may have, or nil
// where it may have any: what a command line completes.
func Allowed(command, field string) []string {
	if field == "profile" {
		return instructions.ProfileNames()
	}
	c, ok := Lookup(command)
	if !ok {
		return nil
	}
	for _, f := range shape.Fields(c.Params) {
		if f.Name == field {
			return f.Enum
		}
	}
	return nil
}
