package instructions

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"foreword/workspace/fsys"
	"foreword/workspace/instructions/globs"
)

// runListed finds the files that a setting names.
func (r *resolver) runListed(s *Step) []candidate {
	l := s.Listed
	listed, ok := r.settings.strings(l.Setting)
	if !ok {
		listed = l.Default
	}
	var found []candidate
	seen := map[string]bool{}
	for _, item := range listed {
		if strings.HasPrefix(item, "https://") || strings.HasPrefix(item, "http://") {
			if l.URLs {
				found = append(found, candidate{path: item, kind: KindURL, mode: "always", state: NeedsTrust,
					why: fmt.Sprintf("an address in the setting %s; foreword fetches nothing by itself", l.Setting)})
			}
			continue
		}
		for _, c := range r.listedItem(s, item) {
			if !seen[c.path] {
				seen[c.path] = true
				found = append(found, c)
			}
		}
	}
	return found
}

func (r *resolver) listedItem(s *Step, item string) []candidate {
	l := s.Listed
	why := fmt.Sprintf("named in the setting %s", l.Setting)
	if _, set := r.profile.Defaults[l.Setting]; l.Setting == "" || r.settings[l.Setting] == nil || set && !r.isSet(l.Setting) {
		why = fmt.Sprintf("one of the paths that %s reads by itself", r.profile.Title)
	}
	if s.Why != "" {
		why = s.Why
	}
	// What the user named himself may lie anywhere.
	mine := r.personal || r.users[userValue{l.Setting, item}]
	var found []candidate
	for _, base := range r.listedBases(l, item) {
		if !mine && !r.req.Trusted && !fsys.Within(r.req.Root, base) {
			// Not even names are looked up there for a repository's sake.
			if strings.ContainsAny(item, "*?[{") {
				r.warn("needs-trust", r.req.Root, fmt.Sprintf("the setting %s names files outside %s (%s), which are not looked for; trust the folder to allow it", l.Setting, r.rootName(), printable(item)))
				continue
			}
			found = append(found, candidate{path: r.unlooked(base, item), scope: r.req.Root, kind: kindOrOther(item), mode: "always", state: NeedsTrust,
				why: why + ", outside the repository; trust the folder to allow it"})
			continue
		}
		if mine {
			r.above[base] = base
		}
		for _, path := range r.listedBelow(l, base, item) {
			c := candidate{path: path, scope: r.req.Root, kind: kindOrOther(path), mode: "always", why: why}
			switch pattern, out := r.listedExcludes(l, base, path); {
			case out:
				c.state, c.why = Excluded, fmt.Sprintf("excluded by the pattern %q in the setting %s", pattern, l.ExcludeSetting)
			case l.Within && !r.reallyWithin(base, path):
				c.state, c.why = OutOfScope, fmt.Sprintf("really lies outside %s, so %s leaves it out", r.display(base), r.profile.Title)
			case !mine && !fsys.Within(r.req.Root, path) && !r.req.Trusted:
				c.state, c.why = NeedsTrust, why+", outside the repository; trust the folder to allow it"
			}
			found = append(found, c)
		}
	}
	return found
}

// unlooked is a listed path as it is written, made absolute.
func (r *resolver) unlooked(base, item string) string {
	if path, ok := r.absolute(item); ok {
		return path
	}
	return filepath.Join(base, filepath.FromSlash(item))
}

// isSet tells whether a setting differs from the profile's default.
func (r *resolver) isSet(key string) bool {
	return fmt.Sprint(r.settings[key]) != fmt.Sprint(r.profile.Defaults[key])
}

// listedBelow lists what a path or pattern names below a base.
func (r *resolver) listedBelow(l *ListedStep, base, item string) []string {
	pattern := filepath.ToSlash(item)
	dialect := globs.Picomatch
	if path, ok := r.absolute(item); ok {
		rel, err := filepath.Rel(base, path)
		if err != nil {
			return nil
		}
		pattern = filepath.ToSlash(rel)
		if l.Shallow {
			dialect = globs.Minimatch
		}
	}
	if !l.Globs || !strings.ContainsAny(pattern, "*?[{") {
		return r.plain(l, filepath.Join(base, filepath.FromSlash(pattern)))
	}
	paths := r.glob(dialect, base, pattern)
	if r.req.RulesOf != "" {
		paths = slices.DeleteFunc(paths, func(path string) bool { return !fsys.Within(r.req.RulesOf, path) })
	}
	slices.SortStableFunc(paths, func(a, b string) int { return l.rank(a) - l.rank(b) })
	return paths
}

// rank is the place of a name among those that go first.
func (l *ListedStep) rank(path string) int {
	if i := slices.Index(l.First, filepath.Base(path)); i >= 0 {
		return i
	}
	return len(l.First)
}

// absolute is a listed path that does not depend on a base.
func (r *resolver) absolute(item string) (string, bool) {
	if rest, ok := strings.CutPrefix(item, "~/"); ok {
		return filepath.Join(r.req.Home, filepath.FromSlash(rest)), r.req.Home != ""
	}
	return filepath.Clean(item), filepath.IsAbs(item)
}

