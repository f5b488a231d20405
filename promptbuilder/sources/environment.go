package sources

import (
	"context"
	"fmt"
	"strings"
)

// environment says where the assistant works.
func environment(in *Input) []Source {
	return []Source{{
		Key: "core/environment", Group: "environment", Layer: Cacheable, Title: "Environment",
		Observe: func(context.Context) Observation {
			var b strings.Builder
			b.WriteString("# Environment\n")
			line := func(name, value string) { fmt.Fprintf(&b, "\n- %s: %s", name, oneLine(value)) }
			if in.Root == "" {
				line("Workspace", "none")
			} else {
				line("Workspace root", in.Root)
				if in.Cwd != "" && in.Cwd != in.Root {
					line("Working directory", in.Cwd)
				}
				repository := "no"
				if in.Repository {
					repository = "yes"
				}
				line("Git repository", repository)
			}
			line("Platform", in.Platform)
			return say("environment", b.String(), "the model must know where it works")
		},
	}}
}
