package imports

import "strings"

// Span is a stretch of a text that stays, in bytes of the original.
type Span struct{ Start, End int }

// StripBlockComments takes out the HTML comments that stand as a block: they
// begin a line, outside of quotations and lists, and are closed. A line that is
// left blank goes with them; what else stands on the line of their end stays.
// Comments inside a line of text, in code, in other HTML, and those that are
// not closed stay too. This is what Claude Code does since 2.1.72
// (https://code.claude.com/docs/en/memory; what stays beside a comment as
// reported by readers of the program, checked 2026-11-30). It takes the blank
// lines after a comment too; here they stay, so that the paragraphs around it do
// not grow together.
//
// The spans are what stayed, in order; joined they are the result.
func StripBlockComments(text string) (string, []Span) {
	var gone []span
	if strings.Contains(text, "<!--") {
		parseBlocks(text, func(b block) {
			if b.kind == comment && !b.nested {
				gone = append(gone, commentsOf(text, b)...)
			}
		})
	}
	if gone == nil {
		return text, []Span{{0, len(text)}}
	}
	var out strings.Builder
	var spans []Span
	kept := 0
	keep := func(to int) {
		if kept < to {
			spans = append(spans, Span{kept, to})
			out.WriteString(text[kept:to])
		}
	}
	for _, g := range gone {
		keep(g.start)
		kept = g.end
	}
	keep(len(text))
	return out.String(), spans
}

// commentsOf finds the comments of a block that begins with one, with their
// lines where nothing else stands in these.
func commentsOf(text string, b block) []span {
	start, end := b.lines[0].start, b.lines[len(b.lines)-1].end
	var comments []span
	rest := false // something but comments stands in the block
	for i := start; i < end; {
		begin := strings.Index(text[i:end], "<!--")
		if begin < 0 {
			rest = rest || strings.TrimSpace(text[i:end]) != ""
			break
		}
		size := commentSize(text[i+begin : end])
		if size == 0 {
			if comments == nil {
				return nil
			}
			rest = true
			break
		}
		rest = rest || strings.TrimSpace(text[i:i+begin]) != ""
		comments = append(comments, span{i + begin, i + begin + size})
		i += begin + size
	}
	if rest {
		return comments
	}
	return []span{{lineStart(text, start), lineEnd(text, end)}}
}

// commentSize is the size of the comment at the beginning of a text, 0 where it
// is not closed.
func commentSize(text string) int {
	for _, short := range []string{"<!-->", "<!--->"} {
		if strings.HasPrefix(text, short) {
			return len(short)
		}
	}
	if end := strings.Index(text[4:], "-->"); end >= 0 {
		return 4 + end + 3
	}
	return 0
}

// lineEnd gives the offset after the line end that follows at.
func lineEnd(text string, at int) int {
	if at < len(text) && text[at] == '\r' {
		at++
		if at == len(text) || text[at] != '\n' {
			return at
		}
	}
	if at < len(text) && text[at] == '\n' {
		at++
	}
	return at
}
