package tools

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"foreword/workspace/fsys"
)

func diffTool() Tool {
	return Tool{
		Name: "diff", Permission: "read", run: diff,
		Description: "Shows what changed in the work tree since the last commit, as git diff does: the saved files against what is checked out, or what is staged. " +
			"New files that git does not know yet, and those with unsaved text, are named behind it: read shows them.",
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
	if _, err := p.Files.Stat(where); err != nil && len(changed) == 0 { // what changed there may be that it is gone
		return nil, p.unreadable(err)
	}
	kept := p.shown(ctx, changed)
	answer := &Answer{Title: "diff: " + counted(len(kept), "file"), Text: "nothing changed there since the last commit"}
	if a.Staged {
		answer.Title, answer.Text = "diff, staged: "+counted(len(kept), "file"), "nothing is staged there"
	}
	var missing []string
	if left := len(changed) - len(kept); left > 0 {
		missing = append(missing, fmt.Sprintf("left out: %s that may not be shown to models", counted(left, "file")))
	}
	if len(kept) > 0 {
		text, more, err := p.Diff(ctx, kept, a.Staged, maxAnswer)
		if err != nil {
			return nil, err
		}
		text = strings.ToValidUTF8(text, "\ufffd")
		if more {
			text = text[:strings.LastIndexByte(text, '\n')+1]
		}
		out, lines, begun := p.page(), 0, 0
		for line := range strings.Lines(text) {
			if !out.add(short(strings.TrimSuffix(line, "\n"))) {
				more = true
				break
			}
			lines++
			if strings.HasPrefix(line, "diff --git ") { // lines of files begin with a blank, + or -
				begun++
			}
		}
		// Both are sorted, so these are the files that the text has something of.
		answer.Text, answer.Read = out.text.String(), kept[:min(begun, len(kept))]
		if more {
			missing = append([]string{fmt.Sprintf("the diff is cut after %s; it is of %s: %s. Give one as path", counted(lines, "line"), counted(len(kept), "file"), p.some(kept))}, missing...)
		}
	}
	if !a.Staged {
		more, err := p.notInDiff(ctx, where)
		if err != nil {
			return nil, err
		}
		missing = append(missing, more...)
	}
	if others := p.others(a.Path); others != "" {
		missing = append(missing, others)
	}
	answer.Cut = strings.Join(missing, "; ")
	return answer, nil
}

// shown are the files that may be shown.
func (p *Place) shown(ctx context.Context, files []string) []string {
	out := p.LeftOut(ctx, files)
	return slices.DeleteFunc(slices.Clone(files), func(path string) bool { return out[path] != "" || p.denied(path) })
}

// notInDiff names what git does not compare.
func (p *Place) notInDiff(ctx context.Context, where string) ([]string, error) {
	var missing []string
	untracked, err := p.Untracked(ctx, where)
	if err != nil {
		return nil, err
	}
	if fresh := p.shown(ctx, untracked); len(fresh) > 0 {
		missing = append(missing, fmt.Sprintf("new, and not in git yet: %s", p.some(fresh)))
	}
	unsaved := p.shown(ctx, slices.DeleteFunc(slices.Clone(p.Unsaved), func(path string) bool { return !fsys.Within(where, path) }))
	if len(unsaved) > 0 {
		missing = append(missing, fmt.Sprintf("with unsaved text, which is not compared: %s", p.some(unsaved)))
	}
	return missing, nil
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
