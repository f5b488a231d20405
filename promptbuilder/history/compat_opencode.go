package history

import (
	"slices"
	"unicode/utf16"
)

// What opencode's first engine does with old tool results (sst/opencode, packages/opencode/src/session/compaction.ts,
// July 2026).
const (
	opencodeCleared    = "[Old tool result content cleared]"
	opencodeProtect    = 40_000
	opencodeMinimum    = 20_000
	opencodeSafeTurns  = 2
	opencodeSkillsTool = "skill"
)

// pruneAsOpencode clears tool results as opencode does: not those of the last two turns, not those of the tool skill,
// not the newest 40,000 tokens, and only when that saves more than 20,000. Its tokens are a quarter of the UTF-16
// units. It does nothing else: a history that is too long is compacted there.
func (p *plan) pruneAsOpencode() {
	type old struct{ message, block int }
	var found []old
	turns, seen, saved := 0, 0, 0
	for i := len(p.messages) - 1; i >= 0; i-- {
		if p.dropped[i] != "" {
			continue
		}
		if p.messages[i].StartsTurn() {
			turns++
		}
		if turns < opencodeSafeTurns {
			continue
		}
		results := p.messages[i].results()
		for k := len(results) - 1; k >= 0; k-- {
			block := results[k].block
			result := p.messages[i].Blocks()[block]
			text := result.Output.PlainText()
			if p.messages[i].Pinned || p.toolName(i, result) == opencodeSkillsTool || results[k].cancelled {
				continue
			}
			if text == opencodeCleared {
				i, k = 0, 0 // all before it was done in an earlier turn
				continue
			}
			cost := EstimateAsOpencode(text)
			if seen += cost; seen <= opencodeProtect {
				continue
			}
			saved += cost
			found = append(found, old{i, block})
		}
	}
	if saved <= opencodeMinimum {
		return
	}
	slices.Reverse(found)
	for _, at := range found {
		_, before := p.clearing(at.message, at.block)
		cut := textCut{rung: RungReference, note: opencodeCleared}
		p.change(at.message, edit{
			place: place{at.block, whole}, kind: KindCleared, reason: ReasonOldResult, cut: cut,
			before: before, after: p.countCut(at.message, place{at.block, whole}, cut, ""),
		})
	}
}

// EstimateAsOpencode is opencode's estimate of the tokens of a text.
func EstimateAsOpencode(text string) int {
	units := 0
	for _, r := range text {
		units += max(1, utf16.RuneLen(r))
	}
	return (units + 2) / 4
}

// OpencodeLimits are what opencode reads of a model and its settings.
type OpencodeLimits struct {
	// Context window, Input limit (0: none) and Output limit, in tokens.
	Context, Input, Output int
	// Reserved is the setting, -1 when it is not set.
	Reserved int
}

// Usable is how many tokens opencode lets a conversation have before it compacts; 0 for an unknown window, which never
// overflows. The setting is ignored unless the model has an input limit.
func (l OpencodeLimits) Usable() int {
	const most = 32_000
	out := min(l.Output, most)
	if out == 0 {
		out = most
	}
	switch {
	case l.Context == 0:
		return 0
	case l.Input > 0:
		reserved := l.Reserved
		if reserved < 0 {
			reserved = min(20_000, out)
		}
		return max(0, l.Input-reserved)
	}
	return max(0, l.Context-out)
}

// Overflows says whether opencode would compact a conversation of so many tokens.
func (l OpencodeLimits) Overflows(tokens int) bool {
	return l.Context > 0 && tokens >= l.Usable()
}
