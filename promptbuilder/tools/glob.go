package tools

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"foreword/workspace/instructions/globs"
)

// maxFound is how many files a search by name gives.
const maxFound = 500

func globTool() Tool {
	return Tool{
		Name: "glob", Permission: "glob", run: glob,
		Description: "Finds files of the workspace by a pattern for their path, such as **/*.test.ts, src/**/handler_*.go or *.{yml,yaml}, without what git ignores. " +
			"* stays within a name, ** spans directories, and a pattern without a slash fits at any depth. Gives the paths, sorted.",
		Parameters: json.RawMessage(`{"type":"object","properties":{` +
			`"pattern":{"type":"string","description":"The pattern; paths are relative to the directory that is searched."},` +
			`"path":{"type":"string","description":"The directory to search; without it the workspace folder."}},` +
			`"required":["pattern"],"additionalProperties":false}`),
	}
}

func glob(ctx context.Context, p *Place, arguments json.RawMessage) (*Answer, error) {
	var a struct {
		Pattern string `json:"pattern"`
		Path    string `json:"path"`
	}
	if err := decode(arguments, &a); err != nil {
		return nil, err
	}
	pattern, err := compilePattern("pattern", a.Pattern)
	if err != nil {
		return nil, err
	}
	starts, err := p.starts(ctx, a.Path)
	if err != nil {
		return nil, err
	}
	out := p.page()
	found, shown, truncated := 0, 0, false
	for _, start := range starts {
		files, more, err := p.below(ctx, start)
		if err != nil {
			return nil, err
		}
		truncated = truncated || more
		for _, file := range files {
			if !pattern(relativeTo(start, file)) {
				continue
			}
			found++
			if shown < maxFound && out.add(p.show(file)) {
				shown++
			}
		}
	}
	answer := &Answer{Title: fmt.Sprintf("glob %s: %s", oneLine(a.Pattern), counted(found, "file")), Text: out.text.String()}
	switch {
	case found == 0:
		answer.Text = fmt.Sprintf("no file below %s fits %q", p.some(starts), a.Pattern)
	case shown < found:
		answer.Cut = fmt.Sprintf("the first %d of %d files; use a narrower pattern, or a directory as path", shown, found)
	}
	if truncated && answer.Cut == "" {
		answer.Cut = "there are more files than were looked at; give a directory as path"
	}
	return answer, nil
}

// compilePattern reads a pattern for paths.
func compilePattern(argument, pattern string) (func(path string) bool, error) {
	if strings.TrimSpace(pattern) == "" {
		return nil, refuse("%s: missing; say which paths to look for, such as **/*.go", argument)
	}
	pattern = strings.TrimPrefix(strings.TrimPrefix(pattern, "./"), "/")
	set, problems := globs.Compile(globs.Gitignore, []string{pattern})
	for _, problem := range problems {
		return nil, refuse("%s %q: %s", argument, pattern, problem.Message)
	}
	return func(path string) bool {
		_, ok := set.Match(path)
		return ok
	}, nil
}

// counted is a number with its noun.
func counted(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	if strings.HasSuffix(noun, "h") {
		return fmt.Sprintf("%d %ses", n, noun)
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
