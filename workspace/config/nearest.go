package config

import "strings"

// nearest returns the known key that a misspelt one most probably stands for, or "". Case and separators weigh
// nothing, so that code_lens.enabled finds codeLens.enabled; a last part alone finds its full key.
func nearest(key string) string {
	best, least := "", -1
	plain := fold(key)
	for _, s := range settings {
		known := fold(s.Key)
		distance := levenshtein(plain, known)
		if i := strings.LastIndexByte(s.Key, '.'); i >= 0 {
			distance = min(distance, levenshtein(plain, fold(s.Key[i+1:]))+1)
		}
		// Two letters changed places is a distance of 2; more than a third of the letters wrong is another word.
		if distance <= max(2, len(known)/3) && (least < 0 || distance < least) {
			best, least = s.Key, distance
		}
	}
	return best
}

func fold(key string) string {
	return strings.NewReplacer("_", "", "-", "", ".", "").Replace(strings.ToLower(key))
}

// levenshtein counts the letters that must be added, removed or replaced to make b of a.
func levenshtein(a, b string) int {
	// A key of a hostile file may be a megabyte long; nothing near a known key is.
	if len(a) > 3*len(b)+8 {
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
