package commands

import (
	"path/filepath"

	"foreword/promptbuilder"
	"foreword/promptbuilder/epoch"
	"foreword/workspace"
	"foreword/workspace/config"
	"foreword/workspace/fsys"
	"foreword/workspace/instructions"
)

// lookAgain looks at the files that a prompt is made of and at the folders that
// they are in, and tells whether one changed. Editors tell late of what other
// programs write, some never, and a file is believed for fsys.FreshFor; what is
// sent must be what is there when the user sends it.
func (s *Service) lookAgain(snap *workspace.Snapshot, p *place, d *instructions.Discovery, standing *epoch.Standing) bool {
	seen := map[string]bool{}
	var paths []string
	add := func(path string) bool {
		if path == "" || seen[path] {
			return false
		}
		seen[path] = true
		paths = append(paths, path)
		return true
	}
	file := func(path string) {
		if add(path) {
			add(filepath.Dir(path))
		}
	}
	for dir := p.dir; dir != "" && fsys.Within(p.root, dir) && add(dir) && dir != p.root; {
		dir = filepath.Dir(dir)
	}
	file(config.UserFile(snap.Home(), snap.Env))
	if p.root != "" {
		file(filepath.Join(p.root, config.FileName))
	}
	for i := range d.Entries {
		file(d.Entries[i].Path)
	}
	if standing != nil && standing.Epoch != nil {
		if said, ok := standing.Epoch.Baseline.(*promptbuilder.Prompt); ok {
			for i := range said.Sections {
				for _, o := range said.Sections[i].Origins {
					file(o.Path)
				}
			}
		}
	}
	return snap.Cache().LookAgain(paths)
}
