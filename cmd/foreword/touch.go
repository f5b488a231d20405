package main

import (
	"github.com/spf13/cobra"

	"foreword/commands"
)

func (p *program) touchCommand() *cobra.Command {
	params := commands.TouchContextParams{Session: "command-line", Kind: "read"}
	c := &cobra.Command{
		Use:     "touch PATH...",
		Short:   "Print the nested instruction files that a model is told when these files are read",
		Example: `  foreword touch services/pay/main.go`,
		Args:    cobra.MinimumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			var err error
			if params.URIs, err = p.targets(args); err != nil {
				return err
			}
			p.surroundings.forgetful = !c.Flags().Changed("session")
			s, err := p.surroundings.open(args...)
			if err != nil {
				return err
			}
			defer s.Close()
			r, err := call[commands.TouchContextResult](c, s, "foreword.context.touch", params)
			if err != nil {
				return err
			}
			return p.show(r, r.Warnings, func() {
				if len(r.Injections) == 0 {
					p.printf("nothing: no instruction file lies between these files and the root\n")
				}
				for _, i := range r.Injections {
					p.printf("── %s · %s ──\n%s\n\n", i.Why, plural(i.Tokens, "token"), i.Text)
				}
			})
		},
	}
	c.Flags().StringVar(&params.Session, "session", params.Session, "`name` of the session; without one nothing is remembered from call to call")
	c.Flags().StringVar(&params.Kind, "kind", params.Kind, "read, open, attach, edit or list")
	complete(c, "kind", "foreword.context.touch", "kind")
	c.Flags().StringVar(&params.Model, "model", "", "`model` whose tokens are counted")
	p.jsonFlag(c)
	return c
}
