package epoch

// Replace begins a new epoch on purpose: after a compaction, a move, a request
// to. Everything is said in full as it is now; a source that is unavailable for
// the moment is said as it was said last, and reported as kept. The result is
// always Rebase. The error names a key that is there twice or is none.
func Replace(observed []Observed, before Snapshot) (Outcome, error) {
	g, err := before.generate(observed)
	if err != nil {
		return Outcome{}, err
	}
	return Outcome{Kind: Rebase, Snapshot: g.Snapshot, Omitted: g.Omitted, Generation: &g, Because: "a new epoch was asked for", Faults: g.Faults}, nil
}
