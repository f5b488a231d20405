package sources

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"foreword/workspace/fsys"
)

// problemLength bounds a message, in characters: what a compiler says after
// that repeats types.
const problemLength = 300

const problemsHeading = "# Problems that the editor shows\n\n" +
	"One in each line, as compilers and linters report them for the text that is in the editor now. Lines count from 1."

// severityNames are what a line says, by severity. A hint is for the editor
// (code to be greyed out) and is not told.
var severityNames = [...]string{1: "error", 2: "warning", 3: "info"}

// diagnostics says what compilers and linters say of the open files. The budget
// goes to errors before warnings, and among those to the target and to what can
// be seen; but they stand by file and line, so that looking at another file
// changes little.
func diagnostics(in *Input) []Source {
	return []Source{{
		Key: "core/diagnostics", Group: "diagnostics", Layer: Dynamic, Title: "Problems that the editor shows",
		Observe: in.observeProblems,
		Update:  updateProblems,
		Removal: func(string) string {
			return "The editor shows no problem any more in the files that it told of before."
		},
	}}
}

// problemLine is one problem as it is told.
type problemLine struct {
	text     string
	severity int
	rank     int // of its file
	file     string
	line     int
	path     string // of an origin
	label    string
	fromLine int
	toLine   int
}

func (in *Input) observeProblems(ctx context.Context) Observation {
	if len(in.Problems) == 0 {
		return none("the editor shows no problem")
	}
	if in.ProblemTokens <= 0 {
		return none("the setting diagnostics.tokens is 0")
	}
	lines, more, skipped := in.problemLines(ctx)
	if len(lines) == 0 {
		o := none("the editor shows no problem that may be told")
		o.Skipped = skipped
		return o
	}
	slices.SortStableFunc(lines, func(a, b problemLine) int {
		return cmp.Or(cmp.Compare(a.severity, b.severity), cmp.Compare(a.rank, b.rank), strings.Compare(a.file, b.file), cmp.Compare(a.line, b.line))
	})
	const frame = 30 // tokens of the line that says how many are left out
	left := in.ProblemTokens - in.Count(problemsHeading) - frame
	told := 0
	for told < len(lines) {
		if left -= in.Count("\n" + lines[told].text); left < 0 {
			break
		}
		told++
	}
	if told == 0 {
		o := none(fmt.Sprintf("%s leaves no room for a problem", in.bound("diagnostics.tokens", in.ProblemTokens)))
		o.Skipped = skipped
		return o
	}
	for _, l := range lines[told:] {
		more[l.severity]++
	}
	lines = lines[:told]
	slices.SortStableFunc(lines, func(a, b problemLine) int {
		return cmp.Or(strings.Compare(a.file, b.file), cmp.Compare(a.line, b.line), cmp.Compare(a.severity, b.severity), strings.Compare(a.text, b.text))
	})
	o := Observation{Status: Present, Skipped: skipped, Why: fmt.Sprintf("shown by the editor; bounded by %s", in.bound("diagnostics.tokens", in.ProblemTokens))}
	text := strings.Split(problemsHeading+"\n", "\n")
	o.Origins = []Origin{{Name: "editor", ToLine: len(text)}}
	for _, l := range lines {
		o.Origins = append(o.Origins, Origin{Path: l.path, Name: l.label, FromLine: len(text), ToLine: len(text) + 1, FileFrom: l.fromLine, FileTo: l.toLine + 1})
		text = append(text, l.text)
	}
	if rest := leftOutProblems(more); rest != "" {
		o.Origins = append(o.Origins, Origin{Name: "editor", FromLine: len(text), ToLine: len(text) + 2})
		text = append(text, "", rest)
	}
	o.Text = strings.Join(text, "\n")
	return o
}

// problemLines are all problems that may be told, how many more there are by
// severity (at 0 those of which nothing is known), and the files that are left
// out.
func (in *Input) problemLines(ctx context.Context) (lines []problemLine, more [4]int, skipped []Skipped) {
	var paths []string
	for _, p := range in.Problems {
		if p.Path != "" {
			paths = append(paths, p.Path)
		}
	}
	out := in.Ignored(ctx, paths)
	for _, p := range in.Problems {
		skip := func(why string) { skipped = append(skipped, Skipped{Path: p.Path, Name: p.Label, Why: why}) }
		switch why, ignored := out[p.Path]; {
		case p.Path != "" && ignored:
			skip(why)
			continue
		case p.Path != "" && slices.Contains(bookkeeping, filepath.Base(p.Path)):
			skip("written by a program")
			continue
		case p.Path != "" && in.Root != "" && !fsys.Within(in.Root, p.Path):
			skip("outside the repository")
			continue
		}
		file := oneLine(p.Label)
		if p.Path != "" {
			file = oneLine(in.display(p.Path))
		}
		more[0] += p.More
		for _, d := range p.List {
			if d.Severity >= 1 && d.Severity < len(severityNames) {
				lines = append(lines, in.problemLine(p, file, d))
			}
		}
	}
	return lines, more, skipped
}

