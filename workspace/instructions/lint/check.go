package lint

import (
	"context"
	"path/filepath"
	"slices"
	"sync/atomic"

	"foreword/workspace/fsys"
	"foreword/workspace/instructions"
)

// Workspace is what is checked.
type Workspace struct {
	// Root is the folder, absolute and clean.
	Root string
	// FS has the open buffers before the disk.
	FS fsys.FS
	// Found is what [Find] gave for Root.
	Found *Found
	// Tools are the names of the profiles that count; those that the workspace
	// shows signs of using where it is empty.
	Tools []string
	// Progress is told how many of the questions to tools about directories are
	// answered, from several goroutines at once. Nil for nobody.
	Progress func(done, total int)
	// Only limits the diagnostics to some files; nil for all.
	Only func(path string) bool
	// Request says how a profile is asked about a directory: the root that it
	// belongs to, the user's home, versions and settings. Target, Dir and Cwd
	// are filled in.
	Request func(p *instructions.Profile, dir string) instructions.Request
}

// Check finds what is wrong with the instruction files of a workspace. The
// answer is sorted by path and place. The error is that of the context.
func Check(ctx context.Context, w Workspace) ([]Diagnostic, error) {
	in, err := Gather(ctx, w)
	if err != nil {
		return nil, err
	}
	var found []Diagnostic
	for _, r := range rules() {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		found = append(found, r.run(in)...)
	}
	found = slices.DeleteFunc(found, func(d Diagnostic) bool {
		return !fsys.Within(w.Root, d.Path) || w.Only != nil && !w.Only(d.Path)
	})
	return arrange(found), nil
}

// Gather asks each tool in question what it loads in each directory that
// instruction files speak for. The error is that of the context.
func Gather(ctx context.Context, w Workspace) (*Input, error) {
	in := &Input{Root: w.Root, FS: w.FS, Files: w.Found.Files, Paths: w.Found.Paths, Truncated: w.Found.Truncated}
	names := w.Tools
	if len(names) == 0 {
		names = Signs(w.FS, w.Root, w.Found.Files)
	}
	for _, name := range names {
		p, ok, err := instructions.LookupProfile(name)
		if err != nil || !ok {
			continue // who asks has looked the names up
		}
		in.Tools = append(in.Tools, &Tool{Profile: p, Evidence: evidenceOf(p)})
	}
	return in, in.resolve(ctx, w)
}

// resolve asks each tool about each directory that instruction files speak
// for, and about the root.
func (in *Input) resolve(ctx context.Context, w Workspace) error {
	dirs := []string{in.Root}
	for _, f := range in.Files {
		dirs = append(dirs, f.Dir)
	}
	slices.Sort(dirs)
	dirs = slices.Compact(dirs)
	places := make([]*Place, len(in.Tools)*len(dirs))
	failed := make([]error, len(places))
	var answered atomic.Int64
	err := inParallel(ctx, len(places), func(i int) {
		tool, dir := in.Tools[i/len(dirs)], dirs[i%len(dirs)]
		places[i], failed[i] = ask(ctx, w, tool.Profile, dir)
		if n := answered.Add(1); w.Progress != nil {
			w.Progress(int(n), len(places))
		}
	})
	if err != nil {
		return err
	}
	for i, p := range places {
		if failed[i] != nil {
			return failed[i]
		}
		tool := in.Tools[i/len(dirs)]
		if tool.Places == nil {
			tool.Places = make(map[string]*Place, len(dirs))
		}
		tool.Places[dirs[i%len(dirs)]] = p
	}
	return nil
}

func ask(ctx context.Context, w Workspace, p *instructions.Profile, dir string) (*Place, error) {
	req := w.Request(p, dir)
	req.Dir, req.Target, req.Cwd, req.AnyTarget = dir, filepath.Join(dir, "file"), dir, true
	req.RulesOf = dir
	if req.Root == "" {
		req.Root = w.Root
	}
	place := &Place{Root: req.Root}
	var err error
	if place.Here, err = instructions.Resolve(ctx, w.FS, p, req); err != nil {
		return nil, err
	}
	place.here = index(place.Here)
	place.FromRoot, place.fromRoot = place.Here, place.here
	if dir == req.Root {
		return place, nil
	}
	req.Cwd = req.Root
	if place.FromRoot, err = instructions.Resolve(ctx, w.FS, p, req); err != nil {
		return nil, err
	}
	place.fromRoot = index(place.FromRoot)
	return place, nil
}
