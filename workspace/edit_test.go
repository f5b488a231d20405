package workspace

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"
	"unicode/utf8"

	"pgregory.net/rapid"
)

// The reference: a text is a list of characters, and everything is found by
// walking over them one by one. It shares nothing with the real thing.

// referenceOffset is the index in text of a position.
func referenceOffset(text []rune, pos Position, enc Encoding) (int, error) {
	if pos.Line < 0 || pos.Character < 0 {
		return 0, errors.New("negative")
	}
	line, at := 0, 0
	for ; line < pos.Line; line++ {
		for at < len(text) && text[at] != '\n' && text[at] != '\r' {
			at++
		}
		if at == len(text) {
			if line+1 == pos.Line && pos.Character == 0 {
				return at, nil // one line after the last: the end
			}
			return 0, errors.New("no such line")
		}
		if text[at] == '\r' && at+1 < len(text) && text[at+1] == '\n' {
			at++
		}
		at++
	}
	units := 0
	for units < pos.Character && at < len(text) && text[at] != '\n' && text[at] != '\r' {
		switch enc {
		case UTF8:
			units += len(string(text[at]))
		case UTF16:
			units += len(utf16.Encode(text[at : at+1]))
		case UTF32:
			units++
		}
		at++
	}
	if units > pos.Character {
		return 0, errors.New("inside a character")
	}
	return at, nil
}

// referenceEdit is text after one change.
func referenceEdit(text []rune, c Change, enc Encoding) ([]rune, error) {
	if c.Range == nil {
		return []rune(c.Text), nil
	}
	start, err := referenceOffset(text, c.Range.Start, enc)
	if err != nil {
		return nil, err
	}
	end, err := referenceOffset(text, c.Range.End, enc)
	if err != nil {
		return nil, err
	}
	if start > end {
		return nil, errors.New("wrong way round")
	}
	return slices.Concat(text[:start], []rune(c.Text), text[end:]), nil
}

func drawEncoding(t *rapid.T) Encoding {
	return rapid.SampledFrom([]Encoding{UTF8, UTF16, UTF32}).Draw(t, "encoding")
}

// drawText is a short text that is full of what goes wrong.
func drawText(t *rapid.T, label string, most int) string {
	pieces := []string{"a", "b", " ", "\n", "\r", "\r\n", "é", "世", "😀", "𝔘", "\u2028", "e\u0301", "word"}
	return strings.Join(rapid.SliceOfN(rapid.SampledFrom(pieces), 0, most).Draw(t, label), "")
}

// drawChange is an edit of text, most of the time one that fits.
func drawChange(t *rapid.T, text []rune, enc Encoding) Change {
	insert := drawText(t, "insert", 6)
	switch rapid.IntRange(0, 19).Draw(t, "kind") {
	case 0:
		return Change{Text: insert}
	case 1: // anything at all
		n := rapid.IntRange(-1, 9)
		return Change{Range: span(n.Draw(t, "line"), n.Draw(t, "character"), n.Draw(t, "line"), n.Draw(t, "character")), Text: insert}
	}
	from := rapid.IntRange(0, len(text)).Draw(t, "from")
	to := min(len(text), from+rapid.IntRange(0, 5).Draw(t, "length"))
	m := NewMapper(string(text))
	at := func(runes int) Position { return m.Position(len(string(text[:runes])), enc) }
	return Change{Range: &Range{at(from), at(to)}, Text: insert}
}

// Any sequence of incremental edits in any encoding, in batches of any size,
// gives what the same edits give on a plain string, and fails where they fail.
func TestEditsEqualEditsOnAPlainString(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		enc := drawEncoding(t)
		text := []rune(drawText(t, "text", 30))
		w := New(Options{})
		w.SetEncoding(enc)
		w.DidOpen("untitled:x", "markdown", 0, string(text))
		for version := int32(1); version <= 8; version++ {
			next := text
			var batch []Change
			var want error
			for range rapid.IntRange(0, 4).Draw(t, "changes") {
				c := drawChange(t, next, enc)
				batch = append(batch, c)
				if c.Range == nil {
					want = nil // whatever failed before is overwritten
				}
				if want != nil {
					continue
				}
				after, err := referenceEdit(next, c, enc)
				if want = err; err == nil {
					next = after
				}
			}
			err := w.DidChange("untitled:x", version, batch)
			if (err != nil) != (want != nil) {
				t.Fatalf("error %v, want %v", err, want)
			}
			d := w.Snapshot().Document("untitled:x")
			if want != nil {
				if d.Text != string(text) || !d.OutOfSync || d.Version != version-1 {
					t.Fatalf("after a failed edit: text %q (was %q), out of sync %v, version %d", d.Text, string(text), d.OutOfSync, d.Version)
				}
				text = []rune(drawText(t, "resync", 30))
				must := w.DidChange("untitled:x", version, []Change{{Text: string(text)}})
				if d = w.Snapshot().Document("untitled:x"); must != nil || d.OutOfSync {
					t.Fatalf("the whole text did not mend it: %v", must)
				}
			} else {
				text = next
			}
			if d.Text != string(text) {
				t.Fatalf("text %q, want %q", d.Text, string(text))
			}
			if got, want := d.Mapper().starts(), NewMapper(d.Text).starts(); !slices.Equal(got, want) {
				t.Fatalf("line table of %q is %v, want %v", d.Text, got, want)
			}
		}
	})
}

