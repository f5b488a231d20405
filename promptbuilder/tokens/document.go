package tokens

import (
	"slices"
	"strings"
	"unicode/utf8"

	"foreword/promptbuilder/tokens/internal/frozen"
)

// Document keeps the exact count of a text that is edited. An edit recounts a chunk or two of about chunkSize bytes, whatever
// the length of the text. It is not safe for concurrent use.
//
// Chunks end at safe splits: places where a piece ends whatever else the text contains, so that chunks count independently
// and their counts add up. Real text has one every few bytes. A text without any, such as a megabyte of one
// letter, is a single chunk.
type Document struct {
	encoding Encoding
	chunks   []chunk
	length   int // bytes
	tokens   int
}

type chunk struct {
	text   string
	tokens int
}

// chunkSize is the least size in bytes of a chunk that is not the last. Recounting 1 kB costs about as much as finding
// the chunk in a text of a megabyte.
const chunkSize = 1024

// NewDocument counts text once.
func NewDocument(enc Encoding, text string) *Document {
	d := &Document{encoding: enc}
	d.replace(0, 0, text)
	return d
}

// Count returns the number of tokens of the text as it is now.
func (d *Document) Count() int { return d.tokens }

// Len returns the length of the text in bytes.
func (d *Document) Len() int { return d.length }

// Text returns the text, by copying it.
func (d *Document) Text() string {
	var b strings.Builder
	b.Grow(d.length)
	for _, c := range d.chunks {
		b.WriteString(c.text)
	}
	return b.String()
}

// Edit replaces the bytes from start to end. Positions outside the text are moved to its nearest end.
func (d *Document) Edit(start, end int, replacement string) {
	start = min(max(start, 0), d.length)
	end = min(max(end, start), d.length)

	// first and last (exclusive) are the chunks that the edit touches; at is where first starts.
	first, at := 0, 0
	for first < len(d.chunks)-1 && at+len(d.chunks[first].text) <= start {
		at += len(d.chunks[first].text)
		first++
	}
	last, stop := first, at
	for last < len(d.chunks) && (stop < end || last == first) {
		stop += len(d.chunks[last].text)
		last++
	}
	// A split depends on the runes at both its sides, so those must be out of the edit's reach.
	for first > 0 && start-at < splitReach {
		first--
		at -= len(d.chunks[first].text)
	}
	for last < len(d.chunks) && stop-end < splitReach {
		stop += len(d.chunks[last].text)
		last++
	}

	var b strings.Builder
	b.Grow(stop - at + len(replacement) - (end - start))
	appendRange(&b, d.chunks[first:last], 0, start-at)
	b.WriteString(replacement)
	appendRange(&b, d.chunks[first:last], end-at, stop-at)
	d.replace(first, last, b.String())
}

// appendRange writes the bytes from start to end of the text that chunks make.
func appendRange(b *strings.Builder, chunks []chunk, start, end int) {
	for _, c := range chunks {
		n := len(c.text)
		if start < n && end > 0 {
			b.WriteString(c.text[max(start, 0):min(end, n)])
		}
		start, end = start-n, end-n
	}
}

// replace puts the chunks of text in the place of chunks first to last (exclusive).
func (d *Document) replace(first, last int, text string) {
	for _, c := range d.chunks[first:last] {
		d.length -= len(c.text)
		d.tokens -= c.tokens
	}
	var fresh []chunk
	for text != "" {
		n := nextSplit(text, chunkSize)
		fresh = append(fresh, chunk{text[:n], d.encoding.Count(text[:n])})
		d.length += n
		d.tokens += fresh[len(fresh)-1].tokens
		text = text[n:]
	}
	d.chunks = slices.Replace(d.chunks, first, last, fresh...)
}

// splitReach is how many bytes on either side of a position safeSplit looks at: two runes before, one after.
const splitReach = 2 * utf8.UTFMax

// nextSplit returns the first safe split of text that leaves at least least bytes on both sides, or len(text).
func nextSplit(text string, least int) int {
	for i := least; i < len(text)-least; i++ {
		if safeSplit(text, i) {
			return i
		}
	}
	return len(text)
}

// safeSplit reports whether, in every encoding, a piece ends at text[:i] because of the runes next to it alone, and
// the pieces before it are the same when the text ends there. There are three such places.
//
// After a letter, before what is neither letter, mark nor apostrophe: a run of letters has no other continuation, and
// no look-ahead goes past its end. After a number, before what is none. After a line ending that no
// white space precedes, before what is neither white space nor a slash (o200k_base takes slashes along with line
// endings).
func safeSplit(text string, i int) bool {
	b := readOnly(text)
	after, _ := classAt(b, i)
	if b[i]&0xC0 == 0x80 { // inside a rune, or broken
		return false
	}
	r, size := utf8.DecodeLastRune(b[:i])
	if r == utf8.RuneError && size <= 1 {
		return false
	}
	switch before := classes.Of(r); {
	case before&frozen.Letter != 0:
		return after&(frozen.Letter|frozen.Mark) == 0 && b[i] != '\''
	case before == frozen.Number:
		return after != frozen.Number
	case before&frozen.Newline != 0:
		if after&frozen.Space != 0 || b[i] == '/' || i == size {
			return false
		}
		r, _ = utf8.DecodeLastRune(b[:i-size])
		return r != utf8.RuneError && classes.Of(r)&frozen.Space == 0
	}
	return false
}
