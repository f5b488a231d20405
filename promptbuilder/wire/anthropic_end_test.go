package wire

import (
	"strings"
	"testing"
)

func TestAHistoryThatEndsWithAnAnswer(t *testing.T) {
	conversation := messages(t, `[{"role":"user","content":"q"},{"role":"assistant","content":"so far "}]`)
	for model, continued := range map[string]bool{
		"claude-3-5-haiku-20241022": true, "claude-3-opus-20240229": true, "claude-opus-4-20250514": true, "claude-sonnet-4": true, "anthropic/claude-sonnet-4.5": true,
		"us.anthropic.claude-haiku-4-5-20251001-v1:0": true, "claude-opus-4-5@20251101": true,
		"claude-opus-4-6": false, "claude-sonnet-4.6": false, "claude-opus-4-8-20260528": false, "claude-opus-5": false, "claude-opus-4-10": false, "claude-": false, "m": false,
	} {
		body, _ := render(t, Request{Wire: Anthropic, Model: model, MaxOutput: 9, Messages: conversation})
		want := `{"role":"assistant","content":[{"type":"text","text":"so far"}]}]`
		if !continued {
			want = `{"role":"assistant","content":[{"type":"text","text":"so far "}]},{"role":"user","content":[{"type":"text","text":"(Go on.)"}]}]`
		}
		if !strings.Contains(body, want) {
			t.Errorf("%s: got %s\nwant %s", model, body, want)
		}
	}
	for _, end := range []string{
		`{"role":"user","content":"r"}`, `{"role":"system","content":"s"}`, `{"role":"assistant","content":" "}`,
		`{"role":"assistant","content":"","tool_calls":[{"id":"a","function":{"name":"ls","arguments":"{}"}}]}`,
	} {
		if body, _ := render(t, Request{Wire: Anthropic, Model: "m", MaxOutput: 9, Messages: messages(t, `[{"role":"user","content":"q"},`+end+`]`)}); strings.Contains(body, goOn) {
			t.Errorf("after %s: %s", end, body)
		}
	}
}
