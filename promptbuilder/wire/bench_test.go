package wire

import (
	"fmt"
	"testing"

	"foreword/promptbuilder/history"
)

// An agent's conversation of n messages, rendered whole: what a turn costs after its history is prepared.
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
		}
	}
}
