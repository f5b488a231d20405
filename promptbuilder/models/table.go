package models

// The families. A family is a line of models that follow one style of prompt.
const (
	// GPT4 is GPT-4 in all its forms and the o-series.
	GPT4 = "gpt-4"
	// Codex is the GPT models that are trained for coding agents.
	Codex = "codex"
	// GPT is GPT-5 and later, and gpt-oss.
	GPT      = "gpt"
	Gemini   = "gemini"
	Claude   = "claude"
	Trinity  = "trinity"
	Kimi     = "kimi"
	Muse     = "muse"
	Qwen     = "qwen"
	DeepSeek = "deepseek"
	Llama    = "llama"
	Mistral  = "mistral"
	Grok     = "grok"
	Gemma    = "gemma"
	GLM      = "glm"
	// Default is every other model.
	Default = "default"
)

// Caching is how a provider of the family comes to keep a prompt.
type Caching string

// The ways of caching.
const (
	// Marked prompts are kept where the request marks them.
	Marked Caching = "marked"
	// Automatic caching keeps the longest beginning that came before.
	Automatic Caching = "automatic"
	// NoCaching is for what is not known to be kept.
	NoCaching Caching = ""
)

// unknownWindow is small enough for any model served today and large enough
// for a prompt; a client that knows better says so.
const unknownWindow, unknownOutput = 32_768, 4_096

// row is one line of the table.
type row struct {
	// words that stand in the identifier next to each other. With a leading ^
	// they begin its name.
	words     string
	family    string
	window    int
	output    int
	reasoning bool
	caching   Caching
}

// rows are matched from first to last. Windows and outputs are the providers'
// published figures, checked 2026-11-30; where a provider publishes none, the
// cautious figures for unknown models stand.
var rows = []row{
	// Names that hold the name of another family, too.
	{"deepseek r1", DeepSeek, 128_000, 8_192, true, Automatic},
	{"deepseek", DeepSeek, 128_000, 8_192, false, Automatic},
	{"claude 3 7", Claude, 200_000, 64_000, true, Marked},
	{"claude 3 5", Claude, 200_000, 8_192, false, Marked},
	{"claude 3", Claude, 200_000, 4_096, false, Marked},
	{"claude opus 4 1", Claude, 200_000, 32_000, true, Marked},
	{"claude opus 4 0", Claude, 200_000, 32_000, true, Marked},
	{"claude opus 4 20250514", Claude, 200_000, 32_000, true, Marked},
	{"claude", Claude, 200_000, 64_000, true, Marked},

	{"gpt 5 chat", GPT, 128_000, 16_384, false, Automatic},
	{"codex", Codex, 400_000, 128_000, true, Automatic},
	{"gpt 5", GPT, 400_000, 128_000, true, Automatic},
	{"gpt 4.1", GPT4, 1_047_576, 32_768, false, Automatic},
	{"gpt 4o", GPT4, 128_000, 16_384, false, Automatic},
	{"chatgpt 4o", GPT4, 128_000, 16_384, false, Automatic},
	{"gpt 4 turbo", GPT4, 128_000, 4_096, false, NoCaching},
	{"gpt 4", GPT4, 8_192, 4_096, false, NoCaching},
	{"gpt 3.5", GPT, 16_385, 4_096, false, NoCaching},
	{"gpt 35", GPT, 16_385, 4_096, false, NoCaching},
	{"gpt oss", GPT, 131_072, 32_768, true, NoCaching},
	{"^o1", GPT4, 200_000, 100_000, true, Automatic},
	{"^o3", GPT4, 200_000, 100_000, true, Automatic},
	{"^o4", GPT4, 200_000, 100_000, true, Automatic},
	{"gpt", GPT, unknownWindow, unknownOutput, false, NoCaching},

	{"gemini 1.5", Gemini, 1_048_576, 8_192, false, NoCaching},
	{"gemini 2.0", Gemini, 1_048_576, 8_192, false, NoCaching},
	{"gemini", Gemini, 1_048_576, 65_536, true, Automatic},
	{"gemma", Gemma, unknownWindow, unknownOutput, false, NoCaching},

	{"kimi k2 thinking", Kimi, 256_000, 16_384, true, Automatic},
	{"kimi", Kimi, 256_000, 16_384, false, Automatic},
	{"moonshot", Kimi, unknownWindow, unknownOutput, false, Automatic},
	{"trinity", Trinity, unknownWindow, unknownOutput, false, NoCaching},
	{"muse", Muse, unknownWindow, unknownOutput, false, NoCaching},
	{"grok", Grok, unknownWindow, unknownOutput, false, Automatic},
	{"glm", GLM, unknownWindow, unknownOutput, false, NoCaching},
	{"qwen", Qwen, 131_072, 32_768, false, NoCaching},
	{"llama", Llama, 128_000, 4_096, false, NoCaching},
	{"mistral", Mistral, 128_000, 8_192, false, NoCaching},
}

// providers lists those whose models are of one family, whatever they are
// called: Moonshot serves k3 under that name alone.
var providers = []struct{ id, family string }{
	{"kimi-for-coding", Kimi},
	{"moonshotai", Kimi},
	{"moonshotai-cn", Kimi},
}
