package commands

import (
	"context"

	"foreword/promptbuilder/epoch"
	"foreword/promptbuilder/tokens"
	"foreword/workspace"
)

// requestKind tells requests apart whose estimates are off in different ways:
// by the provider's framing of messages, and of tools.
func requestKind(wire string, tools bool) string {
	if tools {
		return wire + ", tools"
	}
	return wire
}

// planning is how counts are turned into what the provider should count of a
// request of a kind; where nothing was learned of that kind, of any.
func (s *Service) planning(ctx context.Context, snap *workspace.Snapshot, counter tokens.Counter, kind string) tokens.Planning {
	if counter.Exact || !s.mayHaveSessions(snap) {
		return counter.Calibrated(tokens.Calibration{})
	}
	var learned tokens.Calibration
	for i, c := range s.ledger.Calibrations(ctx, counter.Model) {
		if i == 0 || c.Kind == kind {
			learned = tokens.Calibration{Ratio: c.Ratio, Samples: c.Samples}
		}
	}
	return counter.Calibrated(learned)
}

// CalibrationStatus is what was learned of the estimates for one model.
type CalibrationStatus struct {
	// Model as requests name it.
	Model string `json:"model"`
	// Kind of the requests: their wire, and whether they carry tools.
	Kind string `json:"kind"`
	// Ratio is what the provider counts for one token of the estimate.
	Ratio float64 `json:"ratio"`
	// ErrorBound is the relative error that is reckoned with after the correction.
	ErrorBound float64 `json:"errorBound"`
	// Learned is how many requests it was learned from.
	Learned int `json:"learned"`
}

// calibrations lists what was learned of the models that are asked for.
func (s *Service) calibrations(ctx context.Context, snap *workspace.Snapshot, wanted func(model string) bool) []CalibrationStatus {
	all := []CalibrationStatus{}
	if !s.mayHaveSessions(snap) {
		return all
	}
	for _, c := range s.ledger.Calibrations(ctx, "") {
		if !wanted(c.Model) {
			continue
		}
		// A row that a damaged store gives is not planned with, and not shown.
		planning := tokens.ForModel(c.Model).Calibrated(tokens.Calibration{Ratio: c.Ratio, Samples: c.Samples})
		if planning.Samples > 0 {
			all = append(all, CalibrationStatus{Model: c.Model, Kind: c.Kind, Ratio: c.Ratio, ErrorBound: planning.ErrorBound, Learned: c.Samples})
		}
	}
	return all
}

// calibrate learns from what a provider counted of a turn.
func (s *Service) calibrate(ctx context.Context, turn epoch.Turn, usage Usage) error {
	counter := tokens.ForModel(turn.Request.Model)
	if counter.Exact {
		return nil
	}
	kind := requestKind(turn.Request.Wire, turn.ToolsHash != "")
	return s.ledger.Calibrate(ctx, counter.Model, kind, func(was epoch.Calibration) (epoch.Calibration, bool) {
		now, learned := tokens.Calibration{Ratio: was.Ratio, Samples: was.Samples}.Learn(turn.InputTokens, inputOf(turn, usage))
		return epoch.Calibration{Ratio: now.Ratio, Samples: now.Samples}, learned
	})
}

// inputOf is all that was sent: Anthropic's input_tokens are without those that
// its cache had, or took.
func inputOf(turn epoch.Turn, usage Usage) int {
	if turn.Request.Wire == "anthropic" {
		return usage.Input + usage.CacheRead + usage.CacheWrite
	}
	return usage.Input
}
