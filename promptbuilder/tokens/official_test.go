//go:build !race

package tokens

import (
	"bufio"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"
	"unicode"
)

var officialFile = flag.String("official", "", "write the texts and counts of TestOfficial to this file, for editors/e2e/tokens")

// officialCase is a text with what is counted in it.
type officialCase struct {
	Kind   string           `json:"kind"`
	Text   string           `json:"text"`
	Counts map[Encoding]int `json:"counts"`
}

// OpenAI's own tokenizer counts the same: editors/e2e/tokens asks it, for the counts that this test writes with -official.
// Here they are held against tiktoken-go where it takes the text.
func TestOfficial(t *testing.T) {
	out := io.Discard
	if *officialFile != "" {
		file, err := os.Create(*officialFile)
		if err != nil {
			t.Fatal(err)
		}
		defer func() {
			if err := file.Close(); err != nil {
				t.Error(err)
			}
		}()
		out = file
	}
	buffered := bufio.NewWriter(out)
	encoder := json.NewEncoder(buffered)
	encoder.SetEscapeHTML(false)
	kinds := map[string]int{}
	write := func(c officialCase) {
		kinds[c.Kind]++
		if err := encoder.Encode(c); err != nil {
			t.Fatal(err)
		}
	}
	counted := func(kind, text string) officialCase {
		c := officialCase{Kind: kind, Text: text, Counts: map[Encoding]int{}}
		for _, e := range encodings {
			c.Counts[e] = e.Count(text)
		}
		return c
	}
	r := newRand(11)
	for i := range 2000 {
		from := [][]string{fragments, fragments[:20+r.IntN(40)]}
		if i%5 == 0 {
			from = append(from, broken)
		}
		c := counted("mixed text", Valid(mixed(r, 1+r.IntN(80), from...)))
		if i%10 == 0 && len(c.Text) <= longestReference {
			for _, e := range encodings {
				checkCount(t, e, c.Text)
			}
		}
		write(c)
	}
	for _, name := range corpusNames {
		text := corpus(t, name)
		for range 20 {
			at := r.IntN(len(text) - 3000)
			write(counted("slices of "+name, Valid(text[at:at+3000])))
		}
	}
	var batch strings.Builder
	for n, c := 0, rune(0); c <= unicode.MaxRune; c++ {
		if !unicode.In(c, unicode.L, unicode.M, unicode.N, unicode.P, unicode.S, unicode.Z, unicode.Cc, unicode.Cf, unicode.Co) || c >= 0xD800 && c <= 0xDFFF {
			continue
		}
		if unicode.Is(unicode.Co, c) && c%509 != 0 {
			continue // for private use: all are alike
		}
		fmt.Fprintf(&batch, "%[1]c a%[1]cb\n", c)
		if n++; n%200 == 0 {
			write(counted("every code point", batch.String()))
			batch.Reset()
		}
	}
	write(counted("every code point", batch.String()))
	for _, e := range encodings {
		text := mixed(r, 200, fragments)
		d := NewDocument(e, text)
		for range 2500 {
			start := r.IntN(len(text) + 1)
			end := min(start+r.IntN(20), len(text))
			with := mixed(r, r.IntN(8), fragments, broken)
			if len(text) > 1500 {
				end = min(start+700, len(text))
			}
			d.Edit(start, end, with)
			text = text[:start] + with + text[end:]
			write(officialCase{Kind: "edits of a buffer", Text: Valid(text), Counts: map[Encoding]int{e: d.Count()}})
		}
	}
	if err := buffered.Flush(); err != nil {
		t.Fatal(err)
	}
	if kinds["mixed text"] != 2000 || kinds["edits of a buffer"] != 10_000 || kinds["every code point"] < 500 {
		t.Errorf("not all was counted: %v", kinds)
	}
}
