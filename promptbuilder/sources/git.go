package sources

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"

	"foreword/workspace/vcs"
)

// gitChanges bounds the list of changed files; a longer one says little more
// than its length.
const gitChanges = 40

// git says the branch and what is changed and not committed.
func git(in *Input) []Source {
	return []Source{{
		Key: "core/git", Group: "git", Layer: Dynamic, Title: "State of the repository",
		Observe: func(ctx context.Context) Observation {
			if in.Git == nil {
				if in.HomeRepository {
					return none("the only repository above is that of the home folder, which is no project")
				}
				return none("the file is in no git repository")
			}
			status, err := in.Git(ctx)
			if err != nil {
				return Observation{Status: Unavailable, Why: fmt.Sprintf("no facts from git: %v", err)}
			}
			var b strings.Builder
			b.WriteString("# State of the repository\n\n")
			switch {
			case status.Head.Branch != "":
				fmt.Fprintf(&b, "Branch %s", status.Head.Branch)
			case status.Head.Commit != "":
				b.WriteString("Detached HEAD")
			default:
				b.WriteString("No commit yet")
			}
			if commit := status.Head.Commit; commit != "" {
				fmt.Fprintf(&b, ", commit %.10s", commit)
			}
			if status.Upstream != "" {
				fmt.Fprintf(&b, ", %d ahead of and %d behind %s", status.Ahead, status.Behind, status.Upstream)
			}
			b.WriteString(".")
			writeChanges(&b, status.Total, changeLines(ctx, in, status))
			return say("git", b.String(), "the model must know what is changed and not committed")
		},
	}}
}

type changeLine struct{ code, path string }

// changeLines leaves out what may not be named: secrets and excluded files.
func changeLines(ctx context.Context, in *Input, status *vcs.Status) []changeLine {
	paths := make([]string, len(status.Changed))
	for i, c := range status.Changed {
		paths[i] = filepath.Join(in.Root, filepath.FromSlash(c.Path))
	}
	out := in.Ignored(ctx, paths)
	var lines []changeLine
	for i, c := range status.Changed {
		if _, left := out[paths[i]]; left {
			continue
		}
		path := c.Path
		if c.OrigPath != "" {
			path = c.OrigPath + " -> " + c.Path
		}
		lines = append(lines, changeLine{code: c.Code, path: path})
	}
	return lines
}

func writeChanges(b *strings.Builder, total int, lines []changeLine) {
	if total == 0 {
		b.WriteString(" Nothing is changed.")
		return
	}
	b.WriteString(" Changed files, as git status codes them:\n")
	shown := lines[:min(len(lines), gitChanges)]
	for _, c := range shown {
		fmt.Fprintf(b, "\n%s %s", c.code, strings.NewReplacer("\n", "?", "\r", "?").Replace(c.path))
	}
	if more := total - len(shown); more > 0 {
		fmt.Fprintf(b, "\n… and %d more", more)
	}
}
