package history

import (
	"cmp"
	"container/heap"
)

const (
	// worthShortening is the cost in tokens from which a text is cut by length: below it, what is saved is not
	// worth what is lost.
	worthShortening = 256
	// worthReference is the cost in tokens from which a text may become a note, which costs some twenty itself.
	worthReference = 64
	// leastSaving is how many tokens a step must save to be made.
	leastSaving = 8
	// referenceCost is what a note is planned to cost before it is made.
	referenceCost = 24
	// leastQuestion is what is left at least of the newest question, in tokens.
	leastQuestion = 32
)

// candidate is a text that can be shortened, step by step down the ladder.
type candidate struct {
	message int
	placed
	// full is what the text costs whole, cost what it costs now.
	full, cost int
	// rank is the cost weighed: the highest goes first.
	rank float64
	// rung is the next one to try; size is how many bytes the last cut by length left.
	rung, size int
	// least is the cost below which the text is not cut by length; without a reference it never becomes a note.
	least     int
	reference bool
}

// candidates is a heap: the longest first, of equals the earlier.
type candidates []*candidate

func (c candidates) Len() int { return len(c) }
func (c candidates) Less(i, j int) bool {
	return cmp.Or(cmp.Compare(c[j].rank, c[i].rank), cmp.Compare(c[i].message, c[j].message), c[i].place.compare(c[j].place)) < 0
}
func (c candidates) Swap(i, j int) { c[i], c[j] = c[j], c[i] }
func (c *candidates) Push(x any)   { *c = append(*c, x.(*candidate)) }
func (c *candidates) Pop() any {
	last := len(*c) - 1
	x := (*c)[last]
	*c = (*c)[:last]
	return x
}

// reduce shortens the longest texts down the ladder until the cost is down to the target. What is pinned, system
// messages, calls, the newest question and what was said last are left alone; a text that cannot be shortened does
// not stop the rest. First everything is shortened, and only when that is not enough texts become notes.
func (p *plan) reduce(target int) {
	if p.total <= target {
		return
	}
	recent := p.recentFrom(min(p.options.Trim.protectTokens(), target/2))
	found := p.candidates(func(i int) bool {
		return !p.mandatory[i] && i < recent || p.inNewestGroup(i) && p.cost[i] > target/4
	})
	p.leaveNeedless(found, target)
	for _, c := range found {
		c.least = worthShortening
	}
	p.descend(found, target)
	for _, c := range found {
		c.reference = !p.mandatory[c.message]
	}
	p.descend(found, target)
}

// leaveNeedless takes the rungs that lose nothing: what is said again later, and what was only thought.
func (p *plan) leaveNeedless(found []*candidate, target int) {
	if p.weights == nil {
		return
	}
	for _, c := range found {
		for p.total > target && c.rung <= rungThoughts {
			rung := c.rung
			if cut, ok := p.next(c); ok {
				if cost := p.countCut(c.message, c.place, cut, c.text); cost <= c.cost-leastSaving {
					p.apply(c, cut, cost)
					continue
				}
			}
			c.rung = rung + 1
		}
	}
}

// candidates are the texts of the messages that may says can be shortened.
func (p *plan) candidates(may func(i int) bool) []*candidate {
	var found []*candidate
	for i := range p.messages {
		message := &p.messages[i]
		if p.dropped[i] != "" || message.Pinned || message.IsSystem() || !may(i) {
			continue
		}
		if p.cost[i] <= leastQuestion {
			continue // whatever is done with so little, its note costs as much
		}
		texts := message.texts()
		for _, text := range texts {
			if c, ok := p.candidate(i, text, texts); ok {
				found = append(found, c)
			}
		}
	}
	return found
}

func (p *plan) candidate(i int, text placed, texts []placed) (*candidate, bool) {
	if p.costs.of(i, text.block) <= leastSaving || isNote(text.text) {
		return nil, false
	}
	c := &candidate{message: i, placed: text, size: len(text.text)}
	for _, e := range p.edits[i] {
		switch {
		case e.place == text.place && e.kind == KindTruncated:
			c.full, c.cost, c.rung = e.before, e.after, rungAfter(e.cut.rung)
			if e.cut.rung == RungHeadTail {
				c.size = 0
				for _, piece := range e.cut.keep {
					c.size += piece[1] - piece[0]
				}
			}
			return c, c.rung != rungEnd
		case e.place.block == text.block && e.kind != KindTruncated:
			return nil, false
		}
	}
	c.full = p.placeCost(i, text, texts)
	c.cost = c.full
	return c, true
}

// placeCost is what one text costs as it came: what its block costs where it is all of the block.
func (p *plan) placeCost(i int, text placed, texts []placed) int {
	message := p.messages[i]
	if text.sub == whole && (message.Content.Parts == nil || message.Content.Parts[text.block].Type != PartFile) {
		if p.costs.blocks[i] != nil {
			return p.costs.of(i, text.block)
		}
		return p.costs.total[i] - p.options.PerMessage
	}
	return p.countPlaced(i, text.place, text.text)
}

