package wire

import (
	"strings"
	"testing"
)

func TestToolNamesThatProvidersRefuse(t *testing.T) {
	for _, test := range []struct {
		name, refusedBy string
	}{
		{"read_file-2", ""},
		{"_x", ""},
		{strings.Repeat("n", 64), ""},
		{strings.Repeat("n", 65), "anthropic gemini openai-chat openai-responses vscode-lm"},
		{"files.read", "anthropic openai-chat openai-responses vscode-lm"},
		{"mcp:read", "anthropic openai-chat openai-responses vscode-lm"},
		{"2read", "gemini"},
		{"-read", "gemini"},
		{"lies dies", "anthropic gemini openai-chat openai-responses vscode-lm"},
		{"naïve", "anthropic gemini openai-chat openai-responses vscode-lm"},
	} {
		var refused []string
		for _, wire := range Names() {
			if RefusesTool(wire, test.name) != "" {
				refused = append(refused, wire)
			}
		}
		if got := strings.Join(refused, " "); got != test.refusedBy {
			t.Errorf("%q: refused by %q, want %q", test.name, got, test.refusedBy)
		}
	}
}
