package commands

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"foreword/promptbuilder/epoch"
)

// finish reports a turn for which the provider counts ratio times what was estimated.
func finish(t *testing.T, s *Service, session string, turn *PrepareTurnResult, ratio float64, cacheRead int) *FinishTurnResult {
	t.Helper()
	input := int(math.Round(float64(turn.Tokens.Total)*ratio)) - cacheRead
	return run[FinishTurnResult](t, s, "foreword.turn.finish", map[string]any{"session": session, "turn": turn.Turn, "usage": map[string]any{"input": input, "output": 5, "cacheRead": cacheRead}})
}

func TestEstimatesLearnFromWhatProvidersCount(t *testing.T) {
	r := newRepo(t, small)
	s := r.open()
	ask := func(s *Service, session, model, wire string, n int) *PrepareTurnResult {
		t.Helper()
		params := map[string]any{"session": session, "model": model, "wire": wire, "append": []message{user(fmt.Sprint("u", n), "a question")}}
		if n > 1 {
			params["append"] = []message{says(fmt.Sprint("a", n), "an answer"), user(fmt.Sprint("u", n), "a question")}
		}
		return turn(t, s, params)
	}
	const claude, other = "claude-sonnet-4-5", "claude-opus-4-8"
	first := ask(s, "s", claude, "anthropic", 1)
	if got := first.Tokens; got.Learned != 0 || got.Expected != got.Total || got.ErrorBound < 0.1 {
		t.Fatalf("before anything was learned: %+v", got)
	}
	if got := finish(t, s, "s", first, 1.3, first.Tokens.Total/2); got.PredictedInput != first.Tokens.Total {
		t.Errorf("predicted %d of %d", got.PredictedInput, first.Tokens.Total)
	}
	learned := func(name string, got TokenTotals, samples int, ratio float64) {
		t.Helper()
		if got.Learned != samples || math.Abs(float64(got.Expected)/float64(got.Total)-ratio) > 0.01 || got.Free != got.Window-got.Reserve-got.Expected {
			t.Errorf("%s: %+v, want %.2f from %d", name, got, ratio, samples)
		}
	}
	second := ask(s, "s", claude, "anthropic", 2)
	learned("the same kind", second.Tokens, 1, 1.3)
	if got := finish(t, s, "s", second, 1.3, 0); math.Abs(float64(got.PredictedInput)/float64(got.Usage.Input)-1) > 0.01 {
		t.Errorf("predicted %d, counted %d", got.PredictedInput, got.Usage.Input)
	}
	failed := ask(s, "s", claude, "anthropic", 3)
	run[FinishTurnResult](t, s, "foreword.turn.finish", map[string]any{"session": "s", "turn": failed.Turn, "error": "overloaded"})
	run[FinishTurnResult](t, s, "foreword.turn.finish", map[string]any{"session": "s", "turn": second.Turn, "usage": map[string]any{"input": 3, "output": 1}})
	learned("after a failure and a report of something else", ask(s, "s", claude, "anthropic", 4).Tokens, 2, 1.3)
	learned("another session", ask(s, "t", claude, "anthropic", 1).Tokens, 2, 1.3)
	learned("another wire, of which nothing is known", ask(s, "w", claude, "openai-chat", 1).Tokens, 2, 1.3)
	learned("another model", ask(s, "o", other, "anthropic", 1).Tokens, 0, 1)
	exact := ask(s, "e", "gpt-5", "openai-chat", 1)
	finish(t, s, "e", exact, 1.2, 0)
	learned("an exact counter", ask(s, "e", "gpt-5", "openai-chat", 2).Tokens, 0, 1)
	if got := run[BuildPromptResult](t, s, "foreword.prompt.build", map[string]any{"model": claude}); got.Tokens.Learned != 2 {
		t.Errorf("a prompt without a session: %+v", got.Tokens)
	}
	counted := run[CountTokensResult](t, s, "foreword.tokens.count", map[string]any{"text": strings.Repeat("some words ", 500), "model": claude})
	if r := float64(counted.Expected) / float64(counted.Tokens); counted.Learned != 2 || math.Abs(r-1.3) > 0.01 || counted.PlanningBound < r || counted.ErrorBound >= first.Tokens.ErrorBound {
		t.Errorf("a text counts %+v", counted)
	}
	if w := run[PrepareHistoryResult](t, s, "foreword.history.prepare", map[string]any{"messages": []message{user("u", "x")}, "model": claude}).Window; w.Learned != 2 || w.ErrorBound != counted.ErrorBound {
		t.Errorf("a history is fitted into %+v", w)
	}
	must(t, s.ledger.Calibrate(t.Context(), "claude-damaged", "anthropic", func(epoch.Calibration) (epoch.Calibration, bool) {
		return epoch.Calibration{Ratio: math.MaxFloat64, Samples: 3}, true
	}))
	shown := run[StatusResult](t, s, "foreword.status", map[string]any{}).Calibrations
	if len(shown) != 1 || shown[0].Model != claude || shown[0].Kind != "anthropic" || math.Abs(shown[0].Ratio-1.3) > 0.01 || shown[0].Learned != 2 || shown[0].ErrorBound >= first.Tokens.ErrorBound {
		t.Errorf("the status shows %+v", shown)
	}
	for session, want := range map[string]int{"s": 1, "o": 0} {
		if got := run[ShowSessionResult](t, s, "foreword.session.show", map[string]any{"session": session}).Calibrations; len(got) != want {
			t.Errorf("session %s shows %+v", session, got)
		}
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	learned("another process", ask(r.open(), "n", claude, "anthropic", 1).Tokens, 2, 1.3)
}

// What is planned with a learned ratio fits the window by the provider's count.
func TestALearnedRatioIsPlannedWith(t *testing.T) {
	for _, ratio := range []float64{0.8, 1.3, 1.7} {
		s := newRepo(t, small).open()
		const window, reserve = 12_000, 1_000
		params := map[string]any{"session": "s", "model": "claude-sonnet-4-5", "wire": "anthropic", "window": window, "reserve": reserve}
		for n := range 40 {
			params["append"] = []message{user(fmt.Sprint("u", n), strings.Repeat("with some words ", 60)), says(fmt.Sprint("a", n), strings.Repeat("func F() error { return nil }\n", 20)), user(fmt.Sprint("v", n), "and now?")}
			got := turn(t, s, params)
			if counted := float64(got.Tokens.Total) * ratio; n > 0 && counted > window-reserve {
				t.Fatalf("ratio %.1f, turn %d: %.0f tokens by the provider's count are more than %d", ratio, n, counted, window-reserve)
			}
			finish(t, s, "s", got, ratio, 0)
		}
	}
}
