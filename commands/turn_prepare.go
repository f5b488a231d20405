package commands

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"foreword/promptbuilder/epoch"
	"foreword/promptbuilder/history"
	"foreword/workspace"
)

// PrepareTurnParams is a prompt, a conversation and where it is sent.
type PrepareTurnParams struct {
	BuildPromptParams
	// ParentTurn is the turn that this one continues; the newest by default, 0 begins the conversation anew.
	ParentTurn *int `json:"parentTurn,omitempty" min:"0"`
	// Append holds the messages since the parent turn: its answer, the results of all its calls, what the user said; needs a session.
	Append []history.Message `json:"append,omitempty"`
	// Messages is the whole conversation, in place of append.
	Messages []history.Message `json:"messages,omitempty"`
	// Wire is the shape of the request body.
	Wire string `json:"wire" enum:"openai-chat,openai-responses,anthropic,gemini,ollama,vscode-lm,text"`
	// BodyText asks for the body as text, for a client whose JSON library keeps no order of keys.
	BodyText bool `json:"bodyText,omitempty"`
	HistoryWays
}

// PrepareTurnResult is a request that is ready to be sent.
type PrepareTurnResult struct {
	Head
	// Turn counts from 1 in the session; 0 without one.
	Turn int `json:"turn"`
	// Body is the request body, ready to be sent as it is.
	Body RawObject `json:"body"`
	// BodyText is the body as it is to be sent, where that was asked for; Body is empty then.
	BodyText string `json:"bodyText,omitempty"`
	// Headers that the provider needs beside the panel's own.
	Headers map[string]string `json:"headers"`
	// Fingerprint of the system text.
	Fingerprint Fingerprint `json:"fingerprint"`
	// Sections of the system text, as they were said when the epoch began.
	Sections []Section `json:"sections"`
	// Updates are what this turn says of what changed since.
	Updates []Update `json:"updates"`
	// Injections that stand in the history, in order.
	Injections []Injection `json:"injections"`
	// NotApplied lists what was found and left out.
	NotApplied []NotApplied `json:"notApplied"`
	// History says what was done to the messages.
	History HistoryOutcome `json:"history"`
	// Epoch says how long the system text has stood, and what became of it.
	Epoch EpochOutcome `json:"epoch"`
	// Tokens is the account.
	Tokens TokenTotals `json:"tokens"`
	// Cache is what the provider's cache should hold of the request.
	Cache CacheForecast `json:"cache"`
	// Hooks are what hooks did to the prompt and the messages.
	Hooks []HookChange `json:"hooks"`
	// Downgrades tell where the provider takes less than was meant.
	Downgrades []string `json:"downgrades"`
}

// Update is a change that is said after the history, so that what stands
// before it stays as it is.
type Update struct {
	// Key of the source.
	Key string `json:"key"`
	// Kind is new, update or removal.
	Kind string `json:"kind" enum:"new,update,removal"`
	// Text that the model reads.
	Text string `json:"text"`
	// Tokens of Text.
	Tokens int `json:"tokens"`
	// Why says in one sentence why it is said.
	Why string `json:"why,omitempty"`
	// Message is the id of the message that it stands before.
	Message string `json:"message,omitempty"`
}

// HistoryOutcome holds the report of a prepared history.
type HistoryOutcome struct {
	// Report says what was done, and how to undo it.
	Report history.Report `json:"report"`
}

// EpochOutcome is what became of the session's epoch.
type EpochOutcome struct {
	// Number counts from 1 in the session; 0 without one.
	Number int `json:"number"`
	// Status is begun for the first epoch, unchanged, updated where a change is
	// said, deferred where it waits for the next message of the user, replaced
	// where a new epoch begins, blocked where one must begin and cannot.
	Status string `json:"status" enum:"begun,unchanged,updated,deferred,replaced,blocked"`
	// Because says why a new epoch begins, or why nothing is said.
	Because string `json:"because,omitempty"`
	// Revision counts the changes of the session.
	Revision int64 `json:"revision"`
	// UpdateTokens is what all updates of the epoch cost so far.
	UpdateTokens int `json:"updateTokens"`
}

// CacheForecast is what should be read from the provider's cache, by what was
// sent before.
type CacheForecast struct {
	// Tokens at the beginning of the request that the turn before had, too.
	Tokens int `json:"tokens"`
	// Broken names the part where the request first differs from that of the
	// turn before; empty where it only goes on.
	Broken string `json:"broken,omitempty"`
	// Because says in one sentence why.
	Because string `json:"because,omitempty"`
}

// prepareAttempts bounds how often a turn is prepared again because its session
// went on meanwhile: each time something else was told in it, so a session that
// never comes to rest is in use by somebody else.
const prepareAttempts = 8

