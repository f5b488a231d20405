package history

import (
	"fmt"
	"strings"
	"testing"
)

// A turn costs the counting of what is new in it: of a conversation that was prepared before nothing is counted again
// when a message comes, whether it fits, stays trimmed as it was, or is trimmed further.
func TestOnlyWhatIsNewIsCounted(t *testing.T) {
	for _, strategy := range []string{StrategyReduce, StrategyClear, StrategyAdaptive} {
		for name, share := range map[string]float64{"fits": 2, "trimmed": 0.5} {
			all := agentConversation(200)
			for i := range all {
				if all[i].Role == RoleTool { // long enough to be shortened, each line another
					var text strings.Builder
					for line := range 40 {
						fmt.Fprintf(&text, "line %d of the result in message %d\n", line, i)
					}
					all[i].Content = Text(text.String())
				}
			}
			var counted []string
			o := Options{PerMessage: 4, Costs: NewCosts(10_000), Cut: &Cut{}, Trim: Trim{Strategy: strategy}, Count: func(text string) int {
				counted = append(counted, text)
				return words(text)
			}}
			o.Budget = int(share * float64(cost(all, Options{Count: words, PerMessage: 4})))
			trimmed := false
			for n := 160; n < len(all); n++ {
				if len(all[n].ToolCalls) > 0 {
					continue // its result comes with it
				}
				prepared, report, err := Prepare(all[:n+1], o)
				if err != nil {
					t.Fatal(err)
				}
				trimmed = trimmed || report.Status == StatusTrimmed
				if o.Cut = report.Cut; n == 160 {
					counted = nil
					continue
				}
				known := map[string]bool{}
				for _, m := range all[:n-1] {
					known[m.Content.PlainText()] = true
				}
				for _, text := range counted {
					if known[text] && strings.TrimSpace(text) != "" {
						t.Fatalf("%s, %s, message %d: counted again: %.80q", strategy, name, n, text)
					}
				}
				if cost(prepared, Options{Count: words, PerMessage: 4}) > o.Budget {
					t.Fatalf("%s, %s, message %d: does not fit", strategy, name, n)
				}
				counted = nil
			}
			if trimmed != (name == "trimmed") {
				t.Errorf("%s, %s: trimmed is %v", strategy, name, trimmed)
			}
		}
	}
}
