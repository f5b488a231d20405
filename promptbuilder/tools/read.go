package tools

import (
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"

	"foreword/workspace/fsys"
)

func readTool() Tool {
	return Tool{
		Name: "read", Permission: "read", run: read,
		Description: "Reads a text file of the workspace as it is in the editor, unsaved changes included. " +
			"Each line comes with its number and a tab before it; neither belongs to the file. " +
			"Without limit it gives the first 2000 lines. For a large file, find the place with grep first and read around it with offset.",
		Parameters: json.RawMessage(`{"type":"object","properties":{` +
			`"path":{"type":"string","description":"The file, relative to the workspace folder or absolute."},` +
			`"offset":{"type":"integer","minimum":1,"description":"The first line to read, from 1."},` +
			`"limit":{"type":"integer","minimum":1,"description":"How many lines to read, 2000 at most."}},` +
			`"required":["path"],"additionalProperties":false}`),
	}
}

func read(ctx context.Context, p *Place, arguments json.RawMessage) (*Answer, error) {
	a := struct {
		Path   string `json:"path"`
		Offset int    `json:"offset"`
		Limit  int    `json:"limit"`
	}{Offset: 1, Limit: maxLines}
	if err := decode(arguments, &a); err != nil {
		return nil, err
	}
	if strings.TrimSpace(a.Path) == "" {
		return nil, refuse("path: missing; say which file to read")
	}
	a.Offset, a.Limit = max(1, a.Offset), min(max(1, a.Limit), maxLines)
	path, err := p.at(ctx, a.Path)
	if err != nil {
		return nil, err
	}
	name := p.show(path)
	if info, err := p.Files.Stat(path); err == nil && info.Kind == fsys.KindDir {
		return nil, refuse("%s is a directory; list shows what is in it", name)
	}
	file, err := p.Files.ReadFile(path)
	if err != nil {
		return nil, p.withNamesakes(ctx, path, p.unreadable(err))
	}
	lines := linesOf(file.Text)
	switch {
	case len(lines) == 0:
		return &Answer{Title: "read " + name, Text: "(" + name + " is empty)", Read: []string{path}}, nil
	case a.Offset > len(lines):
		return nil, refuse("%s has %d lines, so there is none from %d on", name, len(lines), a.Offset)
	}
	out := p.page()
	last := a.Offset - 1
	for last < min(len(lines), a.Offset-1+a.Limit) && out.add(strconv.Itoa(last+1)+"\t"+short(lines[last])) {
		last++
	}
	answer := &Answer{Title: "read " + name, Text: out.text.String(), Read: []string{path}}
	if a.Offset > 1 || last < len(lines) {
		answer.Title += fmt.Sprintf(", lines %d–%d", a.Offset, last)
	}
	if last < len(lines) {
		answer.Cut = fmt.Sprintf("lines %d–%d of %d; read on with offset %d", a.Offset, last, len(lines), last+1)
	}
	return answer, nil
}

// linesOf are the lines of a text without their ends.
func linesOf(text string) []string {
	if text == "" {
		return nil
	}
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	for i := range lines {
		lines[i] = strings.TrimSuffix(lines[i], "\r")
	}
	return lines
}

// withNamesakes adds to a refusal for a file that is not there where files of its
// name are.
func (p *Place) withNamesakes(ctx context.Context, path string, refusal error) error {
	const most = 5
	if _, err := p.Files.Lstat(path); err == nil {
		return refusal
	}
	files, _, err := p.below(ctx, p.Root)
	if err != nil {
		return refusal
	}
	var names []string
	for _, file := range files {
		if len(names) < most && strings.EqualFold(filepath.Base(file), filepath.Base(path)) {
			names = append(names, p.show(file))
		}
	}
	if len(names) == 0 {
		return refuse("%v; glob finds files by name", refusal)
	}
	return refuse("%v; there is %s", refusal, strings.Join(names, ", "))
}
