package sources

import (
	"context"
	"fmt"
	"strings"
)

// environment says where the assistant works. The date is a source of its own:
// it changes, and this does not.
func environment(in *Input) []Source {
	return []Source{{
		Key: "core/environment", Group: "environment", Layer: Cacheable, Title: "Environment", Essential: true,
		Observe: func(context.Context) Observation {
			var b strings.Builder
			b.WriteString("# Environment\n")
			line := func(name, value string) { fmt.Fprintf(&b, "\n- %s: %s", name, oneLine(value)) }
			if in.Root == "" {
				line("Workspace", "none")
			} else {
				line("Workspace root", in.Root)
				cwd := in.Cwd
				if cwd == "" {
					cwd = in.Root
				}
				line("Working directory", cwd)
				repository := "no"
				if in.Repository {
					repository = "yes"
				}
				line("Git repository", repository)
			}
			line("Platform", in.Platform)
			if in.System != "" {
				line("System", in.System)
			}
			return say("environment", b.String(), "the model must know where it works")
		},
	}}
}
