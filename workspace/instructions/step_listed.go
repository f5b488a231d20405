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
	if l.Setting == "" || r.settings[l.Setting] == nil {
		why = fmt.Sprintf("one of the paths that %s reads by itself", r.profile.Title)
	}
	if s.Why != "" {
		why = s.Why
	}
	var found []candidate
	for _, base := range r.listedBases(l, item) {
		pattern := filepath.ToSlash(item)
		if rest, ok := strings.CutPrefix(pattern, "~/"); ok {
			pattern = rest
		}
		if filepath.IsAbs(item) {
			pattern = filepath.ToSlash(strings.TrimPrefix(filepath.Clean(item), base))
			pattern = strings.TrimPrefix(pattern, "/")
		}
		var paths []string
		switch {
		case l.Globs && strings.ContainsAny(pattern, "*?[{"):
			paths = r.glob(base, pattern)
		default:
			paths = r.plain(l, filepath.Join(base, filepath.FromSlash(pattern)))
		}
		for _, path := range paths {
			c := candidate{path: path, scope: r.req.Root, kind: kindOrOther(path), mode: "always", why: why}
			if !r.personal && !fsys.Within(r.req.Root, path) && !r.req.Trusted {
				c.state, c.why = NeedsTrust, why+", outside the repository; trust the folder to allow it"
			}
			found = append(found, c)
		}
	}
	return found
}

// listedBases are the directories that a listed path is relative to.
func (r *resolver) listedBases(l *ListedStep, item string) []string {
	switch {
	case strings.HasPrefix(item, "~/"):
		if r.req.Home == "" {
			return nil
		}
		return []string{r.req.Home}
	case filepath.IsAbs(item):
		return []string{filepath.Dir(filepath.Clean(item))}
	}
	switch l.Base {
	case "cwd":
		return []string{r.req.Cwd}
	case "up":
		dirs := chain(r.req.Root, r.req.Cwd)
		slices.Reverse(dirs)
		return dirs
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
	if !l.Folders {
		return nil
	}
	var paths []string
	for _, f := range r.filesBelow(path, true, nil, nil) {
		paths = append(paths, f)
	}
	return paths
}

// maxGlobbed bounds what a pattern of a setting may look at.
const maxGlobbed = 5_000

// glob lists the files below a directory that match a pattern, by path.
func (r *resolver) glob(base, pattern string) []string {
	set, problems := globs.Compile(globs.Picomatch, []string{pattern})
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
	var paths []string
	for _, e := range r.list(dir) {
		path := filepath.Join(dir, e.Name)
		switch {
		case len(paths) >= maxGlobbed:
			r.warn("too-many-files", dir, fmt.Sprintf("%s holds more than %d files; the rest is left out", r.display(dir), maxGlobbed))
			return paths
		case e.Kind == fsys.KindDir:
			if recursive && !slices.Contains(skip, e.Name) {
				paths = append(paths, r.filesBelow(path, true, suffixes, skip)...)
			}
		case hasSuffix(e.Name, suffixes):
			paths = append(paths, path)
		}
	}
	slices.Sort(paths)
	return paths
}

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
