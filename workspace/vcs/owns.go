package vcs

import (
	"os"
	"path/filepath"
	"strings"

	"foreword/workspace/fsys"
)

// Owns tells whether the git folder that root names is really root's own: a
// folder inside it, or one elsewhere that points back, as those of linked work
// trees and submodules do. A .git file or link that comes with an archive can
// name any repository of the disk, whose branch and file names are not root's to
// tell.
func Owns(root string) bool {
	git, common, err := Dirs(root)
	if err != nil {
		return false
	}
	realGit, err := filepath.EvalSymlinks(git)
	if err != nil {
		return false
	}
	realRoot, err := filepath.EvalSymlinks(root)
	if err != nil {
		return false
	}
	if !ownParts(realGit, common) {
		return false
	}
	if fsys.Within(realRoot, realGit) {
		return true
	}
	return pointsBack(realGit, realRoot) || isSubmodule(realGit, realRoot)
}

// ownParts: what a git folder is made of lies in it, or in the repository whose
// linked work tree it is.
func ownParts(git, common string) bool {
	realCommon, err := filepath.EvalSymlinks(common)
	if err != nil || realCommon != git && realCommon != filepath.Dir(filepath.Dir(git)) {
		return false
	}
	for _, part := range []string{"HEAD", "index", "config", "refs", "objects", "packed-refs"} {
		for _, dir := range []string{git, realCommon} {
			real, err := filepath.EvalSymlinks(filepath.Join(dir, part))
			if err == nil && !fsys.Within(realCommon, real) {
				return false
			}
		}
	}
	return true
}

// pointsBack: the git folder of a linked work tree names its .git file.
func pointsBack(git, root string) bool {
	target, err := pointer(filepath.Join(git, "gitdir"))
	if err != nil {
		return false
	}
	real, err := filepath.EvalSymlinks(absolute(git, target))
	return err == nil && real == filepath.Join(root, ".git")
}

// isSubmodule: the git folder lies among the modules of a repository around
// root, and its config names root as the work tree.
func isSubmodule(git, root string) bool {
	before, _, found := strings.Cut(filepath.ToSlash(git), "/.git/modules/")
	if !found || !fsys.Within(filepath.FromSlash(before), root) {
		return false
	}
	text, err := os.ReadFile(filepath.Join(git, "config"))
	if err != nil || len(text) > maxConfig {
		return false
	}
	for line := range strings.Lines(string(text)) {
		key, value, ok := strings.Cut(strings.TrimSpace(line), "=")
		if ok && strings.TrimSpace(key) == "worktree" {
			real, err := filepath.EvalSymlinks(absolute(git, strings.Trim(strings.TrimSpace(value), `"`)))
			return err == nil && real == root
		}
	}
	return false
}

// maxConfig bounds what is read of a submodule's config; real ones have a few
// hundred bytes.
const maxConfig = 1 << 20
