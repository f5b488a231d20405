package tools

import (
	"context"
	"encoding/json"
	"fmt"
	"regexp"
	"strings"

	"foreword/workspace/fsys"
)

const (
	// maxMatches is how many matching lines are given, maxContext how many lines
	// around each.
	maxMatches, maxContext = 200, 10
	// maxPattern bounds an expression, in bytes.
	maxPattern = 1000
)

func grepTool() Tool {
	return Tool{
		Name: "grep", Permission: "grep", Shows: true, run: grep,
		Description: "Searches the text of the workspace's files, unsaved changes included, for a regular expression (RE2 syntax: no look-around, no back references), without what git ignores. " +
			"Gives path:line: text for each line that matches, sorted by path. Narrow it with include or path where it finds too much.",
		Parameters: json.RawMessage(`{"type":"object","properties":{` +
			`"pattern":{"type":"string","description":"The expression."},` +
			`"path":{"type":"string","description":"The directory or file to search; without it the workspace folder."},` +
			`"include":{"type":"string","description":"A pattern for paths, as glob takes it, such as *.go."},` +
			`"literal":{"type":"boolean","description":"Take the pattern for plain text."},` +
			`"ignoreCase":{"type":"boolean","description":"Let upper and lower case count as the same."},` +
			`"context":{"type":"integer","minimum":0,"maximum":10,"description":"How many lines to show around each match."},` +
			`"limit":{"type":"integer","minimum":1,"maximum":200,"description":"How many matching lines to give at most; 200 without it."}},` +
			`"required":["pattern"],"additionalProperties":false}`),
	}
}

type grepArguments struct {
	Pattern    string `json:"pattern"`
	Path       string `json:"path"`
	Include    string `json:"include"`
	Literal    bool   `json:"literal"`
	IgnoreCase bool   `json:"ignoreCase"`
	Context    int    `json:"context"`
	Limit      int    `json:"limit"`
}

func grep(ctx context.Context, p *Place, arguments json.RawMessage) (*Answer, error) {
	a := grepArguments{Limit: maxMatches}
	if err := decode(arguments, &a); err != nil {
		return nil, err
	}
	expression, err := a.expression()
	if err != nil {
		return nil, err
	}
	included := func(string) bool { return true }
	if a.Include != "" {
		if included, err = compilePattern("include", a.Include); err != nil {
			return nil, err
		}
	}
	starts, err := p.starts(ctx, a.Path)
	if err != nil {
		return nil, err
	}
	s := search{place: p, out: p.page(), expression: expression, around: min(max(0, a.Context), maxContext), most: min(max(1, a.Limit), maxMatches)}
	truncated := false
	for _, start := range starts {
		if s.full {
			break
		}
		more, err := s.in(ctx, start, included)
		if err != nil {
			return nil, err
		}
		truncated = truncated || more
	}
	answer := &Answer{Title: fmt.Sprintf("grep %s: %s", oneLine(a.Pattern), counted(s.matches, "match")), Text: s.out.text.String(), Read: s.read}
	switch {
	case s.full:
		answer.Title = fmt.Sprintf("grep %s: the first %s", oneLine(a.Pattern), counted(s.matches, "match"))
		answer.Cut = fmt.Sprintf("the search ended after %s; use a narrower pattern, include or path", counted(s.matches, "match"))
	case s.matches == 0:
		answer.Text = fmt.Sprintf("nothing below %s matches %q", p.some(starts), a.Pattern)
	}
	if answer.Cut == "" && truncated {
		answer.Cut = "there are more files than were looked at; give a directory as path"
	}
	if answer.Cut == "" && s.denied > 0 {
		answer.Cut = fmt.Sprintf("not searched, because the user's rules keep them from this agent: %s", counted(s.denied, "file"))
	}
	if answer.Cut == "" && s.unread > 0 {
		answer.Cut = fmt.Sprintf("not searched, because no text or larger than 1 MiB: %s", counted(s.unread, "file"))
	}
	return answer, nil
}

func (a *grepArguments) expression() (*regexp.Regexp, error) {
	text := a.Pattern
	switch {
	case text == "":
		return nil, refuse("pattern: missing; say what to look for")
	case len(text) > maxPattern:
		return nil, refuse("pattern: %d bytes are too long; %d are taken at most", len(text), maxPattern)
	case a.Literal:
		text = regexp.QuoteMeta(text)
	}
	if a.IgnoreCase {
		text = "(?i)" + text
	}
	expression, err := regexp.Compile(text)
	if err != nil {
		return nil, refuse("pattern %q: %v; the syntax is RE2's, and literal: true searches for plain text", a.Pattern, err)
	}
	return expression, nil
}

// search is a search in several files.
type search struct {
	place      *Place
	expression *regexp.Regexp
	around     int
	most       int // matches

	out     page
	read    []string
	matches int
	unread  int
	denied  int // by the agent's rules
	full    bool
}

// in searches a file, or the files below a folder that are included.
func (s *search) in(ctx context.Context, start string, included func(string) bool) (truncated bool, err error) {
	info, err := s.place.Files.Stat(start)
	if err != nil {
		return false, s.place.unreadable(err)
	}
	files, dir := []string{start}, s.place.Root
	if info.Kind == fsys.KindDir {
		dir = start
		if files, truncated, err = s.place.below(ctx, start); err != nil {
			return false, err
		}
	}
	for _, file := range files {
		if err := ctx.Err(); err != nil {
			return false, err
		}
		if included(relativeTo(dir, file)) && !s.file(file) {
			break
		}
	}
	return truncated, nil
}

// occurs tells whether a line of the text matches, at the least cost: nearly no
// file has one.
func (s *search) occurs(text string) bool {
	// What each match begins with is found faster than the expression; the text as a whole cannot be asked, for ^ and $.
	if prefix, _ := s.expression.LiteralPrefix(); prefix != "" && !strings.Contains(text, prefix) {
		return false
	}
	for line := range strings.SplitSeq(text, "\n") {
		if s.expression.MatchString(strings.TrimSuffix(line, "\r")) {
			return true
		}
	}
	return false
}

// file searches one file, and tells whether to go on.
func (s *search) file(path string) bool {
	if s.place.denied(path) {
		s.denied++
		return true
	}
	file, err := s.place.Files.ReadFile(path)
	if err != nil {
		// A link that leads out is no file of the workspace, and one that was removed meanwhile none at all.
		if reason := fsys.ReasonOf(err); reason != fsys.ReasonOutside && reason != fsys.ReasonMissing && reason != fsys.ReasonDirectory {
			s.unread++
		}
		return true
	}
	if !s.occurs(file.Text) {
		return true
	}
	name := s.place.show(path)
	lines := linesOf(file.Text)
	written, found := 0, false // lines before written were considered
	for i, line := range lines {
		if !s.expression.MatchString(line) {
			continue
		}
		if s.matches == s.most {
			s.full = true
			break
		}
		from := max(i-s.around, written)
		if s.around > 0 && from > written && s.out.text.Len() > 0 && !s.out.add("--") {
			s.full = true
			break
		}
		for k := from; k <= min(i+s.around, len(lines)-1) && !s.full; k++ {
			mark := "-"
			if s.expression.MatchString(lines[k]) {
				mark = ":"
			}
			if k < written {
				continue
			}
			if !s.out.add(fmt.Sprintf("%s%s%d%s %s", name, mark, k+1, mark, short(strings.TrimRight(lines[k], " \t")))) {
				s.full = true
				break
			}
			written = k + 1
		}
		if s.full {
			break
		}
		s.matches++
		found = true
	}
	if found {
		s.read = append(s.read, path)
	}
	return !s.full
}
