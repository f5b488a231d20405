package commands

import "foreword/promptbuilder/agents"

// agents are the agents that there are at a place: the built-in ones and those
// that the settings declare.
func (p *place) agents() (agents.Set, []Warning) {
	set, _ := agents.Merge(nil, "")
	return set, nil
}

// agent is who acts for a request.
func (p *place) agent(named string) (agents.Agent, []Warning) {
	set, warnings := p.agents()
	agent, problem := set.Choose(named)
	if problem != "" {
		warnings = append(warnings, Warning{Code: "agent-unknown", Message: problem})
	}
	return agent, warnings
}
