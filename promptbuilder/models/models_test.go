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

// TestOutputIsNoMoreThanTheModelGives holds the row that matches, since a
// provider refuses a request for a longer answer than its model can give.
func TestOutputIsNoMoreThanTheModelGives(t *testing.T) {
	for id, want := range map[string]int{
		"gpt-5": 128_000, "gpt-5-chat-latest": 16_384, "gpt-4o": 16_384, "gpt-4-0613": 4_096,
		"claude-3-opus-20240229": 4_096, "anthropic/claude-3.5-sonnet": 8_192, "claude-3-7-sonnet-20250219": 64_000,
		"claude-opus-4-20250514": 32_000, "claude-opus-4-1-20250805": 32_000, "anthropic/claude-opus-4.1": 32_000,
		"claude-opus-4-5-20251101": 64_000, "claude-sonnet-4-20250514": 64_000, "claude-opus-4-10": 64_000,
		"gemini-1.5-pro-002": 8_192, "gemini-2.0-flash": 8_192, "gemini-2.5-pro": 65_536, "nobody-knows": unknownOutput,
	} {
		if got := Lookup(id); got.Output != want {
			t.Errorf("Lookup(%q): output %d, want %d (%s)", id, got.Output, want, got.Source)
		}
	}
}

// TestEveryRowIsReached holds that no row stands below one that takes all of
// its models, and that each is usable.
func TestEveryRowIsReached(t *testing.T) {
	for _, row := range rows {
		got := Lookup(row.words)
		if got.Source != "model table, row "+row.words {
			t.Errorf("%q is answered by the %s", row.words, got.Source)
		}
		if row.output <= 0 || row.output >= row.window {
			t.Errorf("%q: output %d of a window of %d", row.words, row.output, row.window)
		}
	}
}
