package commands

import (
	"cmp"
	"context"
	"slices"
	"time"

	"foreword/promptbuilder"
	"foreword/promptbuilder/epoch"
	"foreword/promptbuilder/history"
	"foreword/promptbuilder/tokens"
)

// ListSessionsParams asks for the sessions that are remembered.
type ListSessionsParams struct {
	// Folder is the URI of a folder: only sessions of its repository are listed.
	Folder string `json:"folder,omitempty"`
	// Limit is the most sessions that are listed; 0 for all.
	Limit int `json:"limit,omitempty" min:"0"`
}

// ListSessionsResult lists sessions, the one used last first.
type ListSessionsResult struct {
	Head
	// Sessions that are remembered.
	Sessions []SessionSummary `json:"sessions"`
}

// SessionSummary is a session in a list.
type SessionSummary struct {
	// Session is its name.
	Session string `json:"session"`
	// Title is the beginning of what the user said first.
	Title string `json:"title"`
	// Root is the URI of the repository or folder that it is about.
	Root string `json:"root,omitempty"`
	// Turns is the number of its newest turn.
	Turns int `json:"turns"`
	// Created is when it began, in RFC 3339.
	Created string `json:"created"`
	// Updated is when it was used last, in RFC 3339.
	Updated string `json:"updated"`
}

// ShowSessionParams names a session.
type ShowSessionParams struct {
	// Session to show.
	Session string `json:"session"`
	// Messages asks for the panel's messages, too.
	Messages bool `json:"messages,omitempty"`
	// Turn up to which the messages are given; the newest by default.
	Turn int `json:"turn,omitempty" min:"0"`
}

// ShowSessionResult is all that is remembered of a session.
type ShowSessionResult struct {
	Head
	SessionSummary
	// Revision counts the changes.
	Revision int64 `json:"revision"`
	// Epochs, oldest first.
	Epochs []SessionEpoch `json:"epochs"`
	// History of turns, oldest first.
	History []SessionTurn `json:"history"`
	// Ledger lists what was told after the system text, in the order in which it was said.
	Ledger []SessionTold `json:"ledger"`
	// Calibrations say how far estimates of tokens for the models of its turns were
	// off, as usage that was reported in this and other sessions tells.
	Calibrations []CalibrationStatus `json:"calibrations"`
	// Messages of the panel, where they were asked for.
	Messages []history.Message `json:"messages,omitempty"`
}

// SessionEpoch is a time for which the session kept one system text.
type SessionEpoch struct {
	// Number counts from 1.
	Number int `json:"number"`
	// Began is the turn that began it.
	Began int `json:"began"`
	// Because says why it began.
	Because string `json:"because"`
	// Agent of the turn that began it.
	Agent string `json:"agent,omitempty"`
	// Sections is how many sections the system text has, Bytes its length.
	Sections int `json:"sections"`
	// Bytes of the system text.
	Bytes int `json:"bytes"`
	// Due says why the next turn begins another, where it does.
	Due string `json:"due,omitempty"`
}

// SessionTurn is a request to the model.
type SessionTurn struct {
	// Turn counts from 1.
	Turn int `json:"turn"`
	// Parent is the turn that it continues; 0 for none.
	Parent int `json:"parent"`
	// Epoch that it belongs to.
	Epoch int `json:"epoch"`
	// At is when it was prepared, in RFC 3339.
	At string `json:"at,omitempty"`
	// State is prepared, finished, failed, or lost where it cannot be read any more.
	State string `json:"state" enum:"prepared,finished,failed,lost"`
	// Model that it was prepared for.
	Model string `json:"model,omitempty"`
	// Added is how many messages of the panel it added.
	Added int `json:"added"`
	// Input is what was predicted of the whole request, in tokens.
	Input int `json:"input"`
	// CachePredicted is what should have been read from the provider's cache.
	CachePredicted int `json:"cachePredicted"`
	// Broken names what broke the cached prefix.
	Broken string `json:"broken,omitempty"`
	// Usage as reported, where the turn is finished.
	Usage *Usage `json:"usage,omitempty"`
	// Error that the panel reported.
	Error string `json:"error,omitempty"`
}

