package sources

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// MaxToolDescription is the longest description of a tool, in characters, that
// every provider takes: OpenAI refuses longer ones (gptme/gptme,
// pull 1699, and gptme/llm/llm_openai.py there).
const MaxToolDescription = 1_024

// Shorten cuts the tool's description where it is longer than every provider
// takes, and reports whether it did. It cuts behind a sentence, else behind a
// word; what is cut off is said in the system text.
//
// In compat gptme it cuts at the very character, and the rest is lost.
func (t *Tool) Shorten(compat string) bool {
	if utf8.RuneCountInString(t.Description) <= MaxToolDescription {
		return false
	}
	characters := []rune(t.Description)
	if compat == "gptme" {
		t.Description = string(characters[:MaxToolDescription])
		return true
	}
	at := cutAt(characters)
	t.Rest = strings.TrimSpace(string(characters[at:]))
	t.Description = strings.TrimRightFunc(string(characters[:at]), unicode.IsSpace)
	return true
}

// cutAt gives the length of what is kept of a text that is too long.
func cutAt(text []rune) int {
	sentence, word := 0, 0
	for i := 1; i <= MaxToolDescription; i++ {
		switch last := text[i-1]; {
		case strings.ContainsRune("。！？", last), last == '\n':
			sentence, word = i, i
		case strings.ContainsRune(".!?:;", last) && unicode.IsSpace(text[i]):
			sentence = i
		case unicode.IsSpace(text[i]):
			word = i
		}
	}
	// A sentence that ends in the first half is too little to keep.
	switch {
	case sentence >= MaxToolDescription/2:
		return sentence
	case word > 0:
		return max(word, sentence)
	}
	return MaxToolDescription
}
