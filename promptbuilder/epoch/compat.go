package epoch

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// Algebra is one set of rules for epochs.
type Algebra struct {
	// Initialize begins the first epoch.
	Initialize func(observed []Observed) (Generation, error)
	// Reconcile compares what the sources say now with what was said.
	Reconcile func(observed []Observed, before Snapshot) (Outcome, error)
	// Replace begins a new epoch on purpose.
	Replace func(observed []Observed, before Snapshot) (Outcome, error)
}

// AlgebraOf gives the rules of a compat mode: those of opencode for "opencode",
// and foreword's own for every other.
func AlgebraOf(compat string) Algebra {
	if compat == "opencode" {
		return Algebra{Initialize: seedInitialize, Reconcile: seedReconcile, Replace: seedReplace}
	}
	return Algebra{Initialize: Initialize, Reconcile: Reconcile, Replace: Replace}
}

// BlockedError says that opencode's rules begin no epoch, because sources are
// unavailable. The turn is to be tried again.
type BlockedError struct {
	// Keys of the sources, in the order of the composition.
	Keys []string
}

// Error lists the sources.
func (e *BlockedError) Error() string {
	return fmt.Sprintf("the first epoch is blocked: %s unavailable; try again", strings.Join(e.Keys, ", "))
}

// ErrSnapshotDecode says that opencode's rules fail the turn, and every later
// one, because a row of the stored snapshot is not even a row.
var ErrSnapshotDecode = errors.New("the stored snapshot does not decode")

// The rules below are opencode's as of its version of July 2026
// (github.com/anomalyco/opencode, packages/core/src/system-context), its
// faults included. They differ from foreword's where the comments say so.
// Absent is what opencode calls a source that is not in the composition.

// seedInitialize is blocked by any source that is unavailable, whatever the
// reason.
func seedInitialize(observed []Observed) (Generation, error) {
	if err := (Snapshot{}).check(observed); err != nil {
		return Generation{}, err
	}
	var blocked []string
	for i := range observed {
		if observed[i].Status == Unavailable {
			blocked = append(blocked, observed[i].Key)
		}
	}
	if blocked != nil {
		return Generation{}, &BlockedError{Keys: blocked}
	}
	return seedGenerate(observed)
}

// seedReplace is blocked by a source that is unavailable and was said; one that
// never was is left out without a word.
func seedReplace(observed []Observed, before Snapshot) (Outcome, error) {
	if err := before.check(observed); err != nil {
		return Outcome{}, err
	}
	if err := before.seedDecodes(); err != nil {
		return Outcome{}, err
	}
	return seedRebase(observed, before, "a new epoch was asked for")
}

func seedRebase(observed []Observed, before Snapshot, because string) (Outcome, error) {
	for i := range observed {
		if _, told := before.find(observed[i].Key); told && observed[i].Status == Unavailable {
			return Outcome{
				Kind: Blocked, Snapshot: before, Omitted: seedOmitted(observed, before),
				Because: fmt.Sprintf("%s, but %s was said and is unavailable", because, observed[i].Key),
			}, nil
		}
	}
	g, err := seedGenerate(observed)
	if err != nil {
		return Outcome{}, err
	}
	return Outcome{Kind: Rebase, Snapshot: g.Snapshot, Omitted: seedOmitted(observed, before), Generation: &g, Because: because}, nil
}

// seedReconcile compares to the byte. A row that was lost, and a source that is
// gone without a text for that, force a new epoch.
func seedReconcile(observed []Observed, before Snapshot) (Outcome, error) {
	at, by, err := before.pair(observed, nil, nil)
	if err != nil {
		return Outcome{}, err
	}
	if err := before.seedDecodes(); err != nil {
		return Outcome{}, err
	}
	for i := range observed {
		if o := &observed[i]; o.Status == Absent && at[i] >= 0 {
			by[at[i]] = -1
		}
	}
	// Whether a new epoch is needed comes first: no renderer is called for
	// nothing.
	for i := range observed {
		if observed[i].Status == Value && at[i] >= 0 && before.entries[at[i]].fault != "" {
			return seedRebase(observed, before, fmt.Sprintf("what was said of %s does not decode", observed[i].Key))
		}
	}
	for j := range by {
		if told := &before.entries[j]; by[j] < 0 && told.Removal == "" {
			return seedRebase(observed, before, fmt.Sprintf("%s is gone and left no text for that", told.Key))
		}
	}
	out := Outcome{Snapshot: before, Omitted: seedOmitted(observed, before)}
	var fresh []entry
	for i := range observed {
		o := &observed[i]
		if o.Status != Value {
			continue
		}
		said := Said{Key: o.Key, Kind: SaidNew, Text: o.Text}
		if at[i] >= 0 {
			told := &before.entries[at[i]]
			if told.Text == o.Text {
				continue
			}
			said.Kind, said.Text = SaidUpdate, o.Text
			if o.Update != nil {
				said.Text = o.Update(told.Text, o.Text)
			}
		}
		if said.Text == "" {
			return Outcome{}, seedEmpty(o.Key, said.Kind)
		}
		row, err := seedAdmit(o)
		if err != nil {
			return Outcome{}, err
		}
		out.Said, fresh = append(out.Said, said), append(fresh, entry{Admitted: row})
	}
	for j := range by {
		if told := &before.entries[j]; by[j] < 0 {
			out.Said = append(out.Said, Said{Key: told.Key, Kind: SaidRemoval, Text: told.Removal})
		}
	}
	if len(out.Said) > 0 {
		out.Kind, out.Snapshot = Updated, before.merge(fresh, by)
	}
	return out, nil
}

// seedGenerate says every source that has a value.
func seedGenerate(observed []Observed) (Generation, error) {
	g := Generation{Order: make([]string, 0, len(observed))}
	for i := range observed {
		if observed[i].Status != Value {
			continue
		}
		row, err := seedAdmit(&observed[i])
		if err != nil {
			return Generation{}, err
		}
		g.add(row)
	}
	slices.SortFunc(g.Snapshot.entries, func(a, b entry) int { return strings.Compare(a.Key, b.Key) })
	return g, nil
}

// seedAdmit makes a row; a source without a text for its end leaves none.
func seedAdmit(o *Observed) (Admitted, error) {
	a := Admitted{Key: o.Key, Layer: o.Layer, Text: o.Text}
	if a.Text == "" {
		return a, seedEmpty(o.Key, "baseline")
	}
	if o.Removal != nil {
		if a.Removal = o.Removal(o.Text); a.Removal == "" {
			return a, seedEmpty(o.Key, SaidRemoval)
		}
	}
	return a, nil
}

// seedDecodes is stricter than ours: a bad key or an empty text for a removal
// spoils all rows. A text that does not decode spoils its own.
func (s Snapshot) seedDecodes() error {
	if len(s.faults) == 0 {
		return nil
	}
	return fmt.Errorf("%w: %s", ErrSnapshotDecode, s.faults[0].Why)
}

func seedEmpty(key, what string) error {
	return fmt.Errorf("source %s rendered an empty %s; opencode's rules want a text", key, what)
}

// seedOmitted lists what is unavailable, which opencode does not tell anybody.
func seedOmitted(observed []Observed, before Snapshot) []Omission {
	var all []Omission
	for i := range observed {
		if o := &observed[i]; o.Status == Unavailable {
			_, kept := before.Get(o.Key)
			all = append(all, o.omission(kept))
		}
	}
	return all
}
