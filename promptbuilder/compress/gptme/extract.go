package gptme

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

var keyTerms = []string{
	"error", "fail", "success", "complete", "implement", "fix", "bug", "issue", "result", "output", "todo", "fixme",
	"note", "warning", "important", "critical", "must", "should",
}

var taskTerms = map[string][]string{
	"diagnostic":     {"error", "exception", "traceback", "stack", "debug", "log"},
	"fix":            {"fix", "bug", "patch", "correct", "resolve", "repair"},
	"implementation": {"design", "architecture", "interface", "pattern", "structure", "component"},
	"exploration":    {"explore", "investigate", "research", "understand", "analyze"},
}

// Score is how much sentence i of n says for a task type.
func Score(sentence string, i, n int, taskType string) float64 {
	score := 0.
	switch {
	case i == 0:
		score += 2
	case i == n-1:
		score += 1.5
	case i < 3:
		score++
	}
	lower := strings.ToLower(sentence)
	for _, term := range keyTerms {
		if strings.Contains(lower, term) {
			score += .5
		}
	}
	for _, term := range taskTerms[taskType] {
		if strings.Contains(lower, term) {
			score += .3
		}
	}
	switch length := utf8.RuneCountInString(sentence); {
	case length < 10:
		score--
	case length < 50:
		score += .3
	case length > 200:
		score -= .2
	}
	return score
}

// CodeBlocks takes the code blocks out of a text and leaves a marker for each.
func CodeBlocks(text string) (string, []string) {
	var out strings.Builder
	var blocks []string
	for {
		open := strings.Index(text, "```")
		if open < 0 {
			break
		}
		end := strings.Index(text[open+3:], "```")
		if end < 0 {
			break
		}
		end += open + 6
		out.WriteString(text[:open])
		out.WriteString(marker(len(blocks)))
		blocks = append(blocks, text[open:end])
		text = text[end:]
	}
	out.WriteString(text)
	return out.String(), blocks
}

func marker(i int) string { return fmt.Sprintf("__CODE_BLOCK_%d__", i) }

// Sentences splits at white space after a full stop, a question mark or an exclamation mark.
func Sentences(text string) []string {
	var all []string
	from := 0
	for i := 0; i < len(text); i++ {
		if text[i] != '.' && text[i] != '!' && text[i] != '?' {
			continue
		}
		end := i + 1
		for end < len(text) {
			r, size := utf8.DecodeRuneInString(text[end:])
			if !isSpace(r) {
				break
			}
			end += size
		}
		if end > i+1 {
			all = append(all, text[from:i+1])
			from, i = end, end-1
		}
	}
	return append(all, text[from:])
}

// Extract keeps the sentences that say most within ratio of the characters, and all code blocks. It stops at the
// first sentence that does not fit, so that a long best sentence leaves nothing.
func Extract(text, taskType string, ratio float64) string {
	marked, blocks := CodeBlocks(text)
	sentences := Sentences(marked)
	if len(sentences) <= 3 {
		return text
	}
	type scored struct {
		score float64
		i     int
	}
	keep := make([]bool, len(sentences))
	var order []scored
	scoreable, held := 0, 0
	for _, block := range blocks {
		held += utf8.RuneCountInString(block)
	}
	for i, sentence := range sentences {
		length := utf8.RuneCountInString(sentence)
		marked := false
		for k := range blocks {
			marked = marked || strings.Contains(sentence, marker(k))
		}
		if marked {
			keep[i] = true
			held += length
			continue
		}
		scoreable += length
		order = append(order, scored{Score(sentence, i, len(sentences), taskType), i})
	}
	slices.SortFunc(order, func(a, b scored) int { return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(b.i, a.i)) })
	room := max(0, int(float64(scoreable+held)*ratio)-held)
	for _, s := range order {
		length := utf8.RuneCountInString(sentences[s.i])
		if length > room {
			break
		}
		keep[s.i] = true
		room -= length
	}
	var kept []string
	for i, sentence := range sentences {
		if keep[i] {
			kept = append(kept, sentence)
		}
	}
	out := strings.Join(kept, " ")
	for i, block := range blocks {
		out = strings.ReplaceAll(out, marker(i), block)
	}
	return out
}

// Compressed is what gptme makes of the context of a prompt.
type Compressed struct {
	Text string
	// Ratio that was aimed at; gptme reports it as if it had been reached.
	Ratio float64
	Classification
}

// Compress compresses context for a prompt.
func Compress(prompt string, files int, context []string) Compressed {
	f := FeaturesOf(prompt, files, context)
	c := Classify(f)
	r := Compressed{Ratio: Ratio(c, f), Classification: c}
	whole := strings.Join(context, "\n\n")
	if utf8.RuneCountInString(whole) < 100 {
		r.Text = whole
		return r
	}
	if r.Text = Extract(whole, c.Primary, r.Ratio); len(r.Text) > len(whole) {
		r.Text = whole
	}
	return r
}
