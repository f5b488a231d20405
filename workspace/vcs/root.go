package vcs

import (
	"path/filepath"

	"foreword/workspace/fsys"
)

// Root returns the root of the repository or work tree that path lies in: the nearest folder, beginning with path
// itself, that holds a .git folder, or the .git file of a linked work tree or submodule. Links in path are not
// resolved, and path need not exist.
//
// The search ends below home: people keep their dot files in a repository at home, and that is not the
// repository of every folder under it. For a path outside of home it goes up to the root of the disk.
func Root(fs fsys.FS, path string, home string) (root string, ok bool) {
	homes := []string{}
	if home != "" {
		homes = append(homes, filepath.Clean(home))
		// A path that was resolved already goes through home's real name.
		if real, err := fs.RealPath(home); err == nil && real != homes[0] {
			homes = append(homes, real)
		}
	}
	for dir := filepath.Clean(path); ; dir = filepath.Dir(dir) {
		for _, home := range homes {
			if dir == home || fsys.Within(dir, home) {
				return "", false
			}
		}
		// git follows a link here; a FIFO or device is no repository, and is never opened.
		if info, err := fs.Stat(filepath.Join(dir, ".git")); err == nil && (info.Kind == fsys.KindDir || info.Kind == fsys.KindFile) {
			return dir, true
		}
		if dir == filepath.Dir(dir) {
			return "", false
		}
	}
}
