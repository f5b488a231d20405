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
		Update: sayDiff("The state of the repository"),
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
			writeHead(&b, status)
			writeChanges(&b, status.Total, changeLines(ctx, in, status))
			return say("git", b.String(), "the model must know what is changed and not committed")
		},
	}}
}

// writeHead says what is checked out, in one sentence.
func writeHead(b *strings.Builder, status *vcs.Status) {
	branch, commit := oneLine(status.Head.Branch), status.Head.Commit
	switch {
	case branch == "" && commit == "":
		b.WriteString("No commit yet")
	case branch == "":
		fmt.Fprintf(b, "No branch (detached HEAD), commit %.10s", commit)
	case commit == "":
		fmt.Fprintf(b, "Branch %s, no commit yet", branch)
	default:
		fmt.Fprintf(b, "Branch %s, commit %.10s", branch, commit)
	}
	switch upstream := oneLine(status.Upstream); {
	case upstream == "":
	case status.Ahead == 0 && status.Behind == 0:
		fmt.Fprintf(b, ", level with %s", upstream)
	default:
		fmt.Fprintf(b, ", %d ahead of and %d behind %s", status.Ahead, status.Behind, upstream)
	}
	b.WriteString(".")
}

type changeLine struct{ code, path string }

// changeLines leaves out what may not be named: secrets and excluded files.
func changeLines(ctx context.Context, in *Input, status *vcs.Status) []changeLine {
	absolute := func(path string) string { return filepath.Join(in.Root, filepath.FromSlash(path)) }
	var paths []string
	for _, c := range status.Changed {
		paths = append(paths, absolute(c.Path))
		if c.OrigPath != "" {
			paths = append(paths, absolute(c.OrigPath))
		}
	}
	out := in.Ignored(ctx, paths)
	var lines []changeLine
	for _, c := range status.Changed {
		if _, left := out[absolute(c.Path)]; left {
			continue
		}
		path := oneLine(c.Path)
		if _, left := out[absolute(c.OrigPath)]; c.OrigPath != "" && !left {
			path = oneLine(c.OrigPath) + " -> " + path
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
	b.WriteString(" Changed files, with git's letters for the index and the work tree:\n")
	shown := lines[:min(len(lines), gitChanges)]
	for _, c := range shown {
		fmt.Fprintf(b, "\n%s %s", c.code, c.path)
	}
	if more := total - len(shown); more > 0 {
		fmt.Fprintf(b, "\n… and %d more", more)
	}
}
