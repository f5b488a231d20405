package commands

import (
	"context"

	"foreword/promptbuilder/agents"
	"foreword/promptbuilder/tools"
)

// ListToolsParams say where and for whom tools are asked for.
type ListToolsParams struct {
	// URI of the file or folder that the conversation is about; the first workspace folder by default.
	URI string `json:"uri,omitempty"`
	// Agent whose permissions count; build by default.
	Agent string `json:"agent,omitempty"`
	// Mode of the conversation. foreword's own tools change nothing, so they are the same in both.
	Mode string `json:"mode,omitempty" enum:"build,plan"`
	// Session of the panel; the tools are the same in all of them.
	Session string `json:"session,omitempty"`
	// Model whose tokens are counted.
	Model string `json:"model,omitempty"`
}

// ListToolsResult holds the tools that a panel may offer to its model.
type ListToolsResult struct {
	Head
	// Tools in the shape that foreword.turn.prepare takes.
	Tools []Tool `json:"tools"`
	// Permissions of the agent for them, by name.
	Permissions []ToolPermission `json:"permissions"`
	// Tokens that the definitions cost in each request, about: names, descriptions and schemas.
	Tokens int `json:"tokens"`
}

// ToolPermission is whether an agent may use a tool.
type ToolPermission struct {
	// Name of the tool.
	Name string `json:"name"`
	// Action is what the agent's rules say of its use in general: with ask the user is asked before each call, with some
	// it is for single files only. A rule for single files may ask or deny in any case.
	Action string `json:"action" enum:"allow,ask,some,deny"`
	// Why names the rule.
	Why string `json:"why"`
}

// forSome is the action of a permission that single files have.
const forSome = "some"

// ListTools lists foreword's own tools: those by which a model looks round, and which change nothing (docs/tools.md). A tool that the
// agent may never use is not offered.
func (s *Service) ListTools(ctx context.Context, params ListToolsParams) (*ListToolsResult, error) {
	snap := s.snapshot(ctx)
	p, err := s.locate(snap, params.URI, "")
	if err != nil {
		return nil, err
	}
	agent, warnings := s.agent(snap, p, params.Agent)
	r := &ListToolsResult{Head: head(), Tools: []Tool{}, Permissions: []ToolPermission{}}
	r.Warnings = append(r.Warnings, warnings...)
	for _, t := range tools.All() {
		rule := agent.Rules.Evaluate(t.Permission, "*")
		permission := ToolPermission{Name: t.Name, Action: string(rule.Action), Why: ruleText(agent, rule)}
		closed := closedTool(agent, t)
		switch {
		case closed:
			permission.Action = string(agents.Deny)
		case rule.Action == agents.Deny:
			permission.Action = forSome
			permission.Why += "; others are for single files"
		}
		r.Permissions = append(r.Permissions, permission)
		if !closed {
			r.Tools = append(r.Tools, Tool{Name: t.Name, Description: t.Description, Parameters: RawObject(t.Parameters)})
		}
	}
	_, count := s.counter(p.model(params.Model))
	for _, t := range r.Tools {
		r.Tokens += count(t.Name) + count(t.Description) + count(string(t.Parameters))
	}
	return r, ctx.Err()
}

// ruleText names a rule of an agent.
func ruleText(agent agents.Agent, rule agents.Rule) string {
	return "the agent " + agent.Name + " has the rule: " + string(rule.Action) + " " + rule.Permission + " " + rule.Pattern
}

// ToolNames are the names of foreword's own tools, for completion.
func ToolNames() []string { return tools.Names() }
