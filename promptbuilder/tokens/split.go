package tokens

import (
	"encoding/binary"
	"math/bits"
	"unicode/utf8"

	"foreword/promptbuilder/tokens/internal/frozen"
)

// pieceEnd returns where the piece that starts at b[i] ends, or a negative number when the piece contains a byte that
// is not valid UTF-8.
func (v *vocabulary) pieceEnd(b []byte, i int) int {
	switch v.split {
	case splitO200k:
		return pieceEndO200k(b, i)
	case splitCL100k:
		return pieceEndCL100k(b, i)
	}
	return pieceEndGPT2(b, i)
}

// pieceEndCL100k follows cl100k_base's pattern, whose alternatives are, in order:
//
//	(?i:'s|'t|'re|'ve|'m|'ll|'d)
//	[^\r\n\p{L}\p{N}]?\p{L}+
//	\p{N}{1,3}
//	 ?[^\s\p{L}\p{N}]+[\r\n]*
//	\s*[\r\n]+
//	\s+(?!\S)
//	\s+
func pieceEndCL100k(b []byte, i int) int {
	class, size := classAt(b, i)
	j := i + size
	switch {
	case class&frozen.Letter != 0:
		return lettersEnd(b, j)
	case class == frozen.Number:
		return numbersEnd(b, j, 2)
	case class == frozen.Invalid:
		return -1
	case b[i] == '\'':
		if end := contractionEnd(b, i, true); end > i {
			return end
		}
	}
	var next frozen.Class // of nothing, at the end
	if j < len(b) {
		next, _ = classAt(b, j)
	}
	switch {
	case next&frozen.Letter != 0 && class&frozen.Newline == 0:
		return lettersEnd(b, j)
	case class&frozen.Space == 0:
		return symbolsEnd(b, j, "\r\n")
	case b[i] == ' ' && next&symbol != 0:
		return symbolsEnd(b, j, "\r\n")
	}
	return spacesEnd(b, i)
}

// pieceEndGPT2 follows the pattern of p50k_base and r50k_base:
//
//	's|'t|'re|'ve|'m|'ll|'d
//	 ?\p{L}+
//	 ?\p{N}+
//	 ?[^\s\p{L}\p{N}]+
//	\s+(?!\S)
//	\s+
func pieceEndGPT2(b []byte, i int) int {
	class, size := classAt(b, i)
	if b[i] == '\'' {
		if end := contractionEnd(b, i, false); end > i {
			return end
		}
	}
	j := i + size
	if b[i] == ' ' && j < len(b) {
		if next, n := classAt(b, j); next&frozen.Space == 0 {
			class, j = next, j+n
		}
	}
	switch {
	case class&frozen.Letter != 0:
		return lettersEnd(b, j)
	case class == frozen.Number:
		return numbersEnd(b, j, len(b))
	case class == frozen.Invalid:
		return -1
	case class&frozen.Space == 0:
		return symbolsEnd(b, j, "")
	}
	end, last, _ := spaces(b, i)
	if end < len(b) && last > i {
		return last
	}
	return end
}

// symbol is the class of [^\s\p{L}\p{N}]. An invalid byte is one as well: it stands for U+FFFD.
const symbol = frozen.Other | frozen.Mark | frozen.Invalid

// lettersEnd returns the end of \p{L}* from b[i].
func lettersEnd(b []byte, i int) int {
	for i < len(b) {
		if b[i] >= utf8.RuneSelf {
			class, size := classAt(b, i)
			if class&frozen.Letter == 0 {
				return i
			}
			i += size
			continue
		}
		if i+8 > len(b) {
			if byteClasses[b[i]]&frozen.Letter == 0 {
				return i
			}
			i++
			continue
		}
		n := firstByte(^letterBytes(binary.LittleEndian.Uint64(b[i:])))
		i += n
		if n < 8 && b[i] < utf8.RuneSelf {
			return i
		}
	}
	return i
}

// numbersEnd returns the end of \p{N}{0,most} from b[i].
func numbersEnd(b []byte, i, most int) int {
	for ; most > 0 && i < len(b); most-- {
		class, size := classAt(b, i)
		if class != frozen.Number {
			break
		}
		i += size
	}
	return i
}

