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
	var touched []epoch.Touched
	var found []touchedInstructions
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
		touched = append(touched, epoch.Touched{Path: p.target, Anchor: params.Message, Kind: params.Kind})
		found = append(found, touchedInstructions{p, d})
	}
	if len(found) == 0 {
		return r, ctx.Err()
	}
	_, count := s.counter(found[0].place.model(params.Model))
	wanted := 0
	told, err := s.ledger.Touch(ctx, params.Session, touched, func(at epoch.Touching) []epoch.Told {
		all := tellTouched(ctx, snap, found, at, params, count)
		wanted = len(all)
		return all
	})
	if err != nil {
		return nil, ledgerError(err)
	}
	if late := wanted - len(told); late > 0 {
		r.Warnings = append(r.Warnings, Warning{Code: "touched-late", Message: fmt.Sprintf(
			"the message %q was sent already, so the instructions that apply (%d) are said with the next message of the user; touch files before the message that carries them is prepared", params.Message, late)})
	}
	for _, t := range told {
		r.Injections = append(r.Injections, Injection{URI: fileURI(t.Path), Text: t.Text, Tokens: t.Tokens, Why: t.Why, Message: t.Anchor})
	}
	return r, nil
}

// touchedInstructions are the instruction files for one touched file.
type touchedInstructions struct {
	place     *place
	discovery *instructions.Discovery
}

// tellTouched says the instruction files that a session was not told with this
// content. The files of the root and the user's own that always hold are in
// every prompt: until the session has a turn, which records exactly what was
// said, they count as told.
func tellTouched(ctx context.Context, snap *workspace.Snapshot, found []touchedInstructions, at epoch.Touching, params TouchContextParams, count func(string) int) []epoch.Told {
	var all []epoch.Told
	said := map[string]bool{}
	for _, f := range found {
		touched := f.place.display(snap, f.place.target)
		for _, e := range f.discovery.Sent() {
			everywhere := e.Mode == "always" && (e.Personal || e.Scope == f.place.root)
			hash, knows := at.Standing.Files[e.RealPath]
			if said[e.RealPath] || everywhere && !at.Started || knows && hash == e.File.Hash {
				continue
			}
			said[e.RealPath] = true
			source := sources.InstructionFile(f.place.root, snap.Home(), e)
			value := source.Observe(ctx).Text
			told := epoch.Told{
				Key: source.Key, Kind: epoch.SaidNew, How: epoch.AsInjection, Layer: string(source.Layer), Anchor: params.Message,
				Value: value, Removal: source.SayRemoval(value), Path: e.Path, File: &epoch.File{Key: source.Key, RealPath: e.RealPath, Hash: e.File.Hash},
				Text: fmt.Sprintf("These instructions apply to %s:\n\n%s", touched, value),
				Why:  fmt.Sprintf("%s of %s: %s", touchNoun(params.Kind), touched, e.Why),
			}
			if knows {
				told.Kind, told.Text = epoch.SaidUpdate, source.SayUpdate("", value)
				told.Why += "; it changed since the session was told it"
			}
			told.Tokens = count(told.Text)
			all = append(all, told)
		}
	}
	return all
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
