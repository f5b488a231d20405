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
