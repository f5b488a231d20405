package tokens

import (
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"
)

func newRand(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 0x746f6b)) }

// After each of 10,000 random edits a document has the text it should and counts what a full count of it counts.
func TestDocumentEdits(t *testing.T) {
	edits := bulkEdits // for each encoding
	for _, e := range encodings {
		t.Run(string(e), func(t *testing.T) {
			t.Parallel()
			r := newRand(6)
			text := mixed(r, 4000, fragments, broken)
			d := NewDocument(e, text)
			for i := range edits {
				start := r.IntN(len(text) + 1)
				end := min(start+r.IntN(20), len(text))
				with := mixed(r, r.IntN(10), fragments, broken)
				if i%7 == 0 && len(d.chunks) > 1 { // next to where chunks meet
					start = max(chunkStart(d, 1+r.IntN(len(d.chunks)-1))-2+r.IntN(4), 0)
					end = min(start+r.IntN(4), len(text))
				}
				switch {
				case i%101 == 0: // a paste
					with = mixed(r, 500, fragments[:20+r.IntN(50)])
				case i%97 == 0 || len(text) > 12000: // a cut
					end = min(start+5000, len(text))
				case i%89 == 0: // nothing splits it
					with = strings.Repeat(fragments[r.IntN(len(fragments))], 2000/(1+len(fragments[0])))
				case len(text) < 4000:
					with = mixed(r, 1000, fragments, broken)
				}
				d.Edit(start, end, with)
				text = text[:start] + with + text[end:]
				if got, want := d.Count(), e.Count(text); got != want {
					t.Fatalf("edit %d: %d tokens after replacing %d to %d with %q, want %d", i, got, start, end, with, want)
				}
				if i%50 == 0 && d.Text() != text || d.Len() != len(text) {
					t.Fatalf("edit %d: the text is not what it should be", i)
				}
			}
		})
	}
}

func chunkStart(d *Document, i int) (at int) {
	for _, c := range d.chunks[:i] {
		at += len(c.text)
	}
	return at
}

// At every safe split the two sides count what the whole counts, whatever is around it.
func TestSafeSplits(t *testing.T) {
	r := newRand(7)
	splits := 0
	for range 4000 {
		text := mixed(r, 2+r.IntN(12), fragments, broken)
		for i := 1; i < len(text); i++ {
			if !safeSplit(text, i) {
				continue
			}
			splits++
			for _, e := range encodings {
				if got, want := e.Count(text[:i])+e.Count(text[i:]), e.Count(text); got != want {
					t.Fatalf("%s counts %d tokens in %q and %q, %d in both", e, got, text[:i], text[i:], want)
				}
			}
		}
	}
	if splits < 5000 {
		t.Errorf("only %d splits were tried", splits)
	}
}

// Ordinary text has safe splits every few bytes, so that chunks stay near their least size.
func TestSafeSplitsAreCommon(t *testing.T) {
	for _, name := range corpusNames {
		text := corpus(t, name)
		if name == "whitespace" {
			continue
		}
		d := NewDocument(O200k, text)
		for i, c := range d.chunks {
			if len(c.text) > 3*chunkSize {
				t.Errorf("%s: chunk %d has %d bytes", name, i, len(c.text))
			}
		}
	}
}

// Edits out of range are moved into it, and an empty document is one.
func TestDocumentEnds(t *testing.T) {
	d := NewDocument(CL100k, "")
	for _, edit := range []struct {
		start, end int
		with, want string
	}{
		{0, 0, "", ""},
		{-3, 99, "hello world", "hello world"},
		{99, 100, "!", "hello world!"},
		{5, 2, ",", "hello, world!"},
		{0, 99, "", ""},
		{0, 0, "漢", "漢"},
	} {
		d.Edit(edit.start, edit.end, edit.with)
		if d.Text() != edit.want || d.Count() != CL100k.Count(edit.want) || d.Len() != len(edit.want) {
			t.Errorf("after replacing %d to %d with %q: %q, %d tokens", edit.start, edit.end, edit.with, d.Text(), d.Count())
		}
	}
}

// An edit recounts some chunks, not the text: in a text a hundred times as long it does not cost more bytes.
func TestDocumentRecountsChunks(t *testing.T) {
	text := strings.Repeat("The quick brown fox jumps over the lazy dog.\n", 20000)
	d := NewDocument(O200k, text)
	before := make(map[*byte]bool, len(d.chunks))
	for _, c := range d.chunks {
		before[&readOnly(c.text)[0]] = true
	}
	d.Edit(len(text)/2, len(text)/2, "x")
	recounted := 0
	for _, c := range d.chunks {
		if !before[&readOnly(c.text)[0]] {
			recounted += len(c.text)
		}
	}
	if recounted == 0 || recounted > 4*chunkSize {
		t.Errorf("a keystroke in %d bytes recounts %d", len(text), recounted)
	}
	if !utf8.ValidString(d.Text()) {
		t.Error("the text is broken")
	}
}