func (in *Input) problemLine(p Problems, file string, d Problem) problemLine {
	l := problemLine{severity: d.Severity, file: file, line: d.FromLine, path: p.Path, fromLine: d.FromLine, toLine: d.ToLine, rank: 3}
	switch {
	case p.Path == "":
		l.label = p.Label
	case p.Path == in.Target:
		l.rank = 0
	case p.Path == in.Focus.Path:
		l.rank = 1
	case slices.Contains(in.Focus.Visible, p.Path):
		l.rank = 2
	}
	stale := ""
	if p.Stale {
		stale = " (the text was edited since)"
	}
	l.text = fmt.Sprintf("%s:%d: %s: %s%s%s", file, d.FromLine+1, severityNames[d.Severity], shortLine(d.Message, problemLength), finder(d), stale)
	return l
}

// finder says in brackets who found a problem, and by which rule.
func finder(d Problem) string {
	var parts []string
	for _, part := range []string{d.Source, d.Code} {
		if part = shortLine(part, 60); part != "" {
			parts = append(parts, part)
		}
	}
	if len(parts) == 0 {
		return ""
	}
	return " [" + strings.Join(parts, " ") + "]"
}

// shortLine makes one line of a text, and cuts it at so many characters.
func shortLine(text string, most int) string {
	line := oneLine(strings.Join(strings.Fields(strings.ToValidUTF8(text, "?")), " "))
	if utf8.RuneCountInString(line) <= most {
		return line
	}
	return strings.TrimRight(string([]rune(line)[:most]), " ") + "…"
}

// leftOutProblems says how many problems were left out, by severity.
func leftOutProblems(more [4]int) string {
	var parts []string
	for severity, n := range more {
		switch name := severityNames[max(1, severity)]; {
		case n == 0 || severity == 0:
		case severity == 3:
			parts = append(parts, fmt.Sprintf("%d of severity info", n))
		case n == 1:
			parts = append(parts, "1 "+name)
		default:
			parts = append(parts, fmt.Sprintf("%d %ss", n, name))
		}
	}
	if more[0] > 0 {
		parts = append(parts, fmt.Sprintf("%d that are not sorted", more[0]))
	}
	if len(parts) == 0 {
		return ""
	}
	return problemsMore + strings.Join(parts, ", ") + "."
}

const problemsMore = "Left out for their number: "

// toldProblems cuts what was said into its lines, and the line that says how
// many were left out.
func toldProblems(text string) (lines []string, more string) {
	body := strings.TrimPrefix(strings.TrimPrefix(text, problemsHeading), "\n\n")
	for line := range strings.SplitSeq(strings.TrimPrefix(body, "\n"), "\n") {
		switch {
		case strings.HasPrefix(line, problemsMore):
			more = line
		case line != "":
			lines = append(lines, line)
		}
	}
	return lines, more
}

// withoutPlace is a problem apart from its line, which every edit above it
// changes.
func withoutPlace(line string) string {
	for severity := 1; severity < len(severityNames); severity++ {
		mark := ": " + severityNames[severity] + ": "
		head, message, ok := strings.Cut(line, mark)
		at := strings.LastIndexByte(head, ':')
		if ok && at >= 0 && strings.Trim(head[at+1:], "0123456789") == "" {
			return head[:at] + mark + message
		}
	}
	return line
}

// updateProblems says which problems are new, which stand at another line, and
// which are not shown any more.
func updateProblems(before, after string) string {
	had, _ := toldProblems(before)
	have, more := toldProblems(after)
	count := map[string]int{}
	for _, line := range had {
		count[line]++
	}
	var came, gone []string
	for _, line := range have {
		if count[line] > 0 {
			count[line]--
		} else {
			came = append(came, line)
		}
	}
	moved := map[string]int{}
	for _, line := range had {
		if count[line] > 0 {
			count[line]--
			gone = append(gone, line)
			moved[withoutPlace(line)]++
		}
	}
	var fresh, elsewhere []string
	for _, line := range came {
		if key := withoutPlace(line); moved[key] > 0 {
			moved[key]--
			elsewhere = append(elsewhere, line)
		} else {
			fresh = append(fresh, line)
		}
	}
	gone = slices.DeleteFunc(gone, func(line string) bool {
		key := withoutPlace(line)
		if moved[key] > 0 {
			moved[key]--
			return false
		}
		return true
	})
	var b strings.Builder
	b.WriteString("The problems that the editor shows changed; those that are not named here are as they were.")
	part := func(title string, lines []string) {
		if len(lines) > 0 {
			b.WriteString("\n\n" + title + "\n" + strings.Join(lines, "\n"))
		}
	}
	part("New:", fresh)
	part("The same at another line:", elsewhere)
	part("No longer listed:", gone)
	if more != "" {
		b.WriteString("\n\n" + more)
	}
	if whole := "The problems that the editor shows changed. These are all:\n\n" + strings.TrimPrefix(after, problemsHeading+"\n\n"); len(whole) < b.Len() {
		return whole
	}
	return b.String()
}
