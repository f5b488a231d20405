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
			name := templates.IdentityDefault
			if in.Compact {
				name = templates.IdentityCompact
			}
			o := in.sayTemplate(name, "every prompt says who the assistant is")
			text := o.Text
			if in.Agent != "" && in.Agent != "build" {
				from := lineCount(text)
				o.Text += fmt.Sprintf("\n\nYou act as the agent %q.", in.Agent)
				o.Origins = append(o.Origins, Origin{Name: "agent of the request", FromLine: from, ToLine: from + 2})
			}
			return o
		},
	}}
}
