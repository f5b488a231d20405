package tokens

import (
	"math"
	"strings"
	"testing"
)

// Model ids as providers, routers and clouds write them find their tokenizer.
func TestForModel(t *testing.T) {
	for _, test := range []struct {
		model    string
		family   string
		encoding Encoding
		exact    bool
	}{
		{"gpt-5", openAI, O200k, true},
		{"openai/gpt-5.1", openAI, O200k, true},
		{"gpt-5-codex", openAI, O200k, true},
		{"GPT-4o", openAI, O200k, true},
		{"gpt-4o-mini-2024-07-18", openAI, O200k, true},
		{"ft:gpt-4o:acme::x1", openAI, O200k, true},
		{"chatgpt-4o-latest", openAI, O200k, true},
		{"gpt-4.1-mini", openAI, O200k, true},
		{"gpt-oss-120b", openAI, O200k, true},
		{"openai/gpt-oss:20b", openAI, O200k, true},
		{"o1", openAI, O200k, true},
		{"o3-mini", openAI, O200k, true},
		{"o4-mini-deep-research", openAI, O200k, true},
		{"gpt-4", openAI, CL100k, true},
		{"gpt-4-turbo-preview", openAI, CL100k, true},
		{"gpt-3.5-turbo", openAI, CL100k, true},
		{"azure/gpt-35-turbo", openAI, CL100k, true},
		{"text-embedding-3-large", openAI, CL100k, true},
		{"text-davinci-003", openAI, P50k, true},
		{"code-davinci-002", openAI, P50k, true},
		{"davinci-002", openAI, CL100k, true},
		{"davinci", openAI, R50k, true},
		{"gpt2", openAI, R50k, true},
		{"", "unnamed", O200k, true},

		{"claude-opus-4-7", claude47, O200k, false},
		{"anthropic/claude-opus-4.7", claude47, O200k, false},
		{"claude-sonnet-5", claude47, O200k, false},
		{"claude-sonnet-4-10", claude47, O200k, false},
		{"claude-latest", claude47, O200k, false},
		{"claude-opus-4-6", claude3, O200k, false},
		{"anthropic/claude-sonnet-4.5", claude3, O200k, false},
		{"claude-sonnet-4-20250514", claude3, O200k, false},
		{"claude-opus-4@20250514", claude3, O200k, false},
		{"us.anthropic.claude-sonnet-4-5-20250929-v1:0", claude3, O200k, false},
		{"bedrock/anthropic.claude-3-5-sonnet-20241022-v2:0", claude3, O200k, false},
		{"claude-3-haiku-20240307", claude3, O200k, false},
		{"claude-2.1", claude3, O200k, false},
		{"gemini-3-pro", gemini, O200k, false},
		{"models/gemini-2.5-flash", gemini, O200k, false},
		{"gemma3:12b", gemini, O200k, false},
		{"qwen3-coder", qwen, O200k, false},
		{"Qwen/Qwen2.5-Coder-32B-Instruct", qwen, O200k, false},
		{"deepseek-chat", deepSeek, O200k, false},
		{"deepseek-ai/DeepSeek-V3.1", deepSeek, O200k, false},
		{"deepseek-r1-distill-llama-70b", llama, O200k, false},
		{"deepseek-r1-distill-qwen-7b", qwen, O200k, false},
		{"llama-3.1-70b-versatile", llama, O200k, false},
		{"meta-llama/Meta-Llama-3-8B", llama, O200k, false},
		{"ollama/llama3.2:3b", llama, O200k, false},
		{"codestral-latest", mistral, O200k, false},
		{"llama-2-70b", unknown, O200k, false},
		{"grok-4", unknown, O200k, false},
		{"gpt-6", unknown, O200k, false},
		{"o100", unknown, O200k, false},
		{"my-model", unknown, O200k, false},
	} {
		c := ForModel(test.model)
		if c.Family != test.family || c.Encoding != test.encoding || c.Exact != test.exact || c.Model != test.model {
			t.Errorf("%q: %s, %s, exact %v", test.model, c.Family, c.Encoding, c.Exact)
		}
		if c.Source == "" || (c.Kind() == "exact") != test.exact || (c.ErrorBound == 0) != test.exact || (c.PlanningBound == 1) != test.exact {
			t.Errorf("%q: kind %s, error %v, planning %v, source %q", test.model, c.Kind(), c.ErrorBound, c.PlanningBound, c.Source)
		}
	}
}

// An estimate is o200k_base's count times the factor of the text's class, rounded up, and planning allows for more.
func TestEstimates(t *testing.T) {
	prose := strings.Repeat("The tokenizer splits a text into words, and the words into what it knows. ", 20)
	code := strings.Repeat("\tfor i := range len(xs) {\n\t\tsum += f(xs[i], map[string]int{\"a\": 1})\n\t}\n", 20)
	dense := strings.Repeat("function(e,t){return e&&t?e[t].call(this,arguments[0]):null};var n=o(17);", 20)
	cjk := strings.Repeat("编辑器把提示发送给模型，然后显示结果。", 20)
	for _, test := range []struct {
		model, text string
		factor      float64
	}{
		{"claude-sonnet-4-5", prose, 1.18},
		{"claude-sonnet-4-5", code, 1.28},
		{"claude-sonnet-4-5", dense, 1.40},
		{"claude-sonnet-4-5", cjk, 1.30},
		{"claude-opus-4-7", prose, 1.60},
		{"claude-opus-4-7", code, 1.55},
		{"gemini-3-pro", cjk, 0.85},
		{"deepseek-chat", code, 1.08},
		{"llama-3.1-8b", dense, 1.00},
		{"grok-4", prose, 1.30},
	} {
		c, n := ForModel(test.model), O200k.Count(test.text)
		if got, want := c.Count(test.text), int(math.Ceil(float64(n)*test.factor-1e-9)); got != want {
			t.Errorf("%s: %d tokens in %.20q, want %d (%d x %v)", test.model, got, test.text, want, n, test.factor)
		}
		if got, want := c.Plan(test.text), int(math.Ceil(float64(n)*c.PlanningBound-1e-9)); got != want || got < c.Count(test.text) {
			t.Errorf("%s plans %d tokens for %.20q, want %d", test.model, got, test.text, want)
		}
	}
	exact := ForModel("gpt-4o")
	if n := O200k.Count(prose); exact.Count(prose) != n || exact.Plan(prose) != n {
		t.Errorf("gpt-4o counts %d and plans %d, want %d", exact.Count(prose), exact.Plan(prose), n)
	}
	if n := ForModel("claude-opus-4-7").Count(""); n != 0 {
		t.Errorf("no text is %d tokens", n)
	}
}

// The texts that the factors were measured on are of the class that they are called.
func TestClassify(t *testing.T) {
	for name, want := range map[string]contentClass{"prose": proseText, "go": codeText, "minjs": denseText, "base64": denseText, "cjk": cjkText} {
		text := corpus(t, name)
		wrong := 0
		const slice = 6000
		for at := 0; at+slice <= len(text); at += slice {
			if classify(text[at:at+slice]) != want {
				wrong++
			}
		}
		if slices := len(text) / slice; wrong > slices/7 {
			t.Errorf("%d of %d slices of %s are taken for something else", wrong, slices, name)
		}
	}
	for _, f := range families {
		if low, high := min(f.factors.prose, f.factors.code, f.factors.dense, f.factors.cjk), max(f.factors.prose, f.factors.code, f.factors.dense, f.factors.cjk); low <= 0 || high > f.planningBound {
			t.Errorf("factors from %v to %v, planning bound %v (%s)", low, high, f.planningBound, f.source)
		}
	}
}
