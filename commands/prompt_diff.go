package commands

import (
	"context"
	"fmt"

	"foreword/promptbuilder"
	"foreword/promptbuilder/epoch"
)

// DiffPromptParams names two turns of a session.
type DiffPromptParams struct {
	// Session of the panel.
	Session string `json:"session"`
	// From is the earlier turn; the parent of the later one by default.
	From int `json:"from,omitempty" min:"0"`
	// To is the later turn; the newest by default.
	To int `json:"to,omitempty" min:"0"`
}

// DiffPromptResult says how two requests differ, and what that costs.
type DiffPromptResult struct {
	Head
	// From and To are the turns that are compared; From is 0 where nothing was sent before.
	From int `json:"from"`
	// To is the later turn.
	To int `json:"to"`
	// Sections of the system text that differ, in the order of the prompt.
	Sections []SectionDiff `json:"sections"`
	// Updates that the turns after From up to To said.
	Updates []Update `json:"updates"`
	// FirstChanged is the first token in which the requests differ.
	FirstChanged int `json:"firstChanged"`
	// Cache holds what was predicted beside what the provider reported.
	Cache CacheAccount `json:"cache"`
	// Text is all of it for people, in Markdown.
	Text string `json:"text"`
}

// SectionDiff is a section that differs between two system texts.
type SectionDiff struct {
	// Key of the source.
	Key string `json:"key"`
	// Change is added, changed, removed or moved.
	Change string `json:"change" enum:"added,changed,removed,moved"`
	// Before and After are the tokens on both sides.
	Before int `json:"before"`
	// After is the cost in the later turn.
	After int `json:"after"`
}

// CacheAccount is what a provider's cache should give and what it gave.
type CacheAccount struct {
	// Predicted is how many tokens should have been read from the cache.
	Predicted int `json:"predicted"`
	// Reported is how many were; nil while the turn is not finished.
	Reported *int `json:"reported,omitempty"`
	// Broken names the source or part that broke the prefix; empty where it held.
	Broken string `json:"broken,omitempty"`
	// Because says why, in one sentence.
	Because string `json:"because"`
}

// DiffPrompt compares two turns of a session.
func (s *Service) DiffPrompt(ctx context.Context, params DiffPromptParams) (*DiffPromptResult, error) {
	a, err := s.ledger.Show(ctx, params.Session)
	if err != nil {
		return nil, ledgerError(err)
	}
	if len(a.Turns) == 0 {
		return nil, failf(CodeUnknownSession, "session %q has no turn yet", params.Session)
	}
	if params.To == 0 {
		params.To = len(a.Turns)
	}
	to, err := readTurn(a, params.To)
	if err != nil {
		return nil, err
	}
	if params.From == 0 {
		params.From = to.Parent
	}
	r := &DiffPromptResult{Head: s.sessionHead(), From: params.From, To: params.To, Sections: []SectionDiff{}, Updates: []Update{}}
	_, count := s.counter(to.Request.Model)
	var from epoch.Turn
	if params.From > 0 {
		if from, err = readTurn(a, params.From); err != nil {
			return nil, err
		}
	}
	before, now := systemOf(a, from, count), systemOf(a, to, count)
	r.Sections = diffSections(before, now)
	r.Updates = updatesBetween(a, from, to)
	if err := s.compareTurns(ctx, r, a, from, to, before, now); err != nil {
		return nil, ledgerError(err)
	}
	r.Text = r.markdown()
	return r, nil
}

func readTurn(a *epoch.Account, number int) (epoch.Turn, error) {
	if number > len(a.Turns) {
		return epoch.Turn{}, failf(CodeUnknownTurn, "%w %d: session %q has %d", epoch.ErrUnknownTurn, number, a.ID, len(a.Turns))
	}
	t := a.Turns[number-1]
	if t.Gone {
		return t, failf(CodeUnknownTurn, "%w %d of session %q: what was stored of it cannot be read", epoch.ErrUnknownTurn, number, a.ID)
	}
	return t, nil
}

// systemOf gives the system text of a turn; an empty one for no turn.
func systemOf(a *epoch.Account, t epoch.Turn, count func(string) int) *promptbuilder.Prompt {
	if t.Number > 0 && t.Epoch <= len(a.Epochs) {
		if p, ok := a.Epochs[t.Epoch-1].Baseline.(*promptbuilder.Prompt); ok {
			return p.Recount(count)
		}
	}
	return &promptbuilder.Prompt{}
}

