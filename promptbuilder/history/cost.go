package history

import "slices"

// DefaultPerImage is what one image costs when Options say nothing: the most that Anthropic charges for an
// image after its own scaling (1,600 tokens; OpenAI's tiles of a screenshot stay below that too).
const DefaultPerImage = 1600

// bytesPerPage is how many bytes of base64 of a document are planned as one image: providers charge documents
// by the page, and only they see the pages.
const bytesPerPage = 64 << 10

// opaqueBytesPerToken is the plan for text that no tokenizer of ours can read (encrypted thinking, blocks of
// the provider's own tools): base64 of about four bytes of text per token.
const opaqueBytesPerToken = 4

// costs are the tokens of every message, each counted once.
type costs struct {
	// total per message, the overhead included.
	total []int
	// blocks of a message in the order of Blocks; nil when the message has at most one.
	blocks [][]int
}

func count(messages []Message, o Options) costs {
	c := costs{total: make([]int, len(messages)), blocks: make([][]int, len(messages))}
	for i := range messages {
		c.total[i], c.blocks[i] = o.costOf(&messages[i])
	}
	return c
}

// CostOf is what one message costs, in tokens.
func (o Options) CostOf(m Message) int {
	total, _ := o.costOf(&m)
	return total
}

// costOf is what a message costs, counted only when nobody remembers it.
func (o Options) costOf(m *Message) (total int, blocks []int) {
	if o.Costs == nil {
		return countMessage(*m, o)
	}
	key := m.Key()
	if known, ok := o.Costs.Cost(key); ok {
		return known.Total, known.Blocks
	}
	total, blocks = countMessage(*m, o)
	o.Costs.Remember(key, Cost{total, blocks})
	return total, blocks
}

func countMessage(m Message, o Options) (total int, blocks []int) {
	if m.isResult() {
		return o.PerMessage + countContent(m.Content, o), nil
	}
	n := len(m.Content.Parts) + len(m.ToolCalls)
	if m.Content.Parts == nil && m.Content.Text != "" {
		n++
	}
	total = o.PerMessage
	if n > 1 {
		blocks = make([]int, 0, n)
	}
	add := func(cost int) {
		total += cost
		if n > 1 {
			blocks = append(blocks, cost)
		}
	}
	if m.Content.Parts == nil && m.Content.Text != "" {
		add(countText(m.Content.Text, o))
	}
	for i := range m.Content.Parts {
		add(countPart(&m.Content.Parts[i], o))
	}
	for _, call := range m.ToolCalls {
		add(countCall(call.Name, call.Arguments, o))
	}
	return total, blocks
}

// countCall counts a call as one string, because that is how it stands in a prompt.
func countCall(name, arguments string, o Options) int { return countText(name+" "+arguments, o) }

func countText(text string, o Options) int {
	if text == "" {
		return 0
	}
	return o.Count(text)
}

func countContent(c Content, o Options) int {
	if c.Parts == nil {
		return countText(c.Text, o)
	}
	total := 0
	for i := range c.Parts {
		total += countPart(&c.Parts[i], o)
	}
	return total
}

func countPart(p *Part, o Options) int {
	switch p.Type {
	case PartToolUse:
		return countCall(p.Name, p.Arguments, o)
	case PartToolResult:
		return countContent(p.Output, o)
	case PartImage:
		return o.perImage()
	case PartFile:
		cost := countText(p.Text, o)
		if p.Media != nil && p.Text == "" {
			cost += o.perImage() * (1 + len(p.Media.Data)/bytesPerPage)
		}
		return cost
	case PartThinking:
		cost := countText(p.Text, o)
		if p.Media != nil {
			cost += len(p.Media.Data) / opaqueBytesPerToken
		}
		return cost
	case PartOpaque:
		return len(p.raw) / opaqueBytesPerToken
	}
	return countText(p.Text, o)
}

func (o Options) perImage() int {
	if o.PerImage > 0 {
		return o.PerImage
	}
	return DefaultPerImage
}

// of is the cost of one block of message i.
func (c costs) of(i, block int) int {
	if c.blocks[i] == nil {
		return c.total[i]
	}
	return c.blocks[i][block]
}

// largest are the blocks that stay, those that cost most first, with what they cost as they stay.
func (p *plan) largest() []Largest {
	var all []Largest
	for i, message := range p.messages {
		if p.dropped[i] != "" {
			continue
		}
		gone := map[int]bool{}
		saved := map[int]int{}
		for _, e := range p.edits[i] {
			gone[e.place.block] = gone[e.place.block] || e.kind == KindDropped
			saved[e.place.block] += e.before - e.after
		}
		blocks := message.Blocks()
		for b, block := range blocks {
			if gone[b] {
				continue
			}
			part := Largest{Index: i, Role: message.Role, Type: block.Type, Pinned: message.Pinned, Tokens: p.costs.of(i, b) - saved[b]}
			if len(blocks) > 1 {
				part.Block = &b
			}
			all = append(all, part)
		}
	}
	// The sort is stable: of equals the earlier message comes first.
	slices.SortStableFunc(all, func(a, b Largest) int { return b.Tokens - a.Tokens })
	return all[:min(largestParts, len(all))]
}
