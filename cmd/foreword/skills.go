package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"foreword/commands"
)

func (p *program) skillsCommand() *cobra.Command {
	var list commands.ListSkillsParams
	c := &cobra.Command{
		Use:   "skills [NAME]",
		Short: "List the skills that hold here, or show one with its files",
		Example: `  foreword skills
  foreword skills release`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			s, err := p.surroundings.open()
			if err != nil {
				return err
			}
			defer s.Close()
			if len(args) == 0 {
				r, err := call[commands.ListSkillsResult](c, s, "foreword.skills.list", list)
				if err != nil {
					return err
				}
				return p.show(r, r.Warnings, func() { p.printSkills(r) })
			}
			r, err := call[commands.LoadSkillResult](c, s, "foreword.skills.load", commands.LoadSkillParams{
				Name: args[0], Profile: list.Profile, Agent: list.Agent, Model: list.Model,
			})
			if err != nil {
				return err
			}
			return p.show(r, r.Warnings, func() { p.printf("%s\n", r.Text) })
		},
		ValidArgsFunction: p.completeSkills,
	}
	c.Flags().StringVar(&list.Profile, "profile", "", "whose `rules` say where skills lie (default: the setting profile)")
	c.Flags().StringVar(&list.Agent, "agent", "", "`agent` whose permissions count (default build)")
	c.Flags().StringVar(&list.Model, "model", "", "`model` whose tokens are counted")
	p.jsonFlag(c)
	return c
}

// completeSkills offers the names of the skills that the model is told of.
func (p *program) completeSkills(c *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	if len(args) > 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	s, err := p.surroundings.open()
	if err != nil {
		return nil, cobra.ShellCompDirectiveError
	}
	defer s.Close()
	r, err := call[commands.ListSkillsResult](c, s, "foreword.skills.list", commands.ListSkillsParams{})
	if err != nil {
		return nil, cobra.ShellCompDirectiveError
	}
	var names []string
	for _, skill := range r.Skills {
		if skill.State == "model-decides" {
			names = append(names, cobra.CompletionWithDesc(skill.Name, skill.Description))
		}
	}
	return names, cobra.ShellCompDirectiveNoFileComp
}

func (p *program) printSkills(r *commands.ListSkillsResult) {
	if len(r.Skills) == 0 {
		p.printf("no skills\n")
		return
	}
	rows := [][]string{{"name", "state", "tokens", "file", "what it is for"}}
	for _, s := range r.Skills {
		about := s.Description
		if s.State != "model-decides" {
			about = s.Why
		}
		rows = append(rows, []string{s.Name, s.State, fmt.Sprint(s.Tokens), s.Path, oneLine(about)})
	}
	table(p.stdout, rows)
	for _, s := range r.Skills {
		for _, problem := range s.Problems {
			p.printf("%s:%d: %s: %s (%s)\n", s.Path, problem.Range.Start.Line+1, problem.Severity, problem.Message, problem.Code)
		}
	}
}

// oneLine keeps a description from breaking the table, and from being longer
// than a line of a terminal.
func oneLine(text string) string {
	const most = 100
	runes := []rune(text)
	if len(runes) > most {
		return string(runes[:most-1]) + "…"
	}
	return text
}
