package frontmatter

import (
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"
)

// faults turns the parser's error into what to do, and where. The parser stops
// at the first fault and names a line at most, so the lines are looked through
// for what people write when they forget that a header is YAML.
func faults(s *source, err error) []Problem {
	f := &faultFinder{source: s, anchors: map[string]bool{}}
	f.find()
	if len(f.problems) > 0 {
		return f.problems
	}
	line := 0
	message := strings.TrimPrefix(err.Error(), "yaml: ")
	if m := yamlLine.FindStringSubmatch(message); m != nil {
		if n, convErr := strconv.Atoi(m[1]); convErr == nil {
			line = max(0, min(n, len(s.yaml))-1)
		}
		message = message[len(m[0]):]
	}
	start := s.yaml[line]
	end := s.lineEnd(start)
	start = end - len(strings.TrimLeft(s.text[start:end], " \t"))
	return []Problem{s.problem("yaml-syntax", "not valid YAML: "+message, start, start+len(strings.TrimRight(s.text[start:end], " \t")))}
}

var (
	yamlLine   = regexp.MustCompile(`^line (\d+): `)
	aliasName  = regexp.MustCompile(`^\*([A-Za-z0-9_-]+)$`)
	anchorName = regexp.MustCompile(`^&([A-Za-z0-9_-]+)$`)
	blockHead  = regexp.MustCompile(`^[|>][-+0-9]{0,2}\s*(#.*)?$`)
	// keyColon ends a plain or quoted key: a colon before a blank or the end.
	keyColon = regexp.MustCompile(`:([ \t]|$)`)
)

// faultFinder looks through a header that is no YAML, line by line.
type faultFinder struct {
	*source
	problems []Problem
	anchors  map[string]bool
	plain    bool    // the value of the line before is plain, and may go on
	indent   int     // the column of the key or dash that holds it
	levels   []level // the keys and dashes that are open
	valued   bool    // the last key has a value on its line
}

func (f *faultFinder) add(code, message string, start, end int) {
	if len(f.problems) < maxProblems {
		f.problems = append(f.problems, f.problem(code, message, start, end))
	}
}

func (f *faultFinder) find() {
	for i, r := range f.text {
		if (r < ' ' && r != '\t' && r != '\n' && r != '\r') || r == '\u007f' || r == utf8.RuneError {
			f.add("yaml-character", "YAML allows no such character: remove it", i, i+max(1, utf8.RuneLen(r)))
			return
		}
	}
	for i := 0; i < len(f.text) && len(f.problems) < maxProblems; {
		i = f.line(i)
		i += breakLen(f.text, i)
	}
}

// line looks at what begins with the line at start, and gives the end of its
// last line.
func (f *faultFinder) line(start int) int {
	end := f.lineEnd(start)
	i := start
	for i < end && f.text[i] == ' ' {
		i++
	}
	text := f.text[i:end]
	if trimmed := strings.TrimLeft(text, " \t"); trimmed == "" || trimmed[0] == '#' {
		return end
	}
	if text[0] == '\t' && (!f.plain || keyColon.MatchString(text)) {
		f.add("yaml-tab", "YAML allows no tab before a key or a dash: use spaces", i, end-len(strings.TrimLeft(text, " \t")))
		return end
	}
	if strings.TrimRight(text, " \t") == "..." && i == start {
		f.add("yaml-dots", "a line of three dots ends a document in YAML: remove it", i, i+3)
		return end
	}
	goesOn := f.plain && i-start > f.indent
	f.plain = false
	if goesOn {
		return f.entry(start, i, end, true)
	}
	if code, message := f.open(level{i - start, f.isDash(i, end)}); code != "" {
		f.add(code, message, i, f.trimmed(i, end))
		return end
	}
	for f.isDash(i, end) {
		f.indent, f.valued = i-start, false
		if i = f.blanks(i+1, end); i == end || f.text[i] == '#' {
			return end
		}
		f.open(level{i - start, f.isDash(i, end)})
	}
	return f.entry(start, i, end, false)
}

func (f *faultFinder) isDash(i, end int) bool {
	return i < end && f.text[i] == '-' && (i+1 == end || f.text[i+1] == ' ' || f.text[i+1] == '\t')
}

// level is the column of a key or of the dashes of a list.
type level struct {
	column int
	dash   bool
}

