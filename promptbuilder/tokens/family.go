package tokens

import "unicode/utf8"

// The families of models that share a tokenizer.
const (
	openAI   = "openai"
	claude3  = "claude-3"   // Claude 3 to 4.6
	claude47 = "claude-4.7" // Claude Opus 4.7 and later
	gemini   = "gemini"
	qwen     = "qwen"
	deepSeek = "deepseek"
	llama    = "llama"
	mistral  = "mistral"
	unknown  = "unknown"
)

// family says how many tokens a family's tokenizer makes, relative to o200k_base.
type family struct {
	factors       factors
	planningBound float64
	errorBound    float64
	source        string
}

// factors is the mean ratio to o200k_base for each class of content.
type factors struct {
	prose, code, dense, cjk float64
}

// families has the estimates. Qwen 3, DeepSeek V3, Llama 3.1 and Gemma 3 (whose tokenizer is Gemini's) were measured with
// their own vocabularies on 20 slices of 8,000 characters each of English prose, Go, minified JavaScript, and
// Chinese and Japanese; the error bounds are the 95th percentile on windows of 6 kB. Claude's are inferred: the
// public Claude 2 vocabulary measured the same way, times the 1.10 that ai-tokenizer found against billed counts of
// Claude 3 to 4.5, times, for 4.7 and later, the 1.2 to 1.47 that users of count_tokens report; nobody has checked them
// against the service. Mistral's factor is the one that Continue uses.
var families = map[string]family{
	claude3:  {factors{1.18, 1.28, 1.40, 1.30}, 1.42, 0.13, "the Claude 2 vocabulary and billed counts"},
	claude47: {factors{1.60, 1.55, 1.65, 1.30}, 1.85, 0.12, "the Claude 2 vocabulary and reported counts"},
	gemini:   {factors{1.08, 1.20, 1.27, 0.85}, 1.40, 0.18, "the Gemma 3 vocabulary"},
	qwen:     {factors{1.02, 1.04, 1.03, 0.95}, 1.20, 0.03, "the Qwen 3 vocabulary"},
	deepSeek: {factors{1.03, 1.08, 1.09, 0.87}, 1.30, 0.03, "the DeepSeek V3 vocabulary"},
	llama:    {factors{1.00, 1.00, 1.00, 1.00}, 1.06, 0.03, "the Llama 3.1 vocabulary"},
	mistral:  {factors{1.26, 1.26, 1.26, 1.26}, 1.60, 0.30, "the factor that Continue uses"},
	unknown:  {factors{1.30, 1.30, 1.30, 1.30}, 1.60, 0.30, "no measurement: a guess"},
}

// of returns the factor for the class of text.
func (f factors) of(text string) float64 {
	switch classify(text) {
	case codeText:
		return f.code
	case denseText:
		return f.dense
	case cjkText:
		return f.cjk
	}
	return f.prose
}

// contentClass is a kind of text by how tokenizers differ on it.
type contentClass uint8

const (
	proseText contentClass = iota
	codeText
	denseText // few spaces: minified code, base64, tables of numbers
	cjkText
)

// The shares of a text's runes by which it is classified. English prose has 15 to 18 % white space and 2 to 4 %
// punctuation other than , . ' and -, Go and its like 15 to 35 % and 8 to 20 %, minified JavaScript 1 to 4 % white space;
// a third of CJK is what a technical text in Chinese or Japanese has at least.
const (
	cjkShare   = 0.30
	denseShare = 0.08
	codeShare  = 0.055
)

// sampleSize bounds the bytes that classify looks at, from the start of the text: a class does not take more.
const sampleSize = 1 << 16

func classify(text string) contentClass {
	if len(text) > sampleSize {
		text = text[:sampleSize]
	}
	var runes, spaces, marks, cjk int
	for i := 0; i < len(text); {
		c := text[i]
		runes++
		switch {
		case c >= utf8.RuneSelf:
			r, size := utf8.DecodeRuneInString(text[i:])
			i += size
			if r >= 0x2E80 && r <= 0xD7FF || r >= 0xF900 && r <= 0xFAFF || r >= 0xFF00 && r <= 0xFFEF || r >= 0x20000 && r <= 0x3FFFF {
				cjk++
			}
			continue
		case c <= ' ':
			spaces++
		case codeMarks[c]:
			marks++
		}
		i++
	}
	share := func(n int) float64 { return float64(n) / float64(max(runes, 1)) }
	switch {
	case share(cjk) >= cjkShare:
		return cjkText
	case share(spaces) < denseShare && runes >= 64: // a word or a name is no dense text
		return denseText
	case share(marks) >= codeShare:
		return codeText
	}
	return proseText
}

// codeMarks are the ASCII marks that code has many of and prose few.
var codeMarks = func() (is [utf8.RuneSelf]bool) {
	for _, c := range `(){}[]<>=+*/%&|^~!;:"#$@_\` + "`" {
		is[c] = true
	}
	return is
}()
