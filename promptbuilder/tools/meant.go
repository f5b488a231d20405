package tools

import (
	"fmt"
	"strings"
)

// meant names the argument that a model most likely had in mind, as the end of
// a sentence; empty where none is near. Other tools call the same thing
// file_path, filePath or max_results, and a letter may be wrong.
func meant(name string, known []string) string {
	plain := folded(name)
	best, least := "", -1
	for _, candidate := range known {
		other := folded(candidate)
		slips := levenshtein(plain, other)
		const affix = 12 // letters of another tool's word before or behind ours
		if len(plain) <= len(other)+affix && (strings.HasPrefix(plain, other) || strings.HasSuffix(plain, other)) {
			slips = 0
		}
		// Two letters that changed places are two slips; more than a third of the letters wrong is another word.
		if slips <= max(2, len(other)/3) && slips < len(other) && (least < 0 || slips < least) {
			best, least = candidate, slips
		}
	}
	if best == "" {
		return ""
	}
	return fmt.Sprintf(" (did you mean %q?)", best)
}

func folded(name string) string {
	return strings.NewReplacer("_", "", "-", "", " ", "").Replace(strings.ToLower(name))
}

// levenshtein counts the letters that must be added, removed or replaced to make b of a.
func levenshtein(a, b string) int {
	if len(a) > 3*len(b)+8 { // nothing near a known name is that long
		return len(a)
	}
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := 1
			if a[i] == b[j] {
				cost = 0
			}
			diagonal, row[j+1] = row[j+1], min(row[j+1]+1, row[j]+1, diagonal+cost)
		}
	}
	return row[len(b)]
}

// clip keeps what an answer repeats of a call short.
func clip(text string) string {
	const most = 60
	if len(text) > most {
		return strings.ToValidUTF8(text[:most], "") + "…"
	}
	return text
}
