package lint

import (
	"context"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"foreword/workspace/fsys"
	"foreword/workspace/instructions"
	"foreword/workspace/instructions/frontmatter"
)

// File is an instruction file of the workspace.
type File struct {
	// Path is absolute; Rel is the same relative to the folder that was
	// searched, with slashes.
	Path, Rel string
	// Dir is the directory that the file speaks for: its own, or the one that
	// holds the folder of rules in which it lies.
	Dir string
	// Kind of file, by name and place.
	Kind instructions.Kind
	// Text is empty where the file could not be read, which File tells.
	Text string
	File *fsys.File

	placed  bool // found by its place, not only by its name
	headers map[frontmatter.Reader]frontmatter.Document
}

// Found is what a search gave.
type Found struct {
	// Files are the instruction files, sorted by path.
	Files []*File
	// Paths are all files of the folder, relative to it with slashes, sorted;
	// without those that git ignores, where it was asked.
	Paths []string
	// Truncated tells that the folder has more files than are looked at.
	Truncated bool
}

// maxEntries bounds a search without git's help: what has more files than this
// is a home folder or a disk, and no project.
const maxEntries = 500_000

// Search says where to look for instruction files.
type Search struct {
	// Root is the folder, absolute and clean.
	Root string
	// FS is what may be read of it.
	FS fsys.FS
	// Listing is what git lists below Root, relative with slashes; without one
	// the folders are walked. Directories of the listing are looked into again,
	// as instruction files that git ignores count too: personal ones usually
	// are.
	Listing []string
	// Ignored says which of the paths (absolute) are left out where the folders
	// are walked: directories are not looked into, files are not listed. Nil for
	// none.
	Ignored func(ctx context.Context, paths []string) (map[string]string, error)
	// Secret says whether a file of this path holds secrets; such a file is
	// found and never read. Nil for none.
	Secret func(path string) (why string, secret bool)
	// Most bounds the files that are listed; 0 for as many as any project has.
	Most int
	// Progress is told how many of the directories that are known so far were
	// looked at, from several goroutines at once. Nil for nobody.
	Progress func(done, known int)
}

// Find lists the instruction files, rules and skills below a folder. The error
// is that of the context.
func Find(ctx context.Context, where Search) (*Found, error) {
	s := newSearch(ctx, where)
	var err error
	if where.Listing != nil {
		err = s.fromListing(where.Listing)
	} else {
		err = s.walk()
	}
	if err != nil {
		return nil, err
	}
	for _, f := range s.byPath {
		s.found.Files = append(s.found.Files, f)
	}
	slices.SortFunc(s.found.Files, func(a, b *File) int { return strings.Compare(a.Path, b.Path) })
	slices.Sort(s.found.Paths)
	s.read()
	return &s.found, ctx.Err()
}

// Paths lists the files below a folder by walking it, as Find does. The error is
// that of the context.
func Paths(ctx context.Context, where Search) (paths []string, truncated bool, err error) {
	s := newSearch(ctx, where)
	s.pathsOnly = true
	if err := s.walk(); err != nil {
		return nil, false, err
	}
	slices.Sort(s.found.Paths)
	return s.found.Paths, s.found.Truncated, nil
}

type search struct {
	ctx       context.Context
	where     Search
	files     fsys.FS
	root      string
	found     Found
	byPath    map[string]*File
	pathsOnly bool
	done      atomic.Int64 // directories that were listed
}

func newSearch(ctx context.Context, where Search) *search {
	if where.Most == 0 {
		where.Most = maxEntries
	}
	return &search{ctx: ctx, where: where, files: where.FS, root: where.Root, byPath: map[string]*File{}}
}

// fromListing looks into every directory that holds a file of the listing.
func (s *search) fromListing(listing []string) error {
	s.found.Paths = slices.Clone(listing)
	seen := map[string]bool{"": true}
	dirs := []string{""}
	for _, file := range listing {
		for dir := parent(file); !seen[dir]; dir = parent(dir) {
			seen[dir] = true
			dirs = append(dirs, dir)
		}
	}
	slices.Sort(dirs)
	listed, err := s.list(dirs)
	if err != nil {
		return err
	}
	for i, dir := range dirs {
		if err := s.ctx.Err(); err != nil {
			return err
		}
		s.look(dir, listed[i])
	}
	return nil
}