func (r *resolver) listedExcludes(l *ListedStep, base, path string) (pattern string, out bool) {
	patterns, _ := r.settings.strings(l.ExcludeSetting)
	rel, err := filepath.Rel(base, path)
	if err != nil || l.ExcludeSetting == "" {
		return "", false
	}
	for _, pattern := range patterns {
		// As fnmatch of Python has it, a star crosses slashes.
		set, _ := globs.Compile(globs.Picomatch, []string{strings.ReplaceAll(pattern, "*", "**")})
		for _, name := range []string{filepath.Base(path), filepath.ToSlash(rel)} {
			if ok, err := filepath.Match(pattern, name); err == nil && ok {
				return pattern, true
			}
			if _, ok := set.Match(name); ok {
				return pattern, true
			}
		}
	}
	return "", false
}

func (r *resolver) reallyWithin(base, path string) bool {
	files := r.files
	realBase, err := files.RealPath(base)
	if err != nil {
		return false
	}
	real, err := files.RealPath(path)
	return err == nil && fsys.Within(realBase, real)
}

// listedBases are the directories that a listed path is relative to.
func (r *resolver) listedBases(l *ListedStep, item string) []string {
	if path, ok := r.absolute(item); ok {
		if l.Shallow || !strings.ContainsAny(path, "*?[{") {
			return []string{filepath.Dir(path)}
		}
		return []string{filesystemRoot(path)}
	}
	if strings.HasPrefix(item, "~/") {
		return nil
	}
	switch {
	case l.Base == "cwd":
		return []string{r.req.Cwd}
	case l.Base == "up":
		dirs := chain(r.req.Root, r.req.Cwd)
		slices.Reverse(dirs)
		return dirs
	case isThePersons(l.Base):
		if place := r.place(l.Base, ""); place != "" {
			return []string{place}
		}
		return nil
	}
	return []string{r.req.Root}
}

func (r *resolver) plain(l *ListedStep, path string) []string {
	info, err := r.at(filepath.Dir(path)).Stat(path)
	if err != nil {
		return nil
	}
	if info.Kind != fsys.KindDir {
		return []string{path}
	}
	if !l.Folders || r.req.RulesOf != "" && !fsys.Within(r.req.RulesOf, path) {
		return nil
	}
	return r.filesBelow(path, true, nil, nil)
}

// maxGlobbed bounds what a pattern of a setting may look at.
const maxGlobbed = 5_000

// glob lists the files below a directory that match a pattern, by path.
func (r *resolver) glob(dialect globs.Dialect, base, pattern string) []string {
	set, problems := globs.Compile(dialect, []string{pattern})
	if len(problems) > 0 {
		r.warn("glob-syntax", base, fmt.Sprintf("the pattern %q: %s", pattern, problems[0].Message))
	}
	fixed := pattern[:strings.IndexAny(pattern, "*?[{")]
	start := filepath.Join(base, filepath.FromSlash(fixed[:strings.LastIndexByte(fixed, '/')+1]))
	deep := strings.Contains(pattern, "**") || strings.Contains(pattern[len(fixed):], "/")
	var paths []string
	for _, path := range r.filesBelow(start, deep, nil, []string{".git", "node_modules"}) {
		rel, err := filepath.Rel(base, path)
		if err != nil {
			continue
		}
		if _, ok := set.Match(filepath.ToSlash(rel)); ok {
			paths = append(paths, path)
		}
	}
	return paths
}

// filesBelow lists the files of a directory, sorted by path, links included.
func (r *resolver) filesBelow(dir string, recursive bool, suffixes, skip []string) []string {
	paths := r.gather(nil, dir, recursive, suffixes, skip)
	if len(paths) > maxGlobbed {
		r.warn("too-many-files", dir, fmt.Sprintf("%s holds more than %d files; the rest is left out", r.display(dir), maxGlobbed))
		paths = paths[:maxGlobbed]
	}
	slices.Sort(paths)
	return paths
}

// gather appends the files of a directory, and stops where there are more than
// are looked at.
func (r *resolver) gather(paths []string, dir string, recursive bool, suffixes, skip []string) []string {
	for _, e := range r.list(dir) {
		if len(paths) > maxGlobbed || r.ctx.Err() != nil {
			return paths
		}
		path := filepath.Join(dir, e.Name)
		switch {
		case e.Kind == fsys.KindDir || r.linkedFolder(dir, path, e):
			if recursive && !slices.Contains(skip, e.Name) {
				r.above[path] = r.above[dir]
				paths = r.gather(paths, path, true, suffixes, skip)
			}
		case hasSuffix(e.Name, suffixes):
			paths = append(paths, path)
		}
	}
	return paths
}

// linkedFolder tells whether an entry is a link to a folder, other than one that
// it lies in. What is really outside is refused when it is listed.
func (r *resolver) linkedFolder(dir, path string, e fsys.Entry) bool {
	if e.Kind != fsys.KindSymlink {
		return false
	}
	info, err := r.files.Stat(path)
	if err != nil || info.Kind != fsys.KindDir || strings.Count(path, string(filepath.Separator)) > maxLinkDepth {
		return false
	}
	real, err := r.files.RealPath(path)
	here, errHere := r.files.RealPath(dir)
	return err == nil && errHere == nil && !fsys.Within(real, here)
}

// maxLinkDepth ends circles of links that are not seen otherwise.
const maxLinkDepth = 40

func hasSuffix(name string, suffixes []string) bool {
	if len(suffixes) == 0 {
		return true
	}
	for _, suffix := range suffixes {
		if strings.HasSuffix(name, suffix) {
			return true
		}
	}
	return false
}
