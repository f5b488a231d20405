package sources

import (
	"context"
	"fmt"

	"foreword/promptbuilder/templates"
)

// identity says who the assistant is.
func identity(in *Input) []Source {
	return []Source{{
		Key: "core/identity", Group: "identity", Layer: Core, Title: "Identity",
		Observe: func(context.Context) Observation {
			text := templates.Identity
			if in.Compact {
				text = templates.IdentityCompact
			}
			if in.Agent != "" && in.Agent != "build" {
				text += fmt.Sprintf("\n\nYou act as the agent %q.", in.Agent)
			}
			return say("templates/identity.md", text, "every prompt begins by saying who the assistant is")
		},
	}}
}
