package commands

import (
	"context"
	"fmt"

	"foreword/promptbuilder/epoch"
	"foreword/promptbuilder/tokens"
)

// FinishTurnParams reports a turn's real cost.
type FinishTurnParams struct {
	// Session of the panel.
	Session string `json:"session"`
	// Turn is the number that foreword.turn.prepare gave.
	Turn int `json:"turn" min:"1"`
	// Usage is what the provider counted; may be missing only with error.
	Usage *Usage `json:"usage,omitempty"`
	// Error of the provider, if the turn failed.
	Error string `json:"error,omitempty"`
	// Answer is the text of the model's answer. The next turn brings it anyway; of
	// the last turn of a session it is the only way into the digest that later
	// sessions may be told.
	Answer string `json:"answer,omitempty"`
}

// Usage is what the provider counted, in tokens.
type Usage struct {
	// Input is what was sent, in the provider's own words: Anthropic's input_tokens, which are without what its cache had
	// or took; of others all of it, such as prompt_tokens.
	Input int `json:"input" min:"0"`
	// Output is the answer.
	Output int `json:"output" min:"0"`
	// CacheRead is what the provider took from its cache.
	CacheRead int `json:"cacheRead,omitempty" min:"0"`
	// CacheWrite is what the provider put into its cache.
	CacheWrite int `json:"cacheWrite,omitempty" min:"0"`
}

// FinishTurnResult holds prediction and report side by side.
type FinishTurnResult struct {
	Head
	// Turn that was reported.
	Turn int `json:"turn"`
	// PredictedInput is what was expected of the whole request, in tokens.
	PredictedInput int `json:"predictedInput"`
	// PredictedCacheRead is what should have been read from the provider's cache.
	PredictedCacheRead int `json:"predictedCacheRead"`
	// Broken names the part where the request left what the provider had seen;
	// empty where it only went on.
	Broken string `json:"broken,omitempty"`
	// Usage as reported; all 0 where it was not.
	Usage Usage `json:"usage"`
}

// FinishTurn records what a turn really cost.
func (s *Service) FinishTurn(ctx context.Context, params FinishTurnParams) (*FinishTurnResult, error) {
	var usage Usage
	switch {
	case params.Usage != nil:
		usage = *params.Usage
	case params.Error == "":
		return nil, failf(CodeInvalidParams, "usage: missing; a turn that failed is reported with error and may come without it")
	}
	known, err := s.ledger.Finished(ctx, params.Session, params.Turn)
	if err != nil {
		return nil, ledgerError(err)
	}
	turn, err := s.ledger.Finish(ctx, params.Session, params.Turn, epoch.Usage(usage), params.Error)
	if err != nil {
		return nil, ledgerError(err)
	}
	if params.Answer != "" && params.Error == "" {
		if err := s.ledger.Answered(ctx, params.Session, params.Turn, params.Answer); err != nil {
			return nil, ledgerError(err)
		}
	}
	planning := s.planning(ctx, s.workspace.Snapshot(), tokens.ForModel(turn.Request.Model), requestKind(turn.Request.Wire, turn.ToolsHash != ""))
	r := &FinishTurnResult{
		Head: head(), Turn: turn.Number, PredictedInput: planning.Expected(turn.InputTokens), PredictedCacheRead: turn.CacheTokens, Broken: turn.Broke, Usage: usage,
	}
	if params.Error == "" && !known {
		if err := s.calibrate(ctx, turn, usage); err != nil {
			r.Warnings = append(r.Warnings, Warning{Code: "not-learned", Message: fmt.Sprintf("what the provider counted is not remembered for later estimates: %v", err)})
		}
	}
	s.ledger.Tidy(ctx) // the model has answered: the user reads
	if params.Error != "" {
		r.Warnings = append(r.Warnings, Warning{Code: "turn-failed", Message: fmt.Sprintf("turn %d failed: %s", turn.Number, params.Error)})
	}
	return r, nil
}
