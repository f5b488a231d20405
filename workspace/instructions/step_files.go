package instructions

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"foreword/workspace/fsys"
)

// runFiles finds files at fixed places.
func (r *resolver) runFiles(s *Step) []candidate {
	var found []candidate
	chosen := ""
	for _, at := range r.paths(s.Files) {
		spec, path := at.spec, at.path
		info, err := r.at(filepath.Dir(path)).Lstat(path)
		if errors.Is(err, fs.ErrNotExist) || (err == nil && info.Kind == fsys.KindDir && mayBeFolder(path)) {
			continue
		}
		c := candidate{path: path, kind: kindOrOther(path), mode: "always", why: s.Why}
		if c.why == "" {
			c.why = fmt.Sprintf("%s looks for it at this very place", r.profile.Title)
		}
		if !s.Personal {
			c.scope = filepath.Dir(path)
		}
		if s.Files.DropSetting != "" && slices.Contains(s.Files.Drop, spec) && r.settings.isTrue(s.Files.DropSetting) {
			c.state, c.why = NeedsSetting, fmt.Sprintf("%s leaves it out while %s is on", r.profile.Title, s.Files.DropSetting)
			found = append(found, c)
			continue
		}
		switch s.Files.Choice {
		case "first":
			if chosen != "" {
				c.state, c.why = Shadowed, r.loses(chosen)
			} else if _, err := r.at(filepath.Dir(path)).Stat(path); err == nil {
				chosen = path
			}
		case "first-non-blank":
			if chosen != "" {
				c.state, c.why = Shadowed, r.loses(chosen)
			} else if !r.blank(path) {
				chosen = path
			}
		}
		found = append(found, c)
	}
	return found
}

// filePlace is where a file may lie, and the path of the profile that says so.
type filePlace struct{ spec, path string }

// paths lists the places of a step, with its names put in.
func (r *resolver) paths(f *FilesStep) []filePlace {
	names := f.Names
	if given, ok := r.settings.strings(f.NamesSetting); ok && f.NamesSetting != "" && len(given) > 0 {
		names = given
	}
	var all []filePlace
	for _, spec := range f.Paths {
		put := names
		if !strings.Contains(spec, "{name}") {
			put = []string{""}
		}
		for _, name := range put {
			for _, path := range r.places(strings.ReplaceAll(spec, "{name}", name), f.Base) {
				all = append(all, filePlace{spec, path})
			}
		}
	}
	return all
}

func (r *resolver) loses(to string) string {
	return fmt.Sprintf("%s takes %s and looks no further", r.profile.Title, r.display(to))
}

func (r *resolver) blank(path string) bool {
	file, err := r.at(filepath.Dir(path)).ReadFile(path)
	return err != nil || strings.TrimSpace(file.Text) == ""
}
