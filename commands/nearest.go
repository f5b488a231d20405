package commands

import "strings"

// nearest finds the known name that a person most likely meant: at most one
// slip (a letter wrong, missing, too many, or two swapped) for every three
// letters, upper and lower case being the same. Among equals the first wins.
func nearest(name string, known []string) (string, bool) {
	if len(name) > 4*maxShown {
		return "", false // nobody mistyped that
	}
	best, found := "", -1
	for _, candidate := range known {
		slips := distance(strings.ToLower(name), strings.ToLower(candidate))
		if slips <= max(1, len(candidate)/3) && slips < len(candidate) && (found < 0 || slips < found) {
			best, found = candidate, slips
		}
	}
	return best, found >= 0
}

// distance counts the slips between two words (optimal string alignment, in bytes).
func distance(a, b string) int {
	// Three rows of the table are enough: a swap looks two rows back.
	older, old, row := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range old {
		old[j] = j
	}
	for i := 1; i <= len(a); i++ {
		row[0] = i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			row[j] = min(old[j]+1, row[j-1]+1, old[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], older[j-2]+1)
			}
		}
		older, old, row = old, row, older
	}
	return old[len(b)]
}
