package workspace

import (
	"slices"
	"strings"
)

// A line table is the sorted byte offsets at which the lines of a text start;
// the first is always 0. A line ends with \n, \r\n or a \r that no \n follows.

// lineStarts is the line table of text.
func lineStarts(text string) []int {
	return appendStarts(append(make([]int, 0, 2+strings.Count(text, "\n")), 0), none, text, none, 0)
}

// none stands for the byte before the first or after the last one of a text.
const none = -1

// appendStarts appends the line starts in and around a piece of a text: at its
// first byte, inside, and right behind it. Whether a line starts somewhere
// depends on the two bytes around the place and on nothing else, so before and
// after are all that is needed of the rest. The piece begins at offset.
func appendStarts(starts []int, before int, piece string, after int, offset int) []int {
	if piece == "" {
		return appendStart(starts, before, after, offset)
	}
	last := len(piece) - 1
	starts = appendStart(starts, before, int(piece[0]), offset)
	if strings.IndexByte(piece, '\r') < 0 {
		// Nearly every text: one search per line instead of one look per byte.
		for at := 0; ; {
			n := strings.IndexByte(piece[at:last], '\n')
			if n < 0 {
				break
			}
			at += n + 1
			starts = append(starts, offset+at)
		}
	} else {
		for i := range last {
			starts = appendStart(starts, int(piece[i]), int(piece[i+1]), offset+i+1)
		}
	}
	return appendStart(starts, int(piece[last]), after, offset+len(piece))
}

// appendStart appends offset when a line starts there, between the bytes before
// and after. The start of the text is not among what it finds.
func appendStart(starts []int, before, after, offset int) []int {
	if before == '\n' || before == '\r' && after != '\n' {
		return append(starts, offset)
	}
	return starts
}

// spliceLines is the line table after an edit that put inserted in the place of
// [from, to) of the text with the table starts; before and after are the bytes
// around it. The lines before and behind the edit are taken over: to find them
// again would cost a look at the whole text for every keystroke.
//
// It works in place when own is set, else it leaves starts as it was.
func spliceLines(starts []int, from, to, before, after int, inserted string, own bool) []int {
	// A start below from depends on bytes below from only, one above to on bytes
	// from to on only: both stay. What is between has to be found again.
	first, _ := slices.BinarySearch(starts, max(from, 1))
	last, _ := slices.BinarySearch(starts, to+1)
	last = max(last, first)
	fresh := appendStarts(nil, before, inserted, after, from)
	delta := len(inserted) - (to - from)
	if own {
		starts = slices.Replace(starts, first, last, fresh...)
		shift(starts[first+len(fresh):], delta)
		return starts
	}
	spliced := make([]int, 0, len(starts)-(last-first)+len(fresh))
	spliced = append(spliced, starts[:first]...)
	spliced = append(spliced, fresh...)
	spliced = append(spliced, starts[last:]...)
	shift(spliced[first+len(fresh):], delta)
	return spliced
}

func shift(starts []int, delta int) {
	if delta == 0 {
		return
	}
	for i := range starts {
		starts[i] += delta
	}
}

// lineAt is the line that the byte offset is in.
func lineAt(starts []int, offset int) int {
	line, found := slices.BinarySearch(starts, offset)
	if found {
		return line
	}
	return line - 1
}

// withoutEnd is a line without its line end.
func withoutEnd[T ~string | ~[]byte](line T) T {
	n := len(line)
	if n > 0 && line[n-1] == '\n' {
		n--
		if n > 0 && line[n-1] == '\r' {
			n--
		}
	} else if n > 0 && line[n-1] == '\r' {
		n--
	}
	return line[:n]
}
