package tokens

import (
	"encoding/binary"
	"unicode/utf8"

	"foreword/promptbuilder/tokens/internal/frozen"
)

// pieceEndO200k follows o200k_base's pattern, whose alternatives are, in order, with U for [\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]
// and L for [\p{Ll}\p{Lm}\p{Lo}\p{M}]:
//
//	[^\r\n\p{L}\p{N}]?U*L+(?i:'s|'t|'re|'ve|'m|'ll|'d)?
//	[^\r\n\p{L}\p{N}]?U+L*(?i:'s|'t|'re|'ve|'m|'ll|'d)?
//	\p{N}{1,3}
//	 ?[^\s\p{L}\p{N}]+[\r\n/]*
//	\s*[\r\n]+
//	\s+(?!\S)
//	\s+
func pieceEndO200k(b []byte, i int) int {
	class, size := classAt(b, i)
	j := i + size
	switch {
	case class&frozen.Letter != 0:
		end, _ := wordEnd(b, i)
		return contractionEnd(b, end, true)
	case class == frozen.Number:
		return numbersEnd(b, j, 2)
	case class == frozen.Invalid:
		return -1
	case class&frozen.Newline == 0:
		end, lower := wordEnd(b, j)
		if class == frozen.Mark && !lower {
			// The first alternative without its prefix comes before the second with it; a mark is in U and in L.
			end, _ = wordEnd(b, i)
		}
		if end > j || class == frozen.Mark {
			return contractionEnd(b, end, true)
		}
	}
	if class&frozen.Space == 0 {
		return symbolsEnd(b, j, "\r\n/")
	}
	if b[i] == ' ' && j < len(b) {
		if next, _ := classAt(b, j); next&symbol != 0 {
			return symbolsEnd(b, j, "\r\n/")
		}
	}
	return spacesEnd(b, i)
}

// wordEnd returns the end of U*L+ from b[i] and true; failing that, the end of U* and false.
func wordEnd(b []byte, i int) (end int, lower bool) {
	if i+8 <= len(b) {
		w := binary.LittleEndian.Uint64(b[i:])
		uppers := firstByte(^rangeBytes(w, 'A', 'Z'))
		if uppers < 8 {
			n := uppers + firstByte(^lowerBytes(w>>(8*uppers)))
			switch {
			case n >= 8:
				return lowersEnd(b, i+8), true
			case b[i+n] < utf8.RuneSelf:
				return i + n, n > uppers
			}
		}
	}
	caseless := -1 // the end of the last rune that is in U and in L
	for i < len(b) {
		class, size := classAt(b, i)
		if class&(frozen.Upper|frozen.Mark) == 0 {
			if class == frozen.Lower {
				return lowersEnd(b, i+size), true
			}
			break
		}
		i += size
		if class != frozen.Upper {
			caseless = i
		}
	}
	if caseless >= 0 {
		return caseless, true // U* gives back what L+ needs, no more
	}
	return i, false
}

// lowersEnd returns the end of L* from b[i].
func lowersEnd(b []byte, i int) int {
	for i < len(b) {
		if b[i] >= utf8.RuneSelf || i+8 > len(b) {
			class, size := classAt(b, i)
			if class&(frozen.Lower|frozen.Mark) == 0 {
				return i
			}
			i += size
			continue
		}
		n := firstByte(^lowerBytes(binary.LittleEndian.Uint64(b[i:])))
		i += n
		if n < 8 && b[i] < utf8.RuneSelf {
			return i
		}
	}
	return i
}
