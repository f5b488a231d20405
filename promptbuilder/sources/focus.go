package sources

import (
	"context"
	"fmt"
	"strings"
)

// focus says what the user is looking at: the target, the selection, and what
// else is visible.
func focus(in *Input) []Source {
	return []Source{{
		Key: "core/focus", Group: "focus", Layer: Dynamic, Title: "In focus",
		Observe: func(ctx context.Context) Observation {
			if in.Target == "" || in.Target == in.Root {
				return none("no file is in focus")
			}
			var b strings.Builder
			fmt.Fprintf(&b, "The conversation is about %s.", in.display(in.Target))
			if in.Focus.Selected && in.Focus.Path == in.Target {
				fmt.Fprintf(&b, " Lines %d to %d are selected.", in.Focus.FromLine+1, in.Focus.ToLine+1)
			}
			if why, out := in.Ignored(ctx, []string{in.Target})[in.Target]; out {
				fmt.Fprintf(&b, " Its text is kept back: %s.", why)
			}
			return say("editor", b.String(), "the request names the file")
		},
	}}
}
