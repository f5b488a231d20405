package imports

import "strings"

// maskBackticks marks what stands between runs of backticks of equal length,
// wherever they are.
func maskBackticks(text string) []bool {
	mask := make([]bool, len(text))
	maskSpans(text, 0, len(text), mask)
	return mask
}

// maskSpans marks the code spans of a stretch of text: from a run of backticks
// to the next run of the same length.
func maskSpans(text string, from, to int, mask []bool) {
	// next[n] remembers where to look for a closing run of n backticks, so that
	// a text full of runs that nothing closes stays linear.
	ends := map[int][]int{}
	for i := from; i < to; {
		if text[i] != '`' {
			i++
			continue
		}
		n := run(text, i, to)
		ends[n] = append(ends[n], i)
		i += n
	}
	for i := from; i < to; {
		if text[i] != '`' {
			i++
			continue
		}
		n := run(text, i, to)
		closers := ends[n]
		for len(closers) > 0 && closers[0] <= i {
			closers = closers[1:]
		}
		ends[n] = closers
		if len(closers) == 0 {
			i += n
			continue
		}
		end := closers[0] + n
		for j := i; j < end; j++ {
			mask[j] = true
		}
		i = end
	}
}

func run(text string, from, to int) int {
	n := 0
	for from+n < to && text[from+n] == text[from] {
		n++
	}
	return n
}

// maskMarkdown marks what CommonMark takes for code, fenced, indented or in
// spans, and HTML comments. An unclosed fence runs to the end.
func maskMarkdown(text string) []bool {
	mask := make([]bool, len(text))
	var fence string // the marks that opened the block of code
	paragraph := -1  // where the running text began, -1 outside of it
	blank := true    // the line before was blank
	flush := func(to int) {
		if paragraph >= 0 {
			maskInline(text, paragraph, to, mask)
			paragraph = -1
		}
	}
	for start := 0; start < len(text); {
		end := start + len(text[start:])
		if i := strings.IndexByte(text[start:], '\n'); i >= 0 {
			end = start + i + 1
		}
		line := text[start:end]
		switch marks, opens := fenceMarks(line); {
		case fence != "":
			fill(mask, start, end)
			if opens && closes(fence, marks, line) {
				fence = ""
			}
			blank = false
		case opens:
			flush(start)
			fence = marks
			fill(mask, start, end)
			blank = false
		case strings.TrimSpace(line) == "":
			flush(start)
			blank = true
		case indented(line) && blank && paragraph < 0:
			fill(mask, start, end)
		default:
			if paragraph < 0 {
				paragraph = start
			}
			blank = false
		}
		start = end
	}
	flush(len(text))
	return mask
}

// maskInline marks code spans and HTML comments of a paragraph, whichever
// begins first.
func maskInline(text string, from, to int, mask []bool) {
	maskSpans(text, from, to, mask)
	for i := from; i < to; i++ {
		if mask[i] || !strings.HasPrefix(text[i:to], "<!--") {
			continue
		}
		end := strings.Index(text[i:], "-->")
		if end < 0 {
			return
		}
		fill(mask, i, min(i+end+3, len(mask)))
		i += end + 2
	}
}

// fenceMarks gives the marks of a line that opens or closes a block of code.
func fenceMarks(line string) (string, bool) {
	rest := strings.TrimLeft(line, " ")
	if len(line)-len(rest) > 3 || rest == "" || (rest[0] != '`' && rest[0] != '~') {
		return "", false
	}
	n := run(rest, 0, len(rest))
	if n < 3 || (rest[0] == '`' && strings.Contains(rest[n:], "`")) {
		return "", false
	}
	return rest[:n], true
}

func closes(fence, marks, line string) bool {
	if marks[0] != fence[0] || len(marks) < len(fence) {
		return false
	}
	return strings.Trim(line, " \t\r\n") == marks
}

func indented(line string) bool {
	return strings.HasPrefix(line, "    ") || strings.HasPrefix(line, "\t")
}

func fill(mask []bool, from, to int) {
	for i := from; i < to; i++ {
		mask[i] = true
	}
}
