package history

import (
	"encoding/json"
	"errors"
	"fmt"
	"testing"

	"pgregory.net/rapid"
)

// A running history gives what preparing everything anew would give, message by message, and never changes what it
// gave before.
func TestRunningIsPrepare(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		messages := parseDrawn(t, drawConversation(t))
		o := drawOptions(t)
		o.Alternate = rapid.IntRange(0, 9).Draw(t, "alternate") == 0
		o.Cut = &Cut{}
		start := rapid.IntRange(0, len(messages)).Draw(t, "start")
		running, err := Run(messages[:start], o)
		if err != nil {
			t.Fatal(err)
		}
		given, report, _ := running.Prepared()
		was := mustEncodeAll(t, given)
		for at := start; at < len(messages); {
			n := rapid.IntRange(1, 3).Draw(t, "more")
			next := min(at+n, len(messages))
			o.Cut = report.Cut
			want, wanted, wantErr := Prepare(messages[:next], o)
			got, now, err := running.Append(messages[at:next]...)
			var impossible *BudgetError
			if errors.As(err, &impossible) != errors.As(wantErr, &impossible) {
				t.Fatalf("%v, want %v", err, wantErr)
			}
			if mustEncodeAll(t, got) != mustEncodeAll(t, want) {
				t.Fatalf("after %d messages\n%s\nwant\n%s", next, outline(got), outline(want))
			}
			a, _ := json.Marshal(now)
			b, _ := json.Marshal(wanted)
			if string(a) != string(b) {
				t.Fatalf("after %d messages: report\n%s\nwant\n%s", next, said(now), said(wanted))
			}
			if mustEncodeAll(t, given) != was {
				t.Fatal("what was given before has changed")
			}
			given, was, report, at = got, mustEncodeAll(t, got), now, next
		}
	})
}

// With a session a message more costs the new message: nothing else is counted, and the work does not grow with what
// there is.
func TestAnAppendedMessageCountsAlone(t *testing.T) {
	for _, n := range []int{104, 10_000} {
		for _, share := range []int{2, 1} { // far below the budget, and over it once
			counted := 0
			count := func(text string) int { counted++; return words(text) }
			messages := agentConversation(n)
			total := cost(messages, Options{Count: words})
			o := Options{Budget: total * share * 3 / 4, Count: count, Costs: NewCosts(10 * n), Cut: &Cut{}}
			running, err := Run(messages, o)
			if err != nil {
				t.Fatal(err)
			}
			if counted < n {
				t.Fatalf("only %d texts were counted", counted)
			}
			for i := range 20 {
				counted = 0
				if _, _, err := running.Append(say("assistant", fmt.Sprint("answer ", i))); err != nil {
					t.Fatal(err)
				}
				if counted > 1 {
					t.Errorf("n=%d: %d texts were counted for one message", n, counted)
				}
			}
			// The same with nothing but what can be stored: the cut and the remembered costs.
			_, report, _ := running.Prepared()
			o.Cut = report.Cut
			counted = 0
			if _, _, err := Prepare(append(messages, say("user", "new")), o); err != nil || counted > 1 {
				t.Errorf("n=%d: %d texts were counted, %v", n, counted, err)
			}
		}
	}
}

func BenchmarkRunning(b *testing.B) {
	for _, n := range benchSizes {
		messages := benchMessages(b, n)
		total := cost(messages, Options{Count: lengthCount})
		for _, budget := range []struct {
			name   string
			tokens int
		}{{"under", 1 << 40}, {"over", total / 2}} {
			b.Run(fmt.Sprintf("%s/n=%d", budget.name, n), func(b *testing.B) {
				running, err := Run(messages, Options{Budget: budget.tokens, Count: lengthCount, Costs: NewCosts(4 * n)})
				if err != nil {
					b.Fatal(err)
				}
				b.ReportAllocs()
				for b.Loop() {
					if _, _, err := running.Append(Message{Role: RoleUser, Content: Text("one more")}); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}
