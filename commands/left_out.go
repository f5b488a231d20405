package commands

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"

	"foreword/workspace"
	"foreword/workspace/fsys"
	"foreword/workspace/ignore"
)

// leftOut says which paths may not be a source of a prompt, and why: secrets,
// what the setting exclude names, what git ignores, under whatever name they
// are reached. Instruction files and what the user attaches by name are not
// asked about here.
func (s *Service) leftOut(ctx context.Context, snap *workspace.Snapshot, p *place, paths []string) map[string]string {
	leads := map[string]string{} // where the paths that are links lead
	all := slices.Clip(paths)
	for _, path := range paths {
		if real, err := snap.FS().RealPath(path); err == nil && real != path {
			leads[path] = real
			all = append(all, real)
		}
	}
	out := s.leftOutByName(ctx, snap, p, all)
	for path, real := range leads {
		if why := out[real]; why != "" && out[path] == "" {
			out[path] = fmt.Sprintf("leads to %s: %s", p.display(snap, real), why)
		}
	}
	return out
}

// leftOutByName judges paths as they are written.
func (s *Service) leftOutByName(ctx context.Context, snap *workspace.Snapshot, p *place, paths []string) map[string]string {
	out := map[string]string{}
	patterns := ignore.Compile(p.config.Exclude)
	var rest []string
	for _, path := range paths {
		if why, secret := ignore.Secret(path); secret {
			out[path] = why
			continue
		}
		if rel, ok := relative(p.root, path); ok {
			if pattern, excluded := excludedBy(patterns, rel); excluded {
				out[path] = fmt.Sprintf("excluded by the pattern %q in the setting exclude", pattern)
				continue
			}
			rest = append(rest, path)
		}
	}
	if !p.repository || len(rest) == 0 {
		return out
	}
	ignored, err := s.repos.ignoring(snap.FS(), p.root).IgnoredPaths(ctx, rest)
	if err != nil {
		// Without an answer from git a file that it ignores could be sent.
		for _, path := range rest {
			out[path] = fmt.Sprintf("cannot tell whether git ignores it: %v", err)
		}
		return out
	}
	for path, rule := range ignored {
		out[path] = "ignored by git (" + rule + ")"
	}
	return out
}

// excludedBy tries a path and every directory above it, since a pattern that
// matches a directory leaves out all below it.
func excludedBy(patterns *ignore.Patterns, rel string) (string, bool) {
	for i := range len(rel) {
		if rel[i] == '/' {
			if pattern, ok := patterns.Match(rel[:i], true); ok {
				return pattern, true
			}
		}
	}
	return patterns.Match(rel, false)
}

// relative is the path below root, with slashes.
func relative(root, path string) (string, bool) {
	if root == "" {
		return "", false
	}
	rel, within := fsys.Below(root, path)
	return filepath.ToSlash(rel), within
}
