package models

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestLookup(t *testing.T) {
	for _, c := range []struct {
		id, family string
		window     int
	}{
		{"gpt-5.1", GPT, 400_000},
		{"openai/gpt-4o-mini", GPT4, 128_000},
		{"chatgpt-4o-latest", GPT4, 128_000},
		{"gpt4o", GPT4, 128_000},
		{"gpt-4.1-nano", GPT4, 1_047_576},
		{"gpt-4-0613", GPT4, 8_192},
		{"gpt-4-turbo", GPT4, 128_000},
		{"GPT-4O", GPT4, 128_000},
		{"gpt-35-turbo", GPT, 16_385},
		{"openai/gpt-oss-120b", GPT, 131_072},
		{"gpt-6", GPT, unknownWindow},
		{"o1-mini", GPT4, 200_000},
		{"o3", GPT4, 200_000},
		{"o3-mini", GPT4, 200_000},
		{"openai.o3-mini", GPT4, 200_000},
		{"o4-mini", GPT4, 200_000},
		{"gpt-5-codex", Codex, 400_000},
		{"gpt-5.1-codex-max", Codex, 400_000},
		{"gpt-4-codex", Codex, 400_000},
		{"codex-mini-latest", Codex, 400_000},
		{"local/Codex-mini", Codex, 400_000},
		{"anthropic/claude-sonnet-4.5", Claude, 200_000},
		{"us.anthropic.claude-3-5-haiku-v1", Claude, 200_000},
		{"us.anthropic.claude-sonnet-4-v1:0", Claude, 200_000},
		{"claude-opus-4-7", Claude, 200_000},
		{"Claude-Opus", Claude, 200_000},
		{"claude-gpt-bridge", Claude, 200_000},
		{"gemini-3-pro", Gemini, 1_048_576},
		{"Gemini-2.5", Gemini, 1_048_576},
		{"gemini2", Gemini, 1_048_576},
		{"google/gemma-3-27b", Gemma, unknownWindow},
		{"qwen3-coder", Qwen, 131_072},
		{"llama3.1:8b", Llama, 128_000},
		{"deepseek-ai/DeepSeek-R1-Distill-Llama-70B", DeepSeek, 128_000},
		{"moonshotai/kimi-k2", Kimi, 256_000},
		{"Kimi-K2", Kimi, 256_000},
		{"moonshot-v1", Kimi, unknownWindow},
		{"arcee-ai/Trinity-mini", Trinity, unknownWindow},
		{"muse-spark", Muse, unknownWindow},
		{"xai/grok-4", Grok, unknownWindow},
		{"zai-org/GLM-4.6", GLM, unknownWindow},
		{"groq/llama-gptq", Llama, 128_000},
		{"gpt4all", Default, unknownWindow},
		{"solar-pro3", Default, unknownWindow},
		{"AIDC/marco-o1", Default, unknownWindow},
		{"foo3", Default, unknownWindow},
		{"", Default, unknownWindow},
		{"turbo-o365-gpthing", Default, unknownWindow},
	} {
		got := Lookup(c.id)
		if got.Family != c.family || got.Window != c.window {
			t.Errorf("Lookup(%q) = %s %d, want %s %d (%s)", c.id, got.Family, got.Window, c.family, c.window, got.Source)
		}
		if got.Source == "" || got.Output <= 0 || !strings.Contains(got.Why, got.Family) {
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
		words := strings.TrimPrefix(row.words, "^")
		got := Lookup(words)
		if got.Source != "model table, row "+words {
			t.Errorf("%q is answered by the %s", row.words, got.Source)
		}
		if row.output <= 0 || row.output >= row.window {
			t.Errorf("%q: output %d of a window of %d", row.words, row.output, row.window)
		}
	}
}

// TestExplain holds what a person is told about a match.
func TestExplain(t *testing.T) {
	for id, want := range map[string]string{
		"Anthropic/Claude-Opus-4.1": `"Anthropic/Claude-Opus-4.1" is of the family claude: its words "claude opus 4 1" match the row "claude opus 4 1" of the model table`,
		"o3-mini":                   `"o3-mini" is of the family gpt-4: its words "o3" match the row "o3" of the model table`,
		"k3":                        `"k3" matches no row of the model table, so it is of the family default`,
		"":                          "no model was named, so the family is default",
	} {
		if got := Lookup(id).Why; got != want {
			t.Errorf("%q: %s", id, got)
		}
	}
}

func TestTheProviderCountsWhereTheNameSaysNothing(t *testing.T) {
	got := LookupAt("MoonshotAI-CN", "k3")
	if got.Family != Kimi || got.Why != `"k3" matches no row of the model table; its provider moonshotai-cn serves models of the family kimi` {
		t.Errorf("%+v", got)
	}
	if got := LookupAt("moonshotai", "gpt-5"); got.Family != GPT {
		t.Errorf("the name counts first: %+v", got)
	}
	if got := LookupAt("moonshotai", ""); got.Family != Default {
		t.Errorf("no model: %+v", got)
	}
	if got := Lookup("a/b/gpt-5").Name(); got != "gpt-5" {
		t.Errorf("name %q", got)
	}
}

// TestCaseAndMarksDoNotCount holds that a spelling of a name is that name.
func TestCaseAndMarksDoNotCount(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := rapid.SampledFrom(rows).Draw(t, "row")
		words := strings.TrimPrefix(r.words, "^")
		mark := rapid.SampledFrom([]string{"-", "_", ".", ":", " "}).Draw(t, "mark")
		id := strings.NewReplacer(" ", mark, ".", mark).Replace(words)
		if rapid.Bool().Draw(t, "capitals") {
			id = strings.ToUpper(id)
		}
		id = rapid.SampledFrom([]string{"", "openrouter/", "Some-Vendor/"}).Draw(t, "before") + id + rapid.SampledFrom([]string{"", mark + "latest"}).Draw(t, "after")
		if got := Lookup(id); got.Source != "model table, row "+words {
			t.Fatalf("%q: %s", id, got.Source)
		}
	})
}

