package tokens

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// Counter counts for one model. Get it by ForModel; a Counter is a value, and safe for concurrent use.
type Counter struct {
	// Model is the id that was asked for.
	Model string
	// Encoding is what Count counts with; for an estimate, what the factors are relative to (O200k).
	Encoding Encoding
	// Family names the models that share a tokenizer, and with it the factors and any learned correction.
	Family string
	// Exact says that Encoding is the model's own.
	Exact bool
	// Source says where the answer comes from, for people.
	Source string
	// ErrorBound is the relative error of Count that 95 % of prompts stay within; 0 when exact.
	ErrorBound float64
	// PlanningBound is the factor over Encoding's count that a prompt is not expected to exceed; 1 when exact.
	PlanningBound float64

	factors factors
}

// ForModel returns the counter of a model id as providers and routers write it: "gpt-4o", "openai/gpt-5.1",
// "us.anthropic.claude-sonnet-4-5-20250929-v1:0", "Qwen/Qwen3-32B". An empty id counts as o200k_base, exactly that.
func ForModel(model string) Counter {
	id := strings.ToLower(strings.TrimSpace(model))
	if id == "" {
		return exact(model, O200k, "unnamed", "no model named: counted as o200k_base")
	}
	for _, name := range names(id) {
		if version, ok := strings.CutPrefix(name, "claude"); ok {
			return claude(model, version)
		}
		if m := lookUp(name); m != nil {
			source := fmt.Sprintf("model table: %q", m.prefix)
			if m.family == openAI {
				return exact(model, m.encoding, openAI, source)
			}
			return estimated(model, m.family, source)
		}
	}
	return estimated(model, unknown, "model not in the table: a guess")
}

// Count returns the number of tokens of text: exact, or an estimate rounded up.
func (c Counter) Count(text string) int {
	n := c.Encoding.Count(text)
	if c.Exact {
		return n
	}
	return scaled(n, c.factors.of(text))
}

// Plan returns a number of tokens that text is not expected to exceed; what is planned with it fits.
func (c Counter) Plan(text string) int {
	n := c.Encoding.Count(text)
	if c.Exact {
		return n
	}
	return scaled(n, c.PlanningBound)
}

// Kind says what Count returns: "exact" or "estimate".
func (c Counter) Kind() string {
	if c.Exact {
		return "exact"
	}
	return "estimate"
}

// scaled rounds up, but not for the last bit of a product that is whole by the decimal factors.
func scaled(n int, factor float64) int {
	return int(math.Ceil(float64(n)*factor - 1e-9))
}

func exact(model string, e Encoding, family, source string) Counter {
	return Counter{Model: model, Encoding: e, Family: family, Exact: true, Source: source, PlanningBound: 1}
}

func estimated(model, family, source string) Counter {
	f := families[family]
	return Counter{
		Model: model, Encoding: O200k, Family: family, Source: source + "; factors over o200k_base from " + f.source,
		ErrorBound: f.errorBound, PlanningBound: f.planningBound, factors: f.factors,
	}
}

// entry says what the models whose name starts with prefix count with.
type entry struct {
	prefix   string
	family   string
	encoding Encoding // of openAI
}

