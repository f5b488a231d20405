package imports

import "strings"

// Span is a stretch of a text that stays, in bytes of the original.
type Span struct{ Start, End int }

// StripBlockComments takes out the HTML comments that stand as a block: they
// begin a line, nothing but white space follows their end, and they are
// closed. Comments inside a line, in code, and unclosed ones stay. This is what
// Claude Code does since 2.1.72 (https://code.claude.com/docs/en/memory,
// checked 2026-11-30). The spans are what stayed.
func StripBlockComments(text string) (string, []Span) {
	if !strings.Contains(text, "<!--") {
		return text, []Span{{0, len(text)}}
	}
	code := maskCode(text)
	var out strings.Builder
	var spans []Span
	kept := 0
	for start := 0; start < len(text); {
		end := lineEnd(text, start)
		indent := len(text[start:end]) - len(strings.TrimLeft(text[start:end], " "))
		if indent > 3 || code[start] || !strings.HasPrefix(text[start+indent:], "<!--") {
			start = end
			continue
		}
		closing := strings.Index(text[start+indent+4:], "-->")
		if closing < 0 {
			break
		}
		after := start + indent + 4 + closing + 3
		stop := lineEnd(text, after)
		if strings.TrimSpace(text[after:stop]) != "" {
			start = end
			continue
		}
		if start > kept {
			spans = append(spans, Span{kept, start})
			out.WriteString(text[kept:start])
		}
		kept, start = stop, stop
	}
	if kept < len(text) {
		spans = append(spans, Span{kept, len(text)})
		out.WriteString(text[kept:])
	}
	return out.String(), spans
}

// maskCode marks blocks of fenced code alone.
func maskCode(text string) []bool {
	mask := make([]bool, len(text)+1)
	fence := ""
	for start := 0; start < len(text); {
		end := lineEnd(text, start)
		marks, opens := fenceMarks(text[start:end])
		if fence != "" || opens {
			fill(mask, start, end)
		}
		switch {
		case fence == "" && opens:
			fence = marks
		case fence != "" && opens && closes(fence, marks, text[start:end]):
			fence = ""
		}
		start = end
	}
	return mask
}

func lineEnd(text string, from int) int {
	if i := strings.IndexByte(text[from:], '\n'); i >= 0 {
		return from + i + 1
	}
	return len(text)
}
