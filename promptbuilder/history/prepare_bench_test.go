package history

import (
	"fmt"
	"strings"
	"testing"
)

// The counter here only measures the length, so the figures are what preparing itself costs.
func lengthCount(text string) int { return 1 + len(text)/4 }

var benchSizes = []int{100, 1_000, 10_000, 100_000}

func benchMessages(b *testing.B, n int) []Message {
	b.Helper()
	raw, err := Encode(agentConversation(n))
	if err != nil {
		b.Fatal(err)
	}
	return parse(b, string(raw))
}

// BenchmarkPrepare prepares a conversation that is seen for the first time. From 1,000 to 100,000 messages the time
// should grow by less than 130 times.
func BenchmarkPrepare(b *testing.B) {
	for _, strategy := range []string{StrategyReduce, StrategyClear, StrategyAdaptive} {
		for _, n := range benchSizes {
			messages := benchMessages(b, n)
			total := cost(messages, Options{Count: lengthCount})
			for _, budget := range []struct {
				name   string
				tokens int
			}{{"under", 2 * total}, {"at", total - 1}, {"half", total / 2}, {"far over", 200}} {
				b.Run(fmt.Sprintf("%s/%s/n=%d", strategy, budget.name, n), func(b *testing.B) {
					b.ReportAllocs()
					for b.Loop() {
						if _, _, err := Prepare(messages, Options{Budget: budget.tokens, Count: lengthCount, Trim: Trim{Strategy: strategy}}); err != nil {
							b.Fatal(err)
						}
					}
				})
			}
		}
	}
}

// BenchmarkPrepareLong has long tool results, so that the ladder is what costs.
func BenchmarkPrepareLong(b *testing.B) {
	for _, n := range []int{100, 1_000, 10_000} {
		messages := agentConversation(n)
		bytes := 0
		for i := range messages {
			if messages[i].Role == RoleTool {
				messages[i].Content.Text = strings.Repeat(fmt.Sprintf("func f%d(a int) error { return nil }\nx := 1\ny := 2\n", i), 40)
			}
			bytes += len(messages[i].Content.Text)
		}
		total := cost(messages, Options{Count: lengthCount})
		b.Run(fmt.Sprintf("n=%d", n), func(b *testing.B) {
			b.SetBytes(int64(bytes))
			b.ReportAllocs()
			for b.Loop() {
				if _, _, err := Prepare(messages, Options{Budget: total / 3, Count: lengthCount}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkAppend prepares a conversation that was prepared before, with one message more: all costs are remembered,
// and the cut holds.
func BenchmarkAppend(b *testing.B) {
	for _, n := range benchSizes {
		messages := benchMessages(b, n)
		total := cost(messages, Options{Count: lengthCount})
		for _, budget := range []struct {
			name   string
			tokens int
		}{{"under", 2 * total}, {"over", total / 2}} {
			o := Options{Budget: budget.tokens, Count: lengthCount, Costs: NewCosts(4 * n), Cut: &Cut{}}
			_, report, err := Prepare(messages[:n-1], o)
			if err != nil {
				b.Fatal(err)
			}
			o.Cut = report.Cut
			b.Run(fmt.Sprintf("prepare/%s/n=%d", budget.name, n), func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					if _, _, err := Prepare(messages, o); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}

func BenchmarkParse(b *testing.B) {
	for _, n := range []int{100, 1_000, 10_000} {
		raw, err := Encode(agentConversation(n))
		if err != nil {
			b.Fatal(err)
		}
		b.Run(fmt.Sprintf("n=%d", n), func(b *testing.B) {
			b.SetBytes(int64(len(raw)))
			b.ReportAllocs()
			for b.Loop() {
				if _, err := ParseMessages(raw); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// One answer with n calls, answered in the opposite order: pairing must not compare all with all.
func BenchmarkPrepareParallelCalls(b *testing.B) {
	for _, n := range []int{100, 1_000, 10_000} {
		messages := make([]Message, n+2)
		messages[0] = Message{Role: RoleUser, Content: Text("q")}
		messages[1].Role = RoleAssistant
		for i := range n {
			id := fmt.Sprint("call", i)
			messages[1].ToolCalls = append(messages[1].ToolCalls, ToolCall{ID: id, Name: "read"})
			messages[n+1-i] = Message{Role: RoleTool, ToolCallID: id, Content: Text(id)}
		}
		b.Run(fmt.Sprintf("n=%d", n), func(b *testing.B) {
			for b.Loop() {
				if _, _, err := Prepare(messages, Options{Budget: 1 << 30, Count: func(text string) int { return len(text) }}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
