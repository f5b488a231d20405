package commands

import (
	"strings"
	"testing"

	"foreword/promptbuilder/history"
)

func turnsOf(n int) []any {
	messages := []any{map[string]any{"role": "system", "content": "never use X"}}
	for range n {
		messages = append(messages,
			map[string]any{"role": "user", "content": strings.Repeat("question ", 100)},
			map[string]any{"role": "assistant", "content": strings.Repeat("answer ", 100)})
	}
	return messages
}

// The panel asks, a model answers, and the answer takes the place of the older messages.
func TestCompactHistoryInTwoCalls(t *testing.T) {
	s := newRepo(t, small).open()
	params := map[string]any{"model": "gpt-4o", "messages": turnsOf(12)}
	first := run[CompactHistoryResult](t, s, "foreword.history.compact", params)
	if first.SummaryRequest == nil || first.Summed.To != 21 || first.Tail.From != 21 || first.Tail.To != 25 || first.Messages != nil {
		t.Fatalf("%+v", first)
	}
	if r := first.SummaryRequest; r.System == "" || strings.Contains(r.User, "never use X") || r.Tokens < 2_000 || r.MaxOutput < 1_000 {
		t.Errorf("%+v", r)
	}
	params["summary"] = "use X"
	second := run[CompactHistoryResult](t, s, "foreword.history.compact", params)
	if len(second.Messages) != 6 || second.Messages[0].Content.Text != "never use X" || !strings.HasSuffix(second.Messages[1].Content.Text, "use X") || second.Report == nil || second.Report.After >= second.Report.Before {
		t.Fatalf("%s", transcript(second.Messages))
	}
	params["messages"] = second.Messages
	if third := run[CompactHistoryResult](t, s, "foreword.history.compact", params); third.Refused == "" || third.Messages != nil {
		t.Errorf("a second time: %+v", third)
	}
}

// A panel that appends does not have to hold the conversation to have it summed up.
func TestCompactTheConversationOfASession(t *testing.T) {
	s := newRepo(t, small).open()
	turn(t, s, map[string]any{"session": "s", "messages": turnsOf(12)})
	got := run[CompactHistoryResult](t, s, "foreword.history.compact", map[string]any{"model": "gpt-4o", "session": "s", "summary": "use X"})
	if len(got.Messages) != 6 || got.Refused != "" {
		t.Fatalf("%+v", got)
	}
	next := turn(t, s, map[string]any{"session": "s", "messages": append(got.Messages, history.Message{ID: "u", Role: "user", Content: history.Text("go on")})})
	if next.Epoch.Number != 2 || next.Epoch.Status != "replaced" {
		t.Errorf("after the compaction: %+v", next.Epoch)
	}
	for name, params := range map[string]map[string]any{"nothing": {}, "a session that is unknown": {"session": "nobody"}} {
		if _, err := try[CompactHistoryResult](t, s, "foreword.history.compact", params); err == nil {
			t.Errorf("%s was summed up", name)
		}
	}
}

// T16: no room for the request: the summary is made without a model in the same call, and the answer says so.
func TestCompactHistoryWithoutRoom(t *testing.T) {
	s := newRepo(t, small).open()
	got := run[CompactHistoryResult](t, s, "foreword.history.compact", map[string]any{"model": "gpt-4o", "window": 4_200, "messages": turnsOf(12)})
	if got.SummaryRequest != nil || got.Messages == nil || len(got.Warnings) != 1 || got.Warnings[0].Code != "summed-up-without-a-model" {
		t.Errorf("%+v", got)
	}
	got = run[CompactHistoryResult](t, s, "foreword.history.compact", map[string]any{"messages": turnsOf(12), "summary": strings.Repeat("longer ", 5_000)})
	if got.Messages != nil || !strings.Contains(got.Refused, "less than a tenth") {
		t.Errorf("%q", got.Refused)
	}
	if _, err := try[CompactHistoryResult](t, s, "foreword.history.compact", map[string]any{"messages": turnsOf(1), "summary": "x", "mechanical": true}); err == nil {
		t.Error("a summary and none were taken together")
	}
}
