package history

import "fmt"

// limit leaves out the oldest whole turns until the rest fits the budget. A turn is a user message and all
// that follows up to the next one. System messages, pinned messages with the calls and results that belong to
// them, and the newest turn stay. It says whether the rest fits.
func (p *plan) limit(budget int) bool {
	if p.total <= budget {
		return true
	}
	stays := p.mustStay()
	newest := newestTurn(p.messages)
	for from := 0; from < newest && p.total > budget; {
		to := from + 1
		for to < newest && !p.messages[to].StartsTurn() {
			to++
		}
		p.dropTurn(from, to, stays)
		from = to
	}
	return p.total <= budget
}

// mustStay says of each message whether it stays whatever it costs, for a reason of its own or because its
// call or one of its results is pinned.
func (p *plan) mustStay() []bool {
	stays := make([]bool, len(p.messages))
	pinned := make([]bool, len(p.messages))
	for i, message := range p.messages {
		stays[i] = message.IsSystem() || message.Pinned
		if group := p.pairs.group[i]; group >= 0 && message.Pinned {
			pinned[group] = true
		}
	}
	for i := range p.messages {
		if group := p.pairs.group[i]; group >= 0 && pinned[group] {
			stays[i] = true
		}
	}
	return stays
}

// newestTurn is the index of the message with which the newest turn begins.
func newestTurn(messages []Message) int {
	for i := len(messages) - 1; i > 0; i-- {
		if messages[i].StartsTurn() {
			return i
		}
	}
	return 0
}

func (p *plan) dropTurn(from, to int, stays []bool) {
	dropped := false
	for i := from; i < to; i++ {
		if stays[i] || p.dropped[i] != "" {
			continue
		}
		p.drop(i, ReasonOverBudget)
		dropped = true
	}
	if !dropped {
		return
	}
	for i := from; i < to; i++ {
		if stays[i] && !p.messages[i].IsSystem() {
			p.keep(i)
		}
	}
	// The message that begins the next turn may also answer calls of this one; the answers go with the calls.
	if group := p.pairs.group[to]; group >= from && !stays[to] {
		p.dropBlocks(to, p.answers(to), ReasonToolPair)
	}
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
	turn := newestTurn(p.messages)
	for i, message := range p.messages {
		switch {
		case p.dropped[i] != "":
		case message.IsSystem():
			system += p.cost[i]
		case i >= turn:
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
