package history

import (
	"encoding/json"
	"errors"
	"testing"

	"pgregory.net/rapid"
)

// A session grows by turns. Until the high-water mark is crossed nothing of what was sent changes; when it is, the
// cost goes down to the low-water mark.
func TestSessionKeepsItsPrefix(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		messages := parseDrawn(t, drawConversation(t))
		o := drawOptions(t)
		o.Trim.Strategy = rapid.SampledFrom([]string{StrategyReduce, StrategyAdaptive}).Draw(t, "strategy")
		o.Alternate, o.Orphans = false, OrphansCancel // dropping a call that was pending changes what was sent
		cut := &Cut{}
		var sent []Message
		high, _ := o.marks()
		for end := 1; end <= len(messages); end++ {
			if end < len(messages) && (!messages[end].StartsTurn() || len(messages[end].results()) > 0) {
				continue
			}
			if pair(messages[:end]).pending >= 0 {
				continue // the results of these calls are still to come, and come before what stands there now
			}
			o.Cut = cut
			prepared, report, err := Prepare(messages[:end], o)
			var impossible *BudgetError
			if err != nil && !errors.As(err, &impossible) {
				t.Fatal(err)
			}
			if problem := findOrphan(prepared); problem != "" {
				t.Fatalf("%s in %s", problem, mustEncodeAll(t, prepared))
			}
			back, err := Restore(prepared, report)
			if err != nil || mustEncodeAll(t, back) != mustEncodeAll(t, messages[:end]) {
				t.Fatalf("not restored: %v", err)
			}
			if got := cost(prepared, o); got != report.After {
				t.Fatalf("the result costs %d, the report says %d", got, report.After)
			}
			grown := report.FreshFrom == end
			if grown {
				for i, before := range sent {
					if i >= len(prepared) || rawOf(t, before) != rawOf(t, prepared[i]) {
						t.Fatalf("turn of %d messages: nothing was to be changed, but message %d is another\n%s\nbefore\n%s", end, i, mustEncodeAll(t, prepared[min(i, len(prepared)):]), mustEncodeAll(t, sent[i:]))
					}
				}
			} else if before := afterCut(t, messages[:end], o); before <= high {
				t.Fatalf("trimmed from message %d at %d of %d", report.FreshFrom, before, high)
			}
			sent = prepared
			raw, err := json.Marshal(report.Cut)
			if err != nil {
				t.Fatal(err)
			}
			cut = &Cut{}
			if err := json.Unmarshal(raw, cut); err != nil {
				t.Fatal(err)
			}
		}
	})
}

// afterCut is what the messages cost with the cut alone.
func afterCut(t *rapid.T, messages []Message, o Options) int {
	p, err := newPlan(messages, o, nil)
	if err != nil {
		t.Fatal(err)
	}
	p.repair()
	p.markMandatory()
	p.applyCut(o.Cut)
	return p.total
}
