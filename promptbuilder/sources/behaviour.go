package sources

import (
	"context"

	"foreword/promptbuilder/templates"
)

// behaviour says how to work: with a person at hand or alone.
func behaviour(in *Input) []Source {
	return []Source{{
		Key: "core/behaviour", Group: "behaviour", Layer: Core, Title: "Way of working",
		Observe: func(context.Context) Observation {
			text, name := templates.Interactive, "templates/interactive.md"
			why := "a person can answer questions"
			if !in.Interactive {
				text, name = templates.Unattended, "templates/unattended.md"
				why = "the request says that nobody can answer questions"
			}
			return say(name, text, why)
		},
	}}
}
