package commands

import (
	"context"
	"errors"

	"foreword/promptbuilder/history"
	"foreword/promptbuilder/models"
	"foreword/promptbuilder/sources"
	"foreword/promptbuilder/templates"
)

// CompactHistoryParams is a conversation that is too long.
type CompactHistoryParams struct {
	// Messages of the conversation; without them those of the session's newest turn.
	Messages []history.Message `json:"messages,omitempty"`
	// Session whose conversation it is: once the summary is taken, its next turn begins a new epoch.
	Session string `json:"session,omitempty"`
	// Model whose counter and window are used.
	Model string `json:"model,omitempty"`
	// Window is the context window in tokens, where the client knows it better.
	Window int `json:"window,omitempty" min:"0"`
	// Reserve is what is kept free for the answer, in tokens.
	Reserve int `json:"reserve,omitempty" min:"0"`
	// PreviousSummary is carried on where the messages do not hold it.
	PreviousSummary string `json:"previousSummary,omitempty"`
	// TailTurns is how many of the newest turns stay word for word; 2 by default, 0 sums up everything.
	TailTurns *int `json:"tailTurns,omitempty" min:"0"`
	// TailTokens is what they may cost; by default a quarter of the window, within 2,000 and 8,000.
	TailTokens int `json:"tailTokens,omitempty" min:"0"`
	// Summary is what the model answered to the summary request: with it, the result is the new history.
	Summary string `json:"summary,omitempty"`
	// Mechanical sums up without a model, at once.
	Mechanical bool `json:"mechanical,omitempty"`
}

// CompactHistoryResult is what to ask a model, or the new history.
type CompactHistoryResult struct {
	Head
	// SummaryRequest is what to ask the model; not there when a summary was given.
	SummaryRequest *HistorySummaryRequest `json:"summaryRequest,omitempty"`
	// Summed are the messages that are summed up.
	Summed MessageRange `json:"head"`
	// Tail are the messages that stay word for word.
	Tail MessageRange `json:"tail"`
	// Messages are the new history, when a summary was given or made.
	Messages []history.Message `json:"messages,omitempty"`
	// Report says what was done, and how to undo it.
	Report *history.Report `json:"report,omitempty"`
	// Hooks are what hooks did to the request for a summary.
	Hooks []HookChange `json:"hooks"`
	// Refused says why nothing was done; the messages are to be kept as they are.
	Refused string `json:"refused,omitempty"`
}

// MessageRange is a run of messages.
type MessageRange struct {
	// From is the index of the first.
	From int `json:"from"`
	// To is the index after the last.
	To int `json:"to"`
	// Tokens that they cost.
	Tokens int `json:"tokens"`
}

// HistorySummaryRequest is a request for a summary, for the panel to send.
type HistorySummaryRequest struct {
	// System says how to sum up.
	System string `json:"system"`
	// User is the conversation to sum up.
	User string `json:"user"`
	// Tokens that both cost.
	Tokens int `json:"tokens"`
	// MaxOutput is what the answer may cost, in tokens.
	MaxOutput int `json:"maxOutput"`
	// Cut tells that the oldest messages do not fit into the request.
	Cut bool `json:"cut"`
}

// CompactHistory sums up the older part of a conversation. It changes no
// message: the report holds what undoes it.
func (s *Service) CompactHistory(ctx context.Context, params CompactHistoryParams) (*CompactHistoryResult, error) {
	if params.Mechanical && params.Summary != "" {
		return nil, failf(CodeInvalidParams, "want either summary or mechanical")
	}
	if params.Messages == nil {
		if params.Session == "" {
			return nil, failf(CodeInvalidParams, "messages: missing; want them, or the session whose they are")
		}
		messages, err := s.ledger.Conversation(ctx, params.Session, 0)
		if err != nil {
			return nil, ledgerError(err)
		}
		params.Messages = messages
	}
	snap := s.snapshot(ctx)
	p, err := s.locate(snap, "", "")
	if err != nil {
		return nil, err
	}
	params.Model = p.model(params.Model)
	counter, count := s.counter(params.Model)
	b := &built{place: p, snapshot: snap, input: &sources.Input{}}
	b.input.Own = s.own(ctx, p, snap.Home())
	texts, warnings := s.texts(snap, p)
	b.warnings = warnings
	b.setWindow(models.Lookup(params.Model), params.Window, params.Reserve)
	planning := s.planning(ctx, snap, counter, "")
	window := planning.Room(max(0, b.window-b.reserve))
	c := history.Compaction{
		Options: history.Options{Count: count, CounterKind: counter.Kind(), PerMessage: perMessage, Costs: s.costs(counter)},
		Window:  window, TailTurns: params.TailTurns, TailTokens: params.TailTokens,
		Template: texts.Get(templates.Compaction).Text, PreviousSummary: params.PreviousSummary,
	}
	r := &CompactHistoryResult{Head: head(), Hooks: []HookChange{}}
	selection, err := history.Select(params.Messages, c)
	r.Summed = MessageRange{To: selection.TailFrom, Tokens: selection.HeadTokens}
	r.Tail = MessageRange{From: selection.TailFrom, To: len(params.Messages), Tokens: selection.TailTokens}
	switch {
	case errors.Is(err, history.ErrNothingToCompact):
		r.Refused = err.Error()
		return r, nil
	case err != nil:
		return nil, failf(CodeInvalidParams, "%w", err)
	}
	summary := params.Summary
	if !params.Mechanical && summary == "" {
		hooked := s.compactingHooks(ctx, b, params)
		r.Hooks, r.Warnings = append(r.Hooks, b.hookChanges...), append(r.Warnings, b.warnings...)
		if hooked.Prompt != "" {
			c.Template = hooked.Prompt
		}
		for _, more := range hooked.Context {
			c.Template += "\n\n" + more.Text
		}
		request, err := history.NewSummaryRequest(params.Messages, selection, c, planning.Room(b.window-history.SummaryTokens))
		var impossible *history.BudgetError
		switch {
		case err == nil:
			r.SummaryRequest = &HistorySummaryRequest{
				System: request.System, User: request.User, Tokens: request.Tokens, MaxOutput: history.SummaryTokens, Cut: request.Cut,
			}
			return r, ctx.Err()
		case !errors.As(err, &impossible):
			return nil, failf(CodeFailed, "%w", err)
		}
		// There is no room to ask a model, so nobody is asked.
		r.Warnings = append(r.Warnings, Warning{Code: "summed-up-without-a-model", Message: err.Error()})
		params.Mechanical = true
	}
	if params.Mechanical {
		summary = history.MechanicalSummary(params.Messages, selection, c)
	}
	if err := r.compact(params.Messages, summary, c); err != nil {
		return nil, err
	}
	if params.Session != "" && r.Refused == "" {
		if _, err := s.ledger.Rebase(ctx, params.Session, "the conversation was compacted"); err != nil {
			return nil, ledgerError(err)
		}
	}
	return r, nil
}

func (r *CompactHistoryResult) compact(messages []history.Message, summary string, c history.Compaction) error {
	compacted, report, err := history.Compact(messages, summary, c)
	var refused *history.RefusedError
	switch {
	case errors.As(err, &refused):
		r.Refused = refused.Why
		return nil
	case err != nil:
		return failf(CodeInvalidParams, "%w", err)
	}
	r.Messages, r.Report = compacted, &report
	return nil
}
