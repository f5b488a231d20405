package tokens

import (
	"math"
	"unsafe"
)

// Encoding names a byte pair encoding. The zero value and unknown names count as O200k.
type Encoding string

// The encodings with exact counts. O200k serves gpt-4o and later (o200k_harmony of gpt-oss differs in special tokens
// only), CL100k gpt-4 and gpt-3.5, P50k and R50k the completion models before them.
const (
	O200k  Encoding = "o200k_base"
	CL100k Encoding = "cl100k_base"
	P50k   Encoding = "p50k_base"
	R50k   Encoding = "r50k_base"
)

// Count returns the number of tokens of text, special tokens being plain text.
func (e Encoding) Count(text string) int {
	n, _ := e.count(text, math.MaxInt)
	return n
}

// CountUpTo counts text until budget tokens are passed. Within budget, n is the exact count; else n is some number above
// budget at which counting stopped, and the time depends on the budget, not on the text.
func (e Encoding) CountUpTo(text string, budget int) (n int, within bool) {
	if budget < 0 {
		return 0, false
	}
	if len(text) <= budget {
		budget = math.MaxInt // tokens never outnumber bytes
	}
	return e.count(text, budget)
}

// Fits reports whether text has at most budget tokens. It counts only if the number of bytes does not answer already.
func (e Encoding) Fits(text string, budget int) bool {
	if len(text) <= budget {
		return true // tokens never outnumber bytes
	}
	_, within := e.CountUpTo(text, budget)
	return within
}

func (e Encoding) count(text string, budget int) (n int, within bool) {
	if text == "" {
		return 0, true
	}
	v := e.vocabulary()
	m := v.memos.Get().(*memo)
	n = v.count(readOnly(text), budget, m)
	v.memos.Put(m)
	return n, n <= budget
}

// count returns the number of tokens of b, or a number above budget once it is passed.
func (v *vocabulary) count(b []byte, budget int, m *memo) int {
	n := 0
	for i := 0; i < len(b); {
		end := v.pieceEnd(b, i)
		if end < 0 {
			// No pattern looks behind: what follows a piece counts the same on its own.
			b, i = readOnly(Valid(string(b[i:]))), 0
			continue
		}
		n += v.pieceTokens(b, i, end, budget-n, m)
		if n > budget {
			return n
		}
		i = end
	}
	return n
}

// readOnly returns the bytes of text without copying them. Nothing in this package writes to the result.
func readOnly(text string) []byte {
	return unsafe.Slice(unsafe.StringData(text), len(text))
}
