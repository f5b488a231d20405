package sources

import "context"

// mode says nothing in the system text: the mode changes within a session, and
// its reminder stands at the end of the newest user message, where switching it
// costs no cache. The source is there so that a prompt that was asked for in
// plan mode says where the reminder is.
func mode(in *Input) []Source {
	return []Source{{
		Key: "core/mode", Group: "mode", Layer: Dynamic, Title: "Mode",
		Observe: func(context.Context) Observation {
			if in.Mode == "plan" {
				return none("the reminder of plan mode stands at the end of the newest user message of a turn, so that switching the mode leaves the prompt as it is")
			}
			return none("the mode build needs no reminder")
		},
	}}
}