// diffSections lists what differs between two system texts, in the order of the
// later one, then what is gone.
func diffSections(before, now *promptbuilder.Prompt) []SectionDiff {
	was := map[string]int{}
	for i, s := range before.Sections {
		was[s.Source.Key] = i
	}
	out := []SectionDiff{}
	last := -1
	for _, s := range now.Sections {
		i, ok := was[s.Source.Key]
		switch {
		case !ok:
			out = append(out, SectionDiff{Key: s.Source.Key, Change: "added", After: s.Tokens})
			continue
		case before.Sections[i].Text != s.Text:
			out = append(out, SectionDiff{Key: s.Source.Key, Change: "changed", Before: before.Sections[i].Tokens, After: s.Tokens})
		case i < last:
			out = append(out, SectionDiff{Key: s.Source.Key, Change: "moved", Before: before.Sections[i].Tokens, After: s.Tokens})
		}
		last = max(last, i)
		delete(was, s.Source.Key)
	}
	for _, s := range before.Sections {
		if _, gone := was[s.Source.Key]; gone {
			out = append(out, SectionDiff{Key: s.Source.Key, Change: "removed", Before: s.Tokens})
		}
	}
	return out
}

// updatesBetween lists what the turns of the later one's chain said since the
// earlier one.
func updatesBetween(a *epoch.Account, from, to epoch.Turn) []Update {
	chain := map[int]bool{}
	for n := to.Number; n > from.Number; n = a.Turns[n-1].Parent {
		chain[n] = true
	}
	out := []Update{}
	for _, t := range a.Told {
		if t.How == epoch.AsUpdate && chain[t.Turn] {
			out = append(out, Update{Key: t.Key, Kind: t.Kind, Text: t.Text, Tokens: t.Tokens, Why: t.Why, Message: t.Anchor})
		}
	}
	return out
}

// compareTurns finds the first token that differs and what the cache should
// have given. For a turn and its parent that is what was predicted when the turn
// was prepared; for others it is worked out.
func (s *Service) compareTurns(ctx context.Context, r *DiffPromptResult, a *epoch.Account, from, to epoch.Turn, before, now *promptbuilder.Prompt) error {
	if to.Finished && to.Error == "" {
		reported := to.Usage.CacheRead
		r.Cache.Reported = &reported
	}
	if from.Number == 0 {
		r.Cache.Because = "nothing was sent before"
		return nil
	}
	part, because := "", ""
	switch {
	case from.ToolsHash != to.ToolsHash:
		part, because = "tools", "the tools of the request differ"
	case from.Full != to.Full:
		part, r.FirstChanged = firstDifference(before, now)
		r.FirstChanged += to.ToolTokens
		because = fmt.Sprintf("a new epoch began with turn %d: %s", a.Epochs[to.Epoch-1].Began, a.Epochs[to.Epoch-1].Reason)
	default:
		was, err := s.ledger.Sent(ctx, a.ID, from.Number)
		if err != nil {
			return err
		}
		is, err := s.ledger.Sent(ctx, a.ID, to.Number)
		if err != nil {
			return err
		}
		r.FirstChanged = to.ToolTokens + to.SystemTokens
		common := 0
		for common < len(was) && common < len(is) && was[common].Hash == is[common].Hash {
			r.FirstChanged += is[common].Tokens
			common++
		}
		because = "the later request goes on where the earlier one ended"
		if common < len(was) {
			part, because = "history", "the history was trimmed or edited"
			if common < len(is) && is[common].ID != "" {
				because += ", from message " + is[common].ID + " on"
			}
		}
	}
	r.Cache.Predicted, r.Cache.Broken, r.Cache.Because = r.FirstChanged, part, because
	if from.Number == to.Parent {
		r.Cache.Predicted = to.CacheTokens
		if to.Broke == "cache" {
			r.Cache.Broken, r.Cache.Because = "cache", "the model, the provider or the wire changed, or the provider's cache had expired"
		}
	}
	if r.Cache.Broken == "" && to.Finished && to.Error == "" && to.Usage.CacheRead < r.Cache.Predicted*9/10 {
		r.Cache.Because += "; nothing in the requests explains what is missing: the provider keeps nothing that is short, may have let it go, or answered from another machine"
	}
	return nil
}
