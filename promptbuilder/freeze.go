package promptbuilder

import (
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
	"sync"

	"foreword/promptbuilder/sources"
)

// frozen is a section as it is stored: what was said and where it came from,
// not how its source says a change, which is asked of the source of the day.
type frozen struct {
	Key     string         `json:"key"`
	Group   string         `json:"group"`
	Layer   sources.Layer  `json:"layer"`
	Title   string         `json:"title"`
	Text    string         `json:"text"`
	Why     string         `json:"why"`
	Origins []frozenOrigin `json:"origins"`
}

type frozenOrigin struct {
	Path  string `json:"path,omitempty"`
	Name  string `json:"name,omitempty"`
	Hash  string `json:"hash,omitempty"`
	Dirty bool   `json:"dirty,omitempty"`
	Lines [2]int `json:"lines"`
	File  [2]int `json:"file"`
}

// MarshalJSON keeps the sections, which are all that a later turn needs to say
// the same bytes again.
func (p *Prompt) MarshalJSON() ([]byte, error) {
	all := make([]frozen, len(p.Sections))
	for i, s := range p.Sections {
		all[i] = frozen{Key: s.Source.Key, Group: s.Source.Group, Layer: s.Source.Layer, Title: s.Source.Title, Text: s.Text, Why: s.Why}
		for _, o := range s.Origins {
			kept := frozenOrigin{Path: o.Path, Name: o.Name, Dirty: o.Dirty, Lines: [2]int{o.FromLine, o.ToLine}, File: [2]int{o.FileFrom, o.FileTo}}
			if o.Path != "" {
				kept.Hash = o.Hash.String()
			}
			all[i].Origins = append(all[i].Origins, kept)
		}
	}
	return json.Marshal(all)
}

// Thaw makes the prompt that was stored. It is not counted; see
// [Prompt.CountedBy].
func Thaw(raw []byte) (*Prompt, error) {
	var all []frozen
	if err := json.Unmarshal(raw, &all); err != nil {
		return nil, fmt.Errorf("a stored prompt cannot be read: %w", err)
	}
	p := &Prompt{Sections: make([]Section, 0, len(all))}
	for _, s := range all {
		section := Section{Source: sources.Source{Key: s.Key, Group: s.Group, Layer: s.Layer, Title: s.Title}, Text: s.Text, Why: s.Why}
		for _, o := range s.Origins {
			origin := sources.Origin{Path: o.Path, Name: o.Name, Dirty: o.Dirty, FromLine: o.Lines[0], ToLine: o.Lines[1], FileFrom: o.File[0], FileTo: o.File[1]}
			if hash, err := hex.DecodeString(o.Hash); err == nil {
				copy(origin.Hash[:], hash)
			}
			section.Origins = append(section.Origins, origin)
		}
		p.Sections = append(p.Sections, section)
	}
	p.assemble(func(string) int { return 0 })
	p.counts = &counts{by: map[string]*Prompt{}}
	return p, nil
}

// counts keeps a prompt as each counter counts it, since a session may switch
// its model and come back.
type counts struct {
	mu sync.Mutex // guards by
	by map[string]*Prompt
}

// CountedBy is the same prompt with the counts of a counter of this name. It is
// counted once for each name.
func (p *Prompt) CountedBy(name string, count func(string) int) *Prompt {
	if p.counts == nil { // fresh from Assemble: its counts are this counter's
		p.counts = &counts{by: map[string]*Prompt{name: p}}
		return p
	}
	p.counts.mu.Lock()
	defer p.counts.mu.Unlock()
	if other, ok := p.counts.by[name]; ok {
		return other
	}
	other := p.Recount(count)
	p.counts.by[name] = other
	return other
}

// Recount is the same prompt counted by another counter, of which nobody asks
// again.
func (p *Prompt) Recount(count func(string) int) *Prompt {
	other := *p
	other.Sections = slices.Clone(p.Sections)
	other.assemble(count)
	return &other
}
