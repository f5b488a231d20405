package frozen

// Class says which sets of the split patterns a rune belongs to, one bit per set.
type Class uint8

// The classes. Letters without case (Lm, Lo) are Upper and Lower at once, as o200k_base's pattern has them in both sets.
const (
	Upper   Class = 1 << iota // \p{Lu} \p{Lt}, and Lm, Lo
	Lower                     // \p{Ll}, and Lm, Lo
	Mark                      // \p{M}
	Number                    // \p{N}
	Space                     // \s
	Newline                   // CR and LF, which are Space too
	Other                     // everything else
	Invalid                   // no rune at all: surrogates, broken UTF-8

	Letter = Upper | Lower
)

// Classes is a two-stage table: a page number for each PageSize runes, then the pages.
type Classes struct {
	Index []byte
	Pages []byte
}

// PageBits is the size of a class page: 128 runes make the smallest table for Unicode's layout.
const PageBits = 7

// Of returns the class of a rune up to U+10FFFF.
func (c *Classes) Of(r rune) Class {
	return Class(c.Pages[int(c.Index[r>>PageBits])<<PageBits|int(r&(1<<PageBits-1))])
}
