package compress

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
)

// Sentence is a piece of a text with its score.
type Sentence struct {
	// From and To are where it stands in the text, in bytes.
	From, To int
	Score    float64
	// Code is a code block; it is always kept, whole.
	Code bool
}

// Extracted is a text that was compressed by leaving sentences out.
type Extracted struct {
	Text string
	// Kept and Dropped are the pieces of the text in order; together they are all of it.
	Kept, Dropped []Sentence
	// Ratio is what is left, as a share of the bytes.
	Ratio float64
}

// key are words that matter in any task.
var key = []string{
	"error", "fail", "failed", "fails", "success", "complete", "completed", "implement", "fix", "fixed", "bug", "issue",
	"result", "results", "output", "todo", "fixme", "note", "warning", "important", "critical", "must", "should", "never",
	"always", "decided", "because", "instead",
}

// Extract keeps the sentences of a text that say most, about share of its bytes. Code blocks and headings are kept
// whole and in their place, and so is the best sentence, whatever the share: nothing is compressed to nothing.
// Sentences that do not fit are passed over for shorter ones.
func Extract(text string, share float64, task Class) Extracted {
	units := unitsOf(text)
	scores := scoresOf(text, units, wantedBy(task))
	order := make([]int, 0, len(units))
	keep := make([]bool, len(units))
	room := int(share * float64(len(text)))
	for i, u := range units {
		if u.code || u.heading {
			keep[i] = true
			room -= u.to - u.from
			continue
		}
		order = append(order, i)
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(scores[b], scores[a]) })
	for k, i := range order {
		size := units[i].to - units[i].from
		if size <= room || k == 0 && share > 0 {
			keep[i] = true
			room -= size
		}
	}
	var r Extracted
	var out strings.Builder
	for i, u := range units {
		s := Sentence{From: u.from, To: u.to, Score: scores[i], Code: u.code}
		if !keep[i] {
			r.Dropped = append(r.Dropped, s)
			// What follows a paragraph that went still begins a paragraph.
			continue
		}
		r.Kept = append(r.Kept, s)
		if said := out.String(); u.first && said != "" && !strings.HasSuffix(said, "\n\n") && len(r.Dropped) > 0 && r.Dropped[len(r.Dropped)-1].To == u.from {
			out.WriteString(strings.Repeat("\n", 2-trailing(said)))
		}
		out.WriteString(text[u.from:u.to])
	}
	r.Text = out.String()
	if len(r.Text) > len(text) || len(r.Dropped) == 0 {
		r.Text = text
	}
	if len(text) > 0 {
		r.Ratio = float64(len(r.Text)) / float64(len(text))
	}
	return r
}

// trailing is how many line ends, up to two, a text ends with.
func trailing(text string) int {
	n := 0
	for n < 2 && strings.HasSuffix(text[:len(text)-n], "\n") {
		n++
	}
	return n
}

// scoresOf says how much each unit says: by where it stands, by the words that matter in any task and in this one, by
// names and numbers, and by how much of it stood before already.
func scoresOf(text string, units []unit, wanted []string) []float64 {
	matter, sought := setOf(key), setOf(wanted)
	seen := map[string]bool{}
	scores := make([]float64, len(units))
	last := len(units) - 1
	for i, u := range units {
		said := text[u.from:u.to]
		words := strings.FieldsFunc(strings.ToLower(said), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '_' })
		score := 0.
		switch {
		case i == 0:
			score = 2
		case i == last:
			score = .7
		case u.first:
			score = 1
		}
		fresh := 0
		for _, word := range words {
			if matter[word] {
				score += .5
			}
			if sought[word] {
				score += .7
			}
			if !seen[word] {
				fresh++
				seen[word] = true
			}
		}
		if strings.ContainsAny(said, "/`") || strings.Contains(said, "://") {
			score += .8 // a path, a name or an address
		}
		if strings.ContainsFunc(said, unicode.IsDigit) {
			score += .2
		}
		if len(words) > 0 {
			score += float64(fresh) / float64(len(words))
		} else {
			score--
		}
		scores[i] = score
	}
	return scores
}

func setOf(words []string) map[string]bool {
	set := make(map[string]bool, len(words))
	for _, word := range words {
		set[word] = true
	}
	return set
}
