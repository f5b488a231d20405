package history

import (
	"fmt"
	"slices"
)

// Strategies: what goes first when something must go.
const (
	// StrategyReduce shortens the longest texts, then leaves out the oldest groups.
	StrategyReduce = "reduce"
	// StrategyClear replaces old tool results by notes before anything else is touched.
	StrategyClear = "clear-tool-results"
	// StrategyAdaptive weighs texts by what the task is and by how much of them is new.
	StrategyAdaptive = "adaptive"
)

// Defaults of Trim. They are opencode's (sst/opencode, packages/opencode/src/session/compaction.ts, July 2026): the
// newest results are what an agent works with, and clearing breaks the cached prefix, so it must be worth it.
const (
	DefaultProtectTokens = 40_000
	DefaultClearAtLeast  = 20_000
)

// Trim says what goes first when something must go, and what is spared.
type Trim struct {
	// Strategy is StrategyReduce ("" too), StrategyClear or StrategyAdaptive.
	Strategy string
	// ProtectTokens is how many tokens of the newest messages are left whole (by StrategyClear: of the newest
	// tool results); 0 is DefaultProtectTokens, below zero is none.
	ProtectTokens int
	// ProtectTools are the tools whose results are never cleared.
	ProtectTools []string
	// ClearAtLeast is how many tokens clearing must save to be done while everything fits; 0 is
	// DefaultClearAtLeast.
	ClearAtLeast int
	// Weigh is how StrategyAdaptive weighs texts.
	Weigh Weigh
}

func (t Trim) protectTokens() int {
	if t.ProtectTokens == 0 {
		return DefaultProtectTokens
	}
	return max(0, t.ProtectTokens)
}

func (t Trim) clearAtLeast() int {
	if t.ClearAtLeast == 0 {
		return DefaultClearAtLeast
	}
	return max(0, t.ClearAtLeast)
}

// strategy shortens by the strategy that was asked for.
func (p *plan) strategy(target int) {
	switch p.options.Trim.Strategy {
	case StrategyClear:
		p.clearResults(target, 0)
	case StrategyAdaptive:
		p.weigh()
	}
	p.reduce(target)
}

// expire prunes messages whose time is over: more answers followed that stay than the message is worth keeping for.
// An answer that expires takes its results along, unless one of them is to stay; of a result that expires alone the
// text goes. System messages, what is pinned and what must stay because it is new never expire.
func (p *plan) expire() {
	if !slices.ContainsFunc(p.messages, func(m Message) bool { return m.EphemeralTTL != nil }) {
		return
	}
	answers := 0
	// stays are the answers that have a result that is to stay.
	stays := map[int]bool{}
	for i := len(p.messages) - 1; i >= 0; i-- {
		message := p.messages[i]
		if p.dropped[i] != "" {
			continue
		}
		over := message.EphemeralTTL != nil && answers > *message.EphemeralTTL && !p.mandatory[i]
		group := p.pairs.group[i]
		switch {
		case over && group == i && !stays[i], over && group < 0:
			p.prune(i)
			continue
		case over && group >= 0 && group != i:
			p.clear(i, ReasonExpired)
		case message.EphemeralTTL != nil && group >= 0 && group != i:
			stays[group] = true
		}
		if message.Role == RoleAssistant {
			answers++
		}
		for _, made := range p.inserted[i] {
			if made.message.Role == RoleAssistant {
				answers++ // a call made up for a pinned result is an answer for whoever reads on
			}
		}
	}
	// What a message said beside the results of an answer that went may be over itself.
	if p.dropTied() {
		p.expire()
	}
}

// prune leaves message i out, with the results of its calls.
func (p *plan) prune(i int) {
	p.drop(i, ReasonExpired)
	if p.pairs.group[i] != i {
		return
	}
	for k := i + 1; k < len(p.messages) && p.messages[k].Role != RoleAssistant; k++ {
		if p.pairs.group[k] == i && p.tied(k) < 0 {
			p.drop(k, ReasonExpired)
		}
	}
}

// clear replaces the tool results of message i by notes.
func (p *plan) clear(i int, reason string) {
	for _, r := range p.messages[i].results() {
		p.clearBlock(i, r.block, reason)
	}
}

// clearBlock replaces one tool result by a note, when that saves something.
func (p *plan) clearBlock(i, block int, reason string) int {
	gone := slices.ContainsFunc(p.edits[i], func(e edit) bool { return e.place.block == block && e.kind == KindDropped })
	if gone || isNote(p.messages[i].Blocks()[block].Output.PlainText()) {
		return 0
	}
	cut, before := p.clearing(i, block)
	after := p.countCut(i, place{block, whole}, cut, "")
	if before-after < leastSaving {
		return 0
	}
	saved := p.total
	p.edits[i] = p.withoutEdits(i, block)
	p.change(i, edit{place: place{block, whole}, kind: KindCleared, reason: reason, cut: cut, before: before, after: after})
	return saved - p.total
}

