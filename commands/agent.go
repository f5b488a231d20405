package commands

import (
	"foreword/promptbuilder/agents"
	"foreword/workspace"
)

// agents are the agents that there are at a place: the built-in ones, with what
// the settings declare.
func (s *Service) agents(snap *workspace.Snapshot, p *place) (agents.Set, []Warning) {
	type key struct {
		agents  string
		trusted bool
	}
	type found struct {
		set      agents.Set
		warnings []Warning
	}
	f := snap.MemoDisk(key{p.root, p.trusted}, func() any {
		var f found
		var problems []agents.Problem
		f.set, problems = agents.Merge(p.declarations(), p.config.DefaultAgent)
		for _, problem := range problems {
			f.warnings = append(f.warnings, Warning{Code: "agent-left-out", Message: problem.Message, URI: optionalURI(problem.File), Range: lineRange(problem.Line)})
		}
		return f
	}).(found)
	return f.set, f.warnings
}

func (p *place) declarations() []agents.Declaration {
	var list []agents.Declaration
	for _, a := range p.config.Agents {
		d := agents.Declaration{
			Name: a.Name, Description: a.Description, Prompt: a.Prompt, Model: a.Model, Steps: a.Steps, Mode: agents.Mode(a.Mode), Disable: a.Disable,
			File: a.Path, Line: a.Line, PromptLine: a.PromptLine, Trusted: !a.Workspace || p.trusted,
		}
		for _, rule := range a.Permissions {
			d.Rules = append(d.Rules, agents.Rule{Permission: rule.Permission, Pattern: rule.Pattern, Action: agents.Action(rule.Action)})
		}
		list = append(list, d)
	}
	return list
}

// agent is who acts for a request.
func (s *Service) agent(snap *workspace.Snapshot, p *place, named string) (agents.Agent, []Warning) {
	set, warnings := s.agents(snap, p)
	agent, problem := set.Choose(named)
	if problem != "" {
		warnings = append(warnings[:len(warnings):len(warnings)], Warning{Code: "agent-unknown", Message: problem})
	}
	return agent, warnings
}

// lineRange is a whole line, which counts from 1; nil for none.
func lineRange(line int) *Range {
	if line <= 0 {
		return nil
	}
	return &Range{Start: Position{Line: line - 1}, End: Position{Line: line}}
}
