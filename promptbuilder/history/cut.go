package history

import (
	"crypto/sha256"
	"encoding/hex"
	"hash"
)

// Cut is what a session did to its messages to make them fit: a later turn does the same again, byte for byte, so
// that what a provider cached stays good. It is plain JSON for whoever stores it. What it says about a message
// holds only as long as the message has the same bytes.
type Cut struct {
	// Gone are the messages that were left out.
	Gone []GoneRun `json:"gone,omitempty"`
	// Shortened are the texts that became shorter, in the order of the messages.
	Shortened []ShortText `json:"shortened,omitempty"`
}

// GoneRun is a run of messages of the input that went: from the first up to but not including the last.
type GoneRun struct {
	From int `json:"from"`
	To   int `json:"to"`
	// Sum identifies the bytes of the messages.
	Sum string `json:"sum"`
	// Reason why they went.
	Reason string `json:"reason"`
}

// ShortText is a text that became shorter.
type ShortText struct {
	// Index of the message, Block in it, and Part of the block where a tool result has several (else -1).
	Index int `json:"index"`
	Block int `json:"block"`
	Part  int `json:"part"`
	// Key identifies the bytes of the message.
	Key string `json:"key"`
	// Kind and Reason of the action.
	Kind   string `json:"kind"`
	Reason string `json:"reason"`
	// Keep are the pieces of the text that stay, as [from, to) in bytes.
	Keep [][2]int `json:"keep,omitempty"`
	// Note stands in place of the text when nothing stays.
	Note string `json:"note,omitempty"`
}

// applyCut does again what an earlier turn did, as far as the messages are still the same and may still go.
func (p *plan) applyCut(cut *Cut) {
	if cut == nil {
		return
	}
	for _, run := range cut.Gone {
		if run.From < 0 || run.To > len(p.messages) || run.From >= run.To || p.runSum(run.From, run.To) != run.Sum {
			continue
		}
		for i := run.From; i < run.To; i++ {
			if !p.mandatory[i] {
				p.drop(i, run.Reason)
			}
		}
	}
	p.completeGroups()
	p.noteKept()
	for _, short := range cut.Shortened {
		i, at := short.Index, place{short.Block, short.Part}
		if i < 0 || i >= len(p.messages) || p.dropped[i] != "" || p.messages[i].Pinned || p.messages[i].IsSystem() || p.originals[i].Key().String() != short.Key {
			continue
		}
		what := textCut{rung: short.Reason, keep: short.Keep, note: short.Note}
		if short.Kind == KindCleared {
			p.clearAgain(i, at, short.Reason, what)
			continue
		}
		texts := p.messages[i].texts()
		for _, text := range texts {
			if text.place != at || !what.fits(text.text) {
				continue
			}
			before := p.placeCost(i, text, texts)
			p.change(i, edit{place: at, kind: KindTruncated, reason: short.Reason, cut: what, before: before, after: p.countCut(i, at, what, text.text)})
			p.fromCut[i] = true
		}
	}
	for i := range p.messages {
		if p.dropped[i] != "" {
			p.fromCut[i] = true
		}
	}
}

func (p *plan) clearAgain(i int, at place, reason string, cut textCut) {
	for _, r := range p.messages[i].results() {
		if r.block != at.block {
			continue
		}
		_, before := p.clearing(i, at.block)
		p.change(i, edit{place: at, kind: KindCleared, reason: reason, cut: cut, before: before, after: p.countCut(i, at, cut, "")})
		p.fromCut[i] = true
	}
}

// completeGroups leaves out what a group lost half of, for example because a call that went got its result later.
func (p *plan) completeGroups() {
	for i := range p.messages {
		group := p.pairs.group[i]
		if group >= 0 && group != i && p.dropped[group] != "" && p.tied(i) < 0 && !p.mandatory[i] {
			p.drop(i, p.dropped[group])
		}
	}
	p.dropTied()
}

// fits says whether the pieces are pieces of the text.
func (c textCut) fits(text string) bool {
	at := 0
	for _, piece := range c.keep {
		if piece[0] < at || piece[1] < piece[0] || piece[1] > len(text) {
			return false
		}
		at = piece[1]
	}
	return true
}

// cut is what the plan does, for the next turn.
func (p *plan) cut() *Cut {
	cut := &Cut{}
	for i := 0; i < len(p.messages); i++ {
		reason := p.dropped[i]
		switch reason {
		case ReasonOverBudget, ReasonExpired, ReasonToolPair:
			from := i
			for i+1 < len(p.messages) && p.dropped[i+1] == reason {
				i++
			}
			cut.Gone = append(cut.Gone, GoneRun{From: from, To: i + 1, Sum: p.runSum(from, i+1), Reason: reason})
			continue
		case "":
		default:
			continue // repairing does it again by itself
		}
		for _, e := range p.edits[i] {
			if e.kind != KindTruncated && e.kind != KindCleared {
				continue
			}
			cut.Shortened = append(cut.Shortened, ShortText{
				Index: i, Block: e.place.block, Part: e.place.sub, Key: p.originals[i].Key().String(),
				Kind: e.kind, Reason: e.reason, Keep: e.cut.keep, Note: e.cut.note,
			})
		}
	}
	return cut
}

// runSum identifies the bytes of the messages from up to but not including to.
func (p *plan) runSum(from, to int) string {
	var sum hash.Hash = sha256.New()
	for _, message := range p.originals[from:to] {
		key := message.Key()
		sum.Write(key[:])
	}
	return hex.EncodeToString(sum.Sum(nil)[:len(Key{})])
}
