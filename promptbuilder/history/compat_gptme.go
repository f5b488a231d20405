package history

import (
	"slices"

	"foreword/promptbuilder/history/gptme"
)

// Names of the seeds whose ways can be asked for.
const (
	CompatGptme    = "gptme"
	CompatOpencode = "opencode"
)

// Compat asks for the ways of another tool, its faults (not its crashes) included, for comparison.
type Compat struct {
	// Name is CompatGptme or CompatOpencode, "" for our own ways.
	Name string
	// Provider of the model: gptme leaves more room for anthropic.
	Provider string
	// Tools that are loaded: gptme finds calls in the text by their names.
	Tools []string
}

// prepareAsGptme reduces, prunes and limits as gptme does. A message with calls, media or thinking in blocks is to
// gptme like one that calls a tool in its text: it is neither cut nor merged. A call that never had a result stays as it
// is, as there; rendering a request repairs it.
func (p *plan) prepareAsGptme(compat Compat) ([]Message, []Action, error) {
	log := make([]gptme.Message, len(p.messages))
	for i, m := range p.messages {
		log[i] = asGptme(m, i)
	}
	window := p.options.Budget
	share := .9
	if compat.Provider == "anthropic" {
		share = .75
	}
	count := func(text string) int { return countText(text, p.options) }
	reduced := gptme.Reduce(log, int(float64(window)*share), compat.Tools, count)
	pruned, _ := gptme.Prune(reduced)
	limited := gptme.Limit(pruned, window, count)

	inPruned, kept := sources(pruned), sources(limited)
	prepared, actions := []Message{}, []Action{}
	place := map[int]int{}
	texts := make([]Message, len(p.messages))
	for i, m := range p.messages {
		texts[i] = m
		if reduced[i].Content == log[i].Content {
			continue
		}
		cut, err := m.withContent(Text(reduced[i].Content))
		if err != nil {
			return nil, nil, err
		}
		texts[i] = cut
	}
	for _, m := range limited {
		message := texts[m.From[0]]
		for _, i := range m.From[1:] {
			joined, err := message.joined(texts[i])
			if err != nil {
				return nil, nil, err
			}
			message = joined
		}
		for _, i := range m.From {
			place[i] = m.From[0]
		}
		prepared = append(prepared, message)
	}
	p.total = 0
	for _, m := range prepared {
		cost, _ := p.options.costOf(&m)
		p.total += cost
	}
	for i, m := range p.originals {
		raw, err := m.Raw()
		if err != nil {
			return nil, nil, err
		}
		action := Action{Index: i, Before: p.costs.total[i], Restore: raw}
		done := slices.Clone(p.embedded[i])
		switch {
		case !inPruned[i] && log[i].TTL != nil:
			action.Kind, action.Reason = KindPruned, ReasonExpired
		case !inPruned[i]:
			action.Kind, action.Reason = KindDropped, ReasonToolPair
		case !kept[i]:
			action.Kind, action.Reason = KindDropped, ReasonOverBudget
		case place[i] != i:
			action.Kind, action.Reason = KindMerged, ReasonJoined
		case slices.ContainsFunc(limited, func(m gptme.Message) bool { return m.From[0] == i && len(m.From) > 1 }):
			action.Kind, action.Reason = KindMerged, ReasonSameRole
			action.After = action.Before
		case reduced[i].Content != log[i].Content:
			action.Kind, action.Reason = KindTruncated, RungMiddle
			action.After, _ = p.options.costOf(&texts[i])
		}
		if action.Kind != "" {
			if action.After == 0 {
				done = nil
			}
			done = append(done, action)
		}
		for k := range done {
			done[k].Restore = nil
		}
		if len(done) > 0 {
			done[0].Restore = raw
		}
		actions = append(actions, done...)
	}
	return prepared, actions, nil
}

// sources are the messages of the input that a log came from.
func sources(log []gptme.Message) map[int]bool {
	from := map[int]bool{}
	for _, m := range log {
		for _, i := range m.From {
			from[i] = true
		}
	}
	return from
}

func asGptme(m Message, i int) gptme.Message {
	as := gptme.Message{Role: m.Role, Content: m.Content.PlainText(), Pinned: m.Pinned, TTL: m.EphemeralTTL, From: []int{i}}
	if m.IsSystem() {
		as.Role = "system"
	}
	yes := true
	if results := m.results(); len(results) > 0 {
		as.Role = "system" // to gptme what a tool says is a system message
		as.CallID = results[0].id
		if as.CallID == "" {
			as.CallID = "by position"
		}
	}
	plain := m.Content.Parts == nil || m.isResult()
	if calls := m.calls(); len(calls) > 0 || !plain {
		as.Call = &yes
		if as.CallID == "" {
			as.CallID = "blocks" // what has blocks is not merged
		}
	}
	return as
}
