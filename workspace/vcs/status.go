package vcs

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Sources of a Status.
const (
	SourceGit   = "git"    // the git binary
	SourceGoGit = "go-git" // the library, where there is no binary: no upstream, renames are an addition and a deletion
)

// maxChanges is how many changes are kept in memory, whatever the caller's limit.
const maxChanges = 100_000

// Status is what is checked out and how the work tree differs from it.
type Status struct {
	Head Head
	// Upstream is the branch that this one follows, "origin/main"; "" without one.
	Upstream string
	// Ahead and Behind count commits relative to Upstream.
	Ahead, Behind int
	// Changed are the changes, sorted by path; an untracked folder is one change whose path ends in "/".
	Changed []Change
	// Total counts the changes; Truncated says that Changed holds fewer.
	Total     int
	Truncated bool
	// Source says who answered: SourceGit or SourceGoGit.
	Source string
}

// Change is one path that differs from what is checked out.
type Change struct {
	// Path is relative to the root, with slashes.
	Path string
	// Code is git's XY: index and work tree, "." for unchanged, "??" for untracked, "UU" and the like for conflicts.
	Code string
	// OrigPath is where a renamed or copied file came from.
	OrigPath string
}

// Status returns the status of the repository at root. Without trust nothing runs that the repository names; with
// it clean filters run (git-lfs files that were touched are not shown as changed) and submodules are looked into.
// At most limit changes are returned, the first by path; 0 means all.
func (g Git) Status(ctx context.Context, root string, limit int) (*Status, error) {
	var args []string
	submodules := "--ignore-submodules=none"
	if !g.Trusted {
		submodules = "--ignore-submodules=all"
		var err error
		args, err = g.withoutFilters(ctx, root)
		if errors.Is(err, ErrNoGit) || errors.Is(err, errFilters) {
			return libraryStatus(ctx, root, limit)
		}
		if err != nil {
			return nil, err
		}
	}
	args = append(args, "status", "--porcelain=v2", "-z", "--branch", "--untracked-files=normal", "--renames", submodules)
	parser := &porcelain{status: &Status{Source: SourceGit}}
	err := g.run(ctx, root, nil, &records{each: parser.record}, args...)
	if errors.Is(err, ErrNoGit) {
		return libraryStatus(ctx, root, limit)
	}
	if err != nil {
		return nil, err
	}
	if parser.bad != "" {
		return nil, fmt.Errorf("git status in %s: cannot read the line %q", root, parser.bad)
	}
	parser.status.limit(limit)
	return parser.status, nil
}

// limit sorts the changes and cuts them to n, where n is not 0.
func (s *Status) limit(n int) {
	slices.SortFunc(s.Changed, func(a, b Change) int { return strings.Compare(a.Path, b.Path) })
	if n > 0 && len(s.Changed) > n {
		s.Changed = slices.Clip(s.Changed[:n])
	}
	s.Truncated = len(s.Changed) < s.Total
}

// porcelain reads the records of git status --porcelain=v2 -z --branch.
type porcelain struct {
	status *Status
	orig   bool   // the next record is where the last change came from
	bad    string // the first record that made no sense
}

func (p *porcelain) record(record []byte) {
	line := string(record)
	if p.orig {
		p.orig = false
		if n := len(p.status.Changed); n > 0 && n == p.status.Total {
			p.status.Changed[n-1].OrigPath = line
		}
		return
	}
	kind, rest, _ := strings.Cut(line, " ")
	switch kind {
	case "#":
		p.header(rest)
	case "1": // XY sub mH mI mW hH hI path
		p.change(rest, 7)
	case "2": // XY sub mH mI mW hH hI score path, then the original path
		p.change(rest, 8)
		p.orig = true
	case "u": // XY sub m1 m2 m3 mW h1 h2 h3 path
		p.change(rest, 9)
	case "?":
		p.add(Change{Path: rest, Code: "??"})
	case "!":
		// ignored files are only printed when asked for
	default:
		p.fail(line)
	}
}

// header reads a line that is not about a file. Unknown ones are newer than this code and left alone.
func (p *porcelain) header(text string) {
	name, value, _ := strings.Cut(text, " ")
	switch name {
	case "branch.oid":
		if value != "(initial)" {
			p.status.Head.Commit = value
		}
	case "branch.head":
		if value == "(detached)" {
			p.status.Head.Detached = true
		} else {
			p.status.Head.Branch = value
		}
	case "branch.upstream":
		p.status.Upstream = value
	case "branch.ab":
		ahead, behind, _ := strings.Cut(value, " ")
		var err1, err2 error
		p.status.Ahead, err1 = strconv.Atoi(strings.TrimPrefix(ahead, "+"))
		p.status.Behind, err2 = strconv.Atoi(strings.TrimPrefix(behind, "-"))
		if err1 != nil || err2 != nil {
			p.fail(text)
		}
	}
}

// change reads a tracked change whose path comes after the given number of fields.
func (p *porcelain) change(text string, fields int) {
	parts := strings.SplitN(text, " ", fields+1)
	if len(parts) != fields+1 || len(parts[0]) != 2 {
		p.fail(text)
		return
	}
	p.add(Change{Path: parts[fields], Code: parts[0]})
}

func (p *porcelain) add(c Change) {
	p.status.Total++
	if len(p.status.Changed) < maxChanges {
		p.status.Changed = append(p.status.Changed, c)
	}
}

func (p *porcelain) fail(line string) {
	if p.bad == "" {
		p.bad = line
	}
}
