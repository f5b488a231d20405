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
		d.read(r, newSource(header.Text, 1))
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
	s := newSource(rest, 1)
	line, _ := s.at(len(rest))
	d := Document{Header: rest, BodyLine: line, Found: true, Problems: []Problem{unclosed}}
	d.read(r, s)
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
	d.read(Continue, newSource(d.Header, first))
	if d.Broken {
		d.Body = text
		return d
	}
	body := newSource(text[after:], line)
	start := len(body.text) - len(strings.TrimLeftFunc(body.text, isScriptSpace))
	d.Body = strings.TrimRightFunc(body.text[start:], isScriptSpace)
	d.BodyLine, _ = body.at(start)
	if said := trimScript(above); said != "" {
		s := newSource(above, 0)
		start := strings.Index(above, said)
		d.Problems = append([]Problem{s.problem("text-above-header", "what stands above the first line of three dashes is dropped", start, len(above))}, d.Problems...)
	}
	return d
}

// read fills in what stands in the header.
func (d *Document) read(r Reader, s *source) {
	d.firstCounts = r == VSCode
	if len(s.text) > maxHeader {
		d.Broken = true
		d.Problems = append(d.Problems, s.problem("yaml-too-large", "the header is larger than 64 KiB, and is not read", 0, s.lineEnd(0)))
		return
	}
	var problems []Problem
	if r == Cursor {
		d.Fields, problems = readCursor(s)
	} else {
		d.Fields, problems, d.Broken = readYAML(r, s)
	}
	problems = append(problems, oddSpaces(s)...)
	d.Problems = append(d.Problems, problems[:min(len(problems), maxProblems)]...)
}
