package imports

import (
	"sort"
	"strings"
)

// inlineText is the text of a block as one string, its lines joined by \n.
type inlineText struct {
	text   string
	starts []int // where each line begins in text
	lines  []span
}

func join(text string, b block) inlineText {
	var out strings.Builder
	starts := make([]int, len(b.lines))
	for i, line := range b.lines {
		if i > 0 {
			out.WriteByte('\n')
		}
		starts[i] = out.Len()
		out.WriteString(text[line.start:line.end])
	}
	return inlineText{out.String(), starts, b.lines}
}

// offset gives the place in the whole text of a place in the joined one.
func (t inlineText) offset(i int) int {
	line := sort.SearchInts(t.starts, i+1) - 1
	return t.lines[line].start + i - t.starts[line]
}

// maskInline finds what is no running text in a paragraph: code spans, tags,
// comments and other HTML, and addresses in angle brackets, whichever begins
// first. The block of a comment ends with the text where the comment does not.
func maskInline(text string, commentBlock bool) []span {
	in := inliner{text: text}
	if commentBlock {
		if end := strings.Index(text, "-->"); end >= 0 {
			in.at = end + 3
			in.masked = append(in.masked, span{0, in.at})
		} else {
			return []span{{0, len(text)}}
		}
	}
	in.scan(commentBlock)
	return in.masked
}

// inliner goes over the text of a paragraph once. The fields that begin with no
// remember a search that found nothing: one that begins later finds nothing
// either, so that hostile texts take no longer than others.
type inliner struct {
	text    string
	at      int
	masked  []span
	closers map[int][]int // the places of the runs of each length, as far as not passed
	no      map[string]bool
}

func (in *inliner) scan(comments bool) {
	for in.at < len(in.text) {
		next := strings.IndexAny(in.text[in.at:], "\\`<")
		if next < 0 {
			return
		}
		in.at += next
		switch in.text[in.at] {
		case '\\':
			in.at = min(in.at+2, len(in.text))
		case '`':
			in.codeSpan()
		default:
			end, ok := in.angle(in.at)
			if !ok && comments && strings.HasPrefix(in.text[in.at:], "<!--") {
				end, ok = len(in.text), true
			}
			in.mask(end, ok)
		}
	}
}

// mask masks up to end, or goes on by one byte.
func (in *inliner) mask(end int, ok bool) {
	if !ok {
		in.at++
		return
	}
	in.masked = append(in.masked, span{in.at, end})
	in.at = end
}

// codeSpan masks from a run of backticks to the next one of the same length. A
// backslash before the opening run takes one backtick of it; before a closing
// one it means nothing.
func (in *inliner) codeSpan() {
	if in.closers == nil {
		in.closers = map[int][]int{}
		for _, r := range backticks(in.text) {
			in.closers[r.size()] = append(in.closers[r.size()], r.start)
		}
	}
	n := run(in.text[in.at:])
	closers := in.closers[n]
	for len(closers) > 0 && closers[0] < in.at+n {
		closers = closers[1:]
	}
	if in.closers[n] = closers; len(closers) == 0 {
		in.at += n
		return
	}
	in.mask(closers[0]+n, true)
}

// angle gives the end of what begins with < at a place.
func (in *inliner) angle(at int) (int, bool) {
	rest := in.text[at:]
	switch {
	case strings.HasPrefix(rest, "<!-->"):
		return at + 5, true
	case strings.HasPrefix(rest, "<!--->"):
		return at + 6, true
	case strings.HasPrefix(rest, "<!--"):
		return in.find("-->", at+4)
	case strings.HasPrefix(rest, "<![CDATA["):
		return in.find("]]>", at+9)
	case strings.HasPrefix(rest, "<!") && len(rest) > 2 && isLetter(rest[2]):
		return in.find(">", at+3)
	case strings.HasPrefix(rest, "<?"):
		return in.find("?>", at+2)
	}
	if end, ok := autolink(rest); ok {
		return at + end, true
	}
	return in.tag(at)
}

// find gives the end of the next occurrence of what is sought.
func (in *inliner) find(sought string, from int) (int, bool) {
	if in.no[sought] {
		return 0, false
	}
	i := strings.Index(in.text[min(from, len(in.text)):], sought)
	if i < 0 {
		if in.no == nil {
			in.no = map[string]bool{}
		}
		in.no[sought] = true
		return 0, false
	}
	return from + i + len(sought), true
}

// autolink gives the size of <scheme:address> or <mail@address>.
func autolink(text string) (int, bool) {
	n := tagName(text[1:]) + 1
	for n > 1 && n < len(text) && (isAlnum(text[n]) || strings.IndexByte("+.-", text[n]) >= 0) {
		n++
	}
	if n > 2 && n <= 33 && n < len(text) && text[n] == ':' {
		for i := n + 1; i < len(text); i++ {
			switch c := text[i]; {
			case c == '>':
				return i + 1, true
			case c == '<' || c <= ' ' || c == 0x7f:
				return 0, false
			}
		}
		return 0, false
	}
	at := false
	for i := 1; i < len(text); i++ {
		switch c := text[i]; {
		case c == '@' && i > 1 && !at:
			at = true
		case c == '>':
			return i + 1, at && text[i-1] != '@' && text[i-1] != '-'
		case isAlnum(c) || c == '-' || c == '.':
		case !at && strings.IndexByte("!#$%&'*+/=?^_`{|}~", c) >= 0:
		default:
			return 0, false
		}
	}
	return 0, false
}

// tag gives the end of an opening or closing tag that begins at a place.
func (in *inliner) tag(at int) (int, bool) {
	text := in.text
	i := at + 1
	closing := i < len(text) && text[i] == '/'
	if closing {
		i++
	}
	n := tagName(text[i:])
	if n == 0 {
		return 0, false
	}
	i += n
	for {
		space := skipSpace(text, i)
		switch {
		case space == len(text):
			return 0, false
		case text[space] == '>':
			return space + 1, true
		case closing:
			return 0, false
		case text[space] == '/':
			return space + 2, space+1 < len(text) && text[space+1] == '>'
		case space == i:
			return 0, false
		}
		var ok bool
		if i, ok = in.attribute(space); !ok {
			return 0, false
		}
	}
}

// attribute gives the end of a name with or without a value.
func (in *inliner) attribute(i int) (int, bool) {
	text := in.text
	start := i
	for i < len(text) && (isLetter(text[i]) || strings.IndexByte("_:", text[i]) >= 0 || i > start && (isAlnum(text[i]) || strings.IndexByte(".-", text[i]) >= 0)) {
		i++
	}
	if i == start {
		return 0, false
	}
	value := skipSpace(text, i)
	if value == len(text) || text[value] != '=' {
		return i, true
	}
	value = skipSpace(text, value+1)
	if value == len(text) {
		return 0, false
	}
	if quote := text[value]; quote == '"' || quote == '\'' {
		return in.find(text[value:value+1], value+1)
	}
	end := value
	for end < len(text) && strings.IndexByte(" \t\n\"'=<>`", text[end]) < 0 {
		end++
	}
	return end, end > value
}

func skipSpace(text string, i int) int {
	for i < len(text) && (text[i] == ' ' || text[i] == '\t' || text[i] == '\n') {
		i++
	}
	return i
}
