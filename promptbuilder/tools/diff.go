package tools

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

func diffTool() Tool {
	return Tool{
		Name: "diff", Permission: "read", run: diff,
		Description: "Shows what changed in the work tree since the last commit, as git diff does: the saved files against what is checked out, or what is staged. " +
			"New files that git does not know yet are not in it.",
		Parameters: json.RawMessage(`{"type":"object","properties":{` +
			`"path":{"type":"string","description":"A file or directory; without it the whole repository."},` +
			`"staged":{"type":"boolean","description":"Show only what is staged for the next commit."}},` +
			`"additionalProperties":false}`),
	}
}

func diff(ctx context.Context, p *Place, arguments json.RawMessage) (*Answer, error) {
	var a struct {
		Path   string `json:"path"`
		Staged bool   `json:"staged"`
	}
	if err := decode(arguments, &a); err != nil {
		return nil, err
	}
	where, err := p.at(ctx, a.Path)
	if err != nil {
		return nil, err
	}
	changed, err := p.Changed(ctx, where, a.Staged)
	if err != nil {
		return nil, err
	}
	left := p.LeftOut(ctx, changed)
	kept := slices.DeleteFunc(slices.Clone(changed), func(path string) bool { return left[path] != "" })
	answer := &Answer{Title: "diff: " + counted(len(kept), "file"), Text: "nothing changed there since the last commit"}
	if a.Staged {
		answer.Title, answer.Text = "diff, staged: "+counted(len(kept), "file"), "nothing is staged there"
	}
	if left := len(changed) - len(kept); left > 0 {
		answer.Cut = fmt.Sprintf("left out: %s that may not be shown to models", counted(left, "file"))
	}
	if len(kept) == 0 {
		return answer, nil
	}
	text, more, err := p.Diff(ctx, kept, a.Staged, maxAnswer)
	if err != nil {
		return nil, err
	}
	text = strings.ToValidUTF8(text, "\ufffd")
	if more {
		text = text[:strings.LastIndexByte(text, '\n')+1]
	}
	out, lines := p.page(), 0
	for line := range strings.Lines(text) {
		if !out.add(short(strings.TrimSuffix(line, "\n"))) {
			more = true
			break
		}
		lines++
	}
	answer.Text, answer.Read = out.text.String(), kept
	if more {
		answer.Cut = fmt.Sprintf("the diff is cut after %s; it is of %s: %s. Give one as path", counted(lines, "line"), counted(len(kept), "file"), p.some(kept))
	}
	return answer, nil
}

// some names the first of many files.
func (p *Place) some(files []string) string {
	const most, bytes = 50, 1500
	var names []string
	size := 0
	for _, file := range files[:min(len(files), most)] {
		if size += len(p.show(file)); size > bytes && len(names) > 0 {
			break
		}
		names = append(names, p.show(file))
	}
	if more := len(files) - len(names); more > 0 {
		names = append(names, fmt.Sprintf("and %d more", more))
	}
	return strings.Join(names, ", ")
}