// SessionTold is one line of the ledger.
type SessionTold struct {
	// Turn that said it; for what was told between two turns the one before.
	Turn int `json:"turn"`
	// Epoch in which it holds.
	Epoch int `json:"epoch"`
	// Key of the source.
	Key string `json:"key"`
	// Kind is new, update, removal, or the name of a reminder.
	Kind string `json:"kind"`
	// How it was told: update, injection, reminder or attachment.
	How string `json:"how" enum:"update,injection,reminder,attachment"`
	// Message is the id of the message that it stands with.
	Message string `json:"message,omitempty"`
	// URI of the file, where it is one.
	URI string `json:"uri,omitempty"`
	// Tokens that it costs.
	Tokens int `json:"tokens"`
	// Why it was told.
	Why string `json:"why,omitempty"`
}

// ListSessions lists the sessions.
func (s *Service) ListSessions(ctx context.Context, params ListSessionsParams) (*ListSessionsResult, error) {
	root := ""
	if params.Folder != "" {
		p, err := s.locate(s.snapshot(ctx), params.Folder, "")
		if err != nil {
			return nil, err
		}
		root = p.root
	}
	all, err := s.ledger.Sessions(ctx)
	if err != nil {
		return nil, ledgerError(err)
	}
	r := &ListSessionsResult{Head: s.sessionHead(), Sessions: []SessionSummary{}}
	for _, summary := range all {
		if root != "" && summary.Root != root {
			continue
		}
		if params.Limit > 0 && len(r.Sessions) == params.Limit {
			break
		}
		r.Sessions = append(r.Sessions, summarise(summary))
	}
	return r, nil
}

// sessionHead begins a result about sessions: where they are not stored, it
// says so.
func (s *Service) sessionHead() Head {
	h := head()
	h.Warnings = append(h.Warnings, s.sessionWarnings()...)
	return h
}

// sessionWarnings say what is wrong with the store, and once what happened to it.
func (s *Service) sessionWarnings() []Warning {
	var out []Warning
	for _, news := range s.ledger.News() {
		out = append(out, Warning{Code: "sessions-lost", Message: news})
	}
	if trouble := s.ledger.Trouble(); trouble != "" {
		out = append(out, Warning{Code: "session-not-stored", Message: trouble})
	}
	return out
}

func summarise(s epoch.Summary) SessionSummary {
	return SessionSummary{
		Session: s.ID, Title: s.Title, Root: optionalURI(s.Root), Turns: s.Turns, Created: moment(s.Created), Updated: moment(s.Updated),
	}
}

// moment writes a time for people and programs.
func moment(milliseconds int64) string {
	if milliseconds == 0 {
		return ""
	}
	return time.UnixMilli(milliseconds).UTC().Format(time.RFC3339)
}

// ShowSession tells all that is remembered of a session.
func (s *Service) ShowSession(ctx context.Context, params ShowSessionParams) (*ShowSessionResult, error) {
	a, err := s.ledger.Show(ctx, params.Session)
	if err != nil {
		return nil, ledgerError(err)
	}
	r := &ShowSessionResult{
		Head: s.sessionHead(), SessionSummary: summarise(a.Summary), Revision: a.Revision,
		Epochs: []SessionEpoch{}, History: []SessionTurn{}, Ledger: []SessionTold{},
	}
	for _, w := range a.Warnings {
		r.Warnings = append(r.Warnings, Warning{Code: "session-damaged", Message: w})
	}
	for _, e := range a.Epochs {
		shown := SessionEpoch{Number: e.Number, Began: e.Began, Because: e.Reason, Agent: e.Agent}
		if n := len(a.Turns); n > 0 && a.Turns[n-1].Epoch == e.Number {
			shown.Due = a.Due[e.Number] // an older epoch is over, whatever was asked for
		}
		if p, ok := e.Baseline.(*promptbuilder.Prompt); ok {
			shown.Sections, shown.Bytes = len(p.Sections), len(p.Text())
		}
		r.Epochs = append(r.Epochs, shown)
	}
	for _, t := range a.Turns {
		r.History = append(r.History, showTurn(t))
	}
	for _, t := range a.Told {
		r.Ledger = append(r.Ledger, SessionTold{
			Turn: t.Turn, Epoch: t.Epoch, Key: t.Key, Kind: t.Kind, How: string(t.How), Message: t.Anchor, URI: optionalURI(t.Path), Tokens: t.Tokens, Why: t.Why,
		})
	}
	r.Calibrations = s.calibrations(ctx, s.workspace.Snapshot(), func(model string) bool {
		return slices.ContainsFunc(a.Turns, func(t epoch.Turn) bool { return tokens.ForModel(t.Request.Model).Model == model })
	})
	if params.Messages && len(a.Turns) > 0 {
		if r.Messages, err = s.ledger.Conversation(ctx, params.Session, params.Turn); err != nil {
			return nil, ledgerError(err)
		}
	}
	return r, nil
}

