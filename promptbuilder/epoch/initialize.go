package epoch

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// Generation is what a session is told in full at the beginning of an epoch,
// and does not change until the next.
type Generation struct {
	// Order lists the keys of what is said, in the order of the composition.
	Order []string `json:"order"`
	// Snapshot holds the texts.
	Snapshot Snapshot `json:"snapshot"`
	// Omitted lists the sources that could not say what they should.
	Omitted []Omission `json:"omitted,omitempty"`
	// Faults lists renderers that panicked.
	Faults []Fault `json:"-"`
}

// Omission is a source whose value could not be had.
type Omission struct {
	// Key of the source.
	Key string `json:"key"`
	// Why in one sentence.
	Why string `json:"why,omitempty"`
	// Since is when it became unavailable; zero where nobody knows.
	Since time.Time `json:"since,omitzero"`
	// Permanent tells that it will not come back by itself.
	Permanent bool `json:"permanent,omitempty"`
	// Kept tells that what was said before stands; otherwise nothing is said.
	Kept bool `json:"kept,omitempty"`
}

// Initialize begins the first epoch of a session: every source that has a value
// is said in full. One that is unavailable never blocks, it is listed in
// Omitted. The error names a key that is there twice or is none.
func Initialize(observed []Observed) (Generation, error) {
	return Snapshot{}.generate(observed)
}

// Baseline joins what the generation says before and behind the cache boundary,
// with a blank line between two sources.
func (g Generation) Baseline() (stable, dynamic string) {
	var parts [2][]string
	for _, key := range g.Order {
		said, ok := g.Snapshot.Get(key)
		if !ok {
			continue
		}
		part := 0
		if said.Layer == layerDynamic {
			part = 1
		}
		parts[part] = append(parts[part], said.Text)
	}
	return strings.Join(parts[0], between), strings.Join(parts[1], between)
}

// between stands between two texts.
const between = "\n\n"

// generate says everything in full. What is unavailable, but was said before,
// is said as it was.
func (s Snapshot) generate(observed []Observed) (Generation, error) {
	if err := s.check(observed); err != nil {
		return Generation{}, err
	}
	g := Generation{Order: make([]string, 0, len(observed)), Snapshot: Snapshot{entries: make([]entry, 0, len(observed))}}
	for i := range observed {
		o := &observed[i]
		switch o.state() {
		case Value:
			g.add(admit(o, &g.Faults))
		case Unavailable:
			before, told := s.Get(o.Key)
			kept := told && !o.Permanent
			if kept {
				before.Layer = o.Layer // it stands where the source stands now
				g.add(before)
			}
			g.Omitted = append(g.Omitted, o.omission(kept))
		case Absent, Unasked:
		}
	}
	slices.SortFunc(g.Snapshot.entries, func(a, b entry) int { return strings.Compare(a.Key, b.Key) })
	return g, nil
}

// add says one more source. The caller puts the entries in order.
func (g *Generation) add(a Admitted) {
	g.Order = append(g.Order, a.Key)
	g.Snapshot.entries = append(g.Snapshot.entries, entry{Admitted: a})
}

func (o *Observed) omission(kept bool) Omission {
	return Omission{Key: o.Key, Why: o.Why, Since: o.Since, Permanent: o.Permanent, Kept: kept}
}

// admit makes the row of a value that is said now.
func admit(o *Observed, faults *[]Fault) Admitted {
	text := valid(o.Text)
	removal := ""
	if o.Removal != nil {
		removal = render(o.Key, faults, func() string { return o.Removal(text) })
	}
	if blank(removal) {
		removal = usualRemoval(o.title())
	}
	return Admitted{Key: o.Key, Layer: o.Layer, Text: text, Removal: removal}
}

// render calls a source's own renderer; one that panics says nothing and is
// noted.
func render(key string, faults *[]Fault, say func() string) (text string) {
	defer func() {
		if fault := recover(); fault != nil {
			text = ""
			*faults = append(*faults, Fault{Key: key, Why: fmt.Sprintf("its wording panicked: %v", fault)})
		}
	}()
	return valid(say())
}

// title names the source in the usual wording.
func (o *Observed) title() string {
	if blank(o.Title) {
		return o.Key
	}
	return o.Title
}

// usualUpdate is what a model is told where a source has no words of its own
// for a change.
func usualUpdate(title, after string) string {
	return fmt.Sprintf("%s changed. It replaces what was said before:\n\n%s", title, after)
}

// usualRemoval is what a model is told where a source has no words of its own
// for its end.
func usualRemoval(title string) string {
	return fmt.Sprintf("%s no longer holds; disregard what was said about it before.", title)
}
