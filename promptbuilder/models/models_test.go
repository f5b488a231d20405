package models

import "testing"

func TestLookup(t *testing.T) {
	for _, c := range []struct {
		id, family string
		window     int
	}{
		{"gpt-5.1", "gpt", 400_000},
		{"openai/gpt-4o-mini", "gpt", 128_000},
		{"gpt-4.1-nano", "gpt", 1_047_576},
		{"gpt-4-0613", "gpt", 8_192},
		{"gpt-4-turbo", "gpt", 128_000},
		{"GPT-4O", "gpt", 128_000},
		{"o3-mini", "gpt", 200_000},
		{"anthropic/claude-sonnet-4.5", "claude", 200_000},
		{"us.anthropic.claude-3-5-haiku-v1", "claude", 200_000},
		{"claude-opus-4-7", "claude", 200_000},
		{"gemini-3-pro", "gemini", 1_048_576},
		{"qwen3-coder", "qwen", 131_072},
		{"llama3.1:8b", "llama", 128_000},
		{"moonshotai/kimi-k2", "kimi", 256_000},
		{"foo3", "unknown", unknownWindow},
		{"", "unknown", unknownWindow},
		{"turbo-o365-gpthing", "unknown", unknownWindow},
	} {
		got := Lookup(c.id)
		if got.Family != c.family || got.Window != c.window {
			t.Errorf("Lookup(%q) = %s %d, want %s %d (%s)", c.id, got.Family, got.Window, c.family, c.window, got.Source)
		}
		if got.Source == "" || got.Output <= 0 {
			t.Errorf("Lookup(%q) lacks a source or an output limit: %+v", c.id, got)
		}
	}
}
