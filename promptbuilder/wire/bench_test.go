package wire

import (
	"fmt"
	"slices"
	"testing"

	"foreword/promptbuilder/history"
)

// An agent's conversation of n messages, rendered whole, and as one that goes on: what a turn costs after its
// history is prepared.
func BenchmarkRender(b *testing.B) {
	for _, n := range []int{100, 1_000, 10_000} {
		var messages []history.Message
		for i := 0; len(messages) < n; i += 3 {
			id := fmt.Sprint("call", i)
			messages = append(messages,
				history.Message{Role: history.RoleUser, Content: history.Text(fmt.Sprintf("question %d about this file", i))},
				history.Message{Role: history.RoleAssistant, ToolCalls: []history.ToolCall{{ID: id, Name: "read", Arguments: `{"path":"a.go"}`}}},
				history.Message{Role: history.RoleTool, ToolCallID: id, Content: history.Text("package a\n\nfunc f() {}\n")},
			)
		}
		for _, name := range []string{OpenAIChat, Anthropic} {
			b.Run(fmt.Sprintf("%s/n=%d", name, n), func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					if _, err := Render(Request{Wire: name, Model: "m", Messages: messages, MaxOutput: 9}); err != nil {
						b.Fatal(err)
					}
				}
			})
			b.Run(fmt.Sprintf("%s/n=%d/remembered", name, n), func(b *testing.B) {
				memory := NewMemory(64 << 20)
				growing := slices.Clip(messages)
				b.ReportAllocs()
				for b.Loop() {
					growing = append(growing, history.Message{Role: history.RoleAssistant, Content: history.Text("an answer")}, history.Message{Role: history.RoleUser, Content: history.Text("a question")})
					if _, err := Render(Request{Wire: name, Model: "m", Messages: growing, MaxOutput: 9, Memory: memory}); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}
