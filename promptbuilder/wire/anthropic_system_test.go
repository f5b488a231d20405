package wire

import (
	"strings"
	"testing"
)

func TestWhichModelsTakeSystemMessagesLater(t *testing.T) {
	for _, test := range []struct {
		provider, model string
		want            bool
	}{
		{"anthropic", "claude-opus-4-8", true},
		{"Anthropic", "claude-opus-4-8-20260528", true},
		{"anthropic", "anthropic/claude-opus-4.8", true},
		{"anthropic", "claude-opus-5", true},
		{"anthropic", "claude-opus-5-5", true},
		{"anthropic", "claude-opus-4-10", true},
		{"anthropic", "claude-sonnet-5-5", true},
		{"anthropic", "claude-haiku-5-5-20260901", true},
		{"anthropic", "claude-fable-5", true},
		{"anthropic", "claude-mythos-5-1", true},
		{"anthropic", "claude-opus-4-7", false},
		{"anthropic", "claude-opus-4-20250514", false},
		{"anthropic", "claude-sonnet-5", false},
		{"anthropic", "claude-sonnet-4-5", false},
		{"anthropic", "claude-3-5-haiku-20241022", false},
		{"anthropic", "claude-", false},
		{"anthropic", "claude-opus", false},
		{"anthropic", "m", false},
		{"", "claude-opus-4-8", false},
		{"bedrock", "claude-opus-4-8", false},
		{"openrouter", "anthropic/claude-opus-4.8", false},
	} {
		if got := takesLaterSystem(test.provider, test.model); got != test.want {
			t.Errorf("%s by %q: %v, want %v", test.model, test.provider, got, test.want)
		}
	}
}

// An update is a system message where the model takes it, and stands behind what the user said.
func TestSystemMessagesBehindTheUser(t *testing.T) {
	for _, test := range []struct{ name, messages, want, said string }{
		{
			"an update before the newest message",
			`[{"role":"user","content":"a"},{"role":"assistant","content":"b"},{"role":"system","content":"u1"},{"role":"system","content":"u2"},{"role":"user","content":"c"}]`,
			`user a|assistant b|user c|system u1 u2`, "",
		},
		{
			"behind results, before the answer",
			`[{"role":"user","content":"a"},{"role":"assistant","content":"","tool_calls":[{"id":"x","function":{"name":"ls","arguments":"{}"}}]},{"role":"tool","tool_call_id":"x","content":"r"},{"role":"system","content":"u"},{"role":"assistant","content":"d"},{"role":"user","content":"e"}]`,
			`user a|assistant|user|system u|assistant d|user e`, "",
		},
		{
			"where the user says nothing",
			`[{"role":"user","content":"a"},{"role":"assistant","content":"b"},{"role":"system","content":"u"},{"role":"assistant","content":"d"},{"role":"user","content":"e"}]`,
			`user a|assistant b|user <system-update>` + "\n" + `u` + "\n" + `</system-update>|assistant d|user e`, "behind one of the user",
		},
		{
			"a blank one",
			`[{"role":"user","content":"a"},{"role":"assistant","content":"b"},{"role":"system","content":" "},{"role":"user","content":"c"}]`,
			`user a|assistant b|user c`, "messages[2] is empty",
		},
	} {
		request := Request{Wire: Anthropic, Provider: "anthropic", Model: systemModel, MaxOutput: 9, Messages: messages(t, test.messages)}
		body, said := render(t, request)
		sent, err := readBody([]byte(body))
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, m := range sent.Messages {
			line := m.Role
			for _, part := range m.parts {
				if part.Type == "text" {
					line += " " + part.Text
				}
			}
			got = append(got, line)
		}
		if strings.Join(got, "|") != test.want {
			t.Errorf("%s: got %q\nwant %q", test.name, strings.Join(got, "|"), test.want)
		}
		if heard := strings.Join(said, "\n"); test.said == "" && heard != "" || !strings.Contains(heard, test.said) {
			t.Errorf("%s: said %q, want %q", test.name, heard, test.said)
		}
	}
}
