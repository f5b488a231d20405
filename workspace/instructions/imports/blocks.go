package imports

import "strings"

// The block structure of CommonMark 0.31.2 (https://spec.commonmark.org), as
// far as it tells code, HTML and running text apart: quotations, lists, fenced
// and indented code, HTML blocks, headings and paragraphs. Left out are link
// reference definitions, which are read as paragraphs, and tables, which are
// none of CommonMark.

type blockKind uint8

const (
	paragraph blockKind = iota
	heading
	code
	comment // an HTML block that begins with <!--
	html    // another HTML block
)

// block is a leaf of the structure: what holds text and no blocks.
type block struct {
	kind   blockKind
	setext bool   // a heading that is underlined
	nested bool   // in a quotation or list
	lines  []span // of the text, without what belongs to quotations and lists, and without line ends
}

// maxNesting bounds quotations and lists inside each other, so that each line
// costs no more than its length and this; deeper ones are read as text.
const maxNesting = 64

// container is a quotation or an entry of a list.
type container struct {
	quote bool
	width int  // of an entry: how far its text is indented, in columns
	empty bool // of an entry: it has nothing yet
}

// blockParser goes over the lines of a text.
type blockParser struct {
	text string
	emit func(block)
	open []container
	leaf *block
	// Of fenced code, the mark and its length, which is 0 for indented code.
	fence     byte
	fenceSize int
	htmlEnd   htmlEnd

	// The place in the line at hand: the byte, its column, and how many columns
	// of a tab there are left before it.
	at, column, tab int
	end             int
}

// parseBlocks hands on the leaf blocks of a text in their order.
func parseBlocks(text string, emit func(block)) {
	p := &blockParser{text: text, emit: emit}
	for start := 0; start < len(text); {
		end := start + len(text[start:])
		if i := strings.IndexAny(text[start:], "\r\n"); i >= 0 {
			end = start + i
		}
		p.at, p.column, p.tab, p.end = start, 0, 0, end
		p.line()
		start = end
		if start < len(text) && text[start] == '\r' {
			start++
		}
		if start < len(text) && text[start] == '\n' && (start == end || text[end] == '\r') {
			start++
		}
	}
	p.close()
}

// next gives the offset of what is not blank in the rest of the line, and how
// far it is indented.
func (p *blockParser) next() (at, indent int) {
	column := p.column
	indent = p.tab
	column += p.tab
	for at = p.at; at < p.end; at++ {
		switch p.text[at] {
		case ' ':
			column, indent = column+1, indent+1
		case '\t':
			wide := 4 - column%4
			column, indent = column+wide, indent+wide
		default:
			return at, indent
		}
	}
	return at, indent
}

// skip goes on by some columns of blanks.
func (p *blockParser) skip(columns int) {
	for columns > 0 {
		switch {
		case p.tab > 0:
			n := min(p.tab, columns)
			p.tab, p.column, columns = p.tab-n, p.column+n, columns-n
		case p.at < p.end && p.text[p.at] == '\t':
			p.tab = 4 - p.column%4
			p.at++
		case p.at < p.end && p.text[p.at] == ' ':
			p.at, p.column, columns = p.at+1, p.column+1, columns-1
		default:
			return
		}
	}
}

// pass goes on by some bytes that are no blanks, after the blanks before them.
func (p *blockParser) pass(size int) {
	at, indent := p.next()
	p.column += indent + size
	p.at, p.tab = at+size, 0
}

// line reads one line: first what goes on from the lines before, then what
// begins, then what is left as text.
func (p *blockParser) line() {
	matched := p.match()
	if p.leaf != nil && matched == len(p.open) && p.goesOn() {
		return
	}
	for {
		at, indent := p.next()
		if at == p.end {
			break
		}
		inParagraph := p.leaf != nil && p.leaf.kind == paragraph
		if indent >= 4 {
			if !inParagraph {
				p.begin(matched, code)
				p.add(p.at)
				return
			}
			break
		}
		if p.startContainer(at, indent, matched, inParagraph) {
			matched = len(p.open)
			continue
		}
		if p.startLeaf(at, matched, inParagraph) {
			return
		}
		break
	}
	at, _ := p.next()
	switch {
	case at == p.end:
		p.closeTo(matched)
	case p.leaf != nil && p.leaf.kind == paragraph:
		p.add(at) // also where a quotation or list ends without a blank line
	default:
		p.begin(matched, paragraph)
		p.add(at)
	}
}

// match goes into the quotations and entries that go on in this line, and gives
// their number.
func (p *blockParser) match() int {
	for i := range p.open {
		c := &p.open[i]
		at, indent := p.next()
		blank := at == p.end
		switch {
		case c.quote && (blank || indent > 3 || p.text[at] != '>'):
			return i
		case c.quote:
			p.pass(1)
			p.skip(1)
		case blank && c.empty:
			return i
		case blank:
			p.at = at
		case indent < c.width:
			return i
		default:
			p.skip(c.width)
			c.empty = false
		}
	}
	return len(p.open)
}

