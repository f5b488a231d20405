package gptme

import "strings"

// Kept lines at either end of a block.
const (
	pre  = 10
	post = 10
)

// Reduce cuts the middle out of the blocks of the longest messages until the log is down to the limit. It always takes
// the single longest message, and stops when that could not be cut, although others could.
func Reduce(log []Message, limit int, tools []string, count Count) []Message {
	costs := make([]int, len(log))
	sum := 0
	for i, m := range log {
		costs[i] = count(m.Content)
		sum += costs[i]
	}
	if sum <= limit {
		return log
	}
	reduced := append([]Message(nil), log...)
	calls := make([]bool, len(log))
	for i, m := range log {
		calls[i] = Calls(m, tools)
	}
	for previous := -1; ; previous = sum {
		longest := -1
		for i, m := range reduced {
			if !m.Pinned && !calls[i] && (longest < 0 || costs[i] > costs[longest]) {
				longest = i
			}
		}
		if longest < 0 {
			return reduced
		}
		if text, ok := Truncate(reduced[longest].Content, pre, post); ok {
			cost := count(text)
			sum += cost - costs[longest]
			reduced[longest].Content, costs[longest] = text, cost
		}
		if sum <= limit || sum == previous {
			return reduced
		}
	}
}

// Truncate cuts the middle out of the blocks and details of a text; false when there was nothing to cut.
func Truncate(text string, head, tail int) (string, bool) {
	cut := text
	for _, b := range Blocks(text) {
		whole := b.String()
		if !strings.Contains(cut, whole) {
			continue
		}
		if content, ok := middle(strings.Split(b.Content, "\n"), head, tail); ok {
			shorter := b
			shorter.Content = content
			cut = strings.ReplaceAll(cut, whole, shorter.String())
		}
	}
	spans := DetailsSpans(cut)
	for i := len(spans) - 1; i >= 0; i-- {
		from, to := spans[i][0], spans[i][1]
		if shorter, ok := cutDetails(cut[from:to], head, tail); ok {
			cut = cut[:from] + shorter + cut[to:]
		}
	}
	return cut, cut != text
}

func middle(lines []string, head, tail int) (string, bool) {
	if len(lines) <= head+tail+1 {
		return "", false
	}
	kept := append(append(append([]string(nil), lines[:head]...), "[...]"), lines[len(lines)-tail:]...)
	return strings.Join(kept, "\n"), true
}

// DetailsSpans are the outermost details elements.
func DetailsSpans(text string) [][2]int {
	lower := strings.ToLower(text)
	const open, shut = "<details>", "</details>"
	var spans [][2]int
	depth, from := 0, 0
	for at := 0; at < len(lower); {
		o, s := strings.Index(lower[at:], open), strings.Index(lower[at:], shut)
		switch {
		case s < 0 && o < 0:
			return spans
		case o >= 0 && (s < 0 || o < s):
			if depth == 0 {
				from = at + o
			}
			depth++
			at += o + len(open)
		default:
			at += s + len(shut)
			if depth > 0 {
				if depth--; depth == 0 {
					spans = append(spans, [2]int{from, at})
				}
			}
		}
	}
	return spans
}

func cutDetails(element string, head, tail int) (string, bool) {
	const open, shut = len("<details>"), len("</details>")
	body := element[open : len(element)-shut]
	header := element[:open]
	rest := strings.TrimLeft(body, " \t\n")
	if strings.HasPrefix(strings.ToLower(rest), "<summary>") {
		if end := strings.Index(strings.ToLower(rest), "</summary>"); end >= 0 {
			end += len("</summary>")
			header += body[:len(body)-len(rest)] + rest[:end]
			rest = rest[end:]
		}
	}
	shorter, ok := middle(strings.Split(strings.Trim(rest, "\n"), "\n"), head, tail)
	return header + "\n" + shorter + "\n" + element[len(element)-shut:], ok
}
