// Package agents says who acts in a conversation: its prompt, its model, how
// many steps it may take and what it is permitted to do. A few agents are built
// in; foreword.toml declares more, and changes these.
//
// An agent is data. Declaring one runs nothing and reads nothing; a repository's
// declaration reaches no further than its instruction files do (see
// [Declaration.Trusted]).
package agents

import (
	"slices"

	"foreword/promptbuilder/templates"
)

// Mode is who may choose an agent.
type Mode string

// The modes.
const (
	// Primary agents are chosen by the user.
	Primary Mode = "primary"
	// Subagent is called by another agent only.
	Subagent Mode = "subagent"
	// Both can be either.
	Both Mode = "all"
)

// Agent is who acts.
type Agent struct {
	// Name as it is asked for.
	Name string
	// Description says what it is for, in a few words.
	Description string
	// Prompt takes the place of the model family's identity; empty for that.
	Prompt string
	// Text names the built-in text of Prompt, where it is one.
	Text templates.Name
	// File and Line (from 1) are where Prompt is declared, where it is.
	File string
	Line int
	// Model of the agent; empty for the conversation's.
	Model string
	// Steps is how many requests it may make for one user message; 0 for any number.
	Steps int
	Mode  Mode
	// Hidden agents serve foreword itself and are not offered for choice.
	Hidden bool
	Rules  Rules
	// BuiltIn tells that foreword knows the agent without a declaration.
	BuiltIn bool
}

// Allowed tells whether the agent may be offered something: its last fitting
// rule does not deny it. What is to be asked for is offered.
func (a Agent) Allowed(permission, pattern string) bool {
	return a.Rules.Evaluate(permission, pattern).Action != Deny
}

// Uses tells whether a tool of this name is offered to the agent. The tools
// that write files share the permission edit.
func (a Agent) Uses(tool string) bool {
	return !a.Rules.Closed(PermissionOf(tool))
}

// PermissionOf is the permission that a tool needs: its own name, or edit for
// the usual names of tools that write files.
func PermissionOf(tool string) string {
	switch tool {
	case "edit", "write", "patch", "apply_patch", "multiedit", "create", "append", "save", "str_replace":
		return "edit"
	}
	return tool
}

// Default is the agent of a request that names none.
const Default = "build"

// common are the rules that all agents begin with.
func common() Rules {
	return Rules{
		{"*", "*", Allow},
		{"external_directory", "*", Ask},
		{"question", "*", Deny},
		{"plan_enter", "*", Deny},
		{"plan_exit", "*", Deny},
		{"read", "*.env", Ask},
		{"read", "*.env.*", Ask},
		{"read", "*.env.example", Allow},
	}
}

// builtIn lists foreword's own agents in the order in which they are offered.
// Their rules follow those of opencode's agents of the same names
// (packages/opencode/src/agent/agent.ts of anomalyco/opencode, 2026-07-08).
func builtIn() []Agent {
	with := func(rules ...Rule) Rules { return append(common(), rules...) }
	return []Agent{
		{Name: "build", Description: "Does the work: reads, changes and runs.", Mode: Primary, BuiltIn: true,
			Rules: with(Rule{"question", "*", Allow}, Rule{"plan_enter", "*", Allow})},
		{Name: "plan", Description: "Makes a plan and changes nothing but its file.", Mode: Primary, BuiltIn: true,
			Rules: with(Rule{"question", "*", Allow}, Rule{"plan_exit", "*", Allow}, Rule{"task", "general", Deny},
				Rule{"edit", "*", Deny}, Rule{"edit", PlanFolder + "/*.md", Allow})},
		{Name: "general", Description: "Does a task of several steps for another agent.", Mode: Subagent, BuiltIn: true,
			Rules: with(Rule{"todowrite", "*", Deny})},
		{Name: "explore", Description: "Finds things in a code base for another agent, and changes nothing.", Mode: Subagent, BuiltIn: true,
			Text: templates.Explore,
			Rules: with(Rule{"*", "*", Deny}, Rule{"grep", "*", Allow}, Rule{"glob", "*", Allow}, Rule{"list", "*", Allow}, Rule{"bash", "*", Allow},
				Rule{"webfetch", "*", Allow}, Rule{"websearch", "*", Allow}, Rule{"read", "*", Allow})},
		{Name: "compaction", Description: "Sums up a conversation that no longer fits.", Mode: Primary, Hidden: true, BuiltIn: true,
			Text: templates.Compaction, Rules: with(Rule{"*", "*", Deny})},
		{Name: "title", Description: "Names a conversation.", Mode: Primary, Hidden: true, BuiltIn: true,
			Text: templates.Title, Rules: with(Rule{"*", "*", Deny})},
		{Name: "summary", Description: "Sums up what a conversation changed.", Mode: Primary, Hidden: true, BuiltIn: true,
			Text: templates.Summary, Rules: with(Rule{"*", "*", Deny})},
	}
}

// PlanFolder is where plans are written, relative to the root.
const PlanFolder = ".foreword/plans"

// Set is the agents that there are.
type Set struct {
	// agents in the order in which they are offered: the built-in ones, then the
	// declared ones by name.
	agents []Agent
	// byDefault is the configured default agent, "" for none.
	byDefault string
}

// All lists the agents, hidden ones too.
func (s Set) All() []Agent { return slices.Clone(s.agents) }

// Get finds an agent.
func (s Set) Get(name string) (Agent, bool) {
	i := slices.IndexFunc(s.agents, func(a Agent) bool { return a.Name == name })
	if i < 0 {
		return Agent{}, false
	}
	return s.agents[i], true
}

// Names lists the agents that a person can choose.
func (s Set) Names() []string {
	var names []string
	for _, a := range s.agents {
		if a.choosable() {
			names = append(names, a.Name)
		}
	}
	return names
}

func (a Agent) choosable() bool { return !a.Hidden && a.Mode != Subagent }
