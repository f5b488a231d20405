package fsys

import (
	"os"
	"path/filepath"
	"strings"
)

// Within reports whether path is root or lies below it. It compares whole
// segments, so /w/app does not admit /w/app-secret, and it is exact about case
// even where the disk is not: that can only refuse too much. Both paths must be
// absolute; links are not followed, so give it real paths where it decides
// what may be read.
func Within(root, path string) bool {
	if !filepath.IsAbs(root) || !filepath.IsAbs(path) {
		return false
	}
	root, path = Clean(root), Clean(path)
	rest, ok := strings.CutPrefix(path, root)
	return ok && (rest == "" || os.IsPathSeparator(rest[0]) || os.IsPathSeparator(root[len(root)-1]))
}

// Below is the path from root to what lies in it, "." for root itself; false
// where path is not Within.
func Below(root, path string) (rel string, within bool) {
	if !Within(root, path) {
		return "", false
	}
	rel = Clean(path)[len(Clean(root)):]
	for rel != "" && os.IsPathSeparator(rel[0]) {
		rel = rel[1:]
	}
	if rel == "" {
		return ".", true
	}
	return rel, true
}

// Clean is filepath.Clean, at a fraction of its cost where a path is clean, as
// nearly all are.
func Clean(path string) string {
	if filepath.Separator != '/' || len(path) < 2 || path[0] != '/' || path[len(path)-1] == '/' {
		return filepath.Clean(path)
	}
	for i := 1; i < len(path); i++ {
		if path[i-1] == '/' && (path[i] == '/' || path[i] == '.') {
			return filepath.Clean(path)
		}
	}
	return path
}

// Resolve is the real path that path has, or would have if it were made: links
// in the part that exists are resolved, the rest is kept.
func Resolve(base FS, path string) string {
	path = Clean(path)
	rest := ""
	for dir := path; ; {
		real, err := base.RealPath(dir)
		if err == nil {
			return filepath.Join(real, rest)
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return path
		}
		rest = filepath.Join(filepath.Base(dir), rest)
		dir = parent
	}
}

// Confine lets files and folders be read only when their real path is in one of
// the roots; all else is an *Error with ReasonOutside. Lstat, Stat and RealPath
// pass: they say where a path leads, which a caller needs to explain a refusal.
//
// The read itself goes through os.Root where base ends on Disk, so a link put
// in place between the check and the open does not lead out either.
func Confine(base FS, roots ...string) FS {
	return confined{base, roots}
}

type confined struct {
	base  FS
	roots []string
}

func (c confined) Lstat(path string) (Info, error)      { return c.base.Lstat(path) }
func (c confined) Stat(path string) (Info, error)       { return c.base.Stat(path) }
func (c confined) RealPath(path string) (string, error) { return c.base.RealPath(path) }

func (c confined) ReadFile(path string) (*File, error) {
	root, real, err := c.locate(path)
	if err != nil {
		return nil, err
	}
	return readFileIn(c.base, root, real, path)
}

func (c confined) ReadDir(path string) ([]Entry, error) {
	root, real, err := c.locate(path)
	if err != nil {
		return nil, err
	}
	return readDirIn(c.base, root, real, path)
}

// readFileIn narrows to root what this layer allows already.
func (c confined) readFileIn(root, real, path string) (*File, error) {
	own, _, err := c.locate(path)
	if err != nil {
		return nil, err
	}
	return readFileIn(c.base, narrower(own, root), real, path)
}

func (c confined) readDirIn(root, real, path string) ([]Entry, error) {
	own, _, err := c.locate(path)
	if err != nil {
		return nil, err
	}
	return readDirIn(c.base, narrower(own, root), real, path)
}

// narrower is the inner one of two folders that both hold a path.
func narrower(a, b string) string {
	if len(a) > len(b) {
		return a
	}
	return b
}

// locate finds the root that path is really in, both as real paths.
func (c confined) locate(path string) (root, real string, err error) {
	real, err = c.base.RealPath(path)
	if err != nil {
		return "", "", err
	}
	for _, r := range c.roots {
		realRoot, err := c.base.RealPath(r)
		if err == nil && Within(realRoot, real) {
			return realRoot, real, nil
		}
	}
	e := &Error{Path: path, Reason: ReasonOutside}
	if real != Clean(path) {
		e.Detail = "it leads to " + real + ", which is outside of the folders that may be read"
	}
	return "", "", e
}

// rooted is a layer that can read below a directory so that no link leads out
// of it. real is path with its links resolved and lies in root, itself real.
type rooted interface {
	readFileIn(root, real, path string) (*File, error)
	readDirIn(root, real, path string) ([]Entry, error)
}

func readFileIn(base FS, root, real, path string) (*File, error) {
	if r, ok := base.(rooted); ok {
		return r.readFileIn(root, real, path)
	}
	f, err := base.ReadFile(path)
	if err != nil {
		return nil, err
	}
	if err := stillIn(base, root, path); err != nil {
		return nil, err
	}
	return f, nil
}

func readDirIn(base FS, root, real, path string) ([]Entry, error) {
	if r, ok := base.(rooted); ok {
		return r.readDirIn(root, real, path)
	}
	entries, err := base.ReadDir(path)
	if err != nil {
		return nil, err
	}
	if err := stillIn(base, root, path); err != nil {
		return nil, err
	}
	return entries, nil
}

// stillIn is the second look for a base that cannot read below a root.
func stillIn(base FS, root, path string) error {
	real, err := base.RealPath(path)
	if err != nil {
		return err
	}
	if !Within(root, real) {
		return &Error{Path: path, Reason: ReasonOutside}
	}
	return nil
}
