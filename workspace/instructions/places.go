package instructions

import (
	"path/filepath"
	"strings"
)

// place turns a path of a profile into an absolute one: ~/x below the home
// folder, ${NAME:-default} from the environment, setting:key and {setting:key}
// from the settings, anything else below the base. Empty where it names nothing.
func (r *resolver) place(spec, base string) string {
	if key, ok := strings.CutPrefix(spec, "setting:"); ok {
		names, _ := r.settings.strings(key)
		if len(names) == 0 || names[0] == "" {
			return ""
		}
		spec = names[0]
	}
	spec, ok := r.expand(spec)
	if !ok {
		return ""
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

// places is place for a path in which ${NAME[]} stands for each of the values,
// with commas between them, of a variable.
func (r *resolver) places(spec, base string) []string {
	var out []string
	add := func(spec string) {
		if path := r.place(spec, base); path != "" {
			out = append(out, path)
		}
	}
	name, after, list := strings.Cut(strings.TrimPrefix(spec, "${"), "[]}")
	if !list || !strings.HasPrefix(spec, "${") {
		add(spec)
		return out
	}
	for value := range strings.SplitSeq(r.req.Env(name), ",") {
		if value = strings.TrimSpace(value); value != "" {
			add(value + after)
		}
	}
	return out
}

// expand puts in variables of the environment and settings. A default may hold
// variables itself. It is not ok where one that has no default is not set.
func (r *resolver) expand(spec string) (string, bool) {
	for {
		begin := strings.LastIndex(spec, "${") // the innermost comes last
		if begin < 0 {
			break
		}
		expression, after, closed := strings.Cut(spec[begin+2:], "}")
		if !closed {
			return "", false
		}
		name, fallback, _ := strings.Cut(expression, ":-")
		value := r.req.Env(name)
		if value == "" {
			value = fallback
		}
		if value == "" {
			return "", false
		}
		spec = spec[:begin] + value + after
	}
	for {
		before, rest, found := strings.Cut(spec, "{setting:")
		if !found {
			return spec, true
		}
		key, after, closed := strings.Cut(rest, "}")
		values, _ := r.settings.strings(key)
		if !closed || len(values) == 0 || values[0] == "" {
			return "", false
		}
		spec = before + values[0] + after
	}
}

// isThePersons tells whether a path of a profile is a place of the user's own,
// and not one in the project.
func isThePersons(spec string) bool {
	return strings.HasPrefix(spec, "~") || strings.HasPrefix(spec, "$") || filepath.IsAbs(spec)
}
