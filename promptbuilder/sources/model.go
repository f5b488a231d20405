package sources

import (
	"context"
	"fmt"
)

// model names the model, so that it can answer what it is: its name, the exact
// identifier and who serves it.
func model(in *Input) []Source {
	return []Source{{
		Key: "core/model", Group: "identity", Layer: Core, Title: "Model",
		Observe: func(context.Context) Observation {
			if in.Model.ID == "" {
				return none("no model was named in the request")
			}
			text := "You run on the model " + oneLine(in.Model.Name())
			if in.Model.Name() != in.Model.ID {
				text += fmt.Sprintf(", whose exact identifier is %s", oneLine(in.Model.ID))
			}
			if in.Provider != "" {
				text += ", served by " + oneLine(in.Provider)
			}
			return say("model", text+".", "the request names the model")
		},
	}}
}
