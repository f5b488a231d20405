package sources

import (
	"context"
	"fmt"
	"strings"
)

// focus says what the conversation is about: the target, and which of its lines
// are selected.
func focus(in *Input) []Source {
	return []Source{{
		Key: "core/focus", Group: "focus", Layer: Dynamic, Title: "In focus",
		Observe: func(ctx context.Context) Observation {
			if in.Target == "" || in.Target == in.Root {
				return none("no file is in focus")
			}
			var b strings.Builder
			fmt.Fprintf(&b, "The conversation is about %s.", in.display(in.Target))
			if f := in.Focus; f.Selected && f.Path == in.Target {
				if f.FromLine == f.ToLine {
					fmt.Fprintf(&b, " Text in line %d is selected.", f.FromLine+1)
				} else {
					fmt.Fprintf(&b, " Lines %d to %d are selected.", f.FromLine+1, f.ToLine+1)
				}
			}
			if why, out := in.Ignored(ctx, []string{in.Target})[in.Target]; out {
				fmt.Fprintf(&b, " Its text is kept back: %s.", oneLine(why))
			}
			return say("editor", b.String(), "the request names the file")
		},
	}}
}
