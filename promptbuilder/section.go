package promptbuilder

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
	"sync"

	"foreword/promptbuilder/sources"
)

// Section is the text that one source put into one prompt.
type Section struct {
	Source sources.Source
	Text   string
	// Tokens is the count of Text.
	Tokens int
	// From and To are bytes of the rendered system text.
	From, To int
	Origins  []sources.Origin
	Why      string
}

// LeftOut is a source that says nothing in this prompt.
type LeftOut struct {
	Source sources.Source
	Status sources.Status
	// State is the word for it that the source chose, or empty.
	State string
	Why   string
}

// Skipped is something that a source left out.
type Skipped struct {
	Source sources.Source
	sources.Skipped
}

// Prompt is what the model is told before the history.
type Prompt struct {
	// Sections in the order in which they are sent.
	Sections []Section
	// Boundary is the index of the first dynamic section.
	Boundary int
	// Stable is the text before the cache boundary, Volatile the text after it.
	Stable, Volatile string
	// StableTokens and VolatileTokens are the counts of the two.
	StableTokens, VolatileTokens int
	// Skipped lists what sources left out of what they say.
	Skipped []Skipped
	// LeftOut lists the sources without a value, in the order of the prompt.
	LeftOut []LeftOut
	// Warnings for the user.
	Warnings []sources.Warning

	counts *counts // nil until CountedBy was asked
	sums   *sums   // of the text, shared by all prompts that say the same
}

// sums are the fingerprints of a text, worked out when somebody asks.
type sums struct {
	once         sync.Once
	prefix, full string
}

// between stands between two sections, and between the two parts of the text.
const between = "\n\n"

// Text is the whole system text.
func (p *Prompt) Text() string {
	if p.Stable == "" || p.Volatile == "" {
		return p.Stable + p.Volatile
	}
	return p.Stable + between + p.Volatile
}

// BoundaryByte is the offset of the cache boundary in Text.
func (p *Prompt) BoundaryByte() int { return len(p.Stable) }

// Fingerprints are the SHA-256 sums, in hex, of the text before the boundary
// and of the whole text.
func (p *Prompt) Fingerprints() (prefix, full string) {
	if p.sums == nil {
		return sum(p.Stable), sum(p.Text())
	}
	p.sums.once.Do(func() { p.sums.prefix, p.sums.full = sum(p.Stable), sum(p.Text()) })
	return p.sums.prefix, p.sums.full
}

// Tokens is the count of the whole system text, sent as its two parts.
func (p *Prompt) Tokens() int { return p.StableTokens + p.VolatileTokens }

// LayerTokens adds up the sections of one layer.
func (p *Prompt) LayerTokens(layer sources.Layer) int {
	n := 0
	for _, s := range p.Sections {
		if s.Source.Layer == layer {
			n += s.Tokens
		}
	}
	return n
}

// assemble joins the sections and places the boundary.
func (p *Prompt) assemble(count func(string) int) {
	var stable, volatile strings.Builder
	stableBytes, volatileBytes := p.size()
	stable.Grow(stableBytes)
	volatile.Grow(volatileBytes)
	p.Boundary = len(p.Sections)
	for i := range p.Sections {
		s := &p.Sections[i]
		part := &stable
		if s.Source.Layer == sources.Dynamic {
			part = &volatile
			p.Boundary = min(p.Boundary, i)
		}
		if part.Len() > 0 {
			part.WriteString(between)
		}
		s.From = part.Len()
		part.WriteString(s.Text)
		s.To = part.Len()
		s.Tokens = count(s.Text)
	}
	p.Stable, p.Volatile, p.sums = stable.String(), volatile.String(), &sums{}
	shift := len(p.Stable)
	if shift > 0 {
		shift += len(between)
	}
	for i := p.Boundary; i < len(p.Sections); i++ {
		p.Sections[i].From += shift
		p.Sections[i].To += shift
	}
	p.StableTokens, p.VolatileTokens = count(p.Stable), count(p.Volatile)
}

// size is the most bytes that the two parts of the text have.
func (p *Prompt) size() (stable, volatile int) {
	for _, s := range p.Sections {
		if s.Source.Layer == sources.Dynamic {
			volatile += len(between) + len(s.Text)
		} else {
			stable += len(between) + len(s.Text)
		}
	}
	return stable, volatile
}

func sum(text string) string {
	h := sha256.Sum256([]byte(text))
	return hex.EncodeToString(h[:])
}
