package instructions

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"
	"github.com/tailscale/hujson"
	"go.yaml.in/yaml/v3"
)

// readSettings merges what the tool's own files say, the later file over the
// earlier, and what was given in the request over all of them. A file that
// cannot be read costs itself only.
func (r *resolver) readSettings() {
	r.settings = Flatten(r.profile.Defaults)
	for _, file := range r.profile.Settings {
		path := r.place(file.Path, "")
		if path == "" {
			continue
		}
		r.personal = strings.HasPrefix(file.Path, "~") || strings.HasPrefix(file.Path, "$") || filepath.IsAbs(file.Path)
		nested, err := r.settingsFile(path, file.Format)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			r.warn("tool-settings", path, fmt.Sprintf("the settings in %s are left out: %v", r.display(path), err))
			continue
		}
		found := Flatten(nested)
		if len(file.Keys) > 0 {
			for key := range found {
				if !slices.Contains(file.Keys, key) {
					delete(found, key)
				}
			}
		}
		r.settings = found.over(r.settings)
	}
	r.personal = false
	r.settings = Flatten(r.req.Settings).over(r.settings)
	for _, s := range r.profile.Steps {
		if s.Walk != nil {
			r.fromEnvironment(s.Walk.NamesSetting)
			r.fromEnvironment(s.Walk.BelowSetting)
		}
	}
}

func (r *resolver) settingsFile(path, format string) (map[string]any, error) {
	file, err := r.at(filepath.Dir(path)).ReadFile(path)
	if err != nil {
		return nil, err
	}
	nested := map[string]any{}
	switch format {
	case "toml":
		err = toml.Unmarshal([]byte(file.Text), &nested)
	case "yaml":
		err = yaml.Unmarshal([]byte(file.Text), &nested)
	default:
		var plain []byte
		if plain, err = hujson.Standardize([]byte(file.Text)); err == nil {
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
func (r *resolver) fromEnvironment(key string) {
	if key == "" || key != strings.ToUpper(key) || r.settings[key] != nil {
		return
	}
	value := r.req.Env(key)
	if value == "" {
		return
	}
	var list []any
	if json.Unmarshal([]byte(value), &list) == nil {
		r.settings[key] = list
		return
	}
	r.settings[key] = value
}