func showTurn(t epoch.Turn) SessionTurn {
	shown := SessionTurn{
		Turn: t.Number, Parent: t.Parent, Epoch: t.Epoch, At: moment(t.At), State: "prepared", Model: t.Request.Model, Added: len(t.Added),
		Input: t.InputTokens, CachePredicted: t.CacheTokens, Broken: t.Broke, Error: t.Error,
	}
	switch {
	case t.Gone:
		shown.State = "lost"
	case t.Finished:
		usage := Usage(t.Usage)
		shown.State, shown.Usage = "finished", &usage
		if t.Error != "" {
			shown.State = "failed"
		}
	}
	return shown
}

// RebaseSessionParams asks for a new epoch.
type RebaseSessionParams struct {
	// Session to rebase.
	Session string `json:"session"`
	// Reason for the record, in a few words.
	Reason string `json:"reason,omitempty"`
}

// RebaseSessionResult tells from where on.
type RebaseSessionResult struct {
	Head
	// Session that was rebased.
	Session string `json:"session"`
	// Turn is the newest one: the next that continues it begins the new epoch.
	Turn int `json:"turn"`
}

// RebaseSession makes the next turn say the whole prompt anew.
func (s *Service) RebaseSession(ctx context.Context, params RebaseSessionParams) (*RebaseSessionResult, error) {
	turn, err := s.ledger.Rebase(ctx, params.Session, cmp.Or(params.Reason, "a new epoch was asked for"))
	if err != nil {
		return nil, ledgerError(err)
	}
	return &RebaseSessionResult{Head: s.sessionHead(), Session: params.Session, Turn: turn}, nil
}

// ForkSessionParams asks for a second session that goes on from a turn.
type ForkSessionParams struct {
	// Session to go on from.
	Session string `json:"session"`
	// Turn to go on from; the newest by default.
	Turn int `json:"turn,omitempty" min:"0"`
	// As is the name of the new session.
	As string `json:"as"`
}

// ForkSessionResult names the new session.
type ForkSessionResult struct {
	Head
	// Session that was made.
	Session string `json:"session"`
	// Turn that it goes on from.
	Turn int `json:"turn"`
}

// ForkSession makes a second session of a turn and all before it.
func (s *Service) ForkSession(ctx context.Context, params ForkSessionParams) (*ForkSessionResult, error) {
	if params.As == "" {
		return nil, failf(CodeInvalidParams, "as: want a name for the new session, got an empty string")
	}
	turn, err := s.ledger.Fork(ctx, params.Session, params.Turn, params.As)
	if err != nil {
		return nil, ledgerError(err)
	}
	return &ForkSessionResult{Head: s.sessionHead(), Session: params.As, Turn: turn}, nil
}

// ForgetSessionParams names a session.
type ForgetSessionParams struct {
	// Session to forget.
	Session string `json:"session"`
}

// ForgetSessionResult names what was forgotten.
type ForgetSessionResult struct {
	Head
	// Session that was forgotten.
	Session string `json:"session"`
}

// ForgetSession deletes all that is remembered of a session.
func (s *Service) ForgetSession(ctx context.Context, params ForgetSessionParams) (*ForgetSessionResult, error) {
	if err := s.ledger.Forget(ctx, params.Session); err != nil {
		return nil, ledgerError(err)
	}
	return &ForgetSessionResult{Head: s.sessionHead(), Session: params.Session}, nil
}
