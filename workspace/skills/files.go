package skills

import (
	"context"
	"path"
	"path/filepath"
	"slices"

	"foreword/workspace/fsys"
	"foreword/workspace/instructions"
)

// maxFiles bounds the list of a skill's files: it is read by a model. maxDepth
// is how deep they may lie; the specification wants them one folder deep.
const (
	maxFiles = 200
	maxDepth = 6
)

// Files lists what a skill brings along beside its SKILL.md, relative to its
// folder with slashes, sorted; more tells that there are others. Files that
// hold secrets are not named, and links count only as far as they stay in the
// folder. A folder that cannot be listed costs only itself; the error is that
// of the context.
func Files(ctx context.Context, files fsys.FS, dir string, secret func(path string) (string, bool)) (names []string, more bool, err error) {
	real, err := files.RealPath(dir)
	if err != nil {
		return nil, false, ctx.Err()
	}
	l := lister{files: files, dir: dir, real: real, secret: secret}
	level := []string{""}
	for depth := 0; len(level) > 0 && depth < maxDepth; depth++ {
		var next []string
		for _, rel := range level {
			if err := ctx.Err(); err != nil {
				return nil, false, err
			}
			next = append(next, l.look(rel)...)
		}
		level = next
	}
	slices.Sort(l.names)
	return l.names, l.more || len(level) > 0, nil
}

type lister struct {
	files     fsys.FS
	dir, real string
	secret    func(string) (string, bool)
	names     []string
	more      bool
}

// look takes the files of one folder, and gives its folders.
func (l *lister) look(rel string) (folders []string) {
	entries, err := l.files.ReadDir(filepath.Join(l.dir, filepath.FromSlash(rel)))
	if err != nil {
		return nil
	}
	for _, e := range entries {
		name := path.Join(rel, e.Name)
		switch {
		case e.Name == ".git" || e.Name == "node_modules" || name == instructions.SkillFile:
		case e.Kind == fsys.KindDir:
			folders = append(folders, name)
		case !l.isFile(name, e.Kind):
		case len(l.names) == maxFiles:
			l.more = true
		default:
			l.names = append(l.names, name)
		}
	}
	return folders
}

// isFile tells whether a name is a file of the skill's own that may be named.
func (l *lister) isFile(name string, kind fsys.Kind) bool {
	full := filepath.Join(l.dir, filepath.FromSlash(name))
	if kind == fsys.KindSymlink {
		info, err := l.files.Stat(full)
		real, errReal := l.files.RealPath(full)
		if err != nil || errReal != nil || info.Kind != fsys.KindFile || !fsys.Within(l.real, real) {
			return false
		}
		kind = info.Kind
	}
	if kind != fsys.KindFile {
		return false
	}
	if l.secret == nil {
		return true
	}
	_, secret := l.secret(full)
	return !secret
}
