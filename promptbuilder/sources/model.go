package sources

import (
	"context"
	"fmt"
)

// model names the model, so that it can answer what it is.
func model(in *Input) []Source {
	return []Source{{
		Key: "core/model", Group: "identity", Layer: Core, Title: "Model",
		Observe: func(context.Context) Observation {
			if in.Model.ID == "" {
				return none("no model was named in the request")
			}
			text := fmt.Sprintf("You run on the model %s", in.Model.ID)
			if in.Provider != "" {
				text += fmt.Sprintf(", served by %s", in.Provider)
			}
			return say("model", text+".", "the request names the model")
		},
	}}
}
