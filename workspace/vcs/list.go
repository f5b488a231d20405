package vcs

import (
	"context"
	"path/filepath"
	"slices"
	"strings"
)

// ListFiles returns the files of the work tree below subdir that git tracks or would track: no ignored ones, none
// that are tracked but gone from the disk or outside of a sparse checkout, no submodules and no other
// repositories. Paths are relative to root, with slashes, sorted. Subdir is relative to root too; "" is all of it.
func ListFiles(ctx context.Context, root, subdir string) ([]string, error) {
	return Git{}.ListFiles(ctx, root, subdir)
}

// ListFiles is the function of that name as g says.
func (g Git) ListFiles(ctx context.Context, root, subdir string) ([]string, error) {
	// -t and -s put a letter and the mode before the path; -d prints the missing a second time, as R.
	args := []string{"ls-files", "-z", "-t", "-s", "-c", "-o", "-d", "--exclude-standard"}
	if subdir = filepath.ToSlash(filepath.Clean(subdir)); subdir != "." {
		args = append(args, "--", literal(subdir))
	}
	var files []string
	gone := map[string]bool{}
	out := &records{each: func(record []byte) {
		path, present := listed(string(record))
		if present {
			files = append(files, path)
		} else if path != "" {
			gone[path] = true
		}
	}}
	if err := g.run(ctx, root, nil, out, args...); err != nil {
		return nil, err
	}
	slices.Sort(files)
	files = slices.Compact(files) // a file in conflict is there once for each side
	return slices.DeleteFunc(files, func(path string) bool { return gone[path] }), nil
}

// listed reads one record of git ls-files -t -s: "? path" for an untracked path, "H mode hash stage<TAB>path" for
// the others. It returns "" for what is no file.
func listed(record string) (path string, present bool) {
	tag, rest, ok := strings.Cut(record, " ")
	if !ok {
		return "", false
	}
	if tag == "?" {
		if strings.HasSuffix(rest, "/") {
			return "", false // another repository
		}
		return rest, true
	}
	info, path, ok := strings.Cut(rest, "\t")
	if !ok || strings.HasPrefix(info, "160000 ") {
		return "", false // a submodule
	}
	// S: outside of the sparse checkout, R: gone; H and M are there.
	return path, tag == "H" || tag == "M"
}

// literal spells a path so that git takes no character of it for a wildcard or for pathspec magic.
func literal(path string) string { return ":(literal)" + path }
