package vcs

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// maxFilters is how many filters are switched off by name before the repository counts as hostile; the
// largest honest number is about three.
const maxFilters = 200

// errFilters says that the repository's filters cannot be switched off, so git must not look at its files.
var errFilters = errors.New("cannot switch off the repository's filters")

// withoutFilters returns the arguments that switch off every clean filter that any configuration which git reads
// in root defines, the user's own included: it is the repository that says which files they run on.
func (g Git) withoutFilters(ctx context.Context, root string) ([]string, error) {
	var names []string
	var odd error
	out := &records{each: func(record []byte) {
		key := string(bytes.TrimSpace(record))
		first, last := strings.IndexByte(key, '.'), strings.LastIndexByte(key, '.')
		if first < 0 || last <= first {
			return // "filter.x" without a name configures nothing
		}
		name := key[first+1 : last]
		if strings.ContainsAny(name, "=\n") {
			// git -c ends the key at the first "=", so that this filter would stay switched on.
			odd = fmt.Errorf("%w: unusual name %q", errFilters, name)
		}
		names = append(names, name)
	}}
	err := g.run(ctx, root, nil, out, "config", "--null", "--name-only", "--get-regexp", `^filter\.`)
	if err != nil && exitCode(err) != 1 { // 1: no such key
		return nil, err
	}
	slices.Sort(names)
	names = slices.Compact(names)
	if odd == nil && len(names) > maxFilters {
		odd = fmt.Errorf("%w: there are %d", errFilters, len(names))
	}
	if odd != nil {
		return nil, odd
	}
	var args []string
	for _, name := range names {
		// An empty process also stops git from using clean; required would make the missing filter an error.
		args = append(args, "-c", "filter."+name+".clean=", "-c", "filter."+name+".process=",
			"-c", "filter."+name+".required=false")
	}
	return args, nil
}
