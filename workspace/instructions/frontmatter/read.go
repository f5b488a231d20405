package frontmatter

import "strings"

// maxHeader bounds what is read of a header, in bytes: real ones have a few
// hundred, and the YAML library needs some time for hostile ones.
const maxHeader = 64 << 10

// maxProblems bounds what is said of one header.
const maxProblems = 100

// Read reads the header of a text as one tool does. A reader that is not known
// reads none.
func Read(r Reader, text string) Document {
	switch r {
	case YAML, Cursor:
		return readTop(r, text, isRule)
	case VSCode:
		return readTop(r, text, isScriptRule)
	case Continue:
		return readContinue(text)
	}
	return Document{Body: text}
}

// readTop reads a header that begins on the first line.
func readTop(r Reader, text string, isRule func(string) bool) Document {
	if header, ok := sniff(text, isRule); ok {
		d := Document{Header: header.Text, Body: header.Body, BodyLine: header.Lines, Found: true, Closed: true}
		d.read(r, 1)
		return d
	}
	start := len(text) - len(strings.TrimPrefix(text, bom))
	first, rest, _ := cutLine(text[start:])
	if !isRule(first) {
		return Document{Body: text}
	}
	unclosed := Problem{
		Code: "frontmatter-unclosed", Message: "the line of three dashes opens a header that is never closed; it is taken for text: close it with a second such line",
		Column: start, EndColumn: start + len(rule),
	}
	if r != VSCode {
		return Document{Body: text, Problems: []Problem{unclosed}}
	}
	unclosed.Message = "the header is never closed, so the whole file is header and nothing is left to say: close it with a second line of three dashes"
	d := Document{Header: rest, BodyLine: 1 + countBreaks(rest), Found: true, Problems: []Problem{unclosed}}
	d.read(r, 1)
	// What follows from the missing rule is not worth a word of its own.
	d.Problems, d.Broken = d.Problems[:1], true
	return d
}

// readContinue finds the first two rules anywhere.
func readContinue(text string) Document {
	begin, end, after := -1, -1, -1 // of the header; where the body begins
	above, first, line := "", 0, 0  // the text above, and lines of the file
	for rest := text; end < 0; line++ {
		at := len(text) - len(rest)
		this, next, more := cutLine(rest)
		switch {
		case !isScriptRule(this):
		case begin < 0:
			begin, above, first = len(text)-len(next), text[:at], line+1
		default:
			end, after = at, len(text)-len(next)
		}
		if rest = next; !more {
			break
		}
	}
	if end < 0 {
		return Document{Body: text}
	}
	d := Document{Header: text[begin:end], Found: true, Closed: true}
	d.read(Continue, first)
	if d.Broken {
		d.Body = text
		return d
	}
	body := strings.TrimLeftFunc(text[after:], isScriptSpace)
	d.Body, d.BodyLine = strings.TrimRightFunc(body, isScriptSpace), line+countBreaks(text[after:len(text)-len(body)])
	if said := strings.TrimLeftFunc(above, isScriptSpace); said != "" {
		start := len(above) - len(said)
		said, _, _ = cutLine(said)
		p := Problem{Code: "text-above-header", Message: "what stands above the first line of three dashes is dropped", Line: countBreaks(above[:start])}
		p.Column = start - (strings.LastIndexAny(above[:start], "\r\n") + 1)
		p.EndColumn = p.Column + len(said)
		d.Problems = append([]Problem{p}, d.Problems...)
	}
	return d
}

// read fills in what stands in the header, which begins at a line of the file.
func (d *Document) read(r Reader, first int) {
	d.firstCounts = r == VSCode
	if len(d.Header) > maxHeader {
		d.Broken = true
		line, _, _ := cutLine(d.Header)
		d.Problems = append(d.Problems, Problem{Code: "yaml-too-large", Message: "the header is larger than 64 KiB, and is not read", Line: first, EndColumn: len(line)})
		return
	}
	s := newSource(d.Header, first)
	var problems []Problem
	if r == Cursor {
		d.Fields, problems = readCursor(s)
	} else {
		d.Fields, problems, d.Broken = readYAML(r, s)
	}
	problems = append(problems, oddSpaces(s)...)
	d.Problems = append(d.Problems, problems[:min(len(problems), maxProblems)]...)
}
