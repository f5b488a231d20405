package sources

import (
	"context"
	"fmt"
	"strings"
)

// contextCommandWarning is how many tokens of a context command's output make a
// warning, as with gptme: they are sent with every turn.
const contextCommandWarning = 10_000

// contextCommand says what the programs print that the setting contextCommand
// names: the user's own, and the workspace's.
func contextCommand(in *Input) []Source {
	all := make([]Source, 0, len(in.Own.Context))
	for _, c := range in.Own.Context {
		key, title := "core/context-command", "Output of the user's context command"
		if c.Workspace {
			key, title = "core/context-command-of-project", "Output of the project's context command"
		}
		all = append(all, Source{
			Key: key, Group: "cmd", Layer: Dynamic, Title: title, Deadline: commandTimeout + commandSlack,
			Observe: func(ctx context.Context) Observation {
				said, err := in.ask(ctx, Program{Argv: c.Argv, From: c.Declared, Timeout: commandTimeout})
				if err != nil {
					return failed(err)
				}
				if said.absent != "" {
					return none(said.absent)
				}
				var b strings.Builder
				fmt.Fprintf(&b, "# %s\n\n%s was run in the root of the workspace.", title, code(commandLine(c.Argv)))
				if said.note != "" {
					b.WriteString(" " + said.note)
				}
				if said.text != "" {
					b.WriteString("\n\n" + Fence("text", said.text))
				}
				o := say("context-command", b.String(), "the setting contextCommand names it ("+c.Origin+")")
				if n := in.Count(o.Text); n > contextCommandWarning {
					o.Warnings = append(o.Warnings, Warning{Code: "context-command-large", Path: c.Path, Message: fmt.Sprintf(
						"the output of %s costs %d tokens in every turn; let it print less", commandLine(c.Argv), n)})
				}
				return o
			},
		})
	}
	return all
}

// code puts a line into backticks that none inside it can close.
func code(line string) string {
	marks := "`"
	for strings.Contains(line, marks) {
		marks += "`"
	}
	if len(marks) > 1 {
		return marks + " " + line + " " + marks
	}
	return marks + line + marks
}
