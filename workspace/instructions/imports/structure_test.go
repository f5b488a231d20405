package imports

import (
	_ "embed"
	"strconv"
	"strings"
	"testing"
)

// structure.txt has a Markdown text in quotes and a letter for each X in it:
// where the reference implementation of CommonMark (commonmark.js 0.31.2) puts
// it. t is text, c code, h HTML in a line, H a block of it, - nowhere. The texts
// were put together at random from what begins and ends blocks and spans.
//
//go:embed testdata/structure.txt
var structure string

func TestStructure(t *testing.T) {
	for line := range strings.Lines(structure) {
		end := strings.LastIndexByte(line, '"') + 1
		quoted, want := line[:end], strings.TrimSpace(line[end:])
		text, err := strconv.Unquote(quoted)
		if err != nil {
			t.Fatal(err)
		}
		kinds := map[int]byte{}
		parseBlocks(text, func(b block) {
			kind := map[blockKind]byte{paragraph: 't', heading: 't', code: 'c', comment: 'H', html: 'H'}[b.kind]
			for _, l := range b.lines {
				for i := l.start; i < l.end; i++ {
					kinds[i] = kind
				}
			}
			if kind == 't' {
				inline := join(text, b)
				for _, m := range maskInline(inline.text, false) {
					for i := m.start; i < m.end; i++ {
						if inline.text[i] != '\n' {
							kinds[inline.offset(i)] = map[bool]byte{true: 'c', false: 'h'}[inline.text[m.start] == '`']
						}
					}
				}
			}
		})
		got := ""
		for i := range len(text) {
			switch kind, ok := kinds[i]; {
			case text[i] != 'X':
			case want[len(got)] == '-' || !ok:
				got += "-"
			default:
				got += string(kind)
			}
		}
		if got != want {
			t.Errorf("%s: got %s, want %s", quoted, got, want)
		}
	}
}