// An edit may make one line end of two or two of one, at both of its ends.
func TestEditsAroundLineEnds(t *testing.T) {
	for _, text := range []string{"a\r\nb", "a\rb", "a\nb", "\r", "\n", "\r\n", "\r\n\r\n", "a\r", ""} {
		for _, insert := range []string{"", "\r", "\n", "\r\n", "x", "\nx\r", "x\r", "\nx"} {
			starts := lineStarts(text)
			for from := 0; from <= len(text); from++ {
				for to := from; to <= len(text); to++ {
					before, after := none, none
					if from > 0 {
						before = int(text[from-1])
					}
					if to < len(text) {
						after = int(text[to])
					}
					want := lineStarts(text[:from] + insert + text[to:])
					for _, own := range []bool{false, true} {
						given := slices.Clone(starts)
						if got := spliceLines(given, from, to, before, after, insert, own); !slices.Equal(got, want) {
							t.Errorf("%q with %q for [%d,%d): lines at %v, want %v", text, insert, from, to, got, want)
						}
						if !own && !slices.Equal(given, starts) {
							t.Errorf("the old line table changed to %v", given)
						}
					}
				}
			}
		}
	}
}

// A big batch grows the gap and moves it back and forth.
func TestLargeBatch(t *testing.T) {
	line := "the quick brown fox\n"
	lines := 2000
	long := strings.Repeat("0123456789", 300)
	for name, order := range map[string]func(i int) int{
		"from the top":    func(i int) int { return i },
		"from the bottom": func(i int) int { return lines - 1 - i },
		"all over":        func(i int) int { return i * 7919 % lines },
	} {
		var changes []Change
		for i := range lines {
			changes = append(changes, Change{Range: span(order(i), 4, order(i), 9), Text: long})
		}
		m, err := applyChanges(NewMapper(strings.Repeat(line, lines)), changes, UTF16)
		must(t, err)
		if want := strings.Repeat(strings.Replace(line, "quick", long, 1), lines); m.text != want || !slices.Equal(m.starts(), lineStarts(want)) {
			t.Errorf("%s: wrong text or lines", name)
		}
	}
}

// FuzzDidChange makes edits of raw numbers and text: whatever a client sends,
// nothing panics, the lines are right, and an error leaves the text alone.
func FuzzDidChange(f *testing.F) {
	f.Add("one\r\ntwo\rthree\n", "x\r", 0, 1, 1, 2, uint8(1), "\n", 2, 0, 2, 5)
	f.Add("😀\r", "\n", 1, 0, 1, 0, uint8(1), "", 0, 0, 9, 0)
	f.Add("", "", 0, 0, 0, 0, uint8(0), "a", 0, 5, 0, 1<<31)
	f.Add("caf\xe9\xff", "\xf0\x9f", 0, 3, 0, 4, uint8(0), "\x98\x80", 0, 5, 0, 5)
	f.Add("a", "b", -1, -1, 0, 0, uint8(2), "c", 1, 1, 0, 0)
	f.Fuzz(func(t *testing.T, text, insert1 string, l1, c1, l2, c2 int, encoding uint8, insert2 string, l3, c3, l4, c4 int) {
		enc := []Encoding{UTF8, UTF16, UTF32}[encoding%3]
		first, second := Change{Range: span(l1, c1, l2, c2), Text: insert1}, Change{Range: span(l3, c3, l4, c4), Text: insert2}
		inOne, inTwo := New(Options{}), New(Options{})
		for _, w := range []*Workspace{inOne, inTwo} {
			w.SetEncoding(enc)
			w.DidOpen("file:///w/a.md", "", 1, text)
		}
		errOne := inOne.DidChange("file:///w/a.md", 2, []Change{first, second})
		errTwo := inTwo.DidChange("file:///w/a.md", 2, []Change{first})
		if errTwo == nil {
			errTwo = inTwo.DidChange("file:///w/a.md", 3, []Change{second})
		}
		if (errOne == nil) != (errTwo == nil) {
			t.Fatalf("together: %v; one by one: %v", errOne, errTwo)
		}
		one, two := inOne.Snapshot().Document("file:///w/a.md"), inTwo.Snapshot().Document("file:///w/a.md")
		if errOne == nil && one.Text != two.Text {
			t.Fatalf("together %q, one by one %q", one.Text, two.Text)
		}
		if errOne != nil && (one.Text != text || !one.OutOfSync) {
			t.Fatalf("a failed edit left %q of %q, out of sync %v", one.Text, text, one.OutOfSync)
		}
		for _, d := range []*Document{one, two} {
			if got, want := d.Mapper().starts(), lineStarts(d.Text); !slices.Equal(got, want) {
				t.Fatalf("line table of %q is %v, want %v", d.Text, got, want)
			}
			for offset := range len(d.Text) + 1 {
				pos := d.Mapper().Position(offset, enc)
				back, err := d.Mapper().Offset(pos, enc)
				if err != nil || back > offset || utf8.ValidString(d.Text) && offset-back >= utf8.UTFMax {
					t.Fatalf("%q: offset %d is %v, which is %d, %v", d.Text, offset, pos, back, err)
				}
			}
		}
	})
}
