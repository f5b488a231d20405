package agents

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Declaration is one agent of a settings file: a new one, or changes to one
// that is there.
type Declaration struct {
	Name        string
	Description string
	Prompt      string
	Model       string
	// Steps is how many; negative where the file does not say.
	Steps   int
	Mode    Mode
	Rules   Rules
	Disable bool
	// File and Line (from 1) are where it stands; PromptLine is the prompt's.
	File             string
	Line, PromptLine int
	// Trusted tells that the user speaks, or a workspace that the user trusts.
	// Others may add an agent and narrow what it may do, and nothing else: they
	// neither change an agent that is there nor allow anything.
	Trusted bool
}

// Problem is a part of a declaration that is left out.
type Problem struct {
	File    string
	Line    int
	Message string
}

// Merge makes the set of agents: the built-in ones, changed and added to by the
// declarations in their order. byDefault is the agent of requests that name
// none; "" for build.
func Merge(declarations []Declaration, byDefault string) (Set, []Problem) {
	var problems []Problem
	report := func(d Declaration, format string, arguments ...any) {
		problems = append(problems, Problem{d.File, d.Line, fmt.Sprintf(format, arguments...)})
	}
	own := builtIn()
	declared := []Agent{}
	removed := map[string]bool{}
	find := func(name string) *Agent {
		for _, list := range [][]Agent{own, declared} {
			if i := slices.IndexFunc(list, func(a Agent) bool { return a.Name == name }); i >= 0 {
				return &list[i]
			}
		}
		return nil
	}
	trusted := map[string]bool{} // what the user, or a workspace that they trust, spoke of
	for _, d := range declarations {
		agent := find(d.Name)
		if !d.Trusted && (trusted[d.Name] || agent != nil && agent.BuiltIn) {
			report(d, "agent %s is left as it is, because this workspace is not trusted; run foreword trust", d.Name)
			continue
		}
		trusted[d.Name] = trusted[d.Name] || d.Trusted
		if d.Disable {
			removed[d.Name] = true
			continue
		}
		delete(removed, d.Name)
		if agent == nil {
			declared = append(declared, Agent{Name: d.Name, Mode: Both, Rules: common()})
			agent = &declared[len(declared)-1]
		}
		if !d.Trusted {
			narrower := slices.DeleteFunc(slices.Clone(d.Rules), func(r Rule) bool { return r.Action != Deny })
			if len(narrower) < len(d.Rules) {
				report(d, "agent %s: permissions that allow or ask are left out, because this workspace is not trusted; run foreword trust", d.Name)
			}
			d.Rules = narrower
		}
		agent.change(d)
	}
	slices.SortFunc(declared, func(a, b Agent) int { return cmp.Compare(a.Name, b.Name) })
	set := Set{byDefault: byDefault}
	for _, a := range append(own, declared...) {
		if !removed[a.Name] {
			set.agents = append(set.agents, a)
		}
	}
	return set, problems
}

func (a *Agent) change(d Declaration) {
	if d.Description != "" {
		a.Description = d.Description
	}
	if d.Prompt != "" {
		a.Prompt, a.Text, a.File, a.Line = d.Prompt, "", d.File, d.PromptLine
	}
	if d.Model != "" {
		a.Model = d.Model
	}
	if d.Steps >= 0 {
		a.Steps = d.Steps
	}
	if d.Mode != "" {
		a.Mode = d.Mode
	}
	a.Rules = append(a.Rules, d.Rules...)
}

// Choose gives the agent of a request: the named one, else the default one. It
// never fails a turn: where the agent is not there, one without a prompt of its
// own acts under that name, and the message says so.
func (s Set) Choose(name string) (agent Agent, problem string) {
	if name != "" {
		if a, ok := s.Get(name); ok {
			return a, ""
		}
		return Agent{Name: name, Mode: Both, Rules: common()}, fmt.Sprintf(
			"there is no agent %q, so it has no prompt of its own and the usual permissions; the agents are %s, and foreword.toml declares more in [agents.%s]",
			name, strings.Join(s.Names(), ", "), name)
	}
	if s.byDefault != "" {
		a, ok := s.Get(s.byDefault)
		switch {
		case ok && a.choosable():
			return a, ""
		case ok:
			problem = fmt.Sprintf("the setting defaultAgent names %q, which a person cannot choose; the agents are %s", s.byDefault, strings.Join(s.Names(), ", "))
		default:
			problem = fmt.Sprintf("the setting defaultAgent names %q, which is not there; the agents are %s", s.byDefault, strings.Join(s.Names(), ", "))
		}
	}
	if a, ok := s.Get(Default); ok && a.choosable() {
		return a, problem
	}
	for _, a := range s.agents {
		if a.choosable() {
			return a, problem
		}
	}
	return Agent{Name: Default, Mode: Primary, Rules: common()}, cmp.Or(problem, "every agent is disabled, so one without a prompt of its own acts")
}
