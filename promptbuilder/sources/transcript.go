package sources

import (
	"fmt"
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

	text    strings.Builder
	lines   int // of text
	origins []Origin
	named   []string // files for which only the name was left
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

// add writes a file, or as many of its first lines as the budget allows, or
// keeps its name where that is nothing. It returns how many of its lines it
// wrote, and whether that is less than the file.
func (t *transcript) add(name string, b Buffer) (written int, less bool) {
	text := strings.ReplaceAll(b.Text, "\r\n", "\n")
	for room := t.left - t.count(fileBlock(name, b, "", "")); room > 0; {
		kept := t.fit(text, room)
		less = len(kept) < len(text)
		if less && (room < worthBeginning || kept == "") {
			break
		}
		block := fileBlock(name, b, text, kept)
		cost := t.count(block)
		if cost > t.left { // the parts together may cost more than one by one
			room -= cost - t.left
			continue
		}
		t.left -= cost
		if less {
			t.left = 0 // what follows matters less than what was cut
		}
		return t.write(b, block, fileLines(kept)), less
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

// write appends a block with the given number of lines of the file in it.
func (t *transcript) write(b Buffer, block string, lines int) int {
	from := t.lines + 4 // a blank line, the name, a blank line, the fence
	t.origins = append(t.origins,
		Origin{Name: "editor", FromLine: t.lines, ToLine: from},
		Origin{Path: b.Path, Name: b.Label, Hash: fsys.HashOf(b.Text), Dirty: b.Dirty, FromLine: from, ToLine: from + lines, FileTo: lines},
		Origin{Name: "editor", FromLine: from + lines, ToLine: from + lines + 1})
	t.lines = from + lines + 1
	t.text.WriteString(block)
	return lines
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
