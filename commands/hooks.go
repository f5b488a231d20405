package commands

import (
	"context"
	"slices"
	"strings"

	"foreword/promptbuilder/epoch"
	"foreword/promptbuilder/history"
	"foreword/promptbuilder/hooks"
	"foreword/promptbuilder/sources"
	"foreword/workspace/process"
)

// HookChange is something that a hook did to a prompt.
type HookChange struct {
	// Hook is its name.
	Hook string `json:"hook"`
	// Event at which it ran.
	Event string `json:"event" enum:"system,messages,compacting"`
	// Kind is what it did; refused is what it may not do.
	Kind string `json:"kind" enum:"added,edited,removed,refused"`
	// Key of the section; empty where it is a message.
	Key string `json:"key,omitempty"`
	// Message is the index of the message among those that the hook was given.
	Message *int `json:"message,omitempty"`
	// Why says what was wrong, where it was refused.
	Why string `json:"why,omitempty"`
}

// hooksAt are the hooks of a request, in the order in which they run: the
// user's, the workspace's, the editor's.
func (s *Service) hooksAt(ctx context.Context, b *built, params BuildPromptParams) *hooks.Set {
	p := b.place
	set := &hooks.Set{Memory: &s.hookMemory, Request: hooks.Request{
		Root: p.root, Target: p.target, Session: params.Session, Model: params.Model, Provider: params.Provider, Agent: params.Agent, Mode: params.Mode,
	}}
	for _, h := range p.config.Hooks {
		about := hooks.About{Name: h.Name, Stable: h.Stable, Timeout: h.Timeout, From: h.Origin}
		for _, event := range h.At {
			about.At = append(about.At, hooks.Event(event))
		}
		set.Hooks = append(set.Hooks, hooks.Command(about, func(ctx context.Context, stdin []byte) (process.Result, error) {
			return b.input.Own.Run(ctx, sources.Program{Argv: h.Command, From: h.Declared, Stdin: stdin, MaxStdout: hooks.MaxAnswer})
		}))
	}
	if s.collect != nil {
		set.Hooks = append(set.Hooks, editorHook{s.collect})
	}
	return set
}

// amend is what the hooks of the event system make of what was observed.
func (s *Service) amend(b *built, params BuildPromptParams, messages []history.Message, standing *epoch.Standing) func(context.Context, []sources.Observed) []sources.Observed {
	return func(ctx context.Context, seen []sources.Observed) []sources.Observed {
		set := s.hooksAt(ctx, b, params)
		if len(set.For(hooks.System)) == 0 || !includesHooks(params) {
			return seen
		}
		amended, outcome := set.System(ctx, seen, messages)
		b.noteHooks(outcome)
		return append(amended, unanswered(outcome.Silent, amended, standing)...)
	}
}

// unanswered are the additions of hooks that did not answer which the session
// was told and this process does not remember: they stand until the hook answers.
func unanswered(silent []string, seen []sources.Observed, standing *epoch.Standing) []sources.Observed {
	if standing == nil || len(silent) == 0 {
		return nil
	}
	var all []sources.Observed
	for told := range standing.Snapshot.All() {
		name, _, ok := strings.Cut(strings.TrimPrefix(told.Key, "hook/"), "/")
		if !ok || !strings.HasPrefix(told.Key, "hook/") || !slices.Contains(silent, name) || slices.ContainsFunc(seen, func(o sources.Observed) bool { return o.Key == told.Key }) {
			continue
		}
		all = append(all, sources.Observed{
			Source:      sources.Source{Key: told.Key, Group: hooksGroup, Layer: sources.Layer(told.Layer), Title: "Addition of the hook " + name},
			Observation: sources.Observation{Status: sources.Unavailable, Why: "the hook " + name + " did not answer"},
		})
	}
	return all
}

// hooksGroup includes what hooks add where the context is selective.
const hooksGroup = "hooks"

// includesHooks tells whether hooks have a say in the sections of a prompt.
func includesHooks(params BuildPromptParams) bool {
	return params.Context != "selective" || slices.Contains(params.Include, hooksGroup) || slices.Contains(params.Include, "all")
}

// messageHooks gives the messages that are to be sent in place of these, and
// what the hooks of the event messages did. Warnings go to the prompt's.
func (s *Service) messageHooks(ctx context.Context, b *built, params BuildPromptParams, messages []history.Message) ([]history.Message, []HookChange) {
	set := s.hooksAt(ctx, b, params)
	if len(set.For(hooks.Messages)) == 0 {
		return messages, nil
	}
	changed, outcome := set.Messages(ctx, messages)
	before := len(b.hookChanges)
	b.noteHooks(outcome)
	return changed, b.hookChanges[before:]
}

// compactingHooks asks the hooks of the event compacting about a conversation
// that is to be summed up.
func (s *Service) compactingHooks(ctx context.Context, b *built, params CompactHistoryParams) hooks.Compaction {
	set := s.hooksAt(ctx, b, BuildPromptParams{Session: params.Session, Model: params.Model})
	if len(set.For(hooks.Compacting)) == 0 {
		return hooks.Compaction{}
	}
	compaction, outcome := set.Compacting(ctx, params.Messages, params.PreviousSummary)
	b.noteHooks(outcome)
	return compaction
}

// noteHooks takes over what hooks did.
func (b *built) noteHooks(o hooks.Outcome) {
	for _, c := range o.Changes {
		change := HookChange{Hook: c.Hook, Event: string(c.Event), Kind: c.Kind, Key: c.Key, Why: c.Why}
		if c.Index >= 0 {
			change.Message = new(c.Index)
		}
		b.hookChanges = append(b.hookChanges, change)
	}
	for _, w := range o.Warnings {
		b.warnings = append(b.warnings, Warning{Code: w.Code, Message: w.Message, URI: optionalURI(w.Path)})
	}
}