// open opens or goes back to a level. It says what is wrong with that: a column
// between two that are open, or a list under a key that has something else.
func (f *faultFinder) open(to level) (code, message string) {
	n := len(f.levels)
	for n > 0 && (f.levels[n-1].column > to.column || f.levels[n-1] == (level{to.column, true}) && !to.dash) {
		n--
	}
	back := n < len(f.levels)
	f.levels = f.levels[:n]
	switch {
	case n == 0 || f.levels[n-1].column < to.column:
		f.levels = append(f.levels, to)
		if back {
			return "yaml-indent", "indented less than the line above, but as no line before it"
		}
	case to.dash && !f.levels[n-1].dash:
		f.levels = append(f.levels, to)
		if back || f.valued {
			return "yaml-dash", "a list cannot go on here: the key above has something else already, or a list that is indented deeper"
		}
	}
	return "", ""
}

// entry looks at a key with its value, or at a value alone.
func (f *faultFinder) entry(start, i, end int, goesOn bool) int {
	dashed := i > start && strings.Contains(f.text[start:i], "-")
	colon := f.colon(i, end)
	switch {
	case colon < 0 && (dashed || goesOn):
		f.plain = true
		return f.value(i, end, "", goesOn)
	case colon < 0:
		return f.noColon(i, end)
	case goesOn:
		f.add("yaml-unquoted-colon", "the value of the line above goes on here, and a colon before a blank ends a key in YAML: put the value in quotes, or mend the indentation", i, f.trimmed(i, end))
		return end
	}
	if dashed && (f.text[i] == '*') {
		return f.value(i, end, "", false)
	}
	f.indent = i - start
	from := f.blanks(colon+1, end)
	if f.valued = from < end && f.text[from] != '#'; !f.valued {
		return end
	}
	f.plain = true
	return f.value(from, end, strings.Trim(f.text[i:colon], " \t\"'"), false)
}

// colon finds what ends the key that begins at i.
func (f *faultFinder) colon(i, end int) int {
	from := i
	if c := f.text[i]; c == '"' || c == '\'' {
		after, closed := f.endOfQuoted(i)
		if !closed || after > end {
			return -1
		}
		if from = f.blanks(after, end); from == end || f.text[from] != ':' {
			return -1
		}
	} else if c == '[' || c == '{' {
		return -1
	}
	m := keyColon.FindStringIndex(f.text[from:end])
	if m == nil {
		return -1
	}
	if comment := f.comment(from, end); comment < from+m[0] {
		return -1
	}
	return from + m[0]
}

func (f *faultFinder) noColon(i, end int) int {
	text := f.text[i:end]
	if c := text[0]; c == '"' || c == '\'' || c == '[' || c == '{' {
		return f.value(i, end, "", false)
	}
	if at := strings.IndexFunc(text, isOddSpace); at > 0 && text[at-1] == ':' {
		r, size := utf8.DecodeRuneInString(text[at:])
		f.add("yaml-nbsp", "the colon must be followed by a space; this is the character U+"+strings.ToUpper(strconv.FormatInt(int64(r), 16)), i+at, i+at+size)
		return end
	}
	if at := strings.IndexByte(text, ':'); at > 0 && !strings.ContainsAny(text[:at], " \t") {
		f.add("yaml-no-space", "the colon must be followed by a space", i+at, i+at+1)
		return end
	}
	f.add("yaml-no-colon", "this is no line of key: value", i, f.trimmed(i, end))
	return end
}

// value looks at a value that begins at i, of the key given or of a list, and
// gives the end of its last line.
func (f *faultFinder) value(i, end int, key string, goesOn bool) int {
	for !goesOn && i < end && (f.text[i] == '&' || f.text[i] == '!') {
		word := i + len(f.text[i:end])
		if blank := strings.IndexAny(f.text[i:end], " \t"); blank >= 0 {
			word = i + blank
		}
		if m := anchorName.FindStringSubmatch(f.text[i:word]); m != nil {
			f.anchors[m[1]] = true
		} else if f.text[i] == '&' {
			f.add("yaml-anchor", "a value that begins with & is an anchor in YAML: put it in quotes", i, f.trimmed(i, end))
			return end
		}
		if i = f.blanks(word, end); i == end {
			f.plain = false
			return end
		}
	}
	if goesOn {
		return end
	}
	text := f.text[i:f.trimmed(i, end)]
	if text == "" {
		return end
	}
	switch text[0] {
	case '*':
		if m := aliasName.FindStringSubmatch(text); m == nil || !f.anchors[m[1]] {
			f.add("yaml-alias", "a value that begins with * is an alias in YAML: put it in quotes", i, i+len(text))
		}
		return end
	case '"', '\'':
		f.plain = false
		return f.quoted(i)
	case '[', '{':
		f.plain = false
		return f.flow(i)
	case '|', '>':
		if blockHead.MatchString(f.text[i:end]) {
			f.plain = false
			return f.block(i)
		}
		f.add("yaml-reserved", "a value that begins with "+text[:1]+" is a block in YAML: put it in quotes", i, i+len(text))
		return end
	case '@', '`', '%', ',', ']', '}':
		f.add("yaml-reserved", "in YAML no value begins with "+text[:1]+": put it in quotes", i, i+len(text))
		return end
	case '-', '?':
		if len(text) == 1 || text[1] == ' ' || text[1] == '\t' {
			f.add("yaml-dash", "a list begins on a line of its own in YAML", i, i+1)
			return end
		}
	}
	if m := keyColon.FindStringIndex(text); m != nil {
		message := "a colon before a blank ends a key in YAML: put the value in quotes"
		if key != "" {
			message = "a colon before a blank ends a key in YAML: put the value of " + key + " in quotes"
		}
		f.add("yaml-unquoted-colon", message, i, i+len(text))
		f.plain = false
	}
	return end
}

