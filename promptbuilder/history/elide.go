package history

import "strings"

// worthElision is how many lines a text must have before its structure says more than its beginning and end.
const worthElision = 30

// structureOf keeps the lines of code, logs and diffs that say most for their length: declarations, errors, what
// a diff changes, and the lines around them at the beginning and the end. It says no when the text has no such
// structure or nearly all of it would stay.
func structureOf(text string) (textCut, bool) {
	lines := splitLines(text)
	if len(lines) < worthElision {
		return textCut{}, false
	}
	keep := make([]bool, len(lines))
	found := 0
	diff := false
	for i, line := range lines {
		diff = diff || strings.HasPrefix(line, "@@ ") || strings.HasPrefix(line, "diff --git ")
		_, _, isFence := fence(line)
		switch {
		case isFence, strings.HasPrefix(strings.TrimSpace(line), "#"):
			keep[i] = true // the frame that the rest stands in
		case diff && changes(line), declares(line), complains(line):
			keep[i] = true
			found++
		}
	}
	const ends = 5
	for i := range min(ends, len(lines)) {
		keep[i], keep[len(lines)-1-i] = true, true
	}
	if found == 0 {
		return textCut{}, false
	}
	cut, gone := linesKept(RungStructure, lines, keep)
	return cut, gone && len(cut.apply(text))*4 <= len(text)*3
}

// changes says whether a line of a diff is a header or a change.
func changes(line string) bool {
	return strings.HasPrefix(line, "@@ ") || strings.HasPrefix(line, "diff --git ") || strings.HasPrefix(line, "+") || strings.HasPrefix(line, "-")
}

// declarations are the words with which languages begin what others refer to.
var declarations = map[string]bool{
	"func": true, "def": true, "class": true, "type": true, "interface": true, "struct": true, "enum": true,
	"trait": true, "impl": true, "fn": true, "function": true, "module": true, "namespace": true, "package": true,
	"import": true, "export": true, "protocol": true, "extension": true, "object": true, "record": true,
}

// modifiers may stand before such a word.
var modifiers = map[string]bool{
	"pub": true, "public": true, "private": true, "protected": true, "internal": true, "static": true, "final": true,
	"abstract": true, "async": true, "default": true, "export": true, "override": true, "open": true, "data": true, "unsafe": true,
}

func declares(line string) bool {
	rest := strings.TrimSpace(line)
	for range 4 { // modifiers are few
		end := strings.IndexAny(rest, " \t(<{:")
		if end <= 0 {
			return false
		}
		word := rest[:end]
		if declarations[word] {
			// "type of" begins a sentence, "type T struct {" a declaration; prose has no bracket near.
			return strings.ContainsAny(line, "({;:=\"'.") || len(strings.Fields(line)) <= 4
		}
		if !modifiers[word] {
			return false
		}
		rest = strings.TrimLeft(rest[end:], " \t")
	}
	return false
}

// complaints are what lines of logs and compilers hold that somebody will look for.
var complaints = []string{"error", "fatal", "panic", "exception", "traceback", "failed", "failure", "warning", "undefined", "not found", "denied", "segfault", "fail:"}

func complains(line string) bool {
	if len(line) > 2000 {
		return false
	}
	lower := strings.ToLower(line)
	for _, word := range complaints {
		if strings.Contains(lower, word) {
			return true
		}
	}
	return false
}
