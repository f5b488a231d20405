package commands

import (
	"fmt"
	"os"
	"path/filepath"

	"foreword/workspace"
	"foreword/workspace/fsys"
	"foreword/workspace/vcs"
)

// Folder is a workspace folder.
type Folder = workspace.Folder

// DefaultRoot is the folder that a path belongs to where nobody named one: its
// repository, else the working directory where the path lies in it, else its
// own directory. An empty path means the working directory.
func DefaultRoot(path, working, home string) (Folder, error) {
	target := working
	if path != "" {
		absolute, err := filepath.Abs(path)
		if err != nil {
			return Folder{}, fmt.Errorf("cannot make %s absolute: %w", path, err)
		}
		target = absolute
	}
	dir := target
	if info, err := os.Stat(target); err != nil || !info.IsDir() {
		dir = filepath.Dir(target)
	}
	root, ok := vcs.Root(fsys.Disk(), dir, home)
	switch {
	case ok:
	case fsys.Within(working, dir) && !holdsHome(working, home):
		root = working
	default:
		root = dir
	}
	return Folder{Path: root, Name: filepath.Base(root)}, nil
}

// holdsHome tells whether a directory is the root of the disk or lies above
// the home folder; no project does.
func holdsHome(dir, home string) bool {
	return dir == filepath.Dir(dir) || home != "" && dir != home && fsys.Within(dir, home)
}
