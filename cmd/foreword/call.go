package main

import (
	"encoding/json"
	"fmt"

	"github.com/spf13/cobra"

	"foreword/commands"
)

// call runs a command of the contract by its name, as an editor would, so that
// the two faces cannot differ.
func call[R any](c *cobra.Command, s *commands.Service, name string, params any) (*R, error) {
	command, ok := commands.Lookup(name)
	if !ok {
		return nil, fmt.Errorf("no command %s", name)
	}
	raw, ok := params.(json.RawMessage)
	if !ok {
		var err error
		if raw, err = json.Marshal(params); err != nil {
			return nil, err
		}
	}
	result, err := command.Call(c.Context(), s, raw)
	if err != nil {
		return nil, err
	}
	return result.(*R), nil
}

func (p *program) jsonFlag(c *cobra.Command) {
	c.Flags().BoolVar(&p.json, "json", false, "print the result as one JSON object")
}

// complete offers what a parameter of a command may be as the values of a flag.
func complete(c *cobra.Command, flag, command, field string) {
	values := cobra.FixedCompletions(commands.Allowed(command, field), cobra.ShellCompDirectiveNoFileComp)
	if err := c.RegisterFlagCompletionFunc(flag, values); err != nil {
		panic(err) // there is no such flag
	}
}

// show prints a result, as JSON or for people.
func (p *program) show(result any, warnings []commands.Warning, people func()) error {
	if p.json {
		p.printJSON(result)
		return nil
	}
	p.warn(warnings)
	people()
	return nil
}
