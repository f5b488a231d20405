package tools

import (
	"context"
	"encoding/json"
	"fmt"

	"foreword/workspace/fsys"
)

func diagnosticsTool() Tool {
	return Tool{
		Name: "diagnostics", Permission: "read", run: diagnostics,
		Description: "Gives the errors and warnings that the editor shows: what compilers, linters and language servers found in the files as they are now. " +
			"Gives path:line:column: severity: message, the worst first in each file.",
		Parameters: json.RawMessage(`{"type":"object","properties":{` +
			`"path":{"type":"string","description":"A file or directory; without it the whole workspace."}},` +
			`"additionalProperties":false}`),
	}
}

func diagnostics(ctx context.Context, p *Place, arguments json.RawMessage) (*Answer, error) {
	var a struct {
		Path string `json:"path"`
	}
	if err := decode(arguments, &a); err != nil {
		return nil, err
	}
	where, err := p.at(ctx, a.Path)
	if err != nil {
		return nil, err
	}
	if _, err := p.Files.Stat(where); err != nil {
		return nil, p.unreadable(err)
	}
	everywhere := where == p.Root && a.Path == ""
	var paths []string
	for _, file := range p.Problems {
		paths = append(paths, file.Path)
	}
	out := p.LeftOut(ctx, paths)
	text := p.page()
	total, shown := 0, 0
	for _, file := range p.Problems {
		if out[file.Path] != "" || p.denied(file.Path) || !everywhere && !fsys.Within(where, file.Path) || !p.within(file.Path) {
			continue
		}
		total += file.Total
		for _, problem := range file.List {
			line := fmt.Sprintf("%s:%d:%d: %s: %s", p.show(file.Path), problem.Line, problem.Column, problem.Severity, short(oneLine(problem.Message)))
			if by := by(problem); by != "" {
				line += " (" + by + ")"
			}
			if text.add(line) {
				shown++
			}
		}
	}
	answer := &Answer{Title: "diagnostics: " + counted(total, "problem"), Text: text.text.String()}
	switch {
	case total == 0:
		answer.Text = "the editor shows no problems there; files that no language server looks at have none"
	case shown < total:
		answer.Cut = fmt.Sprintf("%d of %d problems; give a file as path", shown, total)
	}
	return answer, nil
}

// by is who found a problem by which rule.
func by(problem Problem) string {
	switch {
	case problem.Source != "" && problem.Code != "":
		return oneLine(problem.Source + " " + problem.Code)
	case problem.Code != "":
		return oneLine(problem.Code)
	}
	return oneLine(problem.Source)
}
