package epoch_test

import (
	"fmt"
	"slices"
	"testing"

	"foreword/promptbuilder/epoch"
	"foreword/promptbuilder/history"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// Whoever stands somewhere keeps its own messages and requests, whatever others
// prepare and commit from the same turn, and whatever is added to what it has.
func TestStandingsDoNotSeeEachOther(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		l := openLedger(rt, "")
		type prepared struct {
			standing *epoch.Standing
			was      look
		}
		var open []prepared
		turns, n := 0, 0
		next := func(role string) history.Message {
			n++
			return message(fmt.Sprintf("m%d", n), role, fmt.Sprintf("text %d", n))
		}
		for range rapid.IntRange(1, 60).Draw(rt, "steps") {
			if len(open) == 0 || rapid.Bool().Draw(rt, "stand") {
				// Mostly the newest turn is continued.
				parent := max(0, turns-rapid.SampledFrom([]int{0, 0, 0, 1, 2, 9}).Draw(rt, "back"))
				var added []history.Message
				for range rapid.IntRange(0, 3*min(parent, 1)).Draw(rt, "added") { // nothing begins with an answer
					added = append(added, next("assistant"))
				}
				st := stand(rt, l, parent, append(added, next("user"))...)
				open = append(open, prepared{st, lookAt(st)})
			} else {
				k := rapid.IntRange(0, len(open)-1).Draw(rt, "which")
				turns = commit(rt, l, open[k].standing)
				open = slices.Delete(open, k, k+1)
			}
			for _, p := range open {
				_ = append(p.standing.Messages, message("x", "user", "of nobody"))
				_ = append(p.standing.Sent, epoch.Sent{ID: "x"})
				if diff := cmp.Diff(p.was, lookAt(p.standing)); diff != "" {
					rt.Fatalf("what a turn stands on changed:\n%s", diff)
				}
			}
		}
		// What was committed is what each turn said.
		for turn := 1; turn <= turns; turn++ {
			all, err := l.Conversation(rt.Context(), "s", turn)
			if err != nil {
				rt.Fatal(err)
			}
			if st := stand(rt, l, turn); len(st.Messages) != len(all) || len(all) > 0 && st.Messages[len(all)-1].ID != all[len(all)-1].ID || len(st.Sent) != len(all) {
				rt.Fatalf("turn %d has %d messages, its standing %d and %d that were sent", turn, len(all), len(st.Messages), len(st.Sent))
			}
		}
	})
}
