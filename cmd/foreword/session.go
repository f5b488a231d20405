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

func (p *program) sessionList() *cobra.Command {
	var params commands.ListSessionsParams
	c := &cobra.Command{
		Use: "list", Short: "List the sessions that are remembered, the one used last first",
		Example: "  foreword session list --limit 10", Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			return answer(p, c, "foreword.session.list", params, func(r *commands.ListSessionsResult) ([]commands.Warning, func()) {
				return r.Warnings, func() {
					if len(r.Sessions) == 0 {
						p.printf("no session is remembered\n")
					}
					for _, s := range r.Sessions {
						p.printf("%s  %s  %s  %s\n", s.Session, plural(s.Turns, "turn"), when(s.Updated), s.Title)
					}
				}
			})
		},
	}
	c.Flags().IntVar(&params.Limit, "limit", 0, "`number` of sessions at most (default all)")
	p.jsonFlag(c)
	return c
}

func (p *program) sessionShow() *cobra.Command {
	var params commands.ShowSessionParams
	c := &cobra.Command{
		Use: "show SESSION", Short: "Show the epochs, the turns and the ledger of a session",
		Example: "  foreword session show my-chat", Args: cobra.ExactArgs(1), ValidArgsFunction: p.completeSessions,
		RunE: func(c *cobra.Command, args []string) error {
			params.Session = args[0]
			return answer(p, c, "foreword.session.show", params, func(r *commands.ShowSessionResult) ([]commands.Warning, func()) {
				return r.Warnings, func() { p.printSession(r) }
			})
		},
	}
	c.Flags().BoolVar(&params.Messages, "messages", false, "with --json, the panel's messages too")
	p.jsonFlag(c)
	return c
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

func (p *program) sessionDiff() *cobra.Command {
	var params commands.DiffPromptParams
	c := &cobra.Command{
		Use: "diff SESSION", Short: "Show what changed between two turns, and what broke the provider's cached prefix",
		Example: "  foreword session diff my-chat\n  foreword session diff my-chat --from 3 --to 5", Args: cobra.ExactArgs(1), ValidArgsFunction: p.completeSessions,
		RunE: func(c *cobra.Command, args []string) error {
			params.Session = args[0]
			return answer(p, c, "foreword.prompt.diff", params, func(r *commands.DiffPromptResult) ([]commands.Warning, func()) {
				return r.Warnings, func() { p.printf("%s", r.Text) }
			})
		},
	}
	c.Flags().IntVar(&params.From, "from", 0, "earlier `turn` (default: the one that the later continues)")
	c.Flags().IntVar(&params.To, "to", 0, "later `turn` (default: the newest)")
	p.jsonFlag(c)
	return c
}

func (p *program) sessionRebase() *cobra.Command {
	var params commands.RebaseSessionParams
	c := &cobra.Command{
		Use: "rebase SESSION", Short: "Make the next turn say the whole prompt anew",
		Example: "  foreword session rebase my-chat", Args: cobra.ExactArgs(1), ValidArgsFunction: p.completeSessions,
		RunE: func(c *cobra.Command, args []string) error {
			params.Session = args[0]
			return answer(p, c, "foreword.session.rebase", params, func(r *commands.RebaseSessionResult) ([]commands.Warning, func()) {
				return r.Warnings, func() { p.printf("the turn after %d begins a new epoch\n", r.Turn) }
			})
		},
	}
	c.Flags().StringVar(&params.Reason, "reason", "", "`text` for the record")
	p.jsonFlag(c)
	return c
}

func (p *program) sessionFork() *cobra.Command {
	var params commands.ForkSessionParams
	c := &cobra.Command{
		Use: "fork SESSION NAME", Short: "Make a second session of a turn and all before it",
		Example: "  foreword session fork my-chat my-chat-2 --turn 4", Args: cobra.ExactArgs(2), ValidArgsFunction: p.completeSessions,
		RunE: func(c *cobra.Command, args []string) error {
			params.Session, params.As = args[0], args[1]
			return answer(p, c, "foreword.session.fork", params, func(r *commands.ForkSessionResult) ([]commands.Warning, func()) {
				return r.Warnings, func() { p.printf("%s goes on from turn %d\n", r.Session, r.Turn) }
			})
		},
	}
	c.Flags().IntVar(&params.Turn, "turn", 0, "`number` of the turn (default: the newest)")
	p.jsonFlag(c)
	return c
}

func (p *program) sessionForget() *cobra.Command {
	c := &cobra.Command{
		Use: "forget SESSION...", Short: "Delete all that is remembered of sessions",
		Example: "  foreword session forget my-chat", Args: cobra.MinimumNArgs(1), ValidArgsFunction: p.completeSessions,
		RunE: func(c *cobra.Command, args []string) error {
			for _, name := range args {
				err := answer(p, c, "foreword.session.forget", commands.ForgetSessionParams{Session: name}, func(r *commands.ForgetSessionResult) ([]commands.Warning, func()) {
					return r.Warnings, func() { p.printf("%s is forgotten\n", r.Session) }
				})
				if err != nil {
					return err
				}
			}
			return nil
		},
	}
	p.jsonFlag(c)
	return c
}

// answer calls a command and shows its result.
func answer[R, P any](p *program, c *cobra.Command, name string, params P, show func(*R) ([]commands.Warning, func())) error {
	s, err := p.surroundings.open("")
	if err != nil {
		return err
	}
	defer s.Close()
	r, err := call[R](c, s, name, params)
	if err != nil {
		return err
	}
	warnings, text := show(r)
	return p.show(r, warnings, text)
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
