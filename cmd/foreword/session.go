package main

import (
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"foreword/commands"
)

func (p *program) sessionCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "session",
		Short: "Show what conversations were told, how their turns differ, and why a cache missed",
		Example: `  foreword session list
  foreword session show my-chat
  foreword session diff my-chat --from 3 --to 5`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	c.AddCommand(p.sessionList(), p.sessionShow(), p.sessionDiff(), p.sessionRebase(), p.sessionFork(), p.sessionForget())
	return c
}

// sessionVerb is a subcommand about sessions: it calls the command of params,
// whose names come from the arguments.
func sessionVerb[R, P any](p *program, use, short, example string, args cobra.PositionalArgs, name string, params *P, take func([]string), show func(*R) ([]commands.Warning, func())) *cobra.Command {
	c := &cobra.Command{
		Use: use, Short: short, Example: "  foreword session " + example, Args: args, ValidArgsFunction: p.completeSessions,
		RunE: func(c *cobra.Command, args []string) error {
			take(args)
			s, err := p.surroundings.open("")
			if err != nil {
				return err
			}
			defer s.Close()
			r, err := call[R](c, s, name, *params)
			if err != nil {
				return err
			}
			warnings, text := show(r)
			return p.show(r, warnings, text)
		},
	}
	p.jsonFlag(c)
	return c
}

func (p *program) sessionList() *cobra.Command {
	var params commands.ListSessionsParams
	c := sessionVerb(p, "list", "List the sessions that are remembered, the one used last first", "list --limit 10", cobra.NoArgs,
		"foreword.session.list", &params, func([]string) {}, func(r *commands.ListSessionsResult) ([]commands.Warning, func()) {
			return r.Warnings, func() {
				if len(r.Sessions) == 0 {
					p.printf("no session is remembered\n")
				}
				for _, s := range r.Sessions {
					p.printf("%s  %s  %s  %s\n", s.Session, plural(s.Turns, "turn"), when(s.Updated), s.Title)
				}
			}
		})
	c.Flags().IntVar(&params.Limit, "limit", 0, "`number` of sessions at most (default all)")
	return c
}

func (p *program) sessionShow() *cobra.Command {
	var params commands.ShowSessionParams
	c := sessionVerb(p, "show SESSION", "Show the epochs, the turns and the ledger of a session", "show my-chat", cobra.ExactArgs(1),
		"foreword.session.show", &params, func(args []string) { params.Session = args[0] }, func(r *commands.ShowSessionResult) ([]commands.Warning, func()) {
			return r.Warnings, func() { p.printSession(r) }
		})
	c.Flags().BoolVar(&params.Messages, "messages", false, "with --json, the panel's messages too")
	return c
}

func (p *program) sessionDiff() *cobra.Command {
	var params commands.DiffPromptParams
	c := sessionVerb(p, "diff SESSION", "Show what changed between two turns, and what broke the provider's cached prefix", "diff my-chat --from 3 --to 5", cobra.ExactArgs(1),
		"foreword.prompt.diff", &params, func(args []string) { params.Session = args[0] }, func(r *commands.DiffPromptResult) ([]commands.Warning, func()) {
			return r.Warnings, func() { p.printf("%s", r.Text) }
		})
	c.Flags().IntVar(&params.From, "from", 0, "earlier `turn` (default: the one that the later continues)")
	c.Flags().IntVar(&params.To, "to", 0, "later `turn` (default: the newest)")
	return c
}

func (p *program) sessionRebase() *cobra.Command {
	var params commands.RebaseSessionParams
	c := sessionVerb(p, "rebase SESSION", "Make the next turn say the whole prompt anew", "rebase my-chat", cobra.ExactArgs(1),
		"foreword.session.rebase", &params, func(args []string) { params.Session = args[0] }, func(r *commands.RebaseSessionResult) ([]commands.Warning, func()) {
			return r.Warnings, func() { p.printf("the turn after %d begins a new epoch\n", r.Turn) }
		})
	c.Flags().StringVar(&params.Reason, "reason", "", "`text` for the record")
	return c
}

func (p *program) sessionFork() *cobra.Command {
	var params commands.ForkSessionParams
	c := sessionVerb(p, "fork SESSION NAME", "Make a second session of a turn and all before it", "fork my-chat my-chat-2 --turn 4", cobra.ExactArgs(2),
		"foreword.session.fork", &params, func(args []string) { params.Session, params.As = args[0], args[1] }, func(r *commands.ForkSessionResult) ([]commands.Warning, func()) {
			return r.Warnings, func() { p.printf("%s goes on from turn %d\n", r.Session, r.Turn) }
		})
	c.Flags().IntVar(&params.Turn, "turn", 0, "`number` of the turn (default: the newest)")
	return c
}

func (p *program) sessionForget() *cobra.Command {
	var params commands.ForgetSessionParams
	return sessionVerb(p, "forget SESSION", "Delete all that is remembered of a session", "forget my-chat", cobra.ExactArgs(1),
		"foreword.session.forget", &params, func(args []string) { params.Session = args[0] }, func(r *commands.ForgetSessionResult) ([]commands.Warning, func()) {
			return r.Warnings, func() { p.printf("%s is forgotten\n", r.Session) }
		})
}

func (p *program) printSession(r *commands.ShowSessionResult) {
	p.printf("%s: %s\n", r.Session, r.Title)
	for _, e := range r.Epochs {
		p.printf("\nepoch %d, from turn %d: %s (%s, %s)\n", e.Number, e.Began, e.Because, plural(e.Sections, "section"), plural(e.Bytes, "byte"))
		if e.Due != "" {
			p.printf("  the next turn begins another: %s\n", e.Due)
		}
		for _, t := range r.History {
			if t.Epoch != e.Number {
				continue
			}
			p.printf("  turn %d", t.Turn)
			if t.Parent != t.Turn-1 {
				p.printf(" (continues %d)", t.Parent)
			}
			p.printf(" %s  %s  cache %d predicted", t.State, plural(t.Input, "token"), t.CachePredicted)
			if t.Usage != nil {
				p.printf(", %d reported", t.Usage.CacheRead)
			}
			if t.Broken != "" {
				p.printf("  broken by %s", t.Broken)
			}
			p.printf("\n")
			for _, told := range r.Ledger {
				if told.Turn == t.Turn {
					p.printf("    %s %s %s  %s\n", told.How, told.Kind, told.Key, plural(told.Tokens, "token"))
				}
			}
		}
	}
}

// completeSessions offers the names of sessions with their titles.
func (p *program) completeSessions(c *cobra.Command, args []string, prefix string) ([]string, cobra.ShellCompDirective) {
	s, err := p.surroundings.open("")
	if err != nil {
		return nil, cobra.ShellCompDirectiveError
	}
	defer s.Close()
	r, err := call[commands.ListSessionsResult](c, s, "foreword.session.list", commands.ListSessionsParams{})
	if err != nil {
		return nil, cobra.ShellCompDirectiveError
	}
	var names []string
	for _, session := range r.Sessions {
		if strings.HasPrefix(session.Session, prefix) && len(args) == 0 {
			names = append(names, session.Session+"\t"+session.Title)
		}
	}
	return names, cobra.ShellCompDirectiveNoFileComp
}

// when writes a moment in the time zone of the reader.
func when(moment string) string {
	at, err := time.Parse(time.RFC3339, moment)
	if err != nil {
		return strconv.Quote(moment)
	}
	return at.Local().Format("2006-01-02 15:04")
}
