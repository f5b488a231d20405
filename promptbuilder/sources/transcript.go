package sources

import (
	"fmt"
	"slices"
	"strings"

	"foreword/workspace/fsys"
)

// transcript writes the texts of files one after another, each in a fence under
// its name, as far as a budget of tokens goes, and keeps account of which line
// came from where.
type transcript struct {
	count func(string) int
	left  int    // tokens
	rest  string // introduces the names of the files that did not fit

	blocks  []block
	text    strings.Builder
	lines   int // of text
	origins []Origin
	named   []string // files for which only the name was left
}

// block is what is kept of one file.
type block struct {
	name  string
	of    Buffer
	text  string
	lines int // of the file
}

// worthBeginning is the least number of tokens worth beginning a file with that
// does not fit whole.
const worthBeginning = 40

// namesAtMost bounds the files of which only the name is said.
const namesAtMost = 20

func newTranscript(heading, rest string, budget int, count func(string) int) *transcript {
	t := &transcript{count: count, left: budget - count(heading), rest: rest, lines: lineCount(heading)}
	t.text.WriteString(heading)
	t.origins = own("editor", heading)
	return t
}

// add takes a file, or as many of its first lines as the budget allows, or
// keeps its name where that is nothing. It returns how many of its lines it
// took, and whether that is less than the file.
func (t *transcript) add(name string, b Buffer) (written int, less bool) {
	text := strings.ReplaceAll(b.Text, "\r\n", "\n")
	for room := t.left - t.count(fileBlock(name, b, "", "")); room > 0; {
		kept := t.fit(text, room)
		less = len(kept) < len(text)
		if less && (room < worthBeginning || kept == "") {
			break
		}
		said := fileBlock(name, b, text, kept)
		cost := t.count(said)
		if cost > t.left { // the parts together may cost more than one by one
			room -= cost - t.left
			continue
		}
		t.left -= cost
		if less {
			t.left = 0 // what follows matters less than what was cut
		}
		t.blocks = append(t.blocks, block{name: name, of: b, text: said, lines: fileLines(kept)})
		return fileLines(kept), less
	}
	t.named = append(t.named, name)
	return 0, true
}

// fileBlock is what is kept of a file's text, under its name.
func fileBlock(name string, b Buffer, text, kept string) string {
	note := ""
	if b.Dirty {
		note = " (not saved)"
	}
	if len(kept) < len(text) {
		if lines, of := fileLines(kept), fileLines(text); lines < of {
			note += fmt.Sprintf(" (the first %d of %d lines)", lines, of)
		} else {
			note += " (only the beginning)"
		}
	}
	return "\n\n" + name + note + "\n\n" + Fence(oneLine(b.Language), kept)
}

// byName puts what was taken into the order of the names, which stays when
// other files matter more.
func (t *transcript) byName() {
	slices.SortStableFunc(t.blocks, func(a, b block) int { return strings.Compare(a.name, b.name) })
	slices.Sort(t.named)
}

// write appends a block.
func (t *transcript) write(b block) {
	from := t.lines + 4 // a blank line, the name, a blank line, the fence
	t.origins = append(t.origins,
		Origin{Name: "editor", FromLine: t.lines, ToLine: from},
		Origin{Path: b.of.Path, Name: b.of.Label, Hash: fsys.HashOf(b.of.Text), Dirty: b.of.Dirty, FromLine: from, ToLine: from + b.lines, FileTo: b.lines},
		Origin{Name: "editor", FromLine: from + b.lines, ToLine: from + b.lines + 1})
	t.lines = from + b.lines + 1
	t.text.WriteString(b.text)
}

// fit cuts a text so that it costs at most budget, at a line end where there is
// one. It looks at little more of the text than it keeps.
func (t *transcript) fit(text string, budget int) string {
	fits := func(n int) bool { return t.count(strings.ToValidUTF8(text[:n], "")) <= budget }
	low, high := 0, min(len(text), 4*budget) // a token of source text has about four bytes
	for fits(high) {
		if high == len(text) {
			return text
		}
		low, high = high, min(len(text), 2*high)
	}
	for low+1 < high {
		if mid := (low + high) / 2; fits(mid) {
			low = mid
		} else {
			high = mid
		}
	}
	if end := strings.LastIndexByte(text[:low], '\n'); end >= 0 {
		return text[:end+1]
	}
	return strings.ToValidUTF8(text[:low], "")
}

func (t *transcript) observation(why string) Observation {
	for _, b := range t.blocks {
		t.write(b)
	}
	if len(t.named) > 0 {
		shown := t.named[:min(len(t.named), namesAtMost)]
		t.text.WriteString("\n\n" + t.rest + ": " + strings.Join(shown, ", "))
		if more := len(t.named) - len(shown); more > 0 {
			fmt.Fprintf(&t.text, ", and %d more", more)
		}
		t.text.WriteString(".")
		t.origins = append(t.origins, Origin{Name: "editor", FromLine: t.lines, ToLine: t.lines + 2})
	}
	return Observation{Status: Present, Text: t.text.String(), Origins: t.origins, Why: why}
}
