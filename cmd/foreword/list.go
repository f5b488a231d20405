package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"foreword/commands"
)

func (p *program) listCommand() *cobra.Command {
	var params commands.ListInstructionsParams
	c := &cobra.Command{
		Use:   "list [FOLDER]",
		Short: "List every instruction file, rule and skill with what it reaches, what it costs and who sends it",
		Example: `  foreword list
  foreword list --profile cursor services/pay`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) > 0 {
				var err error
				if params.Folder, err = p.existing(args[0]); err != nil {
					return err
				}
			}
			if params.Profile == "*" {
				params.Profile = ""
			}
			s, err := p.surroundings.open(first(args))
			if err != nil {
				return err
			}
			defer s.Close()
			r, err := call[commands.ListInstructionsResult](c, s, "foreword.instructions.list", params)
			if err != nil {
				return err
			}
			return p.show(r, r.Warnings, func() { p.printList(r) })
		},
	}
	c.Flags().StringVar(&params.Profile, "profile", "", "whose `rules` decide what is sent; '*' for all (default '*')")
	c.Flags().StringVar(&params.Model, "model", "", "`model` whose tokens are counted")
	p.jsonFlag(c)
	return c
}

func (p *program) printList(r *commands.ListInstructionsResult) {
	if len(r.Files) == 0 {
		p.printf("no instruction files\n")
		return
	}
	rows := [][]string{{"file", "kind", "state", "mode", "holds for", "tokens", "sent by"}}
	for _, f := range r.Files {
		reach := plural(f.Reach, "file")
		switch {
		case len(f.Patterns) > 0:
			reach += " (" + strings.Join(f.Patterns, ", ") + ")"
		case f.Scope != ".":
			reach += " in " + f.Scope
		}
		rows = append(rows, []string{f.Path, f.Kind, f.State, f.Mode, reach, fmt.Sprint(f.Tokens), orNone(strings.Join(f.Tools, ", "))})
	}
	table(p.stdout, rows)
	p.printf("%s, %s\n", plural(len(r.Files), "file"), plural(r.Tokens, "token"))
}
