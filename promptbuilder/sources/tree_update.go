package sources

import (
	"fmt"
	"strings"
)

// treeList is the text of a tree, read back line by line.
type treeList struct {
	order []string
	// notes are by path what stands behind a line: a count, or that a directory
	// was not looked into. A directory's path ends with a slash; the root's is
	// empty, and has the note of what the root holds and the list does not show.
	notes map[string]string
}

// readTree reads what branch.write wrote. It is not ok where a line is none of a tree.
func readTree(text string) (list treeList, ok bool) {
	lines, ok := strings.CutPrefix(text, treeHeading)
	if !ok {
		return treeList{}, false
	}
	list.notes = map[string]string{"": ""}
	var dirs []string // the directories that the line before stands in, and itself
	for line := range strings.SplitSeq(strings.TrimPrefix(lines, "\n"), "\n") {
		rest := strings.TrimLeft(line, " ")
		depth := (len(line) - len(rest)) / 2
		name, isLine := strings.CutPrefix(rest, "- ")
		if !isLine || depth > len(dirs) {
			return treeList{}, false
		}
		dirs = dirs[:depth]
		in := strings.Join(dirs, "")
		if strings.HasPrefix(name, "… and ") && strings.HasSuffix(name, " more") {
			list.notes[in] = name
			continue
		}
		name, note, isDir := strings.Cut(name, "/")
		if isDir {
			name += "/"
			dirs = append(dirs, name)
		}
		path := in + name
		if _, twice := list.notes[path]; twice {
			return treeList{}, false // two names that print alike
		}
		list.order = append(list.order, path)
		list.notes[path] = strings.TrimPrefix(note, " ")
	}
	return list, true
}

// shows tells whether a path that the list does not hold would be in it, if
// there were such a file.
func (l treeList) shows(path string) bool {
	for path != "" {
		path = parent(path)
		if note, there := l.notes[path]; there {
			return note == ""
		}
	}
	return true
}

// parent is the directory that a path of a list lies in, with its slash.
func parent(path string) string {
	path = strings.TrimSuffix(path, "/")
	return path[:strings.LastIndexByte(path, '/')+1]
}

// updateTree says which lines of the tree came and went; or the whole, where
// that is shorter. What is not shown is not said to be gone.
func updateTree(before, after string) string {
	whole := "The list of the workspace's files changed. It replaces the one that was told before:\n\n" + after
	old, oldOK := readTree(before)
	now, nowOK := readTree(after)
	if !oldOK || !nowOK {
		return whole
	}
	var came, shown, counts, gone, hidden []string
	for _, path := range now.order {
		line := path
		if now.notes[path] != "" {
			line += " " + now.notes[path]
		}
		switch note, known := old.notes[path]; {
		case known && note == now.notes[path]:
		case known:
			counts = append(counts, line+fullNote(now.notes[path]))
		case old.shows(path):
			came = append(came, line)
		default:
			shown = append(shown, line)
		}
	}
	if note := now.notes[""]; note != old.notes[""] {
		counts = append(counts, strings.TrimSuffix("at the top: "+note, ": ")+fullNote(note))
	}
	for _, path := range old.order {
		if _, still := now.notes[path]; still {
			continue
		}
		up := parent(path)
		if _, there := now.notes[up]; !there {
			continue // said with the directory that it was in
		}
		if now.shows(path) {
			gone = append(gone, path)
		} else {
			hidden = append(hidden, path)
		}
	}
	var b strings.Builder
	b.WriteString("The list of the workspace's files changed; what is not named here stays as it was.")
	part := func(title string, lines []string) {
		if len(lines) > 0 {
			fmt.Fprintf(&b, "\n\n%s:\n- %s", title, strings.Join(lines, "\n- "))
		}
	}
	part("New", came)
	part("Listed now, and left out before", shown)
	part("Counted anew", counts)
	part("Gone, with all that was in them", gone)
	part("No longer listed, gone or left out for want of room", hidden)
	if b.Len() >= len(whole) || len(came)+len(shown)+len(counts)+len(gone)+len(hidden) == 0 {
		return whole
	}
	return b.String()
}

// fullNote says of a directory without a note that it has none any more.
func fullNote(note string) string {
	if note == "" {
		return " (listed in full)"
	}
	return ""
}
