package main

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"foreword/commands"
)

func (p *program) toolCommand() *cobra.Command {
	var params commands.CallToolParams
	c := &cobra.Command{
		Use:   "tool [NAME [ARGUMENTS]]",
		Short: "Run a tool as the model of a panel does, or list the tools",
		Long: "Run a tool as the model of a panel does, or list the tools.\n\n" +
			"ARGUMENTS are a JSON object, or name=value pairs.",
		Example: `  foreword tool
  foreword tool read path=web/cart.ts offset=40
  foreword tool grep '{"pattern": "func Total", "include": "*.go"}'`,
		RunE: func(c *cobra.Command, args []string) error {
			s, err := p.surroundings.open()
			if err != nil {
				return err
			}
			defer s.Close()
			if len(args) == 0 {
				r, err := call[commands.ListToolsResult](c, s, "foreword.tools.list", commands.ListToolsParams{Agent: params.Agent, Model: params.Model})
				if err != nil {
					return err
				}
				return p.show(r, r.Warnings, func() { p.printTools(r) })
			}
			params.Name = args[0]
			if params.Arguments.Raw, err = toolArguments(args[1:]); err != nil {
				return err
			}
			r, err := call[commands.CallToolResult](c, s, "foreword.tools.call", params)
			if err != nil {
				return err
			}
			if r.IsError || r.Ask != "" {
				p.code = exitFailed
			}
			return p.show(r, r.Warnings, func() { p.printToolAnswer(r) })
		},
		ValidArgsFunction: func(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
			if len(args) > 0 {
				return nil, cobra.ShellCompDirectiveNoFileComp
			}
			return commands.ToolNames(), cobra.ShellCompDirectiveNoFileComp
		},
	}
	c.Flags().StringVar(&params.Agent, "agent", "", "`agent` whose permissions count (default build)")
	c.Flags().BoolVar(&params.Approved, "approved", false, "you allow the call, where a rule of the agent asks")
	c.Flags().StringVar(&params.Session, "session", "", "`session` that is told what was read")
	c.Flags().StringVar(&params.Message, "message", "", "`id` of the message that will carry the result")
	c.Flags().StringVar(&params.Model, "model", "", "`model` whose tokens are counted")
	p.jsonFlag(c)
	return c
}

// toolArguments reads a JSON object, or pairs of names and values.
func toolArguments(args []string) (json.RawMessage, error) {
	if len(args) == 1 && strings.HasPrefix(strings.TrimSpace(args[0]), "{") {
		return json.RawMessage(args[0]), nil
	}
	pairs := map[string]string{}
	for _, arg := range args {
		name, value, ok := strings.Cut(arg, "=")
		if !ok {
			return nil, usageError{fmt.Errorf("%q: want name=value, or one JSON object", arg)}
		}
		pairs[name] = value
	}
	return json.Marshal(pairs)
}

func (p *program) printTools(r *commands.ListToolsResult) {
	rows := [][]string{{"tool", "allowed", "what it is for"}}
	about := map[string]string{}
	for _, t := range r.Tools {
		about[t.Name], _, _ = strings.Cut(t.Description, ". ")
	}
	for _, permission := range r.Permissions {
		rows = append(rows, []string{permission.Name, permission.Action, about[permission.Name]})
	}
	table(p.stdout, rows)
}

func (p *program) printToolAnswer(r *commands.CallToolResult) {
	if r.Ask != "" {
		p.printf("the agent's rules ask first: %s; --approved allows it\n", r.Ask)
		return
	}
	p.printf("%s\n", strings.TrimSuffix(r.Text, "\n"))
	for _, injection := range r.Injections {
		p.printf("\n%s\n", injection.Text)
	}
}
