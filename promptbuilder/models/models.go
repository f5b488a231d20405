// Package models is the one table of what foreword knows about models:
// family, context window and the most that an answer may take.
//
// An identifier is matched by the words in it, without regard to case, so that
// "anthropic/claude-sonnet-4.5", "claude-sonnet-4-5-20250929" and
// "us.anthropic.claude-sonnet-4-5" are one model. To add one, put a row above
// any row that would match it too.
package models

import (
	"strings"
	"unicode"
)

// Model is what the table says about one identifier.
type Model struct {
	// ID as it was asked for.
	ID string
	// Family names whose model it is: gpt, claude, gemini, … or unknown.
	Family string
	// Window is the context window in tokens.
	Window int
	// Output is the most that an answer may take, in tokens.
	Output int
	// Reasoning tells that the model reasons natively.
	Reasoning bool
	// Source says which row matched, for people.
	Source string
}

// unknownWindow is small enough for any model served today and large enough
// for a prompt; a client that knows better says so.
const unknownWindow, unknownOutput = 32_768, 4_096

// rows are matched from first to last. Windows and outputs are the providers'
// published figures, checked 2026-11-30.
var rows = []struct {
	words     string
	family    string
	window    int
	output    int
	reasoning bool
}{
	{"gpt 5 chat", "gpt", 128_000, 16_384, false},
	{"gpt 5", "gpt", 400_000, 128_000, true},
	{"gpt 4.1", "gpt", 1_047_576, 32_768, false},
	{"gpt 4o", "gpt", 128_000, 16_384, false},
	{"gpt 4 turbo", "gpt", 128_000, 4_096, false},
	{"gpt 4", "gpt", 8_192, 4_096, false},
	{"gpt 3.5", "gpt", 16_385, 4_096, false},
	{"gpt oss", "gpt", 131_072, 32_768, true},
	{"o1", "gpt", 200_000, 100_000, true},
	{"o3", "gpt", 200_000, 100_000, true},
	{"o4", "gpt", 200_000, 100_000, true},
	{"codex", "gpt", 400_000, 128_000, true},
	{"claude 3 7", "claude", 200_000, 64_000, true},
	{"claude 3 5", "claude", 200_000, 8_192, false},
	{"claude 3", "claude", 200_000, 4_096, false},
	{"claude opus 4 1", "claude", 200_000, 32_000, true},
	{"claude opus 4 0", "claude", 200_000, 32_000, true},
	{"claude opus 4 20250514", "claude", 200_000, 32_000, true},
	{"claude", "claude", 200_000, 64_000, true},
	{"gemini 1.5", "gemini", 1_048_576, 8_192, false},
	{"gemini 2.0", "gemini", 1_048_576, 8_192, false},
	{"gemini", "gemini", 1_048_576, 65_536, true},
	{"qwen", "qwen", 131_072, 32_768, false},
	{"deepseek", "deepseek", 128_000, 8_192, false},
	{"llama", "llama", 128_000, 4_096, false},
	{"mistral", "mistral", 128_000, 8_192, false},
	{"kimi", "kimi", 256_000, 16_384, false},
}

// Lookup says what is known about a model. An identifier that no row matches
// gets the family unknown and a cautious window.
func Lookup(id string) Model {
	words := split(id)
	for _, row := range rows {
		if containsRun(words, split(row.words)) {
			return Model{ID: id, Family: row.family, Window: row.window, Output: row.output, Reasoning: row.reasoning,
				Source: "model table, row " + row.words}
		}
	}
	source := "default for a model that the table does not know"
	if id == "" {
		source = "default, no model was named"
	}
	return Model{ID: id, Family: "unknown", Window: unknownWindow, Output: unknownOutput, Source: source}
}

// split cuts an identifier into words at everything that is no letter or
// digit, dots included: "gpt-4.1" is gpt, 4, 1, as is "gpt-4-1".
func split(id string) []string {
	fields := strings.FieldsFunc(strings.ToLower(id), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r)
	})
	var words []string
	for _, field := range fields {
		words = append(words, cut(field)...)
	}
	return words
}

// cut separates a name from the version that is glued to its end: qwen3 is
// qwen and 3, while o3 and 4o stay whole.
func cut(word string) []string {
	i := strings.IndexFunc(word, unicode.IsDigit)
	if i < 2 {
		return []string{word}
	}
	return []string{word[:i], word[i:]}
}

func containsRun(words, run []string) bool {
	for i := 0; i+len(run) <= len(words); i++ {
		match := true
		for j, w := range run {
			if words[i+j] != w {
				match = false
				break
			}
		}
		if match {
			return true
		}
	}
	return false
}
