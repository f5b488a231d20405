package epoch

import (
	"fmt"
	"slices"
	"strings"
)

// OutcomeKind is what an observation means for a session.
type OutcomeKind uint8

// The kinds.
const (
	// Unchanged means that the session knows all of it.
	Unchanged OutcomeKind = iota
	// Updated means that something is to be said, within the epoch.
	Updated
	// Rebase means that a new epoch begins with a new generation.
	Rebase
	// Blocked means that a new epoch is needed and cannot begin, because a source
	// of the old one is unavailable. Only opencode's rules know it.
	Blocked
)

// String names the kind.
func (k OutcomeKind) String() string {
	return [...]string{"unchanged", "updated", "rebase", "blocked"}[k]
}

// The kinds of what is said within an epoch.
const (
	SaidNew     = "new"
	SaidUpdate  = "update"
	SaidRemoval = "removal"
)

// Said is what a session is told of one source within an epoch.
type Said struct {
	// Key of the source.
	Key string `json:"key"`
	// Kind is new, update or removal.
	Kind string `json:"kind"`
	// Text for the model.
	Text string `json:"text"`
}

// Outcome is what became of an observation.
type Outcome struct {
	Kind OutcomeKind
	// Said holds what is to be said: changes in the order of the composition, then
	// removals in the order of their keys.
	Said []Said
	// Snapshot is what the session was told once Said is said. Where nothing
	// changed it is the one before, which costs nothing.
	Snapshot Snapshot
	// Omitted lists the sources whose value could not be had.
	Omitted []Omission
	// Generation of the new epoch, for Rebase.
	Generation *Generation
	// Because says why a new epoch is needed, for Rebase and Blocked.
	Because string
	// Faults lists renderers that panicked.
	Faults []Fault
}

// Text joins what is said, with a blank line between two sources.
func (o Outcome) Text() string {
	texts := make([]string, len(o.Said))
	for i, said := range o.Said {
		texts[i] = said.Text
	}
	return strings.Join(texts, between)
}

// Reconcile compares what the sources say now with what the session was last
// told. It never touches what stands: a change is said as an update, and a
// source that is gone as a removal.
//
//   - A value that was never said, or of which it is not known how it was said,
//     is new. One that says the same after normalisation is left as it was said.
//   - An unavailable source that was said keeps standing and is reported; where
//     it will not come back by itself it is removed. One that was never said is
//     only reported.
//   - A source that is absent, or is not in the composition, is removed.
//
// The result is Unchanged or Updated. The error names a key that is there twice
// or is none.
func Reconcile(observed []Observed, before Snapshot) (Outcome, error) {
	var spaceAt, spaceBy [stackRows]int32
	at, by, err := before.pair(observed, spaceAt[:0], spaceBy[:0])
	if err != nil {
		return Outcome{}, err
	}
	out := Outcome{Snapshot: before}
	var fresh []entry // rows that are said now
	for i := range observed {
		o := &observed[i]
		var told *entry
		if at[i] >= 0 {
			told = &before.entries[at[i]]
		}
		switch o.state() {
		case Value:
			switch {
			case told == nil || told.fault != "":
				fresh = append(fresh, entry{Admitted: admit(o, &out.Faults)})
				out.Said = append(out.Said, Said{Key: o.Key, Kind: SaidNew, Text: arrival(o, &out.Faults)})
			case !Same(told.Text, o.Text):
				fresh = append(fresh, entry{Admitted: admit(o, &out.Faults)})
				out.Said = append(out.Said, Said{Key: o.Key, Kind: SaidUpdate, Text: update(o, told.Text, &out.Faults)})
			}
		case Unavailable:
			kept := told != nil && !o.Permanent
			out.Omitted = append(out.Omitted, o.omission(kept && told.fault == ""))
			if told != nil && !kept {
				by[at[i]] = -1
			}
		case Absent:
			if told != nil {
				by[at[i]] = -1
			}
		case Unasked:
		}
	}
	for j := range by {
		if by[j] < 0 {
			told := &before.entries[j]
			out.Said = append(out.Said, Said{Key: told.Key, Kind: SaidRemoval, Text: told.removal()})
		}
	}
	if len(out.Said) == 0 {
		return out, nil
	}
	out.Kind = Updated
	out.Snapshot = before.merge(fresh, by)
	return out, nil
}

// removal is what is said when the source of a row goes.
func (e *entry) removal() string {
	if blank(e.Removal) {
		return usualRemoval(e.Key)
	}
	return e.Removal
}

// arrival is what is said of a value that the session does not know.
func arrival(o *Observed, faults *[]Fault) string {
	text := valid(o.Text)
	if o.Arrival == nil {
		return text
	}
	if said := render(o.Key, faults, func() string { return o.Arrival(text) }); !blank(said) {
		return said
	}
	return text
}

// update is what is said of a change.
func update(o *Observed, before string, faults *[]Fault) string {
	after := valid(o.Text)
	text := ""
	if o.Update != nil {
		text = render(o.Key, faults, func() string { return o.Update(before, after) })
	}
	if blank(text) {
		text = usualUpdate(o.title(), after)
	}
	return text
}

// stackRows is how many sources need no memory of their own to be compared: a
// monorepo's forty instruction files and all built-in sources.
const stackRows = 128

// pair finds for each observation its row, and for each row its observation; -1
// is none. Both are put into the space given, where it is large enough.
func (s Snapshot) pair(observed []Observed, at, by []int32) ([]int32, []int32, error) {
	var space [stackRows]int32
	order := space[:0]
	for i := range observed {
		order, at = append(order, int32(i)), append(at, -1)
	}
	for range s.entries {
		by = append(by, -1)
	}
	slices.SortFunc(order, func(a, b int32) int { return strings.Compare(observed[a].Key, observed[b].Key) })
	j := 0
	for k, i := range order {
		key := observed[i].Key
		if k > 0 && observed[order[k-1]].Key == key {
			return nil, nil, duplicate(key)
		}
		for j < len(s.entries) && s.entries[j].Key < key {
			j++
		}
		if j < len(s.entries) && s.entries[j].Key == key { // whose key was checked when it was admitted
			at[i], by[j] = int32(j), i
			continue
		}
		if err := CheckKey(key); err != nil {
			return nil, nil, err
		}
	}
	for i := range observed {
		if o := &observed[i]; !isLayer(o.Layer) {
			return nil, nil, fmt.Errorf("source %s: layer %q; want core, cacheable or dynamic", o.Key, o.Layer)
		}
	}
	return at, by, nil
}

// check finds a key that is there twice or is none.
func (s Snapshot) check(observed []Observed) error {
	var at, by [stackRows]int32
	_, _, err := s.pair(observed, at[:0], by[:0])
	return err
}

func duplicate(key string) error {
	return fmt.Errorf("source key %q is there twice; every source of a prompt needs its own", key)
}

// merge is the snapshot with the fresh rows, without those that by marks as
// gone.
func (s Snapshot) merge(fresh []entry, by []int32) Snapshot {
	slices.SortFunc(fresh, func(a, b entry) int { return strings.Compare(a.Key, b.Key) })
	entries := make([]entry, 0, len(s.entries)+len(fresh))
	k := 0
	for j, told := range s.entries {
		for k < len(fresh) && fresh[k].Key < told.Key {
			entries = append(entries, fresh[k])
			k++
		}
		switch {
		case k < len(fresh) && fresh[k].Key == told.Key:
			entries = append(entries, fresh[k])
			k++
		case by[j] >= 0:
			entries = append(entries, told)
		}
	}
	return Snapshot{entries: append(entries, fresh[k:]...)}
}