func (p *plan) countPlaced(i int, at place, text string) int {
	return p.countCut(i, at, textCut{keep: [][2]int{{0, len(text)}}}, text)
}

// countCut is what a cut leaves of a text, in tokens.
func (p *plan) countCut(i int, at place, cut textCut, text string) int {
	if p.options.Costs == nil {
		return countText(cut.apply(text), p.options)
	}
	key := cutKey(p.messages[i].Key(), at, cut)
	if known, ok := p.options.Costs.Cost(key); ok {
		return known.Total
	}
	cost := countText(cut.apply(text), p.options)
	p.options.Costs.Remember(key, Cost{Total: cost})
	return cost
}

// The rungs in their order. A text goes down by one after the other; rungHeadTail may be taken again and again.
const (
	rungRepeated = iota
	rungThoughts
	rungMiddle
	rungStructure
	rungExtract
	rungHeadTail
	rungReference
	rungEnd
)

// rungAfter is the rung to try after the named one.
func rungAfter(rung string) int {
	switch rung {
	case RungThoughts:
		return rungMiddle
	case RungMiddle:
		return rungStructure
	case RungStructure:
		return rungExtract
	case RungExtract, RungHeadTail:
		return rungHeadTail
	}
	return rungEnd
}

// descend takes the candidates down the ladder, always the longest next, until the target is reached.
func (p *plan) descend(found []*candidate, target int) {
	waiting := candidates(found)
	rank := func(c *candidate) {
		c.rank = float64(c.cost)
		if p.weights != nil {
			c.rank *= p.weights.of(c)
		}
	}
	for _, c := range waiting {
		rank(c)
	}
	waiting = append(candidates(nil), waiting...)
	heap.Init(&waiting)
	for p.total > target && len(waiting) > 0 {
		c := waiting[0]
		if !p.step(c) {
			heap.Pop(&waiting)
			continue
		}
		rank(c)
		heap.Fix(&waiting, 0)
	}
}

// step takes one candidate one rung down that saves something; false when there is none.
func (p *plan) step(c *candidate) bool {
	for c.rung < rungEnd {
		cut, ok := p.next(c)
		if !ok {
			if c.rung == rungReference && !c.reference {
				return false // stays here until notes are allowed
			}
			c.rung++
			continue
		}
		cost := p.countCut(c.message, c.place, cut, c.text)
		if cost > c.cost-leastSaving {
			if c.rung != rungHeadTail || c.size < worthReference {
				c.rung++
			}
			continue
		}
		p.apply(c, cut, cost)
		return true
	}
	return false
}

// apply carries out the cut of the candidate's rung.
func (p *plan) apply(c *candidate, cut textCut, cost int) {
	switch c.rung {
	case rungHeadTail: // may be taken again
	case rungRepeated:
		c.rung = rungEnd
	default:
		c.rung++
	}
	c.cost = cost
	p.change(c.message, edit{place: c.place, kind: KindTruncated, reason: cut.rung, cut: cut, before: c.full, after: cost})
}

// next is the cut of the candidate's rung.
func (p *plan) next(c *candidate) (textCut, bool) {
	switch c.rung {
	case rungRepeated, rungThoughts, rungExtract:
		if p.weights == nil {
			return textCut{}, false
		}
		return p.weights.next(p, c)
	case rungMiddle:
		return middleOf(c.text)
	case rungStructure:
		return structureOf(c.text)
	case rungHeadTail:
		if c.cost <= c.least {
			return textCut{}, false
		}
		// A half each time, so that many long texts come down together.
		c.size = min(c.size/2, len(c.text)/2)
		return headTail(c.text, c.size)
	}
	if !c.reference || c.cost < worthReference {
		return textCut{}, false
	}
	what := "text"
	if c.result {
		what = "tool result"
	}
	return reference(c.text, what), true
}

// recentFrom is the first of the newest messages that cost no more than tokens together.
func (p *plan) recentFrom(tokens int) int {
	i := len(p.messages)
	for spent := 0; i > 0; i-- {
		if spent += p.cost[i-1]; spent > tokens {
			break
		}
	}
	return i
}

// shortenMandatory shortens what must stay and is not pinned, the newest question last and never to a mere note.
func (p *plan) shortenMandatory(budget int) {
	if p.total <= budget {
		return
	}
	for _, question := range []bool{false, true} {
		found := p.candidates(func(i int) bool { return p.mandatory[i] && (i == p.question) == question })
		for _, c := range found {
			c.least = leastQuestion
		}
		p.descend(found, budget)
		if !question {
			for _, c := range found {
				c.reference = true
			}
			p.descend(found, budget)
		}
	}
}