// symbolsEnd returns the end of [^\s\p{L}\p{N}]*[tail]* from b[i], or -1 if an invalid byte is among them.
func symbolsEnd(b []byte, i int, tail string) int {
	for i < len(b) {
		class, size := classAt(b, i)
		if class&symbol == 0 {
			break
		}
		if class == frozen.Invalid {
			return -1
		}
		i += size
	}
	if tail == "" {
		return i
	}
	for i < len(b) && (b[i] == '\n' || b[i] == '\r' || b[i] == '/' && len(tail) > len("\r\n")) {
		i++
	}
	return i
}

// spacesEnd returns the end of \s*[\r\n]+|\s+(?!\S)|\s+ from the white space at b[i].
func spacesEnd(b []byte, i int) int {
	end, last, newline := spaces(b, i)
	switch {
	case newline > i:
		return newline
	case end < len(b) && last > i:
		return last // the last one starts what follows, " word"
	}
	return end
}

// spaces returns the end of \s* from b[i], the start of its last rune, and the end of its last line ending (or i).
func spaces(b []byte, i int) (end, last, newline int) {
	last, newline = i, i
	for i < len(b) {
		class, size := classAt(b, i)
		if class&frozen.Space == 0 {
			break
		}
		last = i
		i += size
		if class&frozen.Newline != 0 {
			newline = i
		}
	}
	return i, last, newline
}

// contractionEnd returns the end of 's|'t|'re|'ve|'m|'ll|'d at b[i], or i where there is none.
func contractionEnd(b []byte, i int, foldCase bool) int {
	if i+1 >= len(b) || b[i] != '\'' {
		return i
	}
	var fold byte
	if foldCase {
		fold = 'a' - 'A'
	}
	first := b[i+1] | fold
	switch first {
	case 's', 't', 'm', 'd':
		return i + 2
	case 'r', 'v', 'l':
		if i+2 >= len(b) {
			return i
		}
		second := b[i+2] | fold
		if first == 'l' && second == 'l' || first != 'l' && second == 'e' {
			return i + 3
		}
	}
	return i
}

// byteClasses are the classes of one-byte runes, and 0 for bytes of longer ones.
var byteClasses = func() (table [256]frozen.Class) {
	for r := range rune(utf8.RuneSelf) {
		table[r] = classes.Of(r)
	}
	return table
}()

// classAt returns the class and the length of the rune at b[i]; a byte that starts no valid rune is Invalid.
func classAt(b []byte, i int) (frozen.Class, int) {
	if class := byteClasses[b[i]]; class != 0 {
		return class, 1
	}
	return wideClassAt(b, i)
}

func wideClassAt(b []byte, i int) (frozen.Class, int) {
	b = b[i:]
	if b[0]>>4 == 0xE && len(b) >= 3 && b[1]>>6 == 2 && b[2]>>6 == 2 { // most of the scripts, CJK among them
		if r := rune(b[0]&0xF)<<12 | rune(b[1]&0x3F)<<6 | rune(b[2]&0x3F); r >= 0x800 {
			return classes.Of(r), 3 // surrogates are Invalid by the table
		}
	}
	r, size := utf8.DecodeRune(b)
	if r == utf8.RuneError && size <= 1 {
		return frozen.Invalid, 1
	}
	return classes.Of(r), size
}

// Eight bytes at a time: a result has the top bit of each byte set where the question is answered by yes.
const (
	ones = 0x0101010101010101
	tops = 0x8080808080808080
)

// letterBytes asks for ASCII letters.
func letterBytes(w uint64) uint64 { return lowerBytes(w | 0x20*ones) }

// lowerBytes asks for a to z.
func lowerBytes(w uint64) uint64 { return rangeBytes(w, 'a', 'z') }

// rangeBytes asks for first <= byte <= last, both below 0x80.
func rangeBytes(w uint64, first, last uint64) uint64 {
	low := w &^ tops
	return (low + (0x80-first)*ones) &^ (low + (0x7F-last)*ones) &^ w & tops
}

// firstByte returns the number of the first byte that has its top bit set in mask, or 8.
func firstByte(mask uint64) int { return bits.TrailingZeros64(mask&tops) >> 3 }
