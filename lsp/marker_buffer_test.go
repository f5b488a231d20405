package lsp

import (
	"fmt"
	"strings"
	"unicode/utf16"

	"foreword/workspace"
)

// buffer is an open document as the editor has it. Its positions are counted
// here a second time, in the plainest way, so that they prove the server's.
type buffer struct {
	text    string
	version int
}

type position struct {
	Line      int `json:"line"`
	Character int `json:"character"`
}

func at(text string, offset int, enc workspace.Encoding) position {
	before := strings.ReplaceAll(text[:offset], "\r\n", "\n")
	before = strings.ReplaceAll(before, "\r", "\n")
	line := strings.Count(before, "\n")
	last := before[strings.LastIndex(before, "\n")+1:]
	p := position{Line: line}
	switch enc {
	case workspace.UTF8:
		p.Character = len(last)
	case workspace.UTF32:
		p.Character = len([]rune(last))
	default:
		p.Character = len(utf16.Encode([]rune(last)))
	}
	return p
}

type change struct {
	Range *span  `json:"range,omitempty"`
	Text  string `json:"text"`
}

type span struct {
	Start position `json:"start"`
	End   position `json:"end"`
}

// replace edits the buffer and gives the change that tells a server so.
func (b *buffer) replace(old, text string, enc workspace.Encoding) (change, error) {
	i := strings.Index(b.text, old)
	if i < 0 {
		return change{}, fmt.Errorf("no %q in the buffer %q", old, b.text)
	}
	c := change{Range: &span{at(b.text, i, enc), at(b.text, i+len(old), enc)}, Text: text}
	b.text = b.text[:i] + text + b.text[i+len(old):]
	b.version++
	return c, nil
}
