package history

import "fmt"

// limit keeps whole groups from the newest to the oldest as long as they fit, and skips those that do not. A group
// is an answer with the results of its calls, and with the question before it where there is one.
func (p *plan) limit(target int) {
	if p.total <= target {
		return
	}
	p.keepNewest(target, func(i int) int { return p.cost[i] + p.made[i] })
}

// leaveHopeless drops the groups that would not fit even if every text that can be shortened were a note, so that
// nothing is spent on shortening what goes anyway.
func (p *plan) leaveHopeless(target int) {
	if p.total <= target {
		return
	}
	p.keepNewest(target, func(i int) int {
		least := p.cost[i] + p.made[i]
		if least <= worthReference || p.messages[i].Pinned || p.messages[i].IsSystem() {
			return least
		}
		for _, text := range p.messages[i].texts() {
			if cost := p.costs.of(i, text.block); cost > worthReference {
				least = min(least, p.cost[i]+p.made[i]-cost+referenceCost*len(p.messages[i].Content.Parts)+referenceCost)
				break
			}
		}
		return max(0, least)
	})
}

// keepNewest drops the groups that do not fit when the newest come first, with each message at the given cost.
func (p *plan) keepNewest(target int, costOf func(i int) int) {
	unit, n := p.units()
	cost := make([]int, n)
	// needs is the group whose question stands in the message with this group's results.
	needs := make([]int, n)
	for u := range needs {
		needs[u] = -1
	}
	room := target
	for i := range p.messages {
		if p.dropped[i] != "" {
			continue
		}
		own := costOf(i)
		if group := p.tied(i); group >= 0 && unit[group] >= 0 && unit[group] != unit[i] {
			answers := 0
			for _, block := range p.answers(i) {
				answers += p.costs.of(i, block)
			}
			answers = min(answers, own)
			own -= answers
			if p.mandatory[group] {
				room -= answers
			} else {
				cost[unit[group]] += answers
				if unit[i] >= 0 && !p.mandatory[i] {
					needs[unit[group]] = unit[i]
				}
			}
		}
		if unit[i] < 0 || p.mandatory[i] {
			room -= own
			continue
		}
		cost[unit[i]] += own
	}
	for _, insertions := range p.inserted {
		for _, added := range insertions {
			if added.call < 0 {
				room -= added.cost
			}
		}
	}
	gone := make([]bool, n)
	for u := n - 1; u >= 0; u-- {
		if cost[u] > room && cost[u] > 0 || needs[u] >= 0 && gone[needs[u]] {
			gone[u] = true
			continue
		}
		room -= cost[u]
	}
	for i := range p.messages {
		if unit[i] >= 0 && gone[unit[i]] && !p.mandatory[i] {
			p.drop(i, ReasonOverBudget)
		}
	}
	p.dropTied()
}

// units says to which group each message belongs, -1 for those that belong to none, and how many groups there are.
func (p *plan) units() (unit []int, n int) {
	unit = make([]int, len(p.messages))
	question := false
	for i, message := range p.messages {
		group := p.pairs.group[i]
		switch {
		case message.IsSystem() || p.dropped[i] != "":
			unit[i] = -1
			continue
		case message.StartsTurn():
			question = true
		case group >= 0 && group != i:
			unit[i] = unit[group]
			continue
		case question && message.Role == RoleAssistant:
			question = false
			unit[i] = n - 1
			continue
		}
		unit[i] = n
		n++
	}
	return unit, n
}

// tied is the message whose calls message i answers beside saying something of its own, or -1.
func (p *plan) tied(i int) int {
	if group := p.pairs.group[i]; group >= 0 && group != i && p.messages[i].StartsTurn() {
		return group
	}
	return -1
}

// dropTied leaves out the results of calls that went, where the message says something of its own. It says whether it
// found any.
func (p *plan) dropTied() (found bool) {
	for i := range p.messages {
		if group := p.tied(i); group >= 0 && p.dropped[group] != "" && p.dropped[i] == "" && !p.messages[i].Pinned {
			p.dropBlocks(i, p.answers(i), ReasonToolPair)
			p.pairs.group[i] = -1
			found = true
		}
	}
	return found
}

// noteKept notes which messages stayed because something is pinned, while their turn went.
func (p *plan) noteKept() {
	for from := 0; from < len(p.messages); {
		to, gone := from+1, p.dropped[from] == ReasonOverBudget
		for to < len(p.messages) && !p.messages[to].StartsTurn() {
			gone = gone || p.dropped[to] == ReasonOverBudget
			to++
		}
		for i := from; gone && i < to; i++ {
			if p.dropped[i] == "" && p.held[i] && !p.messages[i].IsSystem() {
				p.kept[i] = true
			}
		}
		from = to
	}
}

// markMandatory says of each message whether it stays whatever it costs: system messages, what is pinned with the
// calls and results that belong to it, the newest question, and the answer to it that is being worked on.
func (p *plan) markMandatory() {
	p.question, p.answer = -1, -1
	last := true
	for i := len(p.messages) - 1; i >= 0 && p.question < 0; i-- {
		message := p.messages[i]
		if p.dropped[i] != "" || message.IsSystem() {
			continue
		}
		if message.StartsTurn() {
			p.question = i
		} else if last {
			p.answer = p.pairs.group[i]
			if message.Role == RoleAssistant {
				p.answer = i
			}
		}
		last = false
	}
	pinned := map[int]bool{}
	for i := range p.messages {
		if group := p.pairs.group[i]; group >= 0 && p.messages[i].Pinned {
			pinned[group] = true
		}
	}
	for i := range p.messages {
		message, group := &p.messages[i], p.pairs.group[i]
		p.held[i] = message.Pinned || group >= 0 && pinned[group]
		p.mandatory[i] = p.held[i] || message.IsSystem() || i == p.question || p.inNewestGroup(i)
	}
}

// inNewestGroup says whether the message is part of the answer that is being worked on.
func (p *plan) inNewestGroup(i int) bool {
	return p.answer >= 0 && (i == p.answer || p.pairs.group[i] == p.answer)
}

// answers are the blocks of message i that answer calls.
func (p *plan) answers(i int) []int {
	orphans := map[int]bool{}
	for _, block := range p.pairs.orphans[i] {
		orphans[block] = true
	}
	var blocks []int
	for _, r := range p.messages[i].results() {
		if !orphans[r.block] {
			blocks = append(blocks, r.block)
		}
	}
	return blocks
}

// help says what would make an impossible budget possible.
func (p *plan) help(budget int) string {
	var system, pinned, newest int
	for i, message := range p.messages {
		switch {
		case p.dropped[i] != "":
		case message.IsSystem():
			system += p.cost[i]
		case i >= p.question && !message.Pinned:
			newest += p.cost[i]
		default:
			pinned += p.cost[i]
		}
	}
	text := fmt.Sprintf("%d tokens too many (newest turn %d, pinned %d, system messages %d): shorten the largest parts",
		p.total-budget, newest, pinned, system)
	if pinned > 0 {
		text += ", unpin messages"
	}
	return text + ", lower the reserve or take a model with a larger window"
}
