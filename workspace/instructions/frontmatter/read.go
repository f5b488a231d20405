package frontmatter

import "strings"

// maxHeader bounds what is read of a header, in bytes: real ones have a few
// hundred.
const maxHeader = 64 << 10

// Read reads the header of a text as one tool does.
func Read(r Reader, text string) Document {
	if r == None {
		return Document{Body: text}
	}
	if r == Continue {
		return readContinue(text)
	}
	header, ok := Sniff(text)
	switch {
	case ok:
	case opened(text) && r == VSCode:
		_, rest, _ := cutLine(text)
		d := Document{Header: rest, Found: true, BodyLine: strings.Count(text, "\n")}
		d.Problems = []Problem{{Code: "frontmatter-unclosed", Message: "the header is never closed, so the whole file is header and nothing is left to say; add a line of three dashes", EndColumn: 3}}
		d.Fields, _ = readYAML(rest, 1)
		return d
	case opened(text):
		return Document{Body: text, Problems: []Problem{{Code: "frontmatter-unclosed", Message: "the line of three dashes opens a header that is never closed; it is taken for text", EndColumn: 3}}}
	default:
		return Document{Body: text}
	}
	d := Document{Header: header.Text, Body: header.Body, BodyLine: header.Lines, Found: true, Closed: true}
	d.read(r, 1)
	return d
}

func (d *Document) read(r Reader, firstLine int) {
	if len(d.Header) > maxHeader {
		d.Problems = append(d.Problems, Problem{Code: "yaml-too-large", Message: "the header is too large to be read", Line: firstLine})
		return
	}
	var problems []Problem
	if r == Cursor {
		d.Fields, problems = readCursor(d.Header, firstLine)
	} else {
		d.Fields, problems = readYAML(d.Header, firstLine)
	}
	d.Problems = append(d.Problems, problems...)
}

// readContinue finds the first two rules anywhere.
func readContinue(text string) Document {
	lines := strings.SplitAfter(text, "\n")
	var rules []int
	for i, line := range lines {
		if strings.HasPrefix(line, rule) {
			if rules = append(rules, i); len(rules) == 2 {
				break
			}
		}
	}
	if len(rules) < 2 {
		return Document{Body: text}
	}
	d := Document{
		Header: strings.Join(lines[rules[0]+1:rules[1]], ""), Body: strings.Join(lines[rules[1]+1:], ""), BodyLine: rules[1] + 1,
		Found: true, Closed: true,
	}
	if rules[0] > 0 && strings.TrimSpace(strings.Join(lines[:rules[0]], "")) != "" {
		d.Problems = append(d.Problems, Problem{Code: "text-above-header", Message: "what stands above the first line of three dashes is dropped", Line: 0, EndColumn: len(strings.TrimRight(lines[0], "\r\n"))})
	}
	d.read(YAML, rules[0]+1)
	return d
}

func opened(text string) bool {
	first, _, _ := cutLine(text)
	return isRule(first)
}
