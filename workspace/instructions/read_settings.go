package instructions

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"
	"github.com/tailscale/hujson"
	"go.yaml.in/yaml/v3"
)

// userValue is one value of a setting.
type userValue struct{ key, value string }

// readSettings merges what the tool's own files say, the later file over the
// earlier, what the environment says over them, and what was given in the
// request over all. A file that cannot be read costs itself only.
func (r *resolver) readSettings() {
	defaults, given := Flatten(r.profile.Defaults), Flatten(r.req.Settings)
	environment := r.environment()
	r.settings = given.over(environment.over(defaults)) // what places of files depend on
	files, mine := Settings{}, Settings{}
	for _, file := range r.profile.Settings {
		if file.Unless != "" && r.settings.isTrue(file.Unless) {
			continue
		}
		r.personal = file.Variable != "" || isThePersons(file.Path)
		for _, found := range r.settingsOf(file) {
			r.merge(files, found)
			if r.personal {
				r.merge(mine, found)
			}
		}
	}
	r.personal = false
	r.settings = given.over(environment.over(files.over(defaults)))
	r.usersSettings = given.over(environment.over(mine.over(defaults)))
	for _, s := range r.profile.Steps {
		switch {
		case s.Walk != nil:
			r.fromEnvironment(given, s.Walk.NamesSetting)
			r.fromEnvironment(given, s.Walk.BelowSetting)
		case s.Files != nil:
			r.fromEnvironment(given, s.Files.NamesSetting)
		}
	}
}

// environment gives the settings that stand in variables of the environment. Of
// several variables for one setting, one that is true is enough.
func (r *resolver) environment() Settings {
	out := Settings{}
	for _, name := range slices.Sorted(maps.Keys(r.profile.Env)) {
		key := r.profile.Env[name]
		if value := r.req.Env(name); value != "" && !out.isTrue(key) {
			out[key] = value
		}
	}
	return out
}

// settingsOf reads a file of settings at each of its places.
func (r *resolver) settingsOf(file SettingsFile) []Settings {
	var out []Settings
	keep := func(nested map[string]any) {
		found := Flatten(nested)
		for key := range found {
			if len(file.Keys) > 0 && !slices.Contains(file.Keys, key) {
				delete(found, key)
			}
		}
		out = append(out, found)
	}
	if file.Variable != "" {
		if text := r.req.Env(file.Variable); text != "" {
			nested, err := parseSettings(text, file.Format)
			if err != nil {
				r.warn("tool-settings", file.Variable, fmt.Sprintf("the settings in the variable %s are left out: %v", file.Variable, err))
				return nil
			}
			keep(nested)
		}
		return out
	}
	var paths []string
	if file.At == "chain" {
		for _, dir := range chain(r.req.Root, r.req.Cwd) {
			paths = append(paths, filepath.Join(dir, filepath.FromSlash(file.Path)))
		}
	} else if path := r.place(file.Path, ""); path != "" {
		paths = []string{path}
	}
	for _, path := range paths {
		nested, err := r.settingsFile(path, file.Format)
		switch {
		case err == nil:
			keep(nested)
		case !errors.Is(err, fs.ErrNotExist):
			r.warn("tool-settings", path, fmt.Sprintf("the settings in %s are left out: %v", r.display(path), err))
		}
	}
	return out
}

// merge puts one file's settings over those before. Lists that add up keep
// what they had, each value once.
func (r *resolver) merge(into, found Settings) {
	for key, value := range found {
		if slices.Contains(r.profile.Concat, key) {
			have, _ := into.strings(key)
			more, _ := found.strings(key)
			all := slices.Clone(have)
			for _, one := range more {
				if !slices.Contains(all, one) {
					all = append(all, one)
				}
			}
			value = all
		}
		into[key] = value
	}
	if r.personal {
		r.asUsers(found)
	}
}

// asUsers notes the values that the user chose himself.
func (r *resolver) asUsers(found Settings) {
	for key := range found {
		list, _ := found.strings(key)
		for _, one := range list {
			r.users[userValue{key, one}] = true
		}
	}
}

func (r *resolver) settingsFile(path, format string) (map[string]any, error) {
	file, err := r.at(filepath.Dir(path)).ReadFile(path)
	if err != nil {
		return nil, err
	}
	return parseSettings(file.Text, format)
}

func parseSettings(text, format string) (nested map[string]any, err error) {
	nested = map[string]any{}
	switch format {
	case "toml":
		err = toml.Unmarshal([]byte(text), &nested)
	case "yaml":
		err = yaml.Unmarshal([]byte(text), &nested)
	default:
		var plain []byte
		if plain, err = hujson.Standardize([]byte(text)); err == nil {
			err = json.Unmarshal(plain, &nested)
		}
	}
	if err != nil {
		return nil, fmt.Errorf("not valid %s: %w", format, err)
	}
	return nested, nil
}

// fromEnvironment takes a setting from the environment where its name is
// written as variables are: in capitals. A list may be JSON.
func (r *resolver) fromEnvironment(given Settings, key string) {
	if key == "" || key != strings.ToUpper(key) || given[key] != nil {
		return
	}
	value := r.req.Env(key)
	if value == "" {
		return
	}
	var list []any
	if json.Unmarshal([]byte(value), &list) == nil {
		r.settings[key], r.usersSettings[key] = list, list
		return
	}
	r.settings[key], r.usersSettings[key] = value, value
}
