package history

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// textCut says what is left of a text. It depends on the text alone, so that the same cut gives the same bytes in
// every later turn, whatever counts tokens then.
type textCut struct {
	// rung of the ladder that made it.
	rung string
	// keep are the pieces that stay, as [from, to) in bytes, in order. A note stands in each gap.
	keep [][2]int
	// note stands in place of the whole text when keep is nil.
	note string
}

// Rungs of the ladder, from the one that loses least. They are the reasons of truncated actions.
const (
	// RungRepeated: a later message says the same (only by the strategy adaptive).
	RungRepeated = "repeated"
	// RungThoughts: what a model thought aloud is gone (only by the strategy adaptive).
	RungThoughts = "thoughts"
	// RungMiddle: code blocks and details lost their middle.
	RungMiddle = "code_middle"
	// RungStructure: what is left are signatures, errors, and what a diff changes.
	RungStructure = "structure"
	// RungExtract: what is left are the sentences that say most (only by the strategy adaptive).
	RungExtract = "extract"
	// RungHeadTail: what is left are the beginning and the end.
	RungHeadTail = "head_tail"
	// RungReference: what is left is a note; the report can restore the text.
	RungReference = "reference"
)

// apply is what is left of the text.
func (c textCut) apply(text string) string {
	if c.keep == nil {
		return c.note
	}
	var out strings.Builder
	at := 0
	gap := func(to int) {
		if to > at {
			out.WriteString(gapNote(text, at, to))
		}
	}
	for _, piece := range c.keep {
		gap(piece[0])
		out.WriteString(text[piece[0]:piece[1]])
		at = piece[1]
	}
	gap(len(text))
	return out.String()
}

// gapNote stands where text[from:to] was. A gap of whole lines is a line of its own.
func gapNote(text string, from, to int) string {
	gone := text[from:to]
	lines := (from == 0 || text[from-1] == '\n') && (to == len(text) || text[to-1] == '\n')
	if !lines {
		return fmt.Sprintf(" [... %s left out ...] ", amount(len(gone), "byte"))
	}
	note := fmt.Sprintf("[... %s left out ...]", amount(lineCount(gone), "line"))
	if strings.HasSuffix(gone, "\r\n") {
		return note + "\r\n"
	}
	if strings.HasSuffix(gone, "\n") {
		return note + "\n"
	}
	return note
}

func lineCount(text string) int {
	n := strings.Count(text, "\n")
	if !strings.HasSuffix(text, "\n") {
		n++
	}
	return n
}

// amount is a number with its unit: "1 line", "12,345 bytes".
func amount(n int, unit string) string {
	digits := fmt.Sprint(n)
	var grouped strings.Builder
	for i, digit := range digits {
		if i > 0 && (len(digits)-i)%3 == 0 {
			grouped.WriteByte(',')
		}
		grouped.WriteRune(digit)
	}
	if n != 1 {
		unit += "s"
	}
	return grouped.String() + " " + unit
}

// isNote says whether nothing of a text is left but a note.
func isNote(text string) bool {
	return len(text) < 200 && strings.HasPrefix(text, "[") && strings.HasSuffix(text, "]") && strings.Contains(text, " left out") && strings.Contains(text, " byte")
}

// reference is the note in place of a text that is left out as a whole.
func reference(text, what string) textCut {
	return textCut{rung: RungReference, note: fmt.Sprintf("[%s of %s left out to make room]", what, amount(len(text), "byte"))}
}

// headTail keeps about size bytes, two thirds of them from the beginning: what a text is about stands there, how
// it ended stands at the end. The pieces end at lines where lines are short enough for that.
func headTail(text string, size int) (textCut, bool) {
	if size < 0 || size >= len(text) {
		return textCut{}, false
	}
	head, tail := size*2/3, len(text)-(size-size*2/3)
	for head > 0 && !utf8.RuneStart(text[head]) {
		head--
	}
	for tail < len(text) && !utf8.RuneStart(text[tail]) {
		tail++
	}
	if end := strings.LastIndexByte(text[:head], '\n'); end >= head/2 && end >= 0 && head > 0 {
		head = end + 1
	}
	if begin := strings.IndexByte(text[tail:], '\n'); begin >= 0 && tail+begin+1 < len(text) && begin < (len(text)-tail)/2 {
		tail += begin + 1
	}
	keep := make([][2]int, 0, 2)
	if head > 0 {
		keep = append(keep, [2]int{0, head})
	}
	if tail < len(text) {
		keep = append(keep, [2]int{tail, len(text)})
	}
	if len(keep) == 0 {
		keep = append(keep, [2]int{}) // a cut without pieces is a note
	}
	return textCut{rung: RungHeadTail, keep: keep}, tail > head
}

// linesKept is a cut that keeps whole lines. A gap of fewer than three lines is not worth its note.
func linesKept(rung string, lines []string, keep []bool) (textCut, bool) {
	const worthNote = 3
	for i := 0; i < len(lines); i++ {
		if keep[i] {
			continue
		}
		from := i
		for i < len(lines) && !keep[i] {
			i++
		}
		if i-from < worthNote {
			for k := from; k < i; k++ {
				keep[k] = true
			}
		}
	}
	cut := textCut{rung: rung, keep: [][2]int{}}
	at, gone := 0, false
	for i, line := range lines {
		end := at + len(line)
		switch {
		case !keep[i]:
			gone = true
		case len(cut.keep) > 0 && cut.keep[len(cut.keep)-1][1] == at:
			cut.keep[len(cut.keep)-1][1] = end
		default:
			cut.keep = append(cut.keep, [2]int{at, end})
		}
		at = end
	}
	return cut, gone
}

// splitLines are the lines of a text with their ends.
func splitLines(text string) []string {
	lines := strings.SplitAfter(text, "\n")
	if lines[len(lines)-1] == "" {
		lines = lines[:len(lines)-1]
	}
	return lines
}
