package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"go.lsp.dev/uri"

	"foreword/commands"
)

func (p *program) doctorCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "doctor [PATH]",
		Short: "Say what foreword works with here: folders, settings and their origin, trust, problems",
		Example: `  foreword doctor
  foreword doctor --json src/main.go`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			path := strings.Join(args, "")
			var params commands.StatusParams
			if path != "" {
				var err error
				if params.URI, err = p.target(path); err != nil {
					return err
				}
			}
			s, err := p.surroundings.open(path)
			if err != nil {
				return err
			}
			defer s.Close()
			r, err := call[commands.StatusResult](c, s, "foreword.status", params)
			if err != nil {
				return err
			}
			if len(r.Problems) > 0 {
				p.code = exitFindings
			}
			return p.show(r, r.Warnings, func() { p.printStatus(r) })
		},
	}
	p.jsonFlag(c)
	return c
}

func (p *program) printStatus(r *commands.StatusResult) {
	p.printf("foreword %s (%s, %s)\n", r.Server, r.Go, r.Platform)
	for _, f := range r.Folders {
		trust := "restricted: nothing runs and nothing outside is read; foreword trust changes that"
		if f.Trusted {
			trust = "trusted"
		}
		p.printf("\nfolder %s\n  %s\n", uri.URI(f.URI).FsPath(), trust)
		if f.Repository != "" {
			p.printf("  repository %s, branch %s\n", uri.URI(f.Repository).FsPath(), orNone(f.Branch))
		}
	}
	if i := r.Instructions; i != nil {
		p.printf("\n%s apply to %s (%s), %d left out\n", plural(i.Applies, "instruction file"), uri.URI(i.URI).FsPath(), plural(i.Tokens, "token"), i.LeftOut)
	}
	p.printf("\nsettings\n")
	rows := [][]string{}
	for _, s := range r.Settings {
		rows = append(rows, []string{"  " + s.Key, fmt.Sprintf("%v", s.Value), s.Origin})
	}
	table(p.stdout, rows)
	if len(r.Calibrations) > 0 {
		p.printf("\nestimates of tokens, as providers corrected them\n")
		rows = rows[:0]
		for _, c := range r.Calibrations {
			rows = append(rows, []string{"  " + c.Model, c.Kind, fmt.Sprintf("%.2f times", c.Ratio), fmt.Sprintf("to within %.0f %%", 100*c.ErrorBound), "learned from " + plural(c.Learned, "request")})
		}
		table(p.stdout, rows)
	}
	if len(r.Problems) == 0 {
		p.printf("\nno problems\n")
		return
	}
	p.printf("\n%s\n", plural(len(r.Problems), "problem"))
	for _, problem := range r.Problems {
		p.printf("  %s: %s\n", problem.Severity, problem.Message)
	}
}

func orNone(text string) string {
	if text == "" {
		return "none"
	}
	return text
}
