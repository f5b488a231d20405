package config

import (
	"cmp"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
)

const agentsKey = "agents"

// Agent is one table [agents.NAME]: who acts in a conversation, or changes to one of foreword's own agents. It is
// data; what a workspace's may do before it is trusted is decided where agents are merged.
type Agent struct {
	Name        string
	Description string
	// Prompt says who the agent is; PromptLine is where that stands, from 1.
	Prompt     string
	PromptLine int
	// Model that the agent runs on; empty for the conversation's.
	Model string
	// Steps is how many requests it may make for one user message; -1 where the file does not say.
	Steps int
	// Mode is primary, subagent, all, or empty where the file does not say.
	Mode string
	// Permissions are rules of which the last that fits decides.
	Permissions []Permission
	// Disable takes the agent away.
	Disable bool
	Declared
}

// Permission is one rule of an agent.
type Permission struct{ Permission, Pattern, Action string }

// agentName is what can stand in a table's name without quotes, and in a request.
var agentName = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9_-]{0,59}$`)

// maxAgents bounds what one set of files may declare.
const maxAgents = 64

// isAgent says that a key belongs to a table [agents.NAME].
func isAgent(key string) bool { return key == agentsKey || strings.HasPrefix(key, agentsKey+".") }

// declareAgents takes over the tables [agents.NAME] of one file. A fault costs its own table.
func (c *Config) declareAgents(s source, report *reporter) {
	var names []string
	tables := map[string]*entry{}
	promptLines := map[string]int{}
	table := func(name string, line int) *entry {
		if tables[name] == nil {
			names = append(names, name)
			tables[name] = &entry{fields: map[string]any{}, Declared: Declared{
				Workspace: s.workspace, Path: s.path, Line: line, Origin: fmt.Sprintf("%s %s:%d", s.name, s.shown, line),
			}}
		}
		return tables[name]
	}
	for _, f := range s.agentTables(report) {
		name, field, nested := strings.Cut(strings.TrimPrefix(f.key, agentsKey+"."), ".")
		t := table(name, f.line)
		fields, isTable := f.value.(map[string]any)
		switch {
		case nested:
			fields = map[string]any{field: f.value}
		case !isTable:
			t.fault = fmt.Sprintf("must be a table, begun with [agents.%s]", name)
		}
		for _, key := range slices.Sorted(maps.Keys(fields)) {
			if key == "prompt" {
				promptLines[name] = f.line
			}
			// Each [[agents.NAME.permissions]] comes as a list of one.
			before, hasBefore := t.fields[key].([]any)
			if more, ok := fields[key].([]any); ok && hasBefore {
				t.fields[key] = append(slices.Clone(before), more...)
				continue
			}
			t.fields[key] = fields[key]
		}
	}
	for _, name := range names {
		t := tables[name]
		a := Agent{
			Name: name, Description: t.text("description"), Prompt: t.text("prompt"), PromptLine: promptLines[name], Model: t.text("model"),
			Steps: t.steps("steps"), Mode: t.oneOf("mode", "", "primary", "subagent", "all"), Permissions: t.permissions("permissions"),
			Disable: t.flag("disable"), Declared: t.Declared,
		}
		t.end(agentsKey)
		switch {
		case t.fault != "":
		case !agentName.MatchString(name):
			t.fault = "must have a name of letters, digits, _ and -"
		case strings.ContainsAny(a.Description, "\n\r"):
			t.fault = "must have a description of one line"
		case len(c.Agents) >= maxAgents:
			t.fault = fmt.Sprintf("is left out: only the first %d agents are used", maxAgents)
		}
		if t.fault != "" {
			report.add(t.Line, fmt.Sprintf("the agent %.60q %s", name, t.fault))
			continue
		}
		c.Agents = append(c.Agents, a)
	}
}

// agentTables gives what the source sets below agents, whichever way it is written.
func (s source) agentTables(report *reporter) []found {
	var tables []found
	for _, f := range s.values {
		all, isTable := f.value.(map[string]any)
		switch {
		case !isAgent(f.key):
		case f.key != agentsKey:
			tables = append(tables, f)
		case !isTable:
			report.add(f.line, "agents must be tables, each begun with [agents.NAME]")
		default:
			for _, name := range slices.Sorted(maps.Keys(all)) {
				tables = append(tables, found{key: join([]string{agentsKey, name}), value: all[name], line: f.line})
			}
		}
	}
	return tables
}

// steps reads a number of steps, -1 where there is none.
func (t *entry) steps(name string) int {
	value, set := t.take(name)
	if !set {
		return -1
	}
	n, ok := integer(value)
	if !ok || n < 0 || n > maxInteger {
		t.wrong(name, "a whole number, 0 for any number", value)
		return -1
	}
	return int(n)
}

// permissions reads the rules of an agent; a rule without a pattern is for everything.
func (t *entry) permissions(name string) []Permission {
	value, set := t.take(name)
	if !set {
		return nil
	}
	const want = `a list of rules such as {permission = "edit", pattern = "*", action = "deny"}`
	list, ok := value.([]any)
	if !ok {
		t.wrong(name, want, value)
		return nil
	}
	var rules []Permission
	for i, item := range list {
		fields, ok := item.(map[string]any)
		if !ok {
			t.wrong(fmt.Sprintf("%s, item %d", name, i+1), want, item)
			return nil
		}
		rule := &entry{fields: fields}
		p := Permission{rule.text("permission"), cmp.Or(rule.text("pattern"), "*"), rule.oneOf("action", "", "allow", "ask", "deny")}
		rule.end("rules")
		if rule.fault == "" && (p.Permission == "" || p.Action == "") {
			rule.fault = "lacks its permission or its action; want " + want
		}
		if rule.fault != "" {
			if t.fault == "" {
				t.fault = fmt.Sprintf("has rule %d of its permissions, which %s", i+1, rule.fault)
			}
			return nil
		}
		rules = append(rules, p)
	}
	return rules
}

// agentNames are what the setting agents is shown as.
func (c *Config) agentNames() Value {
	v := Value{Key: agentsKey, Value: []string{}, Origin: "default"}
	var list, origins []string
	for _, a := range c.Agents {
		list, origins = append(list, a.Name), append(origins, a.Origin)
	}
	if len(list) > 0 {
		v.Value, v.Origin = list, strings.Join(origins, ", ")
	}
	return v
}
