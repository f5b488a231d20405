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
			text, name := templates.Identity, "templates/identity.md"
			if in.Compact {
				text, name = templates.IdentityCompact, "templates/identity_compact.md"
			}
			o := say(name, text, "every prompt says who the assistant is")
			if in.Agent != "" && in.Agent != "build" {
				from := lineCount(text)
				o.Text += fmt.Sprintf("\n\nYou act as the agent %q.", in.Agent)
				o.Origins = append(o.Origins, Origin{Name: "agent of the request", FromLine: from, ToLine: from + 2})
			}
			return o
		},
	}}
}
