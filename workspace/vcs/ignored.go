package vcs

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
)

// IgnoreMatch is the line of an ignore file that decides about a path.
type IgnoreMatch struct {
	// Source is the file that holds the line: relative to the root for one inside it, else as git has it.
	Source string
	// Line counts from 1.
	Line string
	// Pattern is the line's text.
	Pattern string
}

// Ignored says that the line excludes; one that begins with "!" includes.
func (m IgnoreMatch) Ignored() bool { return !strings.HasPrefix(m.Pattern, "!") }

// noMagic before a path keeps git from reading a leading ":" as pathspec magic; check-ignore refuses the
// ":(literal)" that other subcommands take.
const noMagic = "./"

// CheckIgnore asks git which line of which ignore file decides about each path (relative to root, with slashes; git
// looks at the disk for which are folders, and a slash at the end would confuse it). Paths about which no line says anything are not in the result. Whether git tracks
// a path plays no part; ask Tracked. One process answers for all. A path that leads through a symbolic link or into a
// submodule is an error for all of them.
func (g Git) CheckIgnore(ctx context.Context, root string, paths []string) (map[string]IgnoreMatch, error) {
	if len(paths) == 0 {
		return nil, nil
	}
	matches := make(map[string]IgnoreMatch)
	var fields [4]string
	n := 0
	out := &records{each: func(record []byte) {
		fields[n] = string(record)
		if n++; n < len(fields) {
			return
		}
		n = 0
		matches[strings.TrimPrefix(fields[3], noMagic)] = IgnoreMatch{Source: fields[0], Line: fields[1], Pattern: fields[2]}
	}}
	err := g.run(ctx, root, strings.NewReader(noMagic+strings.Join(paths, "\x00"+noMagic)+"\x00"), out,
		"check-ignore", "--no-index", "--verbose", "-z", "--stdin")
	if err != nil && exitCode(err) != 1 { // 1: none is ignored
		return nil, err
	}
	if n != 0 {
		return nil, fmt.Errorf("git check-ignore in %s: the answer ends in the middle", root)
	}
	return matches, nil
}

// Tracked returns those of the paths (relative to root, with slashes) that are in git's index, or are folders
// that hold something which is.
func (g Git) Tracked(ctx context.Context, root string, paths []string) (map[string]bool, error) {
	tracked := make(map[string]bool)
	// The argument list has a limit of 128 KiB for one and 2 MiB for all on Linux, 32 KiB in all on Windows.
	for batch := range chunks(paths, 24<<10) {
		wanted := make(map[string]string, len(batch))
		args := []string{"ls-files", "-z", "--cached", "--"}
		for _, path := range batch {
			clean := strings.TrimSuffix(path, "/")
			wanted[clean] = path
			args = append(args, literal(clean))
		}
		out := &records{each: func(record []byte) {
			for path := string(bytes.TrimSuffix(record, []byte("/"))); path != "."; path = filepath.ToSlash(filepath.Dir(path)) {
				if given, ok := wanted[path]; ok {
					tracked[given] = true
				}
			}
		}}
		err := g.run(ctx, root, nil, out, args...)
		if errors.Is(err, ErrNoGit) {
			return libraryTracked(root, paths)
		}
		if err != nil {
			return nil, err
		}
	}
	return tracked, nil
}

// libraryTracked is Tracked without a git binary. It fails for a split or sparse index, which go-git does not know.
func libraryTracked(root string, paths []string) (map[string]bool, error) {
	storage, err := openStorage(root)
	if err != nil {
		return nil, err
	}
	defer storage.Close()
	index, err := storage.Index()
	if err != nil {
		return nil, fmt.Errorf("%s: read the index: %w", root, err)
	}
	names := make([]string, 0, len(index.Entries))
	for _, entry := range index.Entries {
		names = append(names, entry.Name)
	}
	slices.Sort(names)
	tracked := make(map[string]bool)
	for _, path := range paths {
		clean := strings.TrimSuffix(path, "/")
		_, isFile := slices.BinarySearch(names, clean)
		i, _ := slices.BinarySearch(names, clean+"/")
		if isFile || i < len(names) && strings.HasPrefix(names[i], clean+"/") {
			tracked[path] = true
		}
	}
	return tracked, nil
}

// chunks cuts paths into runs of at most the given number of bytes; a single longer path is a run of its own.
func chunks(paths []string, size int) func(yield func([]string) bool) {
	return func(yield func([]string) bool) {
		rest := slices.Clone(paths)
		for len(rest) > 0 {
			n, sum := 1, len(rest[0])
			for n < len(rest) && sum+len(rest[n])+1 <= size {
				sum += len(rest[n]) + 1
				n++
			}
			if !yield(rest[:n]) {
				return
			}
			rest = rest[n:]
		}
	}
}
