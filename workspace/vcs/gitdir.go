package vcs

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/go-git/go-billy/v5"
	"github.com/go-git/go-billy/v5/osfs"
	"github.com/go-git/go-git/v5/plumbing/cache"
	"github.com/go-git/go-git/v5/storage/filesystem"
	"github.com/go-git/go-git/v5/storage/filesystem/dotgit"
)

// maxPointer is how long a file that names a git folder may be; a path has at most 4096 bytes.
const maxPointer = 8 << 10

// Dirs returns the two folders that hold the repository at root: git, what belongs to this work tree (HEAD, the
// index), and common, what all work trees share (config, refs, info/exclude). They are the same except in a linked
// work tree.
func Dirs(root string) (git, common string, err error) {
	git = filepath.Join(root, ".git")
	info, err := os.Stat(git)
	if err != nil {
		return "", "", err
	}
	if !info.IsDir() {
		target, err := pointer(git)
		if err != nil {
			return "", "", err
		}
		target, ok := strings.CutPrefix(target, "gitdir: ")
		if !ok || target == "" {
			return "", "", fmt.Errorf("%s: does not begin with %q and a path", git, "gitdir: ")
		}
		git = absolute(root, target)
	}
	common = git
	target, err := pointer(filepath.Join(git, "commondir"))
	if err == nil && target != "" {
		common = absolute(git, target)
	} else if err != nil && !errors.Is(err, os.ErrNotExist) {
		return "", "", err
	}
	return git, common, nil
}

// pointer reads a file that holds one path.
func pointer(path string) (string, error) {
	info, err := os.Stat(path)
	if err != nil {
		return "", err
	}
	if !info.Mode().IsRegular() || info.Size() > maxPointer {
		return "", fmt.Errorf("%s: not a small regular file", path)
	}
	file, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer file.Close()
	text, err := io.ReadAll(io.LimitReader(file, maxPointer))
	if err != nil {
		return "", err
	}
	return strings.TrimRight(string(text), "\r\n"), nil
}

func absolute(dir, path string) string {
	if filepath.IsAbs(path) {
		return filepath.Clean(path)
	}
	return filepath.Join(dir, path)
}

// openStorage returns go-git's view of the repository at root, which never writes and never opens what is not a
// regular file. It is what git.PlainOpenWithOptions with EnableDotGitCommonDir opens, without its first look at
// the configuration: that refuses a sparse checkout, whose HEAD is as plain as any.
func openStorage(root string) (*filesystem.Storage, error) {
	git, common, err := Dirs(root)
	if err != nil {
		return nil, err
	}
	if info, err := os.Stat(filepath.Join(git, "HEAD")); err != nil || !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s: no repository: there is no HEAD file", git)
	}
	var fs billy.Filesystem = regularFiles{osfs.New(git)}
	if common != git {
		fs = dotgit.NewRepositoryFilesystem(fs, regularFiles{osfs.New(common)})
	}
	return filesystem.NewStorage(fs, cache.NewObjectLRUDefault()), nil
}

// regularFiles is a file system for go-git which nothing can block or change: a FIFO named HEAD is refused
// instead of waited for, and every write fails.
type regularFiles struct{ billy.Filesystem }

func (f regularFiles) Open(name string) (billy.File, error) {
	info, err := f.Filesystem.Stat(name)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, &os.PathError{Op: "open", Path: name, Err: errors.New("not a regular file")}
	}
	return f.Filesystem.Open(name)
}

func (f regularFiles) OpenFile(name string, flag int, _ os.FileMode) (billy.File, error) {
	if flag != os.O_RDONLY {
		return nil, billy.ErrReadOnly
	}
	return f.Open(name)
}

func (f regularFiles) Chroot(path string) (billy.Filesystem, error) {
	inner, err := f.Filesystem.Chroot(path)
	if err != nil {
		return nil, err
	}
	return regularFiles{inner}, nil
}

func (regularFiles) Create(string) (billy.File, error)           { return nil, billy.ErrReadOnly }
func (regularFiles) Rename(string, string) error                 { return billy.ErrReadOnly }
func (regularFiles) Remove(string) error                         { return billy.ErrReadOnly }
func (regularFiles) TempFile(string, string) (billy.File, error) { return nil, billy.ErrReadOnly }
func (regularFiles) MkdirAll(string, os.FileMode) error          { return billy.ErrReadOnly }
func (regularFiles) Symlink(string, string) error                { return billy.ErrReadOnly }
