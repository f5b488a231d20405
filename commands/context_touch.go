package commands

import (
	"context"
	"fmt"

	"foreword/promptbuilder/epoch"
	"foreword/promptbuilder/sources"
	"foreword/workspace"
	"foreword/workspace/instructions"
)

// TouchContextParams tells that files came into a conversation.
type TouchContextParams struct {
	// Session of the panel.
	Session string `json:"session"`
	// Message is the id of the message that touched them: a tool result or the user's.
	Message string `json:"message,omitempty"`
	// URIs of the files.
	URIs []string `json:"uris"`
	// Kind of touch; list never injects.
	Kind string `json:"kind" enum:"read,open,attach,edit,list"`
	// Model whose counter is used.
	Model string `json:"model,omitempty"`
}

// TouchContextResult holds what the model must be told now.
type TouchContextResult struct {
	Head
	// Injections, outermost first; empty when the session was told all of it.
	Injections []Injection `json:"injections"`
}

// Injection is an instruction file said once, at the end of the message that
// touched its directory.
type Injection struct {
	// URI of the instruction file.
	URI string `json:"uri"`
	// Text to append to the message.
	Text string `json:"text"`
	// Tokens of Text.
	Tokens int `json:"tokens"`
	// Why says which file was touched.
	Why string `json:"why"`
	// Message is the id of the message that carries it.
	Message string `json:"message,omitempty"`
}

// TouchContext answers a touch with the instruction files between the touched
// files and the root that the session was not told yet.
func (s *Service) TouchContext(ctx context.Context, params TouchContextParams) (*TouchContextResult, error) {
	if params.Session == "" {
		return nil, failf(CodeInvalidParams, "session: want a name, got an empty string")
	}
	snap := s.snapshot(ctx)
	r := &TouchContextResult{Head: head(), Injections: []Injection{}}
	for _, document := range params.URIs {
		p, err := s.locate(snap, document, "")
		if err != nil {
			r.Warnings = append(r.Warnings, Warning{Code: string(asError(ctx, err).Code), Message: err.Error(), URI: document})
			continue
		}
		if params.Kind == "list" || p.target == "" {
			continue
		}
		profile, err := p.profileNamed("")
		if err != nil {
			return nil, err
		}
		d, err := s.resolve(ctx, snap, p, question{profile: profile, event: instructions.Event{Kind: params.Kind, Path: p.target}})
		if err != nil {
			return nil, err
		}
		_, count := s.counter(p.model(params.Model))
		for _, e := range d.Sent() {
			if injection, ok := s.inject(ctx, snap, p, e, params); ok {
				injection.Tokens = count(injection.Text)
				r.Injections = append(r.Injections, injection)
			}
		}
	}
	return r, nil
}

// inject says one instruction file to the session unless it was told it. The
// files of the root and the user's own that always hold are in every prompt:
// until the session has a turn of its own, which records exactly what was said, they count as
// told.
func (s *Service) inject(ctx context.Context, snap *workspace.Snapshot, p *place, e instructions.Entry, params TouchContextParams) (Injection, bool) {
	everywhere := e.Mode == "always" && (e.Personal || e.Scope == p.root)
	if everywhere && !s.ledger.Started(params.Session) {
		return Injection{}, false
	}
	source := sources.InstructionFile(p.root, snap.Home(), e)
	text := source.Observe(ctx).Text
	touched := p.display(snap, p.target)
	var out Injection
	said, told := s.ledger.Inject(params.Session, e.RealPath, e.File.Hash, func(before epoch.Told) epoch.Injection {
		why := fmt.Sprintf("%s of %s: %s", touchNoun(params.Kind), touched, e.Why)
		if before == epoch.ToldOtherwise {
			text = source.SayUpdate("", text)
			why += "; it changed since the session was told it"
		} else {
			text = fmt.Sprintf("These instructions apply to %s:\n\n%s", touched, text)
		}
		return epoch.Injection{Anchor: params.Message, Path: e.Path, Text: text, Why: why}
	})
	if told == epoch.AlreadyTold {
		return out, false
	}
	return Injection{URI: fileURI(e.Path), Text: said.Text, Why: said.Why, Message: params.Message}, true
}

func touchNoun(kind string) string {
	switch kind {
	case "open":
		return "opening"
	case "attach":
		return "attachment"
	}
	return kind
}
