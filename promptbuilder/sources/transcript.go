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
	heading string
	left    int
	count   func(string) int

	parts   []string
	origins []Origin
	lines   int      // lines written so far, the heading included
	named   []string // files for which only the name was left
}

// smallest is the least number of tokens worth beginning a file with.
const smallest = 40

func (t *transcript) add(name string, b Buffer) {
	if t.lines == 0 {
		t.lines = lineCount(t.heading)
		t.origins = append(t.origins, Origin{Name: "editor", ToLine: t.lines})
	}
	note := ""
	if b.Dirty {
		note = " (not saved)"
	}
	text := strings.ReplaceAll(b.Text, "\r\n", "\n")
	overhead := t.count("\n\n" + name + note + "\n\n" + Fence(b.Language, "") + "\n")
	if t.left-overhead < smallest {
		t.named = append(t.named, name)
		return
	}
	cut := false
	if t.count(text) > t.left-overhead {
		text, cut = t.fit(text, t.left-overhead), true
		note += " (only the beginning)"
	}
	block := fmt.Sprintf("\n\n%s%s\n\n%s", name, note, Fence(b.Language, text))
	t.left -= t.count(block)
	body := lineCount(strings.TrimSuffix(text, "\n"))
	from := t.lines + 4 // a blank line, the name, a blank line, the fence
	t.origins = append(t.origins,
		Origin{Name: "editor", FromLine: t.lines, ToLine: from},
		Origin{Path: b.Path, Name: b.Label, Hash: fsys.HashOf(b.Text), Dirty: b.Dirty, FromLine: from, ToLine: from + body, FileTo: body},
		Origin{Name: "editor", FromLine: from + body, ToLine: from + body + 1})
	t.lines = from + body + 1
	t.parts = append(t.parts, block)
	if cut {
		t.left = 0
	}
}

// fit cuts a text at a line end so that it costs at most the budget.
func (t *transcript) fit(text string, budget int) string {
	low, high := 0, len(text)
	for low < high {
		mid := (low + high + 1) / 2
		if t.count(strings.ToValidUTF8(text[:mid], "")) <= budget {
			low = mid
		} else {
			high = mid - 1
		}
	}
	if end := strings.LastIndexByte(text[:low], '\n'); end >= 0 {
		return text[:end+1]
	}
	return strings.ToValidUTF8(text[:low], "")
}

func (t *transcript) observation() Observation {
	text := t.heading + strings.Join(t.parts, "")
	if len(t.named) > 0 {
		text += "\n\nAlso open, not shown here: " + strings.Join(t.named, ", ") + "."
		t.origins = append(t.origins, Origin{Name: "editor", FromLine: t.lines, ToLine: t.lines + 2})
	}
	return Observation{Status: Present, Text: text, Origins: t.origins}
}
