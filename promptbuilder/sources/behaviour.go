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
			if !in.Interactive {
				return in.sayTemplate(templates.Unattended, "the request says that nobody can answer questions")
			}
			return in.sayTemplate(templates.Interactive, "a person can answer questions")
		},
	}}
}
