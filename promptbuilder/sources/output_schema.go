package sources

import "context"

// outputSchema tells that the answer must be JSON of a given shape.
func outputSchema(in *Input) []Source {
	return []Source{{
		Key: "core/output", Group: "output", Layer: Dynamic, Title: "Form of the answer",
		Observe: func(context.Context) Observation {
			if len(in.OutputSchema) == 0 {
				return none("the request asks for no structured answer")
			}
			text := "# Form of the answer\n\nAnswer with one JSON value that is valid against this JSON Schema, and with nothing beside it:\n\n" +
				Fence("json", compactJSON(in.OutputSchema))
			return say("outputSchema of the request", text, "the request asks for a structured answer")
		},
	}}
}
