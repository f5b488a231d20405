package main

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"foreword/commands"
)

func (p *program) turnCommand() *cobra.Command {
	const name = "foreword.turn.prepare"
	return p.objectCommandOf("turn [FILE]", "Make a request that is ready to be sent, from a JSON object of parameters",
		`  foreword turn turn.json
  echo '{"wire":"openai-chat","model":"gpt-5","messages":[{"role":"user","content":"hello"}]}' | foreword turn
  foreword turn --wire anthropic --session my-chat turn.json`,
		name, func() string { return name }, append(turnFields, historyFields...)...)
}

func (p *program) historyCommand() *cobra.Command {
	compact := false
	const name = "foreword.history.prepare"
	c := p.objectCommandOf("history [FILE]", "Fit the messages of a JSON object into a budget and say what was done",
		`  foreword history messages.json
  echo '{"budget":1000,"messages":[{"role":"user","content":"hello"}]}' | foreword history
  foreword history --budget 8000 --strategy clear-tool-results messages.json
  foreword history --compact messages.json`,
		name, func() string {
			if compact {
				return "foreword.history.compact"
			}
			return name
		}, append([]field{{"model", "model", textField, "`model` whose tokens are counted and whose window holds"}, {"session", "session", textField, "`name` of the session"}, {"budget", "budget", numberField, "what the messages may cost, in `tokens`"}}, historyFields...)...)
	c.Flags().BoolVar(&compact, "compact", false, "say what to ask a model for a summary, or put the summary that is given in place")
	return c
}

// objectCommand is a subcommand whose parameters are one JSON object, and no
// flag.
func (p *program) objectCommand(use, short, example, name string) *cobra.Command {
	return p.objectCommandOf(use, short, example, name, func() string { return name })
}

// field is a parameter that a flag may give in place of the JSON object.
type field struct {
	flag, key string
	kind      fieldKind
	usage     string
}

type fieldKind uint8

const (
	textField fieldKind = iota
	numberField
	boolField
	listField
	negatedField // a flag that says false
)

// historyFields and turnFields are the parameters that are worth a flag: short
// words that change from call to call while the messages come from a program.
var (
	historyFields = []field{
		{"window", "window", numberField, "context window in `tokens`"},
		{"reserve", "reserve", numberField, "`tokens` kept free for the answer"},
		{"strategy", "strategy", textField, "what goes first: reduce, clear-tool-results or adaptive"},
		{"compat", "compat", textField, "do as another `tool` does, its faults included: gptme or opencode"},
		{"protect", "protect.tools", listField, "`tool` whose results are never cleared (repeatable)"},
	}
	turnFields = []field{
		{"wire", "wire", textField, "`shape` of the request body"},
		{"session", "session", textField, "`name` of the session"},
		{"model", "model", textField, "`model` that the request is for"},
		{"provider", "provider", textField, "`provider` that serves the model"},
		{"agent", "agent", textField, "`name` of the agent"},
		{"mode", "mode", textField, "build or plan"},
		{"profile", "profile", textField, "whose loading `rules` for instruction files are followed"},
		{"tool-format", "toolFormat", textField, "markdown, xml or tool"},
		{"context", "context", textField, "full, or selective: only what --include names"},
		{"include", "include", listField, "`key` or group of sources for selective context (repeatable)"},
		{"compact", "compact", boolField, "use the short forms of the texts"},
		{"non-interactive", "interactive", negatedField, "nobody can answer questions"},
	}
)

// register adds the flag of a field, and gives its value for the JSON object.
func (f field) register(c *cobra.Command) func() any {
	flags := c.Flags()
	switch f.kind {
	case numberField:
		v := flags.Int(f.flag, 0, f.usage)
		return func() any { return *v }
	case boolField:
		v := flags.Bool(f.flag, false, f.usage)
		return func() any { return *v }
	case negatedField:
		v := flags.Bool(f.flag, false, f.usage)
		return func() any { return !*v }
	case listField:
		v := flags.StringArray(f.flag, nil, f.usage)
		return func() any { return *v }
	case textField:
	}
	v := flags.String(f.flag, "", f.usage)
	return func() any { return *v }
}

// set puts a value into the parameters in place of what is there; a key with a
// dot is a field of an object.
func set(raw json.RawMessage, key string, value any) (json.RawMessage, error) {
	object := map[string]json.RawMessage{}
	if len(raw) > 0 {
		if err := json.Unmarshal(raw, &object); err != nil {
			return nil, usageError{fmt.Errorf("the parameters: want a JSON object: %w", err)}
		}
	}
	outer, inner, nested := strings.Cut(key, ".")
	var err error
	if nested {
		object[outer], err = set(object[outer], inner, value)
	} else {
		object[outer], err = json.Marshal(value)
	}
	if err != nil {
		return nil, err
	}
	return json.Marshal(object)
}

// objectCommandOf is a subcommand whose parameters are one JSON object, from a
// file or from standard input, with flags for some of them, and whose answer is
// always JSON. The command called name has the enums of the flags; chosen names
// the one that is called.
func (p *program) objectCommandOf(use, short, example, name string, chosen func() string, fields ...field) *cobra.Command {
	values := map[string]func() any{}
	c := &cobra.Command{
		Use: use, Short: short, Example: example,
		Args: cobra.MaximumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			p.json = true // also of what goes wrong
			raw, err := p.object(args)
			if err != nil {
				return err
			}
			for _, f := range fields {
				if c.Flags().Changed(f.flag) {
					if raw, err = set(raw, f.key, values[f.flag]()); err != nil {
						return err
					}
				}
			}
			s, err := p.surroundings.open("")
			if err != nil {
				return err
			}
			defer s.Close()
			command, ok := commands.Lookup(chosen())
			if !ok {
				return fmt.Errorf("no command %s", chosen())
			}
			result, err := command.Call(c.Context(), s, raw)
			if err != nil {
				return err
			}
			p.printJSON(result)
			return nil
		},
	}
	for _, f := range fields {
		values[f.flag] = f.register(c)
		if f.kind == textField {
			complete(c, f.flag, name, f.key)
		}
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
