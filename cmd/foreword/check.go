package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"foreword/commands"
)

func (p *program) checkCommand() *cobra.Command {
	var params commands.CheckInstructionsParams
	var toolSettings string
	c := &cobra.Command{
		Use:   "check [PATH...]",
		Short: "Find what is wrong with instruction files: what a tool drops, cuts, hides or never reads",
		Example: `  foreword check
  foreword check --tools codex,claude-code services/pay
  foreword check --json .cursor/rules`,
		RunE: func(c *cobra.Command, args []string) error {
			for _, path := range args {
				target, err := p.existing(path)
				if err != nil {
					return err
				}
				params.URIs = append(params.URIs, target)
			}
			var err error
			if params.ToolSettings, err = readToolSettings(toolSettings); err != nil {
				return err
			}
			s, err := p.surroundings.open(first(args))
			if err != nil {
				return err
			}
			defer s.Close()
			r, err := call[commands.CheckInstructionsResult](c, s, "foreword.instructions.check", params)
			if err != nil {
				return err
			}
			for _, d := range r.Diagnostics {
				if d.Severity == "error" || d.Severity == "warning" {
					p.code = exitFindings
				}
			}
			return p.show(r, r.Warnings, func() { p.printDiagnostics(r) })
		},
	}
	c.Flags().StringSliceVar(&params.Tools, "tools", nil, "`tools` whose rules count, with commas between them; '*' for all (default those that the workspace shows signs of using)")
	c.Flags().StringVar(&params.ToolVersion, "tool-version", "", "`version` of the one tool in --tools (default the newest that the profile knows)")
	c.Flags().StringVar(&toolSettings, "tool-settings", "", "JSON `file` with the tools' settings, in place of their own files")
	p.jsonFlag(c)
	return c
}

// existing is a path of the shell that must be there, as a URI.
func (p *program) existing(path string) (string, error) {
	if _, err := os.Lstat(path); errors.Is(err, fs.ErrNotExist) {
		return "", usageError{fmt.Errorf("%s: no such file", path)}
	}
	return p.target(path)
}

func first(args []string) string {
	if len(args) == 0 {
		return ""
	}
	return args[0]
}

// printDiagnostics prints one line for each, in the form that editors and CI
// systems read, and the account on standard error.
func (p *program) printDiagnostics(r *commands.CheckInstructionsResult) {
	for _, d := range r.Diagnostics {
		p.printf("%s:%d:%d: %s %s: %s\n", d.Path, d.Range.Start.Line+1, d.Range.Start.Character+1, d.Severity, d.Code, d.Message)
	}
	fmt.Fprintf(p.stderr, "foreword: %s in %s, by the rules of %s\n", plural(len(r.Diagnostics), "finding"), plural(r.Files, "instruction file"), orNone(strings.Join(r.Tools, ", ")))
}
