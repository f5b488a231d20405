package sources

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"foreword/workspace/fsys"
)

// bookkeeping are files that a program writes for itself; their text costs
// much and says little.
var bookkeeping = []string{
	"package-lock.json", "npm-shrinkwrap.json", "yarn.lock", "pnpm-lock.yaml", "bun.lock",
	"go.sum", "Cargo.lock", "poetry.lock", "uv.lock", "Pipfile.lock", "composer.lock", "Gemfile.lock", "flake.lock",
}

// buffers says the open documents as the editor shows them, saved or not. The
// budget goes to the target first, then to what is visible, then to the rest by
// path; but they stand in the order of their names, so that looking at another
// file changes only what that file brings and pushes out.
func buffers(in *Input) []Source {
	return []Source{{
		Key: "core/buffers", Group: "buffers", Layer: Dynamic, Title: "Open files",
		Update:  sayDiff("The text of the open files"),
		Removal: func(string) string { return "No file is open any more." },
		Observe: func(ctx context.Context) Observation {
			if len(in.Buffers) == 0 {
				return none("no file is open")
			}
			if in.BufferTokens <= 0 {
				return none("the setting buffers.tokens is 0")
			}
			send, skipped := in.openFiles(ctx)
			if len(send) == 0 {
				o := none("no open file may be sent")
				o.Skipped = skipped
				return o
			}
			t := newTranscript("# Open files\n\nAs the editor shows them; unsaved changes are included.", "Open too, but not shown here", in.BufferTokens, in.Count)
			for _, b := range send {
				if lines, _ := t.add(in.bufferName(b), b); lines == 0 {
					skipped = append(skipped, Skipped{Path: b.Path, Name: b.Label, Why: fmt.Sprintf("only its name is sent: %s leaves no room for it", in.bound("buffers.tokens", in.BufferTokens))})
				}
			}
			t.byName()
			o := t.observation(fmt.Sprintf("open in the editor; bounded by %s", in.bound("buffers.tokens", in.BufferTokens)))
			o.Skipped = skipped
			return o
		},
	}}
}

// openFiles orders the buffers that may be sent and gives the reason for each
// that may not.
func (in *Input) openFiles(ctx context.Context) (send []Buffer, skipped []Skipped) {
	var paths []string
	for _, b := range in.Buffers {
		if b.Path != "" {
			paths = append(paths, b.Path)
		}
	}
	out := in.Ignored(ctx, paths)
	said := map[string]bool{}
	if in.Instructions != nil {
		for _, e := range in.Instructions.Sent() {
			said[e.Path], said[e.RealPath] = true, true
		}
	}
	for _, path := range in.Attachments {
		said[path] = true
	}
	for _, f := range in.Chosen.files {
		said[f.path], said[f.real] = f.file != nil && f.cut == "", f.file != nil && f.cut == ""
	}
	skip := func(b Buffer, why string) {
		skipped = append(skipped, Skipped{Path: b.Path, Name: b.Label, Why: why})
	}
	for _, b := range in.Buffers {
		switch why, ignored := out[b.Path]; {
		case b.Path != "" && ignored:
			skip(b, why)
		case b.Path != "" && said[b.Path]:
			skip(b, "said elsewhere in the prompt")
		case b.Path != "" && slices.Contains(bookkeeping, filepath.Base(b.Path)):
			skip(b, "written by a program")
		case b.Path != "" && in.Root != "" && !fsys.Within(in.Root, b.Path):
			skip(b, "outside the repository")
		case strings.TrimSpace(b.Text) == "":
			skip(b, "blank")
		default:
			send = append(send, b)
		}
	}
	rank := func(b Buffer) int {
		switch {
		case b.Path != "" && b.Path == in.Target:
			return 0
		case b.Path != "" && b.Path == in.Focus.Path:
			return 1
		case b.Path != "" && slices.Contains(in.Focus.Visible, b.Path):
			return 2
		}
		return 3
	}
	slices.SortStableFunc(send, func(a, b Buffer) int { return rank(a) - rank(b) })
	return send, skipped
}

func (in *Input) bufferName(b Buffer) string {
	if b.Path == "" {
		return oneLine(b.Label)
	}
	return in.display(b.Path)
}
