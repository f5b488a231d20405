package main

import (
	"encoding/json"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"foreword/commands"
)

func (p *program) turnCommand() *cobra.Command {
	return p.objectCommand("turn [FILE]", "Make a request that is ready to be sent, from a JSON object of parameters",
		`  foreword turn turn.json
  echo '{"wire":"openai-chat","model":"gpt-5","messages":[{"role":"user","content":"hello"}]}' | foreword turn`,
		"foreword.turn.prepare")
}

func (p *program) historyCommand() *cobra.Command {
	compact := false
	c := p.objectCommandOf("history [FILE]", "Fit the messages of a JSON object into a budget and say what was done",
		`  foreword history messages.json
  echo '{"budget":1000,"messages":[{"role":"user","content":"hello"}]}' | foreword history
  foreword history --compact messages.json`,
		func() string {
			if compact {
				return "foreword.history.compact"
			}
			return "foreword.history.prepare"
		})
	c.Flags().BoolVar(&compact, "compact", false, "say what to ask a model for a summary, or put the summary that is given in place")
	return c
}

// objectCommand is a subcommand whose parameters are one JSON object, from a
// file or from standard input, and whose answer is always JSON.
func (p *program) objectCommand(use, short, example, name string) *cobra.Command {
	return p.objectCommandOf(use, short, example, func() string { return name })
}

// objectCommandOf is the same where flags choose the command.
func (p *program) objectCommandOf(use, short, example string, name func() string) *cobra.Command {
	c := &cobra.Command{
		Use: use, Short: short, Example: example,
		Args: cobra.MaximumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			p.json = true // also of what goes wrong
			raw, err := p.object(args)
			if err != nil {
				return err
			}
			s, err := p.surroundings.open("")
			if err != nil {
				return err
			}
			defer s.Close()
			command, ok := commands.Lookup(name())
			if !ok {
				return fmt.Errorf("no command %s", name())
			}
			result, err := command.Call(c.Context(), s, raw)
			if err != nil {
				return err
			}
			p.printJSON(result)
			return nil
		},
	}
	c.Flags().Bool("json", true, "print the result as one JSON object (always so)")
	return c
}

func (p *program) object(args []string) (json.RawMessage, error) {
	if len(args) == 1 && args[0] != "-" {
		raw, err := os.ReadFile(args[0])
		if err != nil {
			return nil, usageError{fmt.Errorf("cannot read the parameters: %w", err)}
		}
		return raw, nil
	}
	raw, err := io.ReadAll(p.stdin)
	if err != nil {
		return nil, fmt.Errorf("cannot read standard input: %w", err)
	}
	return raw, nil
}
