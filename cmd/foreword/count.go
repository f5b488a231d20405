package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"
	"go.lsp.dev/uri"

	"foreword/commands"
)

func (p *program) countCommand() *cobra.Command {
	var params commands.CountTokensParams
	c := &cobra.Command{
		Use:   "count [FILE...]",
		Short: "Count the tokens of files, or of standard input",
		Example: `  foreword count AGENTS.md
  git diff | foreword count --model gpt-4o`,
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) == 0 {
				text, err := io.ReadAll(p.stdin)
				if err != nil {
					return fmt.Errorf("cannot read standard input: %w", err)
				}
				valid := strings.ToValidUTF8(string(text), "\ufffd")
				params.Text = &valid
			}
			for _, file := range args {
				if _, err := os.Stat(file); err != nil {
					return usageError{fmt.Errorf("cannot count %s: %w", file, errors.Unwrap(err))}
				}
			}
			var err error
			if params.URIs, err = p.targets(args); err != nil {
				return err
			}
			s, err := p.surroundings.open(args...)
			if err != nil {
				return err
			}
			defer s.Close()
			r, err := call[commands.CountTokensResult](c, s, "foreword.tokens.count", params)
			if err != nil {
				return err
			}
			if len(r.Warnings) > 0 {
				p.code = exitFailed // a file that could not be counted
			}
			return p.show(r, r.Warnings, func() {
				for _, f := range r.Files {
					p.printf("%8d  %s\n", f.Tokens, uri.URI(f.URI).FsPath())
				}
				p.printf("%8d  %s by %s (%s)\n", r.Tokens, r.Counter, r.Encoding, r.Source)
				if r.Learned > 0 {
					p.printf("%8d  expected of the provider, to within %.0f %%, learned from %s\n", r.Expected, 100*r.ErrorBound, plural(r.Learned, "request"))
				}
			})
		},
	}
	c.Flags().StringVar(&params.Model, "model", "", "`model` whose tokens are counted")
	p.jsonFlag(c)
	return c
}
