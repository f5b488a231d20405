package tools

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

const (
	// listDepth is how deep a list goes by itself, and maxListDepth how deep it may.
	listDepth, maxListDepth = 2, 10
	// maxListed is how many lines a list has.
	maxListed = 1000
)

func listTool() Tool {
	return Tool{
		Name: "list", Permission: "list", run: list,
		Description: "Lists the files of a directory of the workspace as an indented tree, without what git ignores. " +
			"Directories end with a slash; where the list does not go deeper, the number of files in them follows. Where it would be too long, it shows fewer levels. To find files by name use glob.",
		Parameters: json.RawMessage(`{"type":"object","properties":{` +
			`"path":{"type":"string","description":"The directory, relative to the workspace folder or absolute; without it the workspace folder."},` +
			`"depth":{"type":"integer","minimum":1,"maximum":10,"description":"How many levels to show; 2 without it."}},` +
			`"additionalProperties":false}`),
	}
}

func list(ctx context.Context, p *Place, arguments json.RawMessage) (*Answer, error) {
	a := struct {
		Path  string `json:"path"`
		Depth int    `json:"depth"`
	}{Depth: listDepth}
	if err := decode(arguments, &a); err != nil {
		return nil, err
	}
	depth := min(max(1, a.Depth), maxListDepth)
	dir, err := p.at(ctx, a.Path)
	if err != nil {
		return nil, err
	}
	files, truncated, err := p.below(ctx, dir)
	if err != nil {
		return nil, err
	}
	name := p.show(dir)
	answer := &Answer{Title: "list " + name, Text: name + "/ holds no files that may be shown"}
	for levels := depth; len(files) > 0; levels-- {
		top := &folder{}
		for _, file := range files {
			top.put(strings.Split(relativeTo(dir, file), "/"), levels)
		}
		out, lines := p.page(), 0
		out.add(name + "/")
		shown := top.write(&out, 1, &lines)
		answer.Text = out.text.String()
		switch {
		case !shown && levels > 1:
			continue // the upper levels whole say more than a part of the lower ones
		case !shown:
			answer.Cut = fmt.Sprintf("the list is cut after %s; %s/ holds %s: list a directory in it, or use glob", counted(lines, "line"), name, counted(top.files, "file"))
		case levels < depth:
			answer.Cut = fmt.Sprintf("%s, as %d would be too long; list a directory in it", counted(levels, "level"), levels+1)
		}
		break
	}
	if truncated && answer.Cut == "" {
		answer.Cut = "the directory holds more files than were looked at; list a directory in it"
	}
	if others := p.others(a.Path); others != "" {
		answer.Cut = strings.TrimPrefix(answer.Cut+"; "+others, "; ")
	}
	return answer, nil
}

// folder is a directory of the list.
type folder struct {
	files   int // in it and below
	names   []string
	folders map[string]*folder
}

// put adds a file, as deep as the list goes.
func (f *folder) put(parts []string, depth int) {
	f.files++
	if depth == 0 {
		return
	}
	if len(parts) == 1 {
		f.names = append(f.names, parts[0])
		return
	}
	if f.folders == nil {
		f.folders = map[string]*folder{}
	}
	below, ok := f.folders[parts[0]]
	if !ok {
		below = &folder{}
		f.folders[parts[0]] = below
		f.names = append(f.names, parts[0]+"/")
	}
	below.put(parts[1:], depth-1)
}

// write appends the lines, and tells whether all were taken.
func (f *folder) write(out *page, depth int, lines *int) bool {
	slices.Sort(f.names)
	for _, name := range f.names {
		line := strings.Repeat("  ", depth) + oneLine(name)
		below := f.folders[strings.TrimSuffix(name, "/")]
		isFolder := strings.HasSuffix(name, "/") && below != nil
		if isFolder && len(below.names) == 0 {
			line += fmt.Sprintf(" (%d)", below.files)
		}
		if *lines == maxListed || !out.add(line) {
			return false
		}
		*lines++
		if isFolder && !below.write(out, depth+1, lines) {
			return false
		}
	}
	return true
}
