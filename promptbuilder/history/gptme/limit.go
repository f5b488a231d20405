package gptme

// Limit keeps the leading system messages, what is pinned, and from the newest back what fits; it stops at the first
// message that does not fit, also when that is the newest.
func Limit(log []Message, window int, count Count) []Message {
	var kept []Message
	for _, i := range LimitIndexes(log, window, count) {
		kept = append(kept, log[i])
	}
	return kept
}

// LimitIndexes are the messages that Limit keeps.
func LimitIndexes(log []Message, window int, count Count) []int {
	head := 0
	for head < len(log) && log[head].Role == "system" {
		head++
	}
	always := make([]bool, len(log))
	for i := range log {
		always[i] = i < head || log[i].Pinned || always[i]
		if i >= head && log[i].Pinned && log[i].Role == "assistant" {
			for k := i + 1; k < len(log) && log[k].Role == "system"; k++ {
				always[k] = true
			}
		}
	}
	room := window
	kept := make([]bool, len(log))
	for i, m := range log {
		if always[i] {
			room -= count(m.Content)
			kept[i] = true
		}
	}
	room = max(0, room)
	for i := len(log) - 1; i >= head; i-- {
		if always[i] {
			continue
		}
		cost := count(log[i].Content)
		if cost > room {
			break
		}
		room -= cost
		kept[i] = true
	}
	// A system message whose anchor is gone goes, also when the anchor was the user's.
	for i := head; i < len(log); i++ {
		if kept[i] && !always[i] && log[i].Role == "system" {
			if anchor := anchorOf(log, i); anchor >= 0 && !kept[anchor] {
				kept[i] = false
			}
		}
	}
	dropOrphans(log, kept)
	var list []int
	for i := range log {
		if kept[i] {
			list = append(list, i)
		}
	}
	return list
}

// Breakpoints are the messages after which gptme asks Anthropic to cache, beside the system text: the one before the
// first that has a time, and the last two of the user.
func Breakpoints(log []Message, boundary int) []int {
	marked := map[int]bool{}
	if boundary >= 0 {
		marked[boundary] = true
	}
	users := 0
	for i := len(log) - 1; i >= 0 && users < 2; i-- {
		if log[i].Role == "user" {
			marked[i] = true
			users++
		}
	}
	var list []int
	for i := range log {
		if marked[i] {
			list = append(list, i)
		}
	}
	return list
}
