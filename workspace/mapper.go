package workspace

import (
	"fmt"
	"sync"
	"unicode/utf8"
)

// Mapper converts between the three ways to name a place in one text: byte
// offset, Position and line. Offsets are bytes of the UTF-8 text from 0; lines
// count from 0 and end with \n, \r\n or a lone \r; the units of
// Position.Character are those of the Encoding that each method takes.
//
// The lines are found when they are first needed. A Mapper is immutable and
// safe for concurrent use.
type Mapper struct {
	text  string
	once  sync.Once
	known []int // line starts that are given, nil when they have to be found
	found []int // line starts, set by once
}

// NewMapper maps the places of text.
func NewMapper(text string) *Mapper { return &Mapper{text: text} }

// newMapperOf is a Mapper whose line starts are known already.
func newMapperOf(text string, starts []int) *Mapper { return &Mapper{text: text, known: starts} }

// Text is the text that is mapped.
func (m *Mapper) Text() string { return m.text }

// Lines is the number of lines. The text after the last line end is a line,
// even when it is empty, so there is always one.
func (m *Mapper) Lines() int { return len(m.starts()) }

// LineText is line i without its line end, "" when there is no such line.
func (m *Mapper) LineText(i int) string {
	start, end, ok := m.LineOffsets(i)
	if !ok {
		return ""
	}
	return m.text[start:end]
}

// Offset is the byte offset of pos. A character beyond the end of its line is
// the end of the line, before the line end, as LSP says, and the line after the
// last at character 0 is the end of the text, as many clients write it.
// Anything else that is not in the text is an error.
func (m *Mapper) Offset(pos Position, enc Encoding) (int, error) {
	return offsetOf(pos, enc, m.Lines(), len(m.text), func(i int) (int, string) {
		start, end, _ := m.LineOffsets(i)
		return start, m.text[start:end]
	})
}

// offsetOf is Mapper.Offset over any text of the given number of lines and
// bytes; line gives where line i starts and what is in it, without line end.
func offsetOf[T ~string | ~[]byte](pos Position, enc Encoding, lines, size int, line func(i int) (start int, content T)) (int, error) {
	switch {
	case pos.Line < 0 || pos.Character < 0:
		return 0, fmt.Errorf("position %s is negative", pos)
	case pos.Line == lines && pos.Character == 0:
		return size, nil
	case pos.Line >= lines:
		return 0, fmt.Errorf("position %s is outside of the text, which has %d lines", pos, lines)
	}
	start, content := line(pos.Line)
	n, err := bytesFor(content, pos.Character, enc)
	if err != nil {
		return 0, fmt.Errorf("line %d: %w", pos.Line, err)
	}
	return start + n, nil
}

// Position is the place of a byte offset. An offset outside of the text is its
// nearest end; one inside a character is the character's start, one inside a
// line end is the end of the line.
func (m *Mapper) Position(offset int, enc Encoding) Position {
	offset = max(0, min(offset, len(m.text)))
	offset = characterStart(m.text, offset)
	line := lineAt(m.starts(), offset)
	start, end, _ := m.LineOffsets(line)
	return Position{Line: line, Character: unitsFor(m.text[start:min(offset, end)], enc)}
}

// characterStart is where the character starts that offset is inside of; offset
// itself when it is inside of none, as between bytes that are no UTF-8.
func characterStart(text string, offset int) int {
	for start := offset; start >= 0 && start > offset-utf8.UTFMax && offset < len(text); start-- {
		if utf8.RuneStart(text[start]) {
			if _, size := utf8.DecodeRuneInString(text[start:]); start+size > offset {
				return start
			}
			break
		}
	}
	return offset
}

// RangeOffsets are the byte offsets of r, start not after end.
func (m *Mapper) RangeOffsets(r Range, enc Encoding) (start, end int, err error) {
	return rangeOffsets(r, enc, m.Offset)
}

func rangeOffsets(r Range, enc Encoding, offset func(Position, Encoding) (int, error)) (start, end int, err error) {
	if start, err = offset(r.Start, enc); err != nil {
		return 0, 0, err
	}
	if end, err = offset(r.End, enc); err != nil {
		return 0, 0, err
	}
	if start > end {
		return 0, 0, fmt.Errorf("range %s ends before it starts", r)
	}
	return start, end, nil
}

// OffsetRange is the range between two byte offsets.
func (m *Mapper) OffsetRange(start, end int, enc Encoding) Range {
	return Range{Start: m.Position(start, enc), End: m.Position(end, enc)}
}

// ConvertRange gives r, which counts in from, in units of to.
func (m *Mapper) ConvertRange(r Range, from, to Encoding) (Range, error) {
	start, end, err := m.RangeOffsets(r, from)
	if err != nil {
		return Range{}, err
	}
	return m.OffsetRange(start, end, to), nil
}

// LineOffsets are the byte offsets of line i without its line end; ok is false
// when there is no such line.
func (m *Mapper) LineOffsets(i int) (start, end int, ok bool) {
	starts := m.starts()
	if i < 0 || i >= len(starts) {
		return 0, 0, false
	}
	next := len(m.text)
	if i+1 < len(starts) {
		next = starts[i+1]
	}
	start = starts[i]
	return start, start + len(withoutEnd(m.text[start:next])), true
}

func (m *Mapper) starts() []int {
	if m.known != nil {
		return m.known
	}
	m.once.Do(func() { m.found = lineStarts(m.text) })
	return m.found
}
