package sources

import (
	"fmt"
	"slices"
	"strings"
)

// lineList is a list of which each line is one element with a name, so that two
// of them can be compared: skills, references.
type lineList struct {
	tag string // of an element; its plural is the tag of the list
	of  string // what is listed, for sentences
	all string // how a sentence about the list begins
}

// elements are the lines of a list by name.
func (l lineList) elements(text string) (names []string, lines map[string]string) {
	lines = map[string]string{}
	for line := range strings.SplitSeq(text, "\n") {
		rest, ok := strings.CutPrefix(line, "<"+l.tag+` name="`)
		if !ok {
			continue
		}
		name, _, _ := strings.Cut(rest, `"`)
		if _, known := lines[name]; !known {
			names = append(names, name)
		}
		lines[name] = line
	}
	return names, lines
}

// update says what came, went and changed; or the whole, where that is shorter.
func (l lineList) update(before, after string) string {
	had, old := l.elements(before)
	have, now := l.elements(after)
	var came, changed, gone []string
	for _, name := range have {
		switch line, known := old[name]; {
		case !known:
			came = append(came, now[name])
		case line != now[name]:
			changed = append(changed, now[name])
		}
	}
	for _, name := range had {
		if _, still := now[name]; !still {
			gone = append(gone, name)
		}
	}
	full := l.all + " changed. It replaces the one that was told before:\n\n" + after
	if len(had) == 0 || len(came)+len(changed)+len(gone) == 0 {
		return full
	}
	var b strings.Builder
	b.WriteString(l.all + " changed; what is not named here stays as it was.")
	part := func(title string, lines []string) {
		if len(lines) > 0 {
			fmt.Fprintf(&b, "\n\n%s:\n<%ss>\n%s\n</%ss>", title, l.tag, strings.Join(lines, "\n"), l.tag)
		}
	}
	part("New", came)
	part("Changed", changed)
	if len(gone) > 0 {
		slices.Sort(gone)
		fmt.Fprintf(&b, "\n\nGone, not to be used any more: %s.", strings.Join(gone, ", "))
	}
	if b.Len() >= len(full) {
		return full
	}
	return b.String()
}

func (l lineList) removal(before string) string {
	names, _ := l.elements(before)
	if len(names) == 0 {
		return fmt.Sprintf("There are no %s any more; disregard those that were listed before.", l.of)
	}
	return fmt.Sprintf("There are no %s any more. Do not use those that were listed before: %s.", l.of, strings.Join(names, ", "))
}
