package commands

import (
	"context"
	"path/filepath"
	"slices"

	"foreword/promptbuilder/tools"
	"foreword/workspace"
	"foreword/workspace/fsys"
	"foreword/workspace/vcs"
)

// toolPlaces are the folders that tools look into, each with its own settings, git and trust.
type toolPlaces struct {
	service *Service
	snap    *workspace.Snapshot
	// target is where the conversation is.
	target *place
	roots  []string
	known  map[string]*place
}

// add takes a folder in.
func (at *toolPlaces) add(root string) {
	if root != "" && !slices.Contains(at.roots, root) {
		at.roots = append(at.roots, root)
	}
}

// place is what the tools are given.
func (at *toolPlaces) place() *tools.Place {
	return &tools.Place{
		Root: at.target.base, Roots: at.roots, Folders: at.folders(), Files: fsys.Confine(at.snap.FS(), at.roots...),
		LeftOut: at.leftOut, List: at.list, Problems: at.problems(), Changed: at.changed, Diff: at.diff,
		Untracked: at.untracked, Unsaved: at.unsaved(),
	}
}

// folders are those of the workspace beside the target's, none in another.
func (at *toolPlaces) folders() []string {
	var apart []string
	for _, f := range at.snap.Folders() {
		inside := func(outer string) bool { return outer != f.Path && fsys.Within(outer, f.Path) }
		if fsys.Within(at.target.base, f.Path) || slices.ContainsFunc(at.snap.Folders(), func(other workspace.Folder) bool { return inside(other.Path) }) {
			continue
		}
		apart = append(apart, f.Path)
	}
	return apart
}

// of is the place of a folder or file, whose settings and git hold there.
func (at *toolPlaces) of(path string) *place {
	dir := path
	for _, root := range at.roots { // the innermost of the folders that hold it
		if fsys.Within(root, path) && (dir == path || len(root) > len(dir)) {
			dir = root
		}
	}
	if p, ok := at.known[dir]; ok {
		return p
	}
	p, err := at.service.locate(at.snap, fileURI(dir), "")
	if err != nil {
		p = at.target // it is in the workspace, so this does not happen
	}
	if at.known == nil {
		at.known = map[string]*place{}
	}
	at.known[dir] = p
	return p
}

func (at *toolPlaces) leftOut(ctx context.Context, paths []string) map[string]string {
	out := map[string]string{}
	byPlace := map[*place][]string{}
	var order []*place
	for _, path := range paths {
		p := at.of(path)
		if byPlace[p] == nil {
			order = append(order, p)
		}
		byPlace[p] = append(byPlace[p], path)
	}
	for _, p := range order {
		for path, why := range at.service.leftOut(ctx, at.snap, p, byPlace[p]) {
			out[path] = why
		}
	}
	return out
}

// list asks git, looks itself where it cannot, and adds what only the editor knows.
func (at *toolPlaces) list(ctx context.Context, dir string) (paths []string, truncated bool, err error) {
	p := at.of(dir)
	listed := false
	if p.repository && fsys.Within(p.root, dir) {
		sub, _ := relative(p.root, dir)
		var names []string
		names, err = vcs.Git{Home: at.service.repos.home, Env: at.service.repos.env}.ListFiles(ctx, p.root, sub)
		if ctx.Err() != nil {
			return nil, false, ctx.Err()
		}
		if listed = err == nil; listed {
			paths = inRoot(p.root, names)
		}
	}
	if !listed {
		names, cut, err := at.service.walk(ctx, at.snap, fsys.Confine(at.snap.FS(), at.roots...), dir)
		if err != nil {
			return nil, false, err
		}
		paths, truncated = inRoot(dir, names), cut
	}
	for _, d := range at.snap.Documents() {
		if d.Path != "" && d.Path != dir && fsys.Within(dir, d.Path) {
			paths = append(paths, d.Path)
		}
	}
	slices.Sort(paths)
	return slices.Compact(paths), truncated, nil
}

func (at *toolPlaces) problems() []tools.Problems {
	severities := [...]string{"error", "warning", "info", "hint"}
	var all []tools.Problems
	for _, d := range at.snap.Diagnostics() {
		if d.Path == "" {
			continue
		}
		of := tools.Problems{Path: d.Path, Total: d.Total}
		for _, p := range d.List {
			of.List = append(of.List, tools.Problem{
				Line: p.Range.Start.Line + 1, Column: p.Range.Start.Character + 1, Severity: severities[max(1, min(int(p.Severity), 4))-1],
				Message: p.Message, Source: p.Source, Code: p.Code,
			})
		}
		all = append(all, of)
	}
	return all
}

// git is the git of a place, and an error for the model where there is no repository.
func (at *toolPlaces) git(path string) (vcs.Git, *place, error) {
	p := at.of(path)
	if !p.repository {
		return vcs.Git{}, nil, &tools.Refusal{Reason: p.display(at.snap, path) + " is in no git repository, so nothing is known of changes"}
	}
	if !p.trusted && !vcs.Owns(p.root) {
		return vcs.Git{}, nil, &tools.Refusal{Reason: "the git folder of " + p.display(at.snap, p.root) + " belongs to another folder; nothing is told of it until the user trusts this one (foreword trust)"}
	}
	return vcs.Git{Home: at.service.repos.home, Env: at.service.repos.env, Trusted: p.trusted}, p, nil
}

func (at *toolPlaces) changed(ctx context.Context, below string, staged bool) ([]string, error) {
	git, p, err := at.git(below)
	if err != nil {
		return nil, err
	}
	sub, _ := relative(p.root, below)
	names, err := git.Changed(ctx, p.root, sub, staged)
	return inRoot(p.root, names), err
}

func (at *toolPlaces) untracked(ctx context.Context, below string) ([]string, error) {
	git, p, err := at.git(below)
	if err != nil {
		return nil, err
	}
	sub, _ := relative(p.root, below)
	names, err := git.Untracked(ctx, p.root, sub)
	return inRoot(p.root, names), err
}

// unsaved are the files with text that is only in the editor.
func (at *toolPlaces) unsaved() []string {
	var paths []string
	for _, d := range at.snap.Documents() {
		if d.Path != "" && d.Dirty {
			paths = append(paths, d.Path)
		}
	}
	slices.Sort(paths)
	return paths
}

// inRoot makes paths of git absolute.
func inRoot(root string, names []string) []string {
	paths := make([]string, len(names))
	for i, name := range names {
		paths[i] = filepath.Join(root, filepath.FromSlash(name))
	}
	return paths
}

func (at *toolPlaces) diff(ctx context.Context, paths []string, staged bool, most int) (string, bool, error) {
	git, p, err := at.git(paths[0])
	if err != nil {
		return "", false, err
	}
	names := make([]string, len(paths))
	for i, path := range paths {
		names[i], _ = relative(p.root, path)
	}
	return git.Diff(ctx, p.root, names, staged, most)
}
