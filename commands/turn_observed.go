package commands

import (
	"slices"

	"foreword/promptbuilder/epoch"
	"foreword/promptbuilder/sources"
	"foreword/workspace/instructions"
)

// observations are what the sources found, as the epoch compares it. What only
// a request can bring, and this one does not, was not asked for: what the
// session was told of it stands.
func (b *built) observations(told *epoch.Snapshot) []epoch.Observed {
	all := make([]epoch.Observed, 0, len(b.observed))
	for i := range b.observed {
		seen := &b.observed[i]
		o := epoch.Observed{
			Key: seen.Key, Layer: string(seen.Layer), Title: seen.Title, Text: seen.Text, Why: seen.Why,
			Permanent: seen.Permanent, Arrival: seen.Arrival, Update: seen.Update, Removal: seen.Removal,
		}
		switch seen.Status {
		case sources.Present:
			o.Status = epoch.Value
		case sources.Unavailable:
			o.Status = epoch.Unavailable
		case sources.Absent:
			o.Status = epoch.Absent
		case sources.Unasked:
			o.Status = epoch.Unasked
		}
		all = append(all, o)
	}
	if told == nil {
		return all
	}
	for said := range told.All() {
		if !sources.Lasting(said.Key) {
			continue
		}
		unasked := epoch.Observed{Key: said.Key, Layer: said.Layer, Status: epoch.Unasked}
		switch i := slices.IndexFunc(all, func(o epoch.Observed) bool { return o.Key == said.Key }); {
		case i < 0:
			all = append(all, unasked)
		case all[i].Status == epoch.Absent:
			all[i] = unasked
		}
	}
	return all
}

// saidFiles lists the instruction files that the system text says.
func (b *built) saidFiles() []epoch.File {
	in := map[string]bool{}
	for _, s := range b.prompt.Sections {
		in[s.Source.Key] = true
	}
	var said []epoch.File
	for _, e := range b.input.SentInstructions() {
		if key := b.place.key(b.snapshot, e.Path); in[key] {
			said = append(said, epoch.File{Key: key, RealPath: e.RealPath, Hash: e.File.Hash})
		}
	}
	return said
}

// entry finds the instruction file of a source.
func (b *built) entry(key string) (instructions.Entry, bool) {
	for _, e := range b.input.SentInstructions() {
		if b.place.key(b.snapshot, e.Path) == key {
			return e, true
		}
	}
	return instructions.Entry{}, false
}

// capabilities names what the prompt tells the model it can use.
func (b *built) capabilities() []string {
	var names []string
	for _, t := range b.input.Tools {
		names = append(names, "tool "+t.Name)
	}
	for _, name := range b.input.SkillNames() {
		names = append(names, "skill "+name)
	}
	slices.Sort(names)
	return names
}
