package commands

import (
	"context"
	"errors"

	"foreword/promptbuilder/history"
	"foreword/promptbuilder/models"
	"foreword/promptbuilder/tokens"
)

// PrepareHistoryParams is a conversation and what it may cost.
type PrepareHistoryParams struct {
	// Messages of the conversation, system messages included if there are any.
	Messages []history.Message `json:"messages"`
	// Model whose counter and window are used.
	Model string `json:"model,omitempty"`
	// Window is the context window in tokens, where the client knows it better.
	Window int `json:"window,omitempty" min:"0"`
	// Budget is what the messages may cost, in tokens; window less reserve by default.
	Budget int `json:"budget,omitempty" min:"0"`
	// Reserve is what is kept free for the answer, in tokens.
	Reserve int `json:"reserve,omitempty" min:"0"`
}

// PrepareHistoryResult is the conversation that fits, and the report.
type PrepareHistoryResult struct {
	Head
	// Messages that fit, each in the shape in which it came.
	Messages []history.Message `json:"messages"`
	// Report says what was done, and how to undo it.
	Report history.Report `json:"report"`
}

// perMessage is what a message costs beside its content: the markers of its
// role and its ends in the published chat formats.
const perMessage = 4

// PrepareHistory fits messages into a budget.
func (s *Service) PrepareHistory(ctx context.Context, params PrepareHistoryParams) (*PrepareHistoryResult, error) {
	p, err := s.locate(s.snapshot(ctx), "", "")
	if err != nil {
		return nil, err
	}
	params.Model = p.model(params.Model)
	counter, count := s.counter(params.Model)
	budget := params.Budget
	if budget == 0 {
		b := &built{place: p}
		b.setWindow(models.Lookup(params.Model), params.Window, params.Reserve)
		budget = max(0, b.window-b.reserve)
	}
	messages, report, err := prepareHistory(params.Messages, budget, counter, count)
	if err != nil {
		return nil, err
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return &PrepareHistoryResult{Head: head(), Messages: messages, Report: report}, nil
}

// prepareHistory is the one way to a history that fits. Where nothing helps,
// the error says what is largest.
func prepareHistory(messages []history.Message, budget int, counter tokens.Counter, count func(string) int) ([]history.Message, history.Report, error) {
	prepared, report, err := history.Prepare(messages, history.Options{
		Budget: budget, Count: count, CounterKind: counter.Kind(), PerMessage: perMessage,
	})
	var impossible *history.BudgetError
	switch {
	case errors.As(err, &impossible):
		return nil, report, &Error{Code: CodeBudgetImpossible, Message: impossible.Error(), Data: report, Err: err}
	case err != nil:
		return nil, report, failf(CodeInvalidParams, "%w", err)
	}
	return prepared, report, nil
}
