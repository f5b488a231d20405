package workspace

import (
	"fmt"
	"slices"
	"strings"
)

// Change is one edit of a document: Text takes the place of Range. Without a
// Range, Text is the whole new text.
type Change struct {
	Range *Range
	Text  string
}

// applyChanges is the text after the changes, each of which counts on the result
// of the one before, as LSP has it. An error means that none was applied. The
// result shares no memory with the changes, which may alias a whole message.
func applyChanges(m *Mapper, changes []Change, enc Encoding) (*Mapper, error) {
	// Nothing before the last whole text matters.
	for i := len(changes) - 1; i >= 0; i-- {
		if changes[i].Range == nil {
			m = NewMapper(strings.Clone(changes[i].Text))
			changes = changes[i+1:]
			break
		}
	}
	switch len(changes) {
	case 0:
		return m, nil
	case 1:
		return applyOne(m, changes[0], enc)
	}
	b := newEditBuffer(m)
	for i, c := range changes {
		if err := b.apply(c, enc); err != nil {
			return nil, fmt.Errorf("change %d of %d: %w", i+1, len(changes), err)
		}
	}
	return b.mapper(), nil
}

// applyOne is the way of nearly every keystroke: one edit, one copy of the text.
func applyOne(m *Mapper, c Change, enc Encoding) (*Mapper, error) {
	from, to, err := m.RangeOffsets(*c.Range, enc)
	if err != nil {
		return nil, err
	}
	var text strings.Builder
	text.Grow(from + len(c.Text) + len(m.text) - to)
	text.WriteString(m.text[:from])
	text.WriteString(c.Text)
	text.WriteString(m.text[to:])
	before, after := none, none
	if from > 0 {
		before = int(m.text[from-1])
	}
	if to < len(m.text) {
		after = int(m.text[to])
	}
	return newMapperOf(text.String(), spliceLines(m.starts(), from, to, before, after, c.Text, false)), nil
}

// editBuffer applies many edits in a row without a copy of the text for each:
// an editor that replaces a word in a whole file sends thousands at once. It is
// a gap buffer: the unused part moves to each edit, and edits mostly come in order.
type editBuffer struct {
	bytes   []byte // the text before the gap, the gap, the text behind it
	gap     int    // where the gap starts
	gapSize int
	starts  []int // line table of the text
}

// newGap is the room for inserted text that a new gap has; it only has to be
// large enough that making room is rare.
const newGap = 4096

func newEditBuffer(m *Mapper) *editBuffer {
	b := &editBuffer{bytes: make([]byte, len(m.text)+newGap), gap: len(m.text), gapSize: newGap, starts: slices.Clone(m.starts())}
	copy(b.bytes, m.text)
	return b
}

// size is the length of the text in bytes.
func (b *editBuffer) size() int { return len(b.bytes) - b.gapSize }

// apply makes one edit; an error leaves the text as it was.
func (b *editBuffer) apply(c Change, enc Encoding) error {
	from, to, err := rangeOffsets(*c.Range, enc, b.offset)
	if err != nil {
		return err
	}
	b.moveGap(to)
	after := none
	if to < b.size() {
		after = int(b.bytes[b.gap+b.gapSize])
	}
	// The gap swallows what is removed, then the new text goes in at its start.
	b.gapSize += to - from
	b.gap = from
	before := none
	if from > 0 {
		before = int(b.bytes[from-1])
	}
	b.reserve(len(c.Text))
	copy(b.bytes[b.gap:], c.Text)
	b.gap += len(c.Text)
	b.gapSize -= len(c.Text)
	b.starts = spliceLines(b.starts, from, to, before, after, c.Text, true)
	return nil
}

func (b *editBuffer) offset(pos Position, enc Encoding) (int, error) {
	return offsetOf(pos, enc, len(b.starts), b.size(), b.line)
}

// line gives line i in one piece, which it stays until the next call.
func (b *editBuffer) line(i int) (start int, content []byte) {
	start, next := b.starts[i], b.size()
	if i+1 < len(b.starts) {
		next = b.starts[i+1]
	}
	if start < b.gap && b.gap < next {
		b.moveGap(next)
	}
	if start >= b.gap {
		return start, withoutEnd(b.bytes[start+b.gapSize : next+b.gapSize])
	}
	return start, withoutEnd(b.bytes[start:next])
}

// moveGap makes the gap start at the offset at of the text.
func (b *editBuffer) moveGap(at int) {
	if at < b.gap {
		copy(b.bytes[at+b.gapSize:], b.bytes[at:b.gap])
	} else {
		copy(b.bytes[b.gap:], b.bytes[b.gap+b.gapSize:at+b.gapSize])
	}
	b.gap = at
}

// reserve makes the gap at least n bytes large.
func (b *editBuffer) reserve(n int) {
	if b.gapSize >= n {
		return
	}
	// Growing by a share of the text keeps the copying in proportion to it.
	gapSize := n + newGap + b.size()/4
	grown := make([]byte, b.size()+gapSize)
	copy(grown, b.bytes[:b.gap])
	copy(grown[b.gap+gapSize:], b.bytes[b.gap+b.gapSize:])
	b.bytes, b.gapSize = grown, gapSize
}

// mapper maps the text as it is now.
func (b *editBuffer) mapper() *Mapper {
	b.moveGap(b.size())
	return newMapperOf(string(b.bytes[:b.size()]), b.starts)
}