// TestCompatOpencode is the truth table of opencode's rules.
func TestCompatOpencode(t *testing.T) {
	for family, ids := range map[string]string{
		GPT4:    "gpt-4o gpt-4.1 chatgpt-4o-latest o1-mini o3 gpt-4-codex solar-pro3 marco-o1",
		GPT:     "gpt-5 gpt-oss-120b claude-gpt-bridge",
		Codex:   "gpt-5-codex gpt-5.1-codex-max",
		Gemini:  "gemini-2.5-pro google/gemini-3",
		Claude:  "claude-opus-4-8 us.anthropic.claude-sonnet-4-v1:0",
		Trinity: "trinity Trinity-mini",
		Kimi:    "Kimi-K2 kimi-k2",
		Default: "o4-mini codex-mini-latest GPT-4o Claude-Opus Gemini-2.5 gemini2 moonshot-v1 k3 muse-spark",
	} {
		for _, id := range strings.Fields(ids) {
			if got := CompatOpencode(id); got != family {
				t.Errorf("%s is %s, want %s", id, got, family)
			}
		}
	}
}

func TestUrgeTools(t *testing.T) {
	for id, want := range map[string]struct{ seed, ours bool }{
		"openrouter/openai/gpt-5":    {true, true},
		"openrouter/google/gemma-3":  {true, true},
		"local/Codex-mini":           {true, true},
		"groq/llama-gptq":            {false, false},
		"unknown/gpt4all":            {false, false},
		"anthropic/claude":           {false, false},
		"":                           {false, false},
		"local/gemini":               {true, true},
		"xai/unheard-of":             {true, true},
		"openai/o3":                  {true, true},
		"local/o4-mini":              {false, true},
		"local/claude-gpt-bridge":    {true, false},
		"azure/claude-sonnet-4-5":    {true, false},
		"openai-subscription/secret": {true, true},
	} {
		provider, model, _ := strings.Cut(id, "/")
		if got := CompatGptmeUrgeTools("", id); got != want.seed {
			t.Errorf("gptme, %s: %v", id, got)
		}
		if got := CompatGptmeUrgeTools(provider, model); got != want.seed {
			t.Errorf("gptme, %s of %s: %v", model, provider, got)
		}
		if got := Lookup(model).UrgeTools(provider); got != want.ours {
			t.Errorf("ours, %s of %s: %v", model, provider, got)
		}
	}
}

func TestLaterSystem(t *testing.T) {
	for id, want := range map[string]bool{
		"gpt-4o": true, "openai/o3": true, "gpt-5-codex": true, "gpt-5.1": true, "x-ai/grok-4": true,
		"gpt-oss-120b": false, "openai/gpt-oss:20b": false, "qwen3.6-27b": false, "google/gemma-3-27b-it": false, "deepseek-chat": false,
		"mistral-large": false, "claude-sonnet-4-5": false, "my-own-model": false, "": false,
	} {
		if got := Lookup(id).LaterSystem(); got != want {
			t.Errorf("%q: %v, want %v", id, got, want)
		}
	}
}