// withoutEdits takes back what was done inside a block and returns the other edits of the message.
func (p *plan) withoutEdits(i, block int) []edit {
	var kept []edit
	for _, e := range p.edits[i] {
		if e.place.block != block {
			kept = append(kept, e)
			continue
		}
		p.cost[i] += e.before - e.after
		p.total += e.before - e.after
	}
	return kept
}

// clearing is the note in place of a tool result, and what the result costs as it came.
func (p *plan) clearing(i, block int) (textCut, int) {
	result := p.messages[i].Blocks()[block]
	before := p.costs.of(i, block)
	if p.costs.blocks[i] == nil {
		before -= p.options.PerMessage
	}
	name := p.toolName(i, result)
	if name == "" {
		name = "a tool"
	}
	return textCut{rung: RungReference, note: fmt.Sprintf("[result of %s left out: %s; call it again if it is needed]",
		name, amount(len(result.Output.PlainText()), "byte"))}, before
}

// toolName is the tool that was called for a result, "" when nobody said.
func (p *plan) toolName(i int, result Part) string {
	if result.Name != "" || p.pairs.group[i] < 0 || result.ID == "" {
		return result.Name
	}
	return p.pairs.name(p.pairs.group[i], result.ID, p.messages)
}

// clearResults replaces the oldest tool results by notes until the cost is down to the target, sparing protected
// tools and the newest results. When that would save less than least tokens, nothing is done.
func (p *plan) clearResults(target, least int) {
	type old struct{ message, block int }
	var found []old
	recent, could := 0, 0
	for i := len(p.messages) - 1; i >= 0; i-- {
		if p.dropped[i] != "" || p.messages[i].Pinned || p.inNewestGroup(i) {
			continue
		}
		results := p.messages[i].results()
		for k := len(results) - 1; k >= 0; k-- {
			block := results[k].block
			cost := p.blockCost(i, block)
			if slices.Contains(p.options.Trim.ProtectTools, p.toolName(i, p.messages[i].Blocks()[block])) {
				continue
			}
			if recent += cost; recent <= p.options.Trim.protectTokens() || cost <= worthReference {
				continue
			}
			found = append(found, old{i, block})
			could += cost - referenceCost
		}
	}
	if could <= least {
		return
	}
	for k := len(found) - 1; k >= 0 && p.total > target; k-- {
		p.clearBlock(found[k].message, found[k].block, ReasonOldResult)
	}
}

// clearEarly clears old results while everything still fits, when that saves enough, and in a session also more than
// the prefix costs that a cache loses by it.
func (p *plan) clearEarly() {
	before, fresh := p.total, p.fresh
	edits := make(map[int][]edit, len(p.edits))
	for i, list := range p.edits {
		edits[i] = slices.Clone(list)
	}
	costs := slices.Clone(p.cost)
	p.clearResults(0, p.options.Trim.clearAtLeast())
	if p.options.Cut == nil || p.total == before {
		return
	}
	lost := 0
	for i := p.fresh; i < len(p.messages); i++ {
		lost += p.cost[i]
	}
	if float64(lost)*cacheSaving > float64(before-p.total)*(1-cacheSaving)*cachedTurns {
		p.total, p.fresh, p.edits, p.cost = before, fresh, edits, costs
	}
}

// What a provider's cache holds costs a tenth (Anthropic's and OpenAI's prices, 2026), and a prefix is sent some twenty
// times before it breaks again.
const (
	cacheSaving = .9
	cachedTurns = 20
)

// blockCost is what a block costs as the plan stands.
func (p *plan) blockCost(i, block int) int {
	cost := p.costs.of(i, block)
	if p.costs.blocks[i] == nil {
		cost -= p.options.PerMessage
	}
	for _, e := range p.edits[i] {
		if e.place.block == block {
			cost -= e.before - e.after
		}
	}
	return cost // 0 for a block that goes
}

// giveBack takes back what was done to the first messages, as long as the rest still fits and a longer prefix that
// a provider's cache holds is worth more than what was saved there.
func (p *plan) giveBack(ceiling int) {
	for p.fresh < len(p.messages) {
		i := p.fresh
		if p.dropped[i] != "" || p.fromCut[i] || len(p.edits[i]) == 0 || slices.ContainsFunc(p.edits[i], func(e edit) bool { return e.kind != KindTruncated && e.kind != KindCleared }) {
			return
		}
		saved, next, prefix := 0, i+1, p.cost[i]
		for _, e := range p.edits[i] {
			saved += e.before - e.after
		}
		for next < len(p.messages) && !p.freshAt(next) {
			prefix += p.cost[next]
			next++
		}
		// What a cache holds costs a tenth. Breaking it at i instead of at next costs the other nine tenths of what is
		// between them, once; what was saved saves its tenth in every turn until the prefix breaks again.
		if p.total+saved > ceiling || float64(prefix)*cacheSaving <= float64(saved)*(1-cacheSaving)*cachedTurns {
			return
		}
		p.undo(i)
		p.fresh = next
	}
}

// freshAt says whether message i is changed and was not changed by the cut.
func (p *plan) freshAt(i int) bool {
	return !p.fromCut[i] && (p.dropped[i] != "" || len(p.edits[i]) > 0)
}