// goesOn adds the line to code or HTML, if it belongs to it; else it ends that.
func (p *blockParser) goesOn() bool {
	at, indent := p.next()
	blank := at == p.end
	switch {
	case p.leaf.kind == paragraph:
		return false
	case p.leaf.kind != code:
		if p.htmlEnd == endBlank && blank {
			p.close()
			return false
		}
		p.add(p.at)
		if p.htmlEnd.in(p.text[p.at:p.end]) {
			p.close()
		}
		return true
	case p.fenceSize > 0:
		p.add(p.at)
		if n := run(p.text[at:p.end]); indent < 4 && n >= p.fenceSize && p.text[at] == p.fence && strings.Trim(p.text[at+n:p.end], " \t") == "" {
			p.close()
		}
		return true
	case indent >= 4 || blank:
		p.add(p.at)
		return true
	}
	p.close()
	return false
}

// startContainer begins a quotation or an entry of a list.
func (p *blockParser) startContainer(at, indent, matched int, inParagraph bool) bool {
	if matched >= maxNesting {
		return false
	}
	if p.text[at] == '>' {
		p.closeTo(matched)
		p.pass(1)
		p.skip(1)
		p.open = append(p.open, container{quote: true})
		return true
	}
	line := p.text[at:p.end]
	size, first := listMark(line)
	rest := strings.Trim(line[size:], " \t")
	if size == 0 || isBreak(line) || (inParagraph && matched == len(p.open) && (rest == "" || !first)) {
		return false
	}
	p.closeTo(matched)
	p.pass(size)
	_, blanks := p.next()
	if rest == "" || blanks > 4 {
		blanks = 1
	}
	p.skip(blanks)
	p.open = append(p.open, container{width: indent + size + blanks, empty: rest == ""})
	return true
}

// startLeaf begins, and for headings ends, a block that holds no others.
func (p *blockParser) startLeaf(at, matched int, inParagraph bool) bool {
	line := p.text[at:p.end]
	switch {
	case isHeading(line):
		p.begin(matched, heading)
		p.add(at)
		p.close()
		return true
	case isFence(line):
		p.begin(matched, code)
		p.fence, p.fenceSize = line[0], run(line)
		p.add(p.at)
		return true
	case inParagraph && matched == len(p.open) && isUnderline(line):
		p.leaf.kind, p.leaf.setext = heading, true
		p.close()
		return true
	case isBreak(line):
		p.closeTo(matched)
		return true
	}
	end, ok := htmlStart(line, inParagraph)
	if !ok {
		return false
	}
	kind := html
	if end == endComment {
		kind = comment
	}
	p.begin(matched, kind)
	p.htmlEnd = end
	p.add(at)
	if end.in(line) {
		p.close()
	}
	return true
}

// begin ends what does not go on and begins a leaf.
func (p *blockParser) begin(matched int, kind blockKind) {
	p.closeTo(matched)
	p.fenceSize = 0
	p.leaf = &block{kind: kind, nested: len(p.open) > 0}
}

func (p *blockParser) add(from int) {
	p.leaf.lines = append(p.leaf.lines, span{from, p.end})
}

// closeTo ends the leaf and all but some containers.
func (p *blockParser) closeTo(matched int) {
	p.close()
	p.open = p.open[:matched]
}

func (p *blockParser) close() {
	if p.leaf != nil {
		p.emit(*p.leaf)
		p.leaf = nil
	}
}

// run is how often the first byte of a text stands there.
func run(text string) int {
	n := 0
	for n < len(text) && text[n] == text[0] {
		n++
	}
	return n
}

// listMark is the size of what begins an entry of a list, and whether that may
// end a paragraph: bullets and the number 1 may.
func listMark(line string) (size int, first bool) {
	switch c := line[0]; {
	case c == '-' || c == '+' || c == '*':
		size, first = 1, true
	case '0' <= c && c <= '9':
		for size < len(line) && size < 9 && '0' <= line[size] && line[size] <= '9' {
			size++
		}
		first = strings.TrimLeft(line[:size-1], "0") == "" && line[size-1] == '1'
		if size == len(line) || (line[size] != '.' && line[size] != ')') {
			return 0, false
		}
		size++
	default:
		return 0, false
	}
	if size < len(line) && line[size] != ' ' && line[size] != '\t' {
		return 0, false
	}
	return size, first
}

// isBreak tells of a thematic break, such as * * *.
func isBreak(line string) bool {
	c, n := line[0], 0
	if c != '*' && c != '-' && c != '_' {
		return false
	}
	for i := range len(line) {
		switch line[i] {
		case c:
			n++
		case ' ', '\t':
		default:
			return false
		}
	}
	return n >= 3
}

func isHeading(line string) bool {
	n := run(line)
	return line[0] == '#' && n <= 6 && (n == len(line) || line[n] == ' ' || line[n] == '\t')
}

// isUnderline tells of what makes a heading of the paragraph above.
func isUnderline(line string) bool {
	return (line[0] == '=' || line[0] == '-') && strings.Trim(line[run(line):], " \t") == ""
}

// isFence tells of what begins fenced code. Backticks may not stand behind a
// fence of backticks: that is a code span.
func isFence(line string) bool {
	n := run(line)
	return n >= 3 && (line[0] == '~' || (line[0] == '`' && strings.IndexByte(line[n:], '`') < 0))
}
