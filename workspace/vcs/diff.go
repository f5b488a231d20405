package vcs

import (
	"context"
	"errors"
	"io"
	"path/filepath"
	"slices"
	"strings"
)

// emptyTree is the tree without entries, which every repository of SHA-1 knows: what the first commit is compared with.
const emptyTree = "4b825dc642cb6eb9a060e54bf8d69288fbee4904"

// maxArguments is how many bytes of paths one git process is given.
const maxArguments = 64 << 10

// Changed returns the files below a path that differ from what is checked out, in the work tree or in the index, which
// holds what is staged. Files that git does not track yet are none of them. Paths are relative to root, with slashes,
// sorted; below is relative to root too, "" for all of it.
func (g Git) Changed(ctx context.Context, root, below string, staged bool) ([]string, error) {
	args, err := g.diffArgs(ctx, root, staged, "--name-only", "-z")
	if errors.Is(err, ErrNoGit) || errors.Is(err, errFilters) {
		return libraryChanged(ctx, root, below, staged)
	}
	if err != nil {
		return nil, err
	}
	if below = filepath.ToSlash(filepath.Clean(below)); below != "." {
		args = append(args, literal(below))
	}
	var paths []string
	err = g.run(ctx, root, nil, &records{each: func(record []byte) { paths = append(paths, string(record)) }}, args...)
	if errors.Is(err, ErrNoGit) {
		return libraryChanged(ctx, root, below, staged)
	}
	slices.Sort(paths)
	return paths, err
}

// Untracked returns the files below a path that git does not track and does not ignore: the new ones. Paths are as those
// of Changed.
func (g Git) Untracked(ctx context.Context, root, below string) ([]string, error) {
	args := []string{"ls-files", "-z", "--others", "--exclude-standard"}
	if below = filepath.ToSlash(filepath.Clean(below)); below != "." {
		args = append(args, "--", literal(below))
	}
	var paths []string
	err := g.run(ctx, root, nil, &records{each: func(record []byte) {
		if path := string(record); !strings.HasSuffix(path, "/") { // another repository
			paths = append(paths, path)
		}
	}}, args...)
	if errors.Is(err, ErrNoGit) {
		return libraryUntracked(ctx, root, below)
	}
	slices.Sort(paths)
	return paths, err
}

// Diff returns how files differ, as git diff prints it: those of Changed that are given, at most so many bytes; more
// tells that it goes on. It runs none of the repository's own programs.
func (g Git) Diff(ctx context.Context, root string, paths []string, staged bool, most int) (text string, more bool, err error) {
	args, err := g.diffArgs(ctx, root, staged)
	if errors.Is(err, ErrNoGit) || errors.Is(err, errFilters) {
		return libraryDiff(ctx, root, paths, staged, most)
	}
	if err != nil {
		return "", false, err
	}
	var out strings.Builder
	for run := range chunks(paths, maxArguments) {
		all := slices.Clone(args)
		for _, path := range run {
			all = append(all, literal(path))
		}
		limited := &limitedWriter{out: &out, left: most - out.Len()}
		err := g.run(ctx, root, nil, limited, all...)
		if errors.Is(err, ErrNoGit) {
			return libraryDiff(ctx, root, paths, staged, most)
		}
		if err != nil && !limited.full {
			return "", false, err
		}
		if limited.full {
			return out.String(), true, nil
		}
	}
	return out.String(), false, nil
}

// diffArgs are the arguments of git diff up to the paths.
func (g Git) diffArgs(ctx context.Context, root string, staged bool, more ...string) ([]string, error) {
	var args []string
	submodules := "--ignore-submodules=none"
	if !g.Trusted {
		submodules = "--ignore-submodules=all"
		var err error
		if args, err = g.withoutFilters(ctx, root); err != nil {
			return nil, err
		}
	}
	args = append(args, "diff", "--no-ext-diff", "--no-textconv", "--no-color", "--no-renames", submodules)
	args = append(args, more...)
	head, err := g.Head(root)
	if err != nil {
		return nil, err
	}
	base := head.Commit
	if base == "" {
		base = emptyTree
	}
	if staged {
		args = append(args, "--cached")
	}
	return append(args, base, "--"), nil
}

// errFull ends a process that has said enough.
var errFull = errors.New("enough was read")

// limitedWriter takes so many bytes and then fails.
type limitedWriter struct {
	out  io.Writer
	left int
	full bool
}

func (w *limitedWriter) Write(p []byte) (int, error) {
	n := min(len(p), w.left)
	w.left -= n
	if _, err := w.out.Write(p[:n]); err != nil {
		return 0, err
	}
	if n < len(p) {
		w.full = true
		return n, errFull
	}
	return n, nil
}