func (f *faultFinder) quoted(i int) int {
	after, closed := f.endOfQuoted(i)
	if !closed {
		f.add("yaml-unclosed-quote", "the quote is never closed", i, f.lineEnd(i))
		return f.lineEnd(i)
	}
	return f.rest(i, after, "yaml-quote", "text follows the closing quote: put the whole value in quotes, and double each ' in it")
}

// rest makes sure that nothing but a comment follows a value on its last line.
func (f *faultFinder) rest(start, after int, code, message string) int {
	end := f.lineEnd(after)
	if i := f.blanks(after, end); i < end && (f.text[i] != '#' || i == after) {
		from, to := start, f.trimmed(after, end)
		if from < f.lineStart(after) {
			from = i
		}
		f.add(code, message, from, to)
	}
	return end
}

// flow looks through [lists] and {maps}.
func (f *faultFinder) flow(start int) int {
	depth, begins := 0, true // begins: a value may begin here
	for i := start; i < len(f.text); {
		c := f.text[i]
		switch {
		case c == '[' || c == '{':
			depth, begins = depth+1, true
		case c == ']' || c == '}':
			if depth, begins = depth-1, false; depth == 0 {
				return f.rest(start, i+1, "yaml-flow", "a value that begins with "+f.text[start:start+1]+" ends with its closing bracket in YAML: put the whole value in quotes")
			}
		case c == ',':
			begins = true
		case c == ' ' || c == '\t' || c == '\r' || c == '\n':
		case c == '#' && strings.IndexByte(" \t\r\n", f.text[i-1]) >= 0:
			i = f.lineEnd(i)
			continue
		case begins && (c == '"' || c == '\''):
			end, closed := f.endOfQuoted(i)
			if !closed {
				f.add("yaml-unclosed-quote", "the quote is never closed", i, f.lineEnd(i))
				return f.lineEnd(i)
			}
			i, begins = end, false
			continue
		case begins && c == '*':
			end := i
			for end < len(f.text) && strings.IndexByte(",]}\r\n", f.text[end]) < 0 {
				end++
			}
			text := strings.TrimRight(f.text[i:end], " \t")
			if m := aliasName.FindStringSubmatch(text); m == nil || !f.anchors[m[1]] {
				f.add("yaml-alias", "a value that begins with * is an alias in YAML: put it in quotes", i, i+len(text))
			}
			begins = false
		default:
			// A value of a map begins after its colon.
			begins = c == ':' && i+1 < len(f.text) && strings.IndexByte(" \t\r\n", f.text[i+1]) >= 0
		}
		i++
	}
	f.add("yaml-unclosed-bracket", "the bracket is never closed: put the value in quotes if it is none of YAML", start, f.lineEnd(start))
	return f.lineEnd(start)
}

// block skips the lines of a block that begins with | or >.
func (f *faultFinder) block(i int) int {
	if end := f.endOfBlock(i, f.indent); end > f.lineEnd(i) {
		return end
	}
	return f.lineEnd(i)
}

func (f *faultFinder) blanks(i, end int) int {
	for i < end && (f.text[i] == ' ' || f.text[i] == '\t') {
		i++
	}
	return i
}

// comment is where a comment of a line begins, or its end.
func (f *faultFinder) comment(i, end int) int {
	for at := i; at < end; at++ {
		if f.text[at] == '#' && at > i && (f.text[at-1] == ' ' || f.text[at-1] == '\t') {
			return at
		}
	}
	return end
}

// trimmed is the end of a stretch without its comment and the blanks before
// that.
func (f *faultFinder) trimmed(i, end int) int {
	return i + len(strings.TrimRight(f.text[i:f.comment(i, end)], " \t"))
}
