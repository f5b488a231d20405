package commands

import (
	"context"
	"encoding/json"
	"errors"

	"foreword/promptbuilder/epoch"
	"foreword/promptbuilder/history"
	"foreword/promptbuilder/models"
)

// PrepareHistoryParams is a conversation and what it may cost.
type PrepareHistoryParams struct {
	// Messages of the conversation, system messages included if there are any.
	Messages []history.Message `json:"messages"`
	// Session whose newest turn's cut is kept, and the attached files as they were sent, so that the prefix stays as it
	// was sent. Nothing is written.
	Session string `json:"session,omitempty"`
	// Cut is what an earlier call gave, where the client keeps it itself; an empty object begins.
	Cut RawObject `json:"cut,omitempty"`
	// Model whose counter and window are used.
	Model string `json:"model,omitempty"`
	// Window is the context window in tokens, where the client knows it better.
	Window int `json:"window,omitempty" min:"0"`
	// Budget is what the messages may cost, in tokens; by default window less reserve, and less by as much as an estimate of
	// tokens may be wrong.
	Budget int `json:"budget,omitempty" min:"0"`
	// Reserve is what is kept free for the answer, in tokens.
	Reserve int `json:"reserve,omitempty" min:"0"`
	// Compat prepares as another tool does, its faults included.
	Compat string `json:"compat,omitempty" enum:"gptme,opencode"`
	HistoryWays
}

// HistoryWays say how a history is made to fit.
type HistoryWays struct {
	// Strategy says what goes first: long texts are shortened (reduce), or old tool results are cleared, or texts are
	// weighed by the task and by how much of them is new (adaptive).
	Strategy string `json:"strategy,omitempty" enum:"reduce,clear-tool-results,adaptive"`
	// Protect says what is spared.
	Protect *Protect `json:"protect,omitempty"`
	// Orphans says what becomes of tool calls that have no result: one is made up that says Cancelled, or the call goes.
	Orphans string `json:"orphans,omitempty" enum:"cancel,drop"`
	// Alternate merges adjacent messages of one role, for a provider that refuses them.
	Alternate bool `json:"alternate,omitempty"`
	// Modified says what becomes of an attached file that was changed after its message: its text of now, or a note.
	Modified string `json:"modified,omitempty" enum:"text,note"`
}

// Protect says what is spared when something must go.
type Protect struct {
	// Tokens of the newest messages that are left whole (by clear-tool-results: of the newest tool results).
	Tokens *int `json:"tokens,omitempty" min:"0"`
	// Tools whose results are never cleared.
	Tools []string `json:"tools,omitempty"`
	// ClearAtLeast is how many tokens clearing must save to be done while everything fits.
	ClearAtLeast *int `json:"clearAtLeast,omitempty" min:"0"`
}

// PrepareHistoryResult is the conversation that fits, and the report.
type PrepareHistoryResult struct {
	Head
	// Messages that fit, each in the shape in which it came.
	Messages []history.Message `json:"messages"`
	// Report says what was done, and how to undo it.
	Report history.Report `json:"report"`
	// Cut is what a later call with more messages goes on from.
	Cut RawObject `json:"cut,omitempty"`
	// Window says what the budget was taken from.
	Window HistoryWindow `json:"window"`
}

// HistoryWindow says what a budget was taken from.
type HistoryWindow struct {
	// Tokens of the window.
	Tokens int `json:"tokens"`
	// Source says who named the window: the client, a setting, or a row of the model table.
	Source string `json:"source"`
	// Reserve that is kept free for the answer.
	Reserve int `json:"reserve"`
	// ErrorBound is the relative error of the counts that is kept free, too, after the correction; 0 where they are exact.
	ErrorBound float64 `json:"errorBound"`
	// Learned is how many requests of this model's the correction was learned from.
	Learned int `json:"learned,omitempty"`
}

// perMessage is what a message costs beside its content: the markers of its
// role and its ends in the published chat formats.
const perMessage = 4

