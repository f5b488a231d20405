package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"foreword/commands"
)

func (p *program) explainCommand() *cobra.Command {
	var params commands.ExplainInstructionsParams
	var cwd string
	c := &cobra.Command{
		Use:   "explain PATH",
		Short: "Say which instruction files apply to a file, in which order, and why the others do not",
		Example: `  foreword explain src/main.go
  foreword explain --json src/main.go`,
		Args: cobra.ExactArgs(1),
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
			s, err := p.surroundings.open(args[0])
			if err != nil {
				return err
			}
			defer s.Close()
			r, err := call[commands.ExplainInstructionsResult](c, s, "foreword.instructions.explain", params)
			if err != nil {
				return err
			}
			return p.show(r, r.Warnings, func() { p.printExplanation(r) })
		},
	}
	c.Flags().StringVar(&params.Profile, "profile", "", "whose loading `rules` are followed (default foreword)")
	c.Flags().StringVar(&cwd, "cwd", "", "`directory` in which the tool is started; default: the root")
	p.jsonFlag(c)
	return c
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
		p.printf("%s, in this order (%s):\n", plural(sent, "instruction file"), plural(r.Tokens, "token"))
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
