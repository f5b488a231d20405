package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"foreword/commands"
)

// promptFlags are the flags that a prompt depends on.
type promptFlags struct {
	params         commands.BuildPromptParams
	nonInteractive bool
	cwd            string
	attach         []string
}

func (f *promptFlags) register(c *cobra.Command) {
	flags := c.Flags()
	flags.StringVar(&f.params.Model, "model", "", "`model` whose tokens are counted and whose window holds")
	flags.StringVar(&f.params.Provider, "provider", "", "`provider` that serves the model")
	flags.StringVar(&f.params.Profile, "profile", "", "whose loading `rules` for instruction files are followed (default foreword)")
	flags.StringVar(&f.params.Agent, "agent", "", "`name` of the agent (default build)")
	flags.StringVar(&f.params.Mode, "mode", "", "build or plan (default build)")
	flags.StringVar(&f.params.ToolFormat, "tool-format", "", "markdown, xml or tool (default tool)")
	flags.StringVar(&f.params.Context, "context", "", "full, or selective: only what --include names (default full)")
	flags.StringArrayVar(&f.params.Include, "include", nil, "`key` or group of sources for selective context (repeatable)")
	flags.StringVar(&f.params.Compat, "compat", "", "assemble as another `tool` does, its faults included: gptme or opencode")
	flags.StringVar(&f.params.Prompt, "prompt", "", "`words` in place of foreword's own on who the assistant is")
	flags.StringArrayVar(&f.attach, "attach", nil, "`file` to add by name (repeatable)")
	flags.BoolVar(&f.params.Compact, "compact", false, "use the short forms of the texts")
	flags.BoolVar(&f.nonInteractive, "non-interactive", false, "nobody can answer questions")
	flags.StringVar(&f.params.Session, "session", "", "`name` of the session")
	flags.StringVar(&f.cwd, "cwd", "", "`directory` in which the tool is started; default: the root")
	flags.IntVar(&f.params.Window, "window", 0, "context window in `tokens`")
	flags.IntVar(&f.params.Reserve, "reserve", 0, "`tokens` kept free for the answer")
	complete(c, "mode", "foreword.prompt.build", "mode")
	complete(c, "tool-format", "foreword.prompt.build", "toolFormat")
	complete(c, "context", "foreword.prompt.build", "context")
	complete(c, "compat", "foreword.prompt.build", "compat")
}

func (f *promptFlags) finish(p *program, path string) error {
	var err error
	if path != "" {
		if f.params.URI, err = p.target(path); err != nil {
			return err
		}
	}
	if f.cwd != "" {
		if f.params.Cwd, err = p.target(f.cwd); err != nil {
			return err
		}
	}
	for _, file := range f.attach {
		attached, err := p.target(file)
		if err != nil {
			return err
		}
		f.params.Attachments = append(f.params.Attachments, attached)
	}
	if f.nonInteractive {
		interactive := false
		f.params.Interactive = &interactive
	}
	return nil
}

func (p *program) promptCommand() *cobra.Command {
	var f promptFlags
	var preview bool
	c := &cobra.Command{
		Use:   "prompt [PATH]",
		Short: "Print what a model is told about a file, section by section with tokens",
		Example: `  foreword prompt src/main.go
  foreword prompt --json --model claude-sonnet-4-5 src/main.go
  foreword prompt --preview src/main.go > prompt.md`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			path := strings.Join(args, "")
			if err := f.finish(p, path); err != nil {
				return err
			}
			s, err := p.surroundings.open(path)
			if err != nil {
				return err
			}
			defer s.Close()
			if preview {
				params := commands.PreviewPromptParams{BuildPromptParams: f.params}
				r, err := call[commands.PreviewPromptResult](c, s, "foreword.prompt.preview", params)
				if err != nil {
					return err
				}
				return p.show(r, r.Warnings, func() { p.printf("%s", r.Markdown) })
			}
			r, err := call[commands.BuildPromptResult](c, s, "foreword.prompt.build", f.params)
			if err != nil {
				return err
			}
			return p.show(r, r.Warnings, func() { p.printPrompt(r) })
		},
	}
	f.register(c)
	p.jsonFlag(c)
	c.Flags().BoolVar(&preview, "preview", false, "print the document that editors show, in Markdown")
	return c
}

func (p *program) printPrompt(r *commands.BuildPromptResult) {
	for i, s := range r.Sections {
		if i == r.Boundary.Section {
			p.printf("══ cache boundary: the %s above stay the same within a session ══\n\n", plural(r.Boundary.Tokens, "token"))
		}
		p.printf("── %s · %s · %s · %s ──\n", s.Key, s.Layer, plural(s.Tokens, "token"), s.Why)
		p.printf("%s\n\n", s.Text)
	}
	p.printf("── account ──\n")
	rows := [][]string{}
	for _, s := range r.Sections {
		rows = append(rows, []string{fmt.Sprintf("%7d", s.Tokens), s.Layer, s.Key})
	}
	rows = append(rows, []string{fmt.Sprintf("%7d", r.Tokens.Total), "total", fmt.Sprintf("%s, %s; window %d (%s), %d kept for the answer, %d free",
		r.Tokens.Counter, r.Tokens.Encoding, r.Tokens.Window, r.Tokens.WindowSource, r.Tokens.Reserve, r.Tokens.Free)})
	table(p.stdout, rows)
	if len(r.NotApplied) == 0 {
		return
	}
	p.printf("\n── left out ──\n")
	rows = nil
	for _, n := range r.NotApplied {
		rows = append(rows, []string{n.Key, n.State, n.Why})
	}
	table(p.stdout, rows)
}