// walk goes through the folders, one level after the other.
func (s *search) walk() error {
	level := []string{""}
	entries := 0
	for len(level) > 0 && !s.found.Truncated {
		listed, err := s.list(level)
		if err != nil {
			return err
		}
		var dirs, files []string
		for i, dir := range level {
			if !s.pathsOnly {
				s.look(dir, listed[i])
			}
			for _, e := range listed[i] {
				if entries++; entries > maxEntries || len(files)+len(s.found.Paths) >= s.where.Most {
					s.found.Truncated = true
					break
				}
				switch {
				case e.Kind == fsys.KindDir && e.Name != ".git" && e.Name != "node_modules":
					dirs = append(dirs, path.Join(dir, e.Name))
				case e.Kind == fsys.KindFile || e.Kind == fsys.KindSymlink:
					files = append(files, path.Join(dir, e.Name))
				}
			}
		}
		ignored, err := s.ignored(dirs, files)
		if err != nil {
			return err
		}
		out := func(rel string) bool { _, out := ignored[s.absolute(rel)]; return out }
		s.found.Paths = append(s.found.Paths, slices.DeleteFunc(files, out)...)
		level = slices.DeleteFunc(dirs, out)
	}
	return nil
}

// ignored says what of one level is left out.
func (s *search) ignored(dirs, files []string) (map[string]string, error) {
	if s.where.Ignored == nil || len(dirs)+len(files) == 0 {
		return nil, nil
	}
	paths := make([]string, 0, len(dirs)+len(files))
	for _, rel := range slices.Concat(dirs, files) {
		paths = append(paths, s.absolute(rel))
	}
	return s.where.Ignored(s.ctx, paths)
}

// list reads directories at once, and gives them in the same order. One that
// cannot be read is empty.
func (s *search) list(dirs []string) ([][]fsys.Entry, error) {
	listed := make([][]fsys.Entry, len(dirs))
	known := int(s.done.Load()) + len(dirs)
	err := inParallel(s.ctx, len(dirs), func(i int) {
		listed[i], _ = s.files.ReadDir(s.absolute(dirs[i])) // it has no files then
		if done := s.done.Add(1); s.where.Progress != nil {
			s.where.Progress(int(done), known)
		}
	})
	return listed, err
}

// look takes from one directory what is an instruction file.
func (s *search) look(dir string, entries []fsys.Entry) {
	l := known()
	for _, e := range entries {
		if e.Kind != fsys.KindDir && l.isName(e.Name) {
			s.add(path.Join(dir, e.Name), dir, kindOf(e.Name), false)
		}
		if e.Kind != fsys.KindDir && e.Kind != fsys.KindSymlink {
			continue
		}
		for _, name := range l.nested[e.Name] {
			s.addNested(dir, name)
		}
		for _, f := range l.folders[e.Name] {
			for _, rules := range s.expand(dir, f) {
				s.rules(dir, rules, f, 0)
			}
		}
	}
}

// expand gives the folders that a folder of rules stands for in a directory:
// one, or all whose names begin alike where a setting stands for the rest.
func (s *search) expand(dir string, f folder) []string {
	if !f.prefix {
		return []string{path.Join(dir, f.path)}
	}
	above := path.Join(dir, parent(f.path))
	entries, err := s.files.ReadDir(s.absolute(above))
	if err != nil {
		return nil
	}
	var all []string
	for _, e := range entries {
		if e.Kind == fsys.KindDir && strings.HasPrefix(e.Name, path.Base(f.path)) {
			all = append(all, path.Join(above, e.Name))
		}
	}
	return all
}

