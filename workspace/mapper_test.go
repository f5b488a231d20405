package workspace

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// tricky has every line end and characters of one to four bytes; its lines are
// "aé", "世😀b", "", "c" and "".
const tricky = "aé\r\n世😀b\r\rc\n"

func TestMapperLines(t *testing.T) {
	for text, want := range map[string][]string{
		"":             {""},
		"a":            {"a"},
		"\n":           {"", ""},
		"\r":           {"", ""},
		"\r\n":         {"", ""},
		"\n\r":         {"", "", ""},
		"\r\r\n\n":     {"", "", "", ""},
		"a\nb":         {"a", "b"},
		"a\r\nb\rc\nd": {"a", "b", "c", "d"},
		tricky:         {"aé", "世😀b", "", "c", ""},
		"a\u2028b\vc":  {"a\u2028b\vc"}, // LSP knows three line ends and no others
	} {
		m := NewMapper(text)
		var got []string
		for i := range m.Lines() {
			got = append(got, m.LineText(i))
		}
		if strings.Join(got, "|") != strings.Join(want, "|") || len(got) != len(want) {
			t.Errorf("%q has the lines %q, want %q", text, got, want)
		}
		if m.LineText(-1) != "" || m.LineText(len(want)) != "" {
			t.Errorf("%q has text in lines that it does not have", text)
		}
	}
}

func TestMapperOffset(t *testing.T) {
	tests := []struct {
		line             int
		utf8, utf16, u32 int
		offset           int
	}{
		{0, 0, 0, 0, 0},
		{0, 1, 1, 1, 1},
		{0, 3, 2, 2, 3},
		{1, 0, 0, 0, 5},
		{1, 3, 1, 1, 8},
		{1, 7, 3, 2, 12},
		{1, 8, 4, 3, 13},
		{2, 0, 0, 0, 14},
		{3, 1, 1, 1, 16},
		{4, 0, 0, 0, 17},
	}
	m := NewMapper(tricky)
	for _, test := range tests {
		for enc, character := range map[Encoding]int{UTF8: test.utf8, UTF16: test.utf16, UTF32: test.u32} {
			pos := Position{test.line, character}
			if got, err := m.Offset(pos, enc); err != nil || got != test.offset {
				t.Errorf("Offset(%v, %s) = %d, %v; want %d", pos, enc, got, err, test.offset)
			}
			if got := m.Position(test.offset, enc); got != pos {
				t.Errorf("Position(%d, %s) = %v, want %v", test.offset, enc, got, pos)
			}
		}
	}
}

func TestMapperOffsetAtTheEdges(t *testing.T) {
	tests := []struct {
		pos    Position
		enc    Encoding
		offset int
		err    string
	}{
		{Position{0, 99}, UTF16, 3, ""},      // beyond the line: its end, before the line end
		{Position{4, 1 << 31}, UTF8, 17, ""}, // many clients write "the end of the line" so
		{Position{5, 0}, UTF16, 17, ""},      // and the end of the text so
		{Position{5, 1}, UTF16, 0, "position 5:1 is outside of the text, which has 5 lines"},
		{Position{6, 0}, UTF16, 0, "position 6:0 is outside of the text, which has 5 lines"},
		{Position{-1, 0}, UTF16, 0, "position -1:0 is negative"},
		{Position{0, -1}, UTF16, 0, "position 0:-1 is negative"},
		{Position{1, 2}, UTF16, 0, "line 1: character 2 (utf-16) is in the middle of '😀'"},
		{Position{1, 4}, UTF8, 0, "line 1: character 4 (utf-8) is in the middle of '😀'"},
		{Position{0, 2}, UTF8, 0, "line 0: character 2 (utf-8) is in the middle of 'é'"},
	}
	m := NewMapper(tricky)
	for _, test := range tests {
		got, err := m.Offset(test.pos, test.enc)
		if message := errorText(err); got != test.offset || message != test.err {
			t.Errorf("Offset(%v, %s) = %d, %q; want %d, %q", test.pos, test.enc, got, message, test.offset, test.err)
		}
	}
	for offset, want := range map[int]Position{-5: {0, 0}, 2: {0, 1}, 4: {0, 2}, 10: {1, 1}, 99: {4, 0}} {
		if got := m.Position(offset, UTF16); got != want {
			t.Errorf("Position(%d) = %v, want %v", offset, got, want)
		}
	}
	if _, _, err := m.RangeOffsets(*span(1, 0, 0, 1), UTF16); errorText(err) != "range 1:0-0:1 ends before it starts" {
		t.Errorf("a range the wrong way round gives %v", err)
	}
}

func TestMapperConvertRange(t *testing.T) {
	m := NewMapper(tricky)
	got, err := m.ConvertRange(*span(0, 2, 1, 3), UTF16, UTF8)
	if want := *span(0, 3, 1, 7); err != nil || got != want {
		t.Errorf("got %v, %v; want %v", got, err, want)
	}
	if _, err := m.ConvertRange(*span(0, 0, 9, 0), UTF16, UTF8); err == nil {
		t.Error("a range outside of the text is converted")
	}
}

func errorText(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

// Offset and Position are each other's inverse at every character of any text.
func TestMapperRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := drawText(t, "text", 40)
		enc := drawEncoding(t)
		m := NewMapper(text)
		for offset, r := range text + "\x00" {
			if r == '\n' && offset > 0 && text[offset-1] == '\r' {
				continue // inside a line end: no position of its own
			}
			pos := m.Position(offset, enc)
			if got, err := m.Offset(pos, enc); err != nil || got != offset {
				t.Fatalf("%q: offset %d is %v, which is offset %d, %v", text, offset, pos, got, err)
			}
		}
	})
}
