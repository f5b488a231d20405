package main

import (
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"foreword/commands"
)

func (p *program) compressCommand() *cobra.Command {
	var params commands.CompressTextParams
	c := &cobra.Command{
		Use:   "compress [FILE]",
		Short: "Keep the sentences of a text that say most for a task, and all its code",
		Example: `  foreword compress --task "find out why the build is slow" notes.md
  git log | foreword compress --ratio 0.2`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			text, err := p.text(args)
			if err != nil {
				return err
			}
			params.Text = text
			s, err := p.surroundings.open("")
			if err != nil {
				return err
			}
			defer s.Close()
			r, err := call[commands.CompressTextResult](c, s, "foreword.text.compress", params)
			if err != nil {
				return err
			}
			return p.show(r, r.Warnings, func() {
				p.printf("%s", r.Text)
				if !strings.HasSuffix(r.Text, "\n") {
					p.printf("\n")
				}
				fmt.Fprintf(p.stderr, "foreword: %d of %d tokens left (task %s)\n", r.Tokens.After, r.Tokens.Before, r.Task)
			})
		},
	}
	c.Flags().Float64Var(&params.Ratio, "ratio", 0, "`share` of the text that is wanted, up to 1")
	c.Flags().StringVar(&params.Task, "task", "", "the `task` that the text is for, in words")
	c.Flags().StringVar(&params.Compat, "compat", "", "give what another tool gives: `gptme`")
	complete(c, "compat", "foreword.text.compress", "compat")
	p.jsonFlag(c)
	return c
}

func (p *program) densityCommand() *cobra.Command {
	return p.objectCommand("density [FILE]", "Say of each message of a JSON object how much it says and how much of that is new",
		`  foreword density messages.json
  echo '{"messages":[{"role":"user","content":"hello"}]}' | foreword density`,
		"foreword.text.density")
}

// text is the text of a file or of standard input, made valid.
func (p *program) text(args []string) (string, error) {
	var raw []byte
	var err error
	if len(args) == 1 && args[0] != "-" {
		if raw, err = os.ReadFile(args[0]); err != nil {
			return "", usageError{fmt.Errorf("cannot read the text: %w", err)}
		}
	} else if raw, err = io.ReadAll(p.stdin); err != nil {
		return "", fmt.Errorf("cannot read standard input: %w", err)
	}
	return strings.ToValidUTF8(string(raw), "\ufffd"), nil
}
