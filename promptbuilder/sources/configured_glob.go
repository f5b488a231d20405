package sources

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"foreword/workspace/config"
	"foreword/workspace/fsys"
	"foreword/workspace/instructions/globs"
)

const (
	// globFiles is how many files one pattern may name: a prompt of more files is none that somebody meant.
	globFiles = 50
	// globFolders is how many folders are looked into for one pattern, so that **/*.md over a disk ends.
	globFolders = 5_000
)

// configuredGlob says all files that a pattern names, by their paths. A file
// that cannot be read costs itself.
func (in *Input) configuredGlob(ctx context.Context, c config.Source) Observation {
	if in.Root == "" && !filepath.IsAbs(c.Glob) {
		return none("there is no workspace folder")
	}
	paths, more, err := in.expand(ctx, c)
	if err != nil {
		return failed(err)
	}
	var o Observation
	var parts []part
	left := commandCharacters
	for _, path := range paths {
		p, err := in.configuredRead(c, path)
		switch {
		case err != nil:
			o.Skipped = append(o.Skipped, Skipped{Path: path, Why: err.Error()})
			continue
		case strings.TrimSpace(p.text) == "":
			continue
		}
		if n := len([]rune(p.text)); n <= left {
			left -= n
		} else {
			o.Skipped = append(o.Skipped, Skipped{Path: path, Why: fmt.Sprintf("the files of this pattern together may have %d characters", commandCharacters)})
			continue
		}
		parts = append(parts, p)
	}
	if len(parts) == 0 {
		o.Why = fmt.Sprintf("no file with text matches %s", c.Glob)
		return o
	}
	said := wrap(c, parts...)
	said.Skipped = o.Skipped
	if more {
		said.Warnings = append(said.Warnings, Warning{Code: "source-pattern-wide", Path: c.Path, Message: fmt.Sprintf(
			"the pattern %q of the source %s names more than %d files or looks into more than %d folders; the rest is left out", c.Glob, c.Key, globFiles, globFolders)})
	}
	return said
}

// expand finds the files that a pattern names, sorted, without those that git
// ignores and secrets. More tells that there are others.
func (in *Input) expand(ctx context.Context, c config.Source) (paths []string, more bool, err error) {
	base, pattern := fixedPart(filepath.ToSlash(in.configuredPath(c.Glob)))
	set, problems := globs.Compile(globs.GitHub, []string{pattern})
	for _, p := range problems {
		if p.Code == globs.CodeSyntax || p.Code == globs.CodeTooManyBraces {
			return nil, false, fmt.Errorf("the pattern %q means nothing: %s", c.Glob, p.Message)
		}
	}
	files := in.filesOf(c)
	if c.Workspace && !fsys.Within(in.Root, base) {
		if _, err := files.ReadDir(base); err != nil && fsys.ReasonOf(err) == fsys.ReasonOutside {
			return nil, false, in.outside(c, base)
		}
	}
	deep := strings.Contains(pattern, "**")
	levels := strings.Count(pattern, "/")
	level := []string{base}
	for depth, folders := 0, 0; len(level) > 0 && (deep || depth <= levels); depth++ {
		var next []string
		for _, folder := range level {
			if err := ctx.Err(); err != nil {
				return nil, false, errors.New("the pattern looks into too many folders; name a narrower one")
			}
			if folders++; folders > globFolders {
				more = true
				break
			}
			entries, err := files.ReadDir(folder)
			if err != nil {
				continue // not there, or not readable: it names nothing
			}
			for _, e := range entries {
				path := filepath.Join(folder, e.Name)
				rel, err := filepath.Rel(base, path)
				if err != nil {
					continue
				}
				switch {
				case e.Kind == fsys.KindDir && e.Name != ".git":
					next = append(next, path)
				case e.Kind == fsys.KindFile || e.Kind == fsys.KindSymlink:
					if _, ok := set.Match(filepath.ToSlash(rel)); ok {
						paths = append(paths, path)
					}
				}
			}
		}
		next = in.kept(ctx, next)
		slices.Sort(next)
		level = next
	}
	paths = in.kept(ctx, paths)
	slices.Sort(paths)
	if len(paths) > globFiles {
		return paths[:globFiles], true, nil
	}
	return paths, more, nil
}

// kept leaves out what git ignores, secrets, and what a setting excludes.
func (in *Input) kept(ctx context.Context, paths []string) []string {
	if len(paths) == 0 {
		return nil
	}
	out := in.Ignored(ctx, paths)
	return slices.DeleteFunc(paths, func(path string) bool { _, left := out[path]; return left })
}

// fixedPart cuts a pattern where its first wildcard is: the folder before it,
// and the rest.
func fixedPart(pattern string) (folder, rest string) {
	segments := strings.Split(pattern, "/")
	i := slices.IndexFunc(segments, func(s string) bool { return strings.ContainsAny(s, `*?[{`) })
	if i < 0 {
		i = len(segments) - 1
	}
	folder = strings.Join(segments[:i], "/")
	if folder == "" {
		folder = "/"
	}
	return filepath.FromSlash(folder), strings.Join(segments[i:], "/")
}