// addNested adds a file such as .github/copilot-instructions.md, in whatever
// case its last part is written.
func (s *search) addNested(dir, name string) {
	folder := path.Join(dir, parent(name))
	entries, err := s.files.ReadDir(s.absolute(folder))
	if err != nil {
		return
	}
	for _, e := range entries {
		if e.Kind != fsys.KindDir && strings.EqualFold(e.Name, path.Base(name)) {
			s.add(path.Join(folder, e.Name), dir, kindOf(name), true)
		}
	}
}

// maxDepth bounds how deep folders of rules are followed; links may go round.
const maxDepth = 16

// rules adds the files of a folder of rules.
func (s *search) rules(holder, dir string, f folder, depth int) {
	entries, err := s.files.ReadDir(s.absolute(dir))
	if err != nil || depth > maxDepth || s.ctx.Err() != nil {
		return
	}
	for _, e := range entries {
		full := path.Join(dir, e.Name)
		switch {
		case e.Kind == fsys.KindDir:
			if e.Name != ".git" && e.Name != "node_modules" && !strings.Contains(f.skip, "/"+e.Name+"/") {
				s.rules(holder, full, f, depth+1)
			}
		case f.isRule(e.Name):
			kind := instructions.KindRule
			if strings.EqualFold(e.Name, skillFile) {
				kind = instructions.KindSkill
			}
			s.add(full, holder, kind, true)
		}
	}
}

// add keeps a file once. What is known of its place (a folder of rules) counts
// more than its name, and the outermost directory that holds such a folder more
// than one inside: .agents/skills is a folder of skills of its holder, not the
// folder skills of .agents.
func (s *search) add(rel, dir string, kind instructions.Kind, placed bool) {
	f := &File{Path: s.absolute(rel), Rel: rel, Dir: s.absolute(dir), Kind: kind, placed: placed}
	if old, ok := s.byPath[f.Path]; ok && (old.placed && !placed || old.placed == placed && len(old.Dir) <= len(f.Dir)) {
		return
	}
	s.byPath[f.Path] = f
}

// read fills in the texts.
func (s *search) read() {
	_ = inParallel(s.ctx, len(s.found.Files), func(i int) { // Find tells the context's error
		f := s.found.Files[i]
		if s.isSecret(f.Path) {
			return
		}
		if file, err := s.files.ReadFile(f.Path); err == nil {
			f.File, f.Text = file, file.Text
		}
	})
}

// isSecret tells whether a file holds secrets, by its own name or by that of
// the file that it leads to.
func (s *search) isSecret(path string) bool {
	if s.where.Secret == nil {
		return false
	}
	if _, secret := s.where.Secret(path); secret {
		return true
	}
	real, err := s.files.RealPath(path)
	if err != nil {
		return true // it cannot be read either
	}
	_, secret := s.where.Secret(real)
	return secret
}

func (s *search) absolute(rel string) string {
	return filepath.Join(s.root, filepath.FromSlash(rel))
}

// parent is the folder of a path with slashes; "" is the root.
func parent(rel string) string {
	if at := strings.LastIndexByte(rel, '/'); at >= 0 {
		return rel[:at]
	}
	return ""
}

func kindOf(name string) instructions.Kind {
	base := path.Base(name)
	for _, spelled := range []string{name, base} {
		if kind, ok := instructions.KindOf(spelled); ok {
			return kind
		}
	}
	for _, right := range known().names[strings.ToLower(base)] {
		if kind, ok := instructions.KindOf(right); ok {
			return kind
		}
	}
	return instructions.KindOther
}

// inParallel calls do for each index, on as many goroutines as there are
// processors, and waits for all. It stops early when the context ends, and
// gives its error.
func inParallel(ctx context.Context, n int, do func(int)) error {
	workers := min(runtime.GOMAXPROCS(0), n)
	if workers <= 1 {
		for i := range n {
			if ctx.Err() != nil {
				break
			}
			do(i)
		}
		return ctx.Err()
	}
	next := make(chan int)
	var all sync.WaitGroup
	for range workers {
		all.Go(func() {
			for i := range next {
				do(i)
			}
		})
	}
	for i := range n {
		if ctx.Err() != nil {
			break
		}
		next <- i
	}
	close(next)
	all.Wait()
	return ctx.Err()
}
