package sources

import (
	"context"

	"foreword/promptbuilder/templates"
)

// outputSchema tells that the answer must be JSON of a given shape.
func outputSchema(in *Input) []Source {
	return []Source{{
		Key: "core/output", Group: "output", Layer: Dynamic, Title: "Form of the answer", Essential: true,
		Observe: func(context.Context) Observation {
			if len(in.OutputSchema) == 0 {
				return none("the request asks for no structured answer")
			}
			notice := in.Texts.Get(templates.Output)
			const heading = "# Form of the answer\n\n"
			schema := Fence("json", compactJSON(in.OutputSchema))
			if notice.Text == "" {
				return say("outputSchema of the request", heading+schema, "the request asks for a structured answer")
			}
			o := say("outputSchema of the request", heading+notice.Text+"\n\n"+schema, "the request asks for a structured answer")
			from := templateOrigin(notice, 2)
			o.Origins = []Origin{{Name: "heading", FromLine: 0, ToLine: 2}, from, {Name: "outputSchema of the request", FromLine: from.ToLine, ToLine: lineCount(o.Text)}}
			return o
		},
	}}
}
