package compress

import (
	"slices"
	"strings"
)

// thoughts are the tags in which models think aloud when their provider has no place for it.
var thoughts = []string{"think", "thinking", "reasoning"}

// StripReasoning leaves out what a model thought aloud in tags of its answer, and squeezes the blank lines that stay.
func StripReasoning(text string) string {
	spans := Thoughts(text)
	if len(spans) == 0 {
		return text
	}
	var out strings.Builder
	at := 0
	for _, span := range spans {
		out.WriteString(text[at:span[0]])
		at = span[1]
	}
	out.WriteString(text[at:])
	return strings.TrimSpace(squeeze(out.String()))
}

// Thoughts are the spans of a text in which a model thought aloud, as [from, to) in bytes, tags included. Tags may hold
// attributes, be written in capitals and stand inside each other; what a tag that is never closed begins is none,
// because it may be the answer. Tags in code blocks are code.
func Thoughts(text string) [][2]int {
	var all [][2]int
	for _, u := range unitsOfBlocks(text) {
		if u.code {
			continue
		}
		for _, span := range thoughtsIn(text[u.from:u.to]) {
			all = append(all, [2]int{u.from + span[0], u.from + span[1]})
		}
	}
	return all
}

// unitsOfBlocks cuts a text into code blocks and what is between them.
func unitsOfBlocks(text string) []unit {
	var all []unit
	for _, u := range unitsOf(text) {
		if len(all) > 0 && !u.code && !all[len(all)-1].code {
			all[len(all)-1].to = u.to
			continue
		}
		all = append(all, unit{from: u.from, to: u.to, code: u.code})
	}
	return all
}

// thoughtsIn are the outermost spans between tags that belong together, found in one pass.
func thoughtsIn(text string) [][2]int {
	lower := asciiLower(text)
	open := map[string][]int{}
	var spans [][2]int
	for at := 0; ; at++ {
		n := strings.IndexByte(lower[at:], '<')
		if n < 0 {
			break
		}
		at += n
		if tag := opens(lower[at:]); tag != "" {
			open[tag] = append(open[tag], at)
			continue
		}
		for _, tag := range thoughts {
			if shut := "</" + tag + ">"; strings.HasPrefix(lower[at:], shut) && len(open[tag]) > 0 {
				last := len(open[tag]) - 1
				spans = append(spans, [2]int{open[tag][last], at + len(shut)})
				open[tag] = open[tag][:last]
			}
		}
	}
	slices.SortFunc(spans, func(a, b [2]int) int { return a[0] - b[0] })
	var outer [][2]int
	for _, span := range spans {
		if n := len(outer); n > 0 && span[0] < outer[n-1][1] {
			outer[n-1][1] = max(outer[n-1][1], span[1])
			continue
		}
		outer = append(outer, span)
	}
	return outer
}

// opens is the name of the tag that the text begins with, "" when it is no opening tag of ours.
func opens(lower string) string {
	for _, tag := range thoughts {
		rest, ok := strings.CutPrefix(lower, "<"+tag)
		if !ok || rest == "" || rest[0] != '>' && rest[0] != ' ' {
			continue
		}
		// A tag is short: whoever writes "<think" in prose does not look for its end a page later.
		if end := strings.IndexAny(rest[:min(len(rest), 200)], "<>\n"); end >= 0 && rest[end] == '>' {
			return tag
		}
	}
	return ""
}

// asciiLower keeps every byte in its place.
func asciiLower(text string) string {
	lower := []byte(text)
	for i, c := range lower {
		if 'A' <= c && c <= 'Z' {
			lower[i] = c + 'a' - 'A'
		}
	}
	return string(lower)
}

// squeeze makes three line ends and more two.
func squeeze(text string) string {
	for strings.Contains(text, "\n\n\n") {
		text = strings.ReplaceAll(text, "\n\n\n", "\n\n")
	}
	return text
}
