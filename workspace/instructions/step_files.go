package instructions

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"
)

// runFiles finds files at fixed places.
func (r *resolver) runFiles(s *Step) []candidate {
	var found []candidate
	chosen := ""
	for _, spec := range s.Files.Paths {
		path := r.place(spec, s.Files.Base)
		if path == "" {
			continue
		}
		if _, err := r.at(filepath.Dir(path)).Lstat(path); errors.Is(err, fs.ErrNotExist) {
			continue
		}
		c := candidate{path: path, kind: kindOrOther(path), mode: "always", why: s.Why}
		if c.why == "" {
			c.why = fmt.Sprintf("%s looks for it at this very place", r.profile.Title)
		}
		if !s.Personal {
			c.scope = filepath.Dir(path)
		}
		switch s.Files.Choice {
		case "first":
			if chosen != "" {
				c.state, c.why = Shadowed, r.loses(chosen)
			} else {
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

func (r *resolver) loses(to string) string {
	return fmt.Sprintf("%s takes %s and looks no further", r.profile.Title, r.display(to))
}

func (r *resolver) blank(path string) bool {
	file, err := r.at(filepath.Dir(path)).ReadFile(path)
	return err != nil || strings.TrimSpace(file.Text) == ""
}

// place turns a path of a profile into an absolute one: ~/x below the home
// folder, ${NAME:-default} from the environment, setting:key from the settings,
// anything else below the base. Empty where it names nothing.
func (r *resolver) place(spec, base string) string {
	if key, ok := strings.CutPrefix(spec, "setting:"); ok {
		names, _ := r.settings.strings(key)
		if len(names) == 0 || names[0] == "" {
			return ""
		}
		spec = names[0]
	}
	if rest, ok := strings.CutPrefix(spec, "${"); ok {
		expression, after, closed := strings.Cut(rest, "}")
		if !closed {
			return ""
		}
		name, fallback, _ := strings.Cut(expression, ":-")
		value := r.req.Env(name)
		if value == "" {
			value = fallback
		}
		if value == "" {
			return ""
		}
		spec = value + after
	}
	if rest, ok := strings.CutPrefix(spec, "~/"); ok {
		if r.req.Home == "" {
			return ""
		}
		return filepath.Join(r.req.Home, filepath.FromSlash(rest))
	}
	if filepath.IsAbs(spec) {
		return filepath.Clean(spec)
	}
	if base == "cwd" {
		return filepath.Join(r.req.Cwd, filepath.FromSlash(spec))
	}
	return filepath.Join(r.req.Root, filepath.FromSlash(spec))
}
