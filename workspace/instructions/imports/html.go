package imports

import (
	"slices"
	"strings"
)

// htmlEnd is what ends an HTML block, in the order of the conditions of
// CommonMark 0.31.2, section 4.6.
type htmlEnd uint8

const (
	endRaw     htmlEnd = iota // </script>, </pre>, </style>, </textarea>
	endComment                // -->
	endQuestion
	endDeclaration
	endData
	endBlank // a blank line
)

// in tells whether a line ends the block.
func (e htmlEnd) in(line string) bool {
	switch e {
	case endRaw:
		lower := strings.ToLower(line)
		return slices.ContainsFunc(rawTags, func(tag string) bool { return strings.Contains(lower, "</"+tag+">") })
	case endComment:
		return strings.Contains(line, "-->")
	case endQuestion:
		return strings.Contains(line, "?>")
	case endDeclaration:
		return strings.Contains(line, ">")
	case endData:
		return strings.Contains(line, "]]>")
	}
	return false
}

// rawTags hold text that is no Markdown, blank lines included.
var rawTags = []string{"script", "pre", "style", "textarea"}

// blockTags begin an HTML block that a blank line ends.
var blockTags = strings.Fields(`address article aside base basefont blockquote body caption center col colgroup dd
	details dialog dir div dl dt fieldset figcaption figure footer form frame frameset h1 h2 h3 h4 h5 h6 head header hr
	html iframe legend li link main menu menuitem nav noframes ol optgroup option p param search section summary table
	tbody td tfoot th thead title tr track ul`)

// htmlStart tells whether a line begins an HTML block. In a paragraph not every
// tag does.
func htmlStart(line string, inParagraph bool) (htmlEnd, bool) {
	if len(line) < 2 || line[0] != '<' {
		return 0, false
	}
	switch {
	case strings.HasPrefix(line, "<!--"):
		return endComment, true
	case line[1] == '?':
		return endQuestion, true
	case strings.HasPrefix(line, "<![CDATA["):
		return endData, true
	case line[1] == '!' && len(line) > 2 && isLetter(line[2]):
		return endDeclaration, true
	}
	closing := line[1] == '/'
	rest := strings.TrimPrefix(line[1:], "/")
	n := tagName(rest)
	name := strings.ToLower(rest[:n])
	after := rest[n:]
	switch {
	case n == 0:
		return 0, false
	case !closing && slices.Contains(rawTags, name) && (after == "" || strings.IndexByte(" \t>", after[0]) >= 0):
		return endRaw, true
	case slices.Contains(blockTags, name) && (after == "" || strings.IndexByte(" \t>", after[0]) >= 0 || strings.HasPrefix(after, "/>")):
		return endBlank, true
	case inParagraph || slices.Contains(rawTags, name):
		return 0, false
	}
	end, ok := (&inliner{text: line}).tag(0)
	return endBlank, ok && strings.Trim(line[end:], " \t") == ""
}

func isLetter(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
}

// tagName is the size of the name of a tag at the beginning of a text.
func tagName(text string) int {
	n := 0
	for n < len(text) && (isLetter(text[n]) || n > 0 && (isAlnum(text[n]) || text[n] == '-')) {
		n++
	}
	return n
}