// PrepareHistory fits messages into a budget.
func (s *Service) PrepareHistory(ctx context.Context, params PrepareHistoryParams) (*PrepareHistoryResult, error) {
	snap := s.snapshot(ctx)
	p, err := s.locate(snap, "", "")
	if err != nil {
		return nil, err
	}
	params.Model = p.model(params.Model)
	counter, count := s.counter(params.Model)
	b := &built{place: p}
	b.setWindow(models.Lookup(params.Model), params.Window, params.Reserve)
	options := params.options(params.Model, params.Compat)
	options.Count, options.CounterKind, options.PerMessage = count, counter.Kind(), perMessage
	options.Costs = s.costs(counter)
	if params.Strategy == adaptive {
		options.Trim.Weigh = s.weigh(ctx, snap, p)
	}
	planning := s.planning(ctx, snap, counter, "")
	if options.Budget = params.Budget; options.Budget == 0 {
		options.Budget = planning.Room(max(0, b.window-b.reserve))
	}
	standing := &epoch.Standing{}
	if params.Session != "" {
		if standing, err = s.ledger.Stand(ctx, params.Session, epoch.Continuation{}); err != nil {
			return nil, &Error{Code: CodeUnknownSession, Message: err.Error(), Err: err}
		}
	}
	if options.Cut, err = cutOf(params, standing); err != nil {
		return nil, err
	}
	attached := s.attachmentsOf(ctx, snap, p, params.Messages)
	options.Attach = attached.forHistory(params.Modified == "note")
	if sent := sentWith(standing.Told); len(sent) > 0 {
		options.Attach.Read = func(file string, of history.Message) history.Attachment {
			if a, ok := sent[attachedFile{of.ID, file}]; ok {
				return a
			}
			return attached.attachment(file, of)
		}
	}
	messages, report, err := fitHistory(params.Messages, options)
	if err != nil {
		return nil, err
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	r := &PrepareHistoryResult{
		Head: head(), Messages: messages, Report: report,
		Window: HistoryWindow{Tokens: b.window, Source: b.windowWhy, Reserve: b.reserve, ErrorBound: planning.ErrorBound, Learned: planning.Samples},
	}
	r.Warnings = append(r.Warnings, attached.warnings...)
	if report.Cut != nil {
		if r.Cut, err = json.Marshal(report.Cut); err != nil {
			return nil, err
		}
	}
	return r, nil
}

// options are the ways as the history package takes them.
func (w HistoryWays) options(model, compat string) history.Options {
	o := history.Options{Alternate: w.Alternate, Trim: history.Trim{Strategy: w.Strategy}}
	if w.Orphans == "drop" {
		o.Orphans = history.OrphansDrop
	}
	if w.Protect != nil {
		o.Trim.ProtectTools = w.Protect.Tools
		// Nothing to the history package is its default; nothing to a client is nothing.
		o.Trim.ProtectTokens, o.Trim.ClearAtLeast = orNone(w.Protect.Tokens), orNone(w.Protect.ClearAtLeast)
	}
	o.Compat = history.Compat{Name: compat}
	if models.Lookup(model).Family == models.Claude {
		o.Compat.Provider = "anthropic"
	}
	return o
}

func orNone(n *int) int {
	switch {
	case n == nil:
		return 0
	case *n == 0:
		return -1
	}
	return *n
}

// cutOf is the cut to go on from: the client's own, or that of the session's
// newest turn; nil where neither is named.
func cutOf(params PrepareHistoryParams, standing *epoch.Standing) (*history.Cut, error) {
	raw := params.Cut
	if params.Session != "" {
		if len(raw) > 0 {
			return nil, failf(CodeInvalidParams, "want either session or cut")
		}
		if raw = standing.Parent.Cut; len(raw) == 0 {
			return &history.Cut{}, nil
		}
	}
	if len(raw) == 0 {
		return nil, nil
	}
	cut := &history.Cut{}
	if err := json.Unmarshal(raw, cut); err != nil {
		return nil, failf(CodeInvalidParams, "cut: not what an earlier call gave: %w", err)
	}
	return cut, nil
}

// fitHistory prepares a history. Where nothing helps, the error says what is
// largest.
func fitHistory(messages []history.Message, options history.Options) ([]history.Message, history.Report, error) {
	prepared, report, err := history.Prepare(messages, options)
	var impossible *history.BudgetError
	switch {
	case errors.As(err, &impossible):
		return nil, report, &Error{Code: CodeBudgetImpossible, Message: impossible.Error(), Data: report, Err: err}
	case err != nil:
		return nil, report, failf(CodeInvalidParams, "%w", err)
	}
	return prepared, report, nil
}
