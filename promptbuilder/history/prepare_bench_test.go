package history

import (
	"fmt"
	"testing"
)

// The counter here only measures the length, so the figures are what preparing itself costs.
func BenchmarkPrepare(b *testing.B) {
	count := func(text string) int { return 1 + len(text)/4 }
	for _, n := range []int{100, 1_000, 10_000} {
		raw, err := Encode(agentConversation(n))
		if err != nil {
			b.Fatal(err)
		}
		messages := parse(b, string(raw))
		total := cost(messages, Options{Count: count})
		for _, budget := range []struct {
			name   string
			tokens int
		}{{"under", total}, {"at half", total / 2}, {"far over", 200}} {
			b.Run(fmt.Sprintf("n=%d/%s", n, budget.name), func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					if _, _, err := Prepare(messages, Options{Budget: budget.tokens, Count: count}); err != nil {
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
