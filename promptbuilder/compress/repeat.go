package compress

import (
	"crypto/sha256"
	"strings"
)

// shortParagraph is the length in bytes below which a paragraph is too common to tell that a text was repeated.
const shortParagraph = 100

// Seen knows the texts that were said so far, by their words alone: white space does not count.
type Seen struct {
	texts      map[[16]byte]int
	paragraphs map[[16]byte]bool
}

// Repetition is what of a text was said before.
type Repetition struct {
	// Of is the index of the text that is the same, -1 when none is.
	Of int
	// Coverage is the share of the bytes in paragraphs that were said before, from 0 to 1.
	Coverage float64
	// New are the pieces of the text that were not said before, as [from, to) in bytes, when some were.
	New [][2]int
}

// NewSeen knows nothing.
func NewSeen() *Seen {
	return &Seen{texts: map[[16]byte]int{}, paragraphs: map[[16]byte]bool{}}
}

// Add says what of a text was said before and remembers it under an index.
func (s *Seen) Add(index int, text string) Repetition {
	r := s.Look(text)
	if strings.TrimSpace(text) == "" {
		return r
	}
	if r.Of < 0 {
		s.texts[wordsHash(text)] = index
	}
	for _, p := range paragraphs(text) {
		if p[1]-p[0] >= shortParagraph {
			s.paragraphs[wordsHash(text[p[0]:p[1]])] = true
		}
	}
	return r
}

// Look says what of a text was said before.
func (s *Seen) Look(text string) Repetition {
	r := Repetition{Of: -1}
	if strings.TrimSpace(text) == "" {
		return r
	}
	if of, ok := s.texts[wordsHash(text)]; ok {
		r.Of, r.Coverage = of, 1
		return r
	}
	all, known := 0, 0
	var fresh [][2]int
	for _, p := range paragraphs(text) {
		size := p[1] - p[0]
		all += size
		if size >= shortParagraph && s.paragraphs[wordsHash(text[p[0]:p[1]])] {
			known += size
			continue
		}
		fresh = append(fresh, p)
	}
	if known > 0 {
		r.Coverage, r.New = float64(known)/float64(all), fresh
	}
	return r
}

// paragraphs are the pieces of a text between blank lines, without white space at their ends.
func paragraphs(text string) [][2]int {
	var all [][2]int
	from, at := 0, 0
	add := func(to int) {
		trimmed := strings.TrimSpace(text[from:to])
		if trimmed == "" {
			return
		}
		begin := from + strings.Index(text[from:to], trimmed)
		all = append(all, [2]int{begin, begin + len(trimmed)})
	}
	for at < len(text) {
		end := lineEnd(text, at)
		if strings.TrimSpace(text[at:end]) == "" {
			add(at)
			from = end
		}
		at = end
	}
	add(len(text))
	return all
}

func wordsHash(text string) [16]byte {
	sum := sha256.Sum256([]byte(strings.Join(strings.Fields(text), " ")))
	return [16]byte(sum[:16])
}
