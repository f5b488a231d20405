package tablegen

import (
	"bytes"
	"unicode"
	"unicode/utf8"

	"foreword/promptbuilder/tokens/internal/frozen"
)

// Classes returns the table file of the rune classes: the index and the pages, each a section.
func Classes() []byte {
	const pageSize = 1 << frozen.PageBits
	var index, pages []byte
	for first := rune(0); first <= unicode.MaxRune; first += pageSize {
		var page [pageSize]byte
		for i := range page {
			page[i] = byte(classOf(first + rune(i)))
		}
		at := -1
		for p := 0; p < len(pages); p += pageSize {
			if bytes.Equal(pages[p:p+pageSize], page[:]) {
				at = p
				break
			}
		}
		if at < 0 {
			at = len(pages)
			pages = append(pages, page[:]...)
		}
		index = append(index, byte(at/pageSize))
	}
	if len(pages)/pageSize > 256 {
		panic("more class pages than a byte can number")
	}
	return frozen.Append(frozen.Append(nil, index), pages)
}

func classOf(r rune) frozen.Class {
	switch {
	case !utf8.ValidRune(r):
		return frozen.Invalid
	case r == '\r' || r == '\n':
		return frozen.Space | frozen.Newline
	case unicode.IsSpace(r):
		return frozen.Space
	case unicode.In(r, unicode.Lu, unicode.Lt):
		return frozen.Upper
	case unicode.Is(unicode.Ll, r):
		return frozen.Lower
	case unicode.In(r, unicode.Lm, unicode.Lo):
		return frozen.Letter
	case unicode.Is(unicode.M, r):
		return frozen.Mark
	case unicode.Is(unicode.N, r):
		return frozen.Number
	}
	return frozen.Other
}
