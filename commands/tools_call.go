package commands

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"foreword/promptbuilder/agents"
	"foreword/promptbuilder/models"
	"foreword/promptbuilder/tools"
	"foreword/workspace"
)

// CallToolParams is a call that a model made.
type CallToolParams struct {
	// Name of the tool.
	Name string `json:"name"`
	// Arguments as the model wrote them: an object, or a string that holds one.
	Arguments ToolArguments `json:"arguments,omitzero"`
	// URI of the file or folder that the conversation is about; the first workspace folder by default.
	URI string `json:"uri,omitempty"`
	// Agent whose permissions count; build by default.
	Agent string `json:"agent,omitempty"`
	// Approved tells that the user allowed this call, where a rule of the agent asks.
	Approved bool `json:"approved,omitempty"`
	// Session of the panel: what is read is remembered, and the instructions that apply to it are said once.
	Session string `json:"session,omitempty"`
	// Message is the id of the message that will carry the result; toolCallID by default.
	Message string `json:"message,omitempty"`
	// ToolCallID is the id that the model gave the call, for panels whose results have no other.
	ToolCallID string `json:"toolCallID,omitempty"`
	// Model whose tokens are counted.
	Model string `json:"model,omitempty"`
}

// CallToolResult is what the model is answered.
type CallToolResult struct {
	Head
	// Title says in a few words what was done, for a transcript.
	Title string `json:"title"`
	// Text is the result, for the model.
	Text string `json:"text"`
	// IsError tells that Text says why nothing was done, and what to do instead.
	IsError bool `json:"isError,omitempty"`
	// Cut says what is missing in Text and how to get it; Text ends with it.
	Cut string `json:"cut,omitempty"`
	// Ask is the question to the user without whose answer nothing is done; call again with approved.
	Ask string `json:"ask,omitempty"`
	// Read are the files whose text is in the result.
	Read []string `json:"read"`
	// Tokens of Text.
	Tokens int `json:"tokens"`
	// Injections are the instructions that apply to what was read and that the session was not told yet. With a session
	// foreword.turn.prepare puts them at the end of the result itself; without one they are empty.
	Injections []Injection `json:"injections"`
}

// CallTool runs one of foreword's own tools. What the model did wrong is a result, which tells it so.
func (s *Service) CallTool(ctx context.Context, params CallToolParams) (*CallToolResult, error) {
	tool, ok := tools.Lookup(params.Name)
	if !ok {
		hint := ""
		if near, ok := nearest(params.Name, tools.Names()); ok {
			hint = fmt.Sprintf(" (did you mean %q?)", near)
		}
		return nil, failf(CodeInvalidParams, "name: there is no tool %s%s; there are %s", shown(params.Name), hint, strings.Join(tools.Names(), ", "))
	}
	snap := s.snapshot(ctx)
	p, err := s.locate(snap, params.URI, "")
	if err != nil {
		return nil, err
	}
	agent, warnings := s.agent(snap, p, params.Agent)
	r := &CallToolResult{Head: head(), Title: tool.Name, Read: []string{}, Injections: []Injection{}}
	r.Warnings = append(r.Warnings, warnings...)
	_, count := s.counter(p.model(params.Model))
	place := s.toolPlace(snap, p)
	place.Count, place.MaxTokens = count, p.toolTokens(params.Model)
	if tool.Name != "read" { // which says why
		place.Denied = func(path string) bool {
			return agent.Rules.Evaluate("read", p.pattern(path)).Action == agents.Deny
		}
	}
	answer, err := tool.Call(ctx, place, params.Arguments.Raw)
	if ctx.Err() != nil {
		return nil, ctx.Err() // what was refused then was not looked at
	}
	var refusal *tools.Refusal
	switch {
	case errors.As(err, &refusal):
		r.IsError, r.Text = true, refusal.Reason
	case err != nil:
		r.IsError, r.Text = true, "the tool failed: "+err.Error()
	default:
		if ask, denied := permit(agent, tool, p, answer.Read, params.Approved); denied != "" {
			r.IsError, r.Text = true, denied
			break
		} else if ask != "" {
			r.Ask = ask
			return r, nil
		}
		r.Title, r.Text, r.Cut = answer.Title, answer.Text, answer.Cut
		for _, path := range answer.Read {
			r.Read = append(r.Read, fileURI(path))
		}
		if err := s.injectRead(ctx, params, r); err != nil {
			return nil, err
		}
	}
	r.Tokens = count(r.Text)
	return r, nil
}

// closedTool tells that an agent may never use a tool.
func closedTool(agent agents.Agent, tool tools.Tool) bool {
	return agent.Rules.Closed(tool.Permission) || tool.Shows && agent.Rules.Closed("read")
}

// pattern is what the rules of agents call a file.
func (p *place) pattern(path string) string {
	if rel, ok := relative(p.root, path); ok {
		return rel
	}
	return path
}

// permit asks the rules of the agent about the tool and each file whose text would be told.
func permit(agent agents.Agent, tool tools.Tool, p *place, files []string, approved bool) (ask, denied string) {
	if closedTool(agent, tool) {
		return "", "the agent " + agent.Name + " may not use " + tool.Name
	}
	check := func(permission, pattern string) {
		rule := agent.Rules.Evaluate(permission, pattern)
		switch {
		case rule.Action == agents.Deny && denied == "":
			denied = "the user's rules do not let the agent " + agent.Name + " " + permission + " " + pattern
		case rule.Action == agents.Ask && !approved && ask == "":
			ask = tool.Name + " " + pattern + " (" + ruleText(agent, rule) + ")"
		}
	}
	// Where the rules of the files decide, a tool that is denied in general is not.
	if general := agent.Rules.Evaluate(tool.Permission, "*"); general.Action != agents.Deny || len(files) == 0 {
		check(tool.Permission, "*")
	}
	for _, file := range files {
		check(tool.Permission, p.pattern(file))
		if tool.Shows {
			check("read", p.pattern(file))
		}
	}
	return ask, denied
}

// injectRead tells the session what was read. A search reads only the lines that it shows, so only whole reads bring
// the instructions of their folders.
func (s *Service) injectRead(ctx context.Context, params CallToolParams, r *CallToolResult) error {
	if params.Session == "" || params.Name != "read" || len(r.Read) == 0 {
		return nil
	}
	touched, err := s.TouchContext(ctx, TouchContextParams{Session: params.Session, Message: cmp.Or(params.Message, params.ToolCallID), URIs: r.Read, Kind: "read", Model: params.Model})
	if err != nil {
		return err
	}
	r.Injections = touched.Injections
	r.Warnings = append(r.Warnings, touched.Warnings...)
	return nil
}

// toolTokens is what one answer may cost: a quarter of the window, as a conversation needs several.
func (p *place) toolTokens(model string) int {
	window := p.config.Window
	if window == 0 {
		window = models.LookupAt(p.config.Provider, p.model(model)).Window
	}
	return window / 4
}

// toolPlace is what tools may look at from a place: the workspace's folders and the repository, without what may not
// be a source.
func (s *Service) toolPlace(snap *workspace.Snapshot, p *place) *tools.Place {
	at := &toolPlaces{service: s, snap: snap, target: p}
	for _, folder := range snap.Folders() {
		at.add(folder.Path)
	}
	at.add(p.root)
	slices.Sort(at.roots)
	return at.place()
}
