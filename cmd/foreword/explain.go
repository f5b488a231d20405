package main

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"foreword/commands"
)

func (p *program) explainCommand() *cobra.Command {
	var params commands.ExplainInstructionsParams
	var cwd, event, toolSettings string
	c := &cobra.Command{
		Use:   "explain PATH",
		Short: "Say which instruction files apply to a file, in which order, and why the others do not",
		Example: `  foreword explain src/main.go
  foreword explain --json src/main.go
  foreword explain --profile codex --cwd services/pay services/pay/main.go
  foreword explain --profile '*' src/main.go`,
		Args: onePath,
		RunE: func(c *cobra.Command, args []string) error {
			var err error
			if params.URI, err = p.target(args[0]); err != nil {
				return err
			}
			if cwd != "" {
				if params.Cwd, err = p.target(cwd); err != nil {
					return err
				}
			}
			if params.Event, err = p.event(event); err != nil {
				return err
			}
			if params.ToolSettings, err = readToolSettings(toolSettings); err != nil {
				return err
			}
			s, err := p.surroundings.open(args[0])
			if err != nil {
				return err
			}
			defer s.Close()
			r, err := call[commands.ExplainInstructionsResult](c, s, "foreword.instructions.explain", params)
			if err != nil {
				return err
			}
			return p.show(r, r.Warnings, func() {
				if len(r.Profiles) > 0 {
					p.printMatrix(r)
					return
				}
				p.printExplanation(r)
			})
		},
	}
	c.Flags().StringVar(&params.Profile, "profile", "", "whose loading `rules` are followed; '*' for all (default foreword)")
	c.Flags().StringVar(&event, "event", "", "what happened last: launch, or `kind:PATH` with read, open, attach, edit or list (default launch)")
	c.Flags().StringVar(&params.ToolVersion, "tool-version", "", "`version` of the tool (default the newest that the profile knows)")
	c.Flags().StringVar(&toolSettings, "tool-settings", "", "JSON `file` with the tool's settings, in place of its own files")
	c.Flags().StringVar(&cwd, "cwd", "", "`directory` in which the tool is started; default: the root")
	complete(c, "profile", "foreword.instructions.explain", "profile")
	p.jsonFlag(c)
	return c
}

// event makes the path of an event the URI that commands take.
func (p *program) event(event string) (string, error) {
	kind, path, ok := strings.Cut(event, ":")
	if !ok {
		return event, nil
	}
	target, err := p.target(path)
	return kind + ":" + target, err
}

// readToolSettings reads the object that stands in place of a tool's own
// settings.
func readToolSettings(path string) (map[string]any, error) {
	if path == "" {
		return nil, nil
	}
	raw, err := os.ReadFile(path)
	if err != nil {
		return nil, usageError{fmt.Errorf("--tool-settings: %w", err)}
	}
	settings := map[string]any{}
	if err := json.Unmarshal(raw, &settings); err != nil {
		return nil, usageError{fmt.Errorf("--tool-settings %s: want a JSON object: %w", path, err)}
	}
	return settings, nil
}

// printMatrix prints a row for every file and a column for every tool that
// sends something.
func (p *program) printMatrix(r *commands.ExplainInstructionsResult) {
	rows := [][]string{{"tool", "tokens", "sent", "left out"}}
	for _, t := range r.Profiles {
		var sent, left []string
		for _, e := range t.Entries {
			switch {
			case e.Sent && e.State == "truncated":
				sent = append(sent, e.Path+" (cut)")
			case e.Sent:
				sent = append(sent, e.Path)
			case e.State != "not-read-by-tool" && e.State != "out-of-scope":
				left = append(left, fmt.Sprintf("%s (%s)", e.Path, e.State))
			}
		}
		rows = append(rows, []string{t.Profile, fmt.Sprint(t.Tokens), orNone(some(sent)), some(left)})
	}
	table(p.stdout, rows)
}

// cellNames is how many names one cell of a table holds; a folder of rules may
// have thousands.
const cellNames = 12

// some joins names, the first of them where there are many; --json has all.
func some(names []string) string {
	if len(names) <= cellNames {
		return strings.Join(names, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(names[:cellNames], ", "), len(names)-cellNames)
}

func (p *program) printExplanation(r *commands.ExplainInstructionsResult) {
	rows := [][]string{}
	sent := 0
	for _, e := range r.Entries {
		if !e.Sent {
			continue
		}
		sent++
		rows = append(rows, []string{fmt.Sprintf("%3d", e.Order), e.Path, plural(e.Tokens, "token"), e.Why})
	}
	if sent == 0 {
		p.printf("no instruction file applies\n")
	} else {
		p.printf("%s, in this order (%s with what stands around them):\n", plural(sent, "instruction file"), plural(r.Tokens, "token"))
		table(p.stdout, rows)
	}
	rows = nil
	for _, e := range r.Entries {
		if !e.Sent {
			rows = append(rows, []string{"   ", e.Path, e.State, e.Why})
		}
	}
	if len(rows) > 0 {
		p.printf("\nleft out:\n")
		table(p.stdout, rows)
	}
}