// PrepareTurn says what changed, fits the history into what the window leaves,
// and renders the request.
func (s *Service) PrepareTurn(ctx context.Context, params PrepareTurnParams) (*PrepareTurnResult, error) {
	if params.Messages != nil && params.Append != nil {
		return nil, failf(CodeInvalidParams, "want either messages or append")
	}
	if params.Session == "" && (params.Append != nil || params.ParentTurn != nil) {
		return nil, failf(CodeInvalidParams, "session: append and parentTurn continue a session, so want its name")
	}
	for range prepareAttempts {
		r, err := s.prepareTurn(ctx, params)
		if !errors.Is(err, epoch.ErrStale) {
			return r, err
		}
	}
	return nil, failf(CodeConflict, "session %q: what it was told changed %d times while the turn was prepared; another client uses it", params.Session, prepareAttempts)
}

func (s *Service) prepareTurn(ctx context.Context, params PrepareTurnParams) (*PrepareTurnResult, error) {
	standing, err := s.ledger.Stand(ctx, params.Session, epoch.Continuation{Parent: params.ParentTurn, Append: params.Append, Whole: params.Messages})
	if err != nil {
		return nil, s.withNews(ledgerError(err))
	}
	snap := s.snapshot(ctx)
	t, err := s.tell(ctx, snap, params, standing)
	if err != nil {
		return nil, err
	}
	if err := t.fit(ctx, snap); err != nil {
		if t = s.anew(ctx, snap, t, err); t == nil {
			return nil, err
		}
	}
	if err := t.render(); err != nil {
		return nil, err
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	record, err := t.record(ctx)
	if err != nil {
		return nil, ledgerError(err)
	}
	number := 0
	if params.Session != "" {
		if number, err = s.ledger.Commit(ctx, standing, record, t.began, t.told); err != nil {
			return nil, ledgerError(err)
		}
		s.recent.used(params.BuildPromptParams)
	}
	return t.result(number, record), nil
}

// anew prepares a turn that does not fit as the first one of a new epoch, where
// what was said of changes in the old one goes; nil where that helps nothing.
func (s *Service) anew(ctx context.Context, snap *workspace.Snapshot, t *preparing, fault error) *preparing {
	var impossible *Error
	said := func(told epoch.Told) bool { return told.How == epoch.AsUpdate || told.How == epoch.AsInjection }
	if !errors.As(fault, &impossible) || impossible.Code != CodeBudgetImpossible || t.began != nil || t.params.Compat == compatOpencode || !slices.ContainsFunc(slices.Concat(t.stands, t.told), said) {
		return nil
	}
	due := *t.standing
	due.Due = "what was said of changes leaves no room in the window"
	again, err := s.tell(ctx, snap, t.params, &due)
	if err != nil || again.fit(ctx, snap) != nil {
		return nil
	}
	return again
}

// withNews adds to an error about a session what happened to the store, which is
// why a session may be unknown, and which nobody is told otherwise.
func (s *Service) withNews(err error) error {
	var fault *Error
	if !errors.As(err, &fault) || fault.Code != CodeUnknownSession {
		return err
	}
	news := s.ledger.News()
	if len(news) == 0 {
		return err
	}
	told := *fault
	told.Message += "; " + strings.Join(news, "; ")
	return &told
}

// ledgerError tells a client what the ledger refused.
func ledgerError(err error) error {
	var conflict *epoch.ConflictError
	switch {
	case errors.Is(err, epoch.ErrStale), errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return err
	case errors.As(err, &conflict):
		return &Error{Code: CodeConflict, Message: err.Error(), Data: Conflict{Newest: conflict.Newest}, Err: err}
	case errors.Is(err, epoch.ErrExists):
		return &Error{Code: CodeConflict, Message: err.Error() + "; take another name, or forget that session first", Err: err}
	case errors.Is(err, epoch.ErrUnknownSession):
		return &Error{Code: CodeUnknownSession, Message: err.Error(), Err: err}
	case errors.Is(err, epoch.ErrUnknownTurn):
		return &Error{Code: CodeUnknownTurn, Message: err.Error(), Err: err}
	}
	return failf(CodeInvalidParams, "%w", err)
}

// Conflict is the data of a conflict error.
type Conflict struct {
	// Newest turn of the session.
	Newest int `json:"newest"`
}

// result is what the client is told of the turn.
func (t *preparing) result(number int, record epoch.Turn) *PrepareTurnResult {
	b := t.built
	r := &PrepareTurnResult{
		Head: head(), Turn: number, Body: t.rendered.Body, Headers: t.rendered.Headers, Sections: b.sections(), NotApplied: b.notApplied(),
		Updates: []Update{}, Injections: []Injection{}, Hooks: []HookChange{}, Downgrades: append([]string{}, t.rendered.Downgrades...),
		Cache: CacheForecast{Tokens: record.CacheTokens, Broken: record.Broke, Because: t.brokeWhy},
	}
	if r.Headers == nil {
		r.Headers = map[string]string{}
	}
	if t.params.BodyText {
		r.BodyText, r.Body = string(r.Body), RawObject("{}")
	}
	r.Warnings = append(append(r.Warnings, b.warnings...), t.attached...)
	r.Warnings = append(r.Warnings, refusedTools(t.params.Wire, b.input.Tools)...)
	r.Hooks = append(r.Hooks, b.hookChanges...)
	if !slices.ContainsFunc(t.prepared, func(m history.Message) bool { return !m.IsSystem() && !saysNothing(m) }) {
		r.Warnings = append(r.Warnings, Warning{Code: "no-message", Message: "the request holds no message of the conversation, and most providers refuse it so; give what the user said in messages or append"})
	}
	for _, w := range t.standing.Warnings {
		r.Warnings = append(r.Warnings, Warning{Code: "session-damaged", Message: w})
	}
	if t.params.Session != "" {
		r.Warnings = append(r.Warnings, t.service.sessionWarnings()...)
	}
	r.Fingerprint.Prefix, r.Fingerprint.Full = record.Prefix, record.Full
	r.History.Report = t.report
	r.Tokens = t.totals()
	r.Updates = append(r.Updates, updatesIn(t.told)...)
	for _, told := range slices.Concat(t.stands, t.told) {
		if told.How == epoch.AsInjection && t.carried(told) {
			r.Injections = append(r.Injections, Injection{URI: fileURI(told.Path), Text: told.Text, Tokens: told.Tokens, Why: told.Why, Message: told.Anchor})
		}
	}
	r.Epoch = EpochOutcome{Status: t.status, Because: t.because, UpdateTokens: record.UpdateTokens}
	if t.params.Session != "" {
		r.Epoch.Number, r.Epoch.Revision = t.epochNumber(), t.standing.Revision()+1
	}
	return r
}

// saysNothing tells of a message of which nothing is left once blanks are gone.
func saysNothing(m history.Message) bool {
	return !slices.ContainsFunc(m.Blocks(), func(part history.Part) bool {
		return part.Type != history.PartText || strings.TrimSpace(part.Text) != ""
	})
}

// updatesIn lists the updates among what is told.
func updatesIn(told []epoch.Told) []Update {
	var out []Update
	for _, t := range told {
		if t.How == epoch.AsUpdate {
			out = append(out, Update{Key: t.Key, Kind: t.Kind, Text: t.Text, Tokens: t.Tokens, Why: t.Why, Message: t.Anchor})
		}
	}
	return out
}

// totals is the account of the whole request.
func (t *preparing) totals() TokenTotals {
	totals := t.built.totals()
	totals.History = t.report.After
	totals.Total += t.toolTokens + t.report.After
	totals.plan(t.built.planning)
	return totals
}

// overflow says that the prompt alone leaves no room for the conversation, and
// what it is made of, the largest first.
func (t *preparing) overflow() *Error {
	b := t.built
	parts := []Part{{Key: "tools of the request", Tokens: t.toolTokens}}
	for _, s := range b.prompt.Sections {
		parts = append(parts, Part{Key: s.Source.Key, Tokens: s.Tokens})
	}
	slices.SortStableFunc(parts, func(a, b Part) int { return b.Tokens - a.Tokens })
	parts = parts[:min(len(parts), 5)]
	largest := ""
	for i, p := range parts {
		if i > 0 {
			largest += ", "
		}
		largest += fmt.Sprintf("%s %d", p.Key, p.Tokens)
	}
	return &Error{
		Code: CodeBudgetImpossible, Data: Overflow{Window: b.window, Reserve: b.reserve, Prompt: b.prompt.Tokens(), Largest: parts},
		Message: fmt.Sprintf("the prompt costs %d tokens and %d are kept for the answer, which leaves nothing of the window of %d for the conversation; largest: %s; use a larger window, a smaller reserve, or leave something out",
			b.prompt.Tokens()+t.toolTokens, b.reserve, b.window, largest),
	}
}

// Overflow is the data of a budget_impossible error that the prompt alone
// causes.
type Overflow struct {
	Window  int    `json:"window"`
	Reserve int    `json:"reserve"`
	Prompt  int    `json:"prompt"`
	Largest []Part `json:"largest"`
}

// Part is one part of a request and what it costs.
type Part struct {
	Key    string `json:"key"`
	Tokens int    `json:"tokens"`
}