// modelTable: the longest prefix that ends at a word's end wins. OpenAI's rows follow tiktoken's model table
// (tiktoken/model.py of version 0.12), where it has the model.
var modelTable = []entry{
	{"gpt-5", openAI, O200k},
	{"gpt-4.5", openAI, O200k},
	{"gpt-4.1", openAI, O200k},
	{"gpt-4o", openAI, O200k},
	{"chatgpt-4o", openAI, O200k},
	{"gpt-oss", openAI, O200k}, // o200k_harmony: more special tokens, the same text
	{"o1", openAI, O200k},
	{"o3", openAI, O200k},
	{"o4", openAI, O200k},
	{"codex-mini", openAI, O200k},
	{"computer-use", openAI, O200k},
	{"gpt-4", openAI, CL100k},
	{"gpt-3.5", openAI, CL100k},
	{"gpt-35", openAI, CL100k}, // Azure's spelling
	{"davinci-002", openAI, CL100k},
	{"babbage-002", openAI, CL100k},
	{"text-embedding-3", openAI, CL100k},
	{"text-embedding-ada-002", openAI, CL100k},
	{"text-davinci-003", openAI, P50k},
	{"text-davinci-002", openAI, P50k},
	{"text-davinci-edit", openAI, P50k},
	{"code-davinci", openAI, P50k},
	{"code-cushman", openAI, P50k},
	{"davinci-codex", openAI, P50k},
	{"cushman-codex", openAI, P50k},
	{"text-davinci-001", openAI, R50k},
	{"text-curie", openAI, R50k},
	{"text-babbage", openAI, R50k},
	{"text-ada", openAI, R50k},
	{"text-similarity", openAI, R50k},
	{"text-search", openAI, R50k},
	{"code-search", openAI, R50k},
	{"davinci", openAI, R50k},
	{"curie", openAI, R50k},
	{"babbage", openAI, R50k},
	{"ada", openAI, R50k},
	{"gpt2", openAI, R50k},
	{"gpt-2", openAI, R50k},

	{"gemini", gemini, ""},
	{"gemma", gemini, ""}, // the same SentencePiece model
	{"qwen", qwen, ""},
	{"qwq", qwen, ""},
	{"qvq", qwen, ""},
	{"deepseek", deepSeek, ""},
	{"deepseek-r1-distill-qwen", qwen, ""},
	{"deepseek-r1-distill-llama", llama, ""},
	{"llama-3", llama, ""},
	{"llama3", llama, ""},
	{"meta-llama-3", llama, ""},
	{"mistral", mistral, ""},
	{"ministral", mistral, ""},
	{"mixtral", mistral, ""},
	{"magistral", mistral, ""},
	{"codestral", mistral, ""},
	{"devstral", mistral, ""},
	{"pixtral", mistral, ""},
}

func lookUp(name string) *entry {
	var best *entry
	for i := range modelTable {
		m := &modelTable[i]
		rest, ok := strings.CutPrefix(name, m.prefix)
		if !ok || best != nil && len(best.prefix) >= len(m.prefix) {
			continue
		}
		// "gpt-4" is not the start of "gpt-4o", nor "o1" of "o100"; of the other families any spelling is welcome
		// ("qwen3", "gemma2", "llama3.1").
		if m.family == openAI && rest != "" && alphanumeric(rest[0]) {
			continue
		}
		best = m
	}
	return best
}

func alphanumeric(c byte) bool {
	return c >= '0' && c <= '9' || c >= 'a' && c <= 'z'
}

// names returns what may be the model's own name in an id: the last path element, and what follows a provider's dot or
// a colon in it ("us.anthropic.claude-3", "ft:gpt-4o:team").
func names(id string) []string {
	id = id[strings.LastIndexByte(id, '/')+1:]
	list := []string{id}
	for i, c := range id {
		if c == '.' || c == ':' {
			list = append(list, id[i+1:])
		}
	}
	return list
}

// claude tells the two tokenizers apart: Opus 4.7 and everything later has a new one. An id without a version is a
// moving alias and so counts as the newest.
func claude(model, version string) Counter {
	major, minor := claudeVersion(version)
	switch {
	case major < 0:
		return estimated(model, claude47, `model table: "claude" without a version, taken for the newest`)
	case major > 4 || major == 4 && minor >= 7:
		return estimated(model, claude47, `model table: "claude" 4.7 and later`)
	}
	return estimated(model, claude3, `model table: "claude" up to 4.6`)
}

// claudeVersion finds the version in "-3-5-sonnet-20241022", "-opus-4.7", "-sonnet-4@20250514": the first number, and the
// one right after it. Dates are no versions.
func claudeVersion(rest string) (major, minor int) {
	major = -1
	for _, word := range strings.FieldsFunc(rest, func(r rune) bool { return strings.ContainsRune("-.@:_ ", r) }) {
		n, err := strconv.Atoi(strings.TrimPrefix(word, "v"))
		switch {
		case err != nil && major >= 0:
			return major, minor
		case err != nil:
		case n >= 100 && major >= 0: // a date
			return major, minor
		case n >= 100:
		case major >= 0:
			return major, n
		default:
			major = n
		}
	}
	return major, minor
}
