package models

import (
	"slices"
	"strings"
)

// CompatOpencode gives the family of a model by opencode's rules, faults
// included: substrings of the provider's own id, most of them case-sensitive
// (anomalyco/opencode, packages/opencode/src/session/system.ts at 0abbcddac,
// 2026-07-08). What it calls beast is gpt-4 here, and anthropic is claude.
func CompatOpencode(id string) string {
	has := func(part string) bool { return strings.Contains(id, part) }
	lower := strings.ToLower(id)
	switch {
	case has("gpt-4"), has("o1"), has("o3"):
		return GPT4
	case has("gpt") && has("codex"):
		return Codex
	case has("gpt"):
		return GPT
	case has("gemini-"):
		return Gemini
	case has("claude"):
		return Claude
	case strings.Contains(lower, "trinity"):
		return Trinity
	case strings.Contains(lower, "kimi"):
		return Kimi
	}
	return Default
}

// CompatGptmeUrgeTools tells whether gptme asks a model to use its tools: by
// the provider, else by substrings of the name (gptme/gptme,
// gptme/prompts/templates.py, 2026-08-22). Model has the provider before a
// slash, as gptme writes it, unless provider names it.
func CompatGptmeUrgeTools(provider, model string) bool {
	if provider == "" {
		provider, model, _ = strings.Cut(model, "/")
	}
	if gptmeProvider(provider) {
		return true
	}
	model = strings.ToLower(model)
	return slices.ContainsFunc([]string{"gpt-", "codex", "gemini", "gemma", "grok"}, func(part string) bool { return strings.Contains(model, part) })
}

func gptmeProvider(provider string) bool {
	switch provider {
	case "openai", "openai-subscription", "azure", "gemini", "xai":
		return true
	}
	return false
}
