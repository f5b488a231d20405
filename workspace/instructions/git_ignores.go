package instructions

import (
	"foreword/workspace/fsys"
	"foreword/workspace/ignore"
)

// gitIgnores tells whether git ignores a file, for a step that leaves out what
// it does, and by which pattern.
func (r *resolver) gitIgnores(s *Step, path string) (why string, ignored bool) {
	if !s.DropIgnored || r.req.Root == "" || !fsys.Within(r.req.Root, path) {
		return "", false
	}
	if r.ignored == nil {
		r.ignored = ignore.NewChecker(r.files, r.req.Root)
	}
	return r.ignored.Ignored(path, false)
}
