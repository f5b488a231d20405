package config

import (
	"encoding/json"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"
)

// check returns the value as the setting's Go type: string, int, bool or []string. The error goes on after the key.
func check(setting Setting, value any, home string) (any, error) {
	switch setting.Type {
	case String:
		text, ok := value.(string)
		if !ok {
			return nil, wrongType(setting, value)
		}
		if setting.Key == "instructions.userFile" || setting.Key == "agent.folder" {
			return userPath(text, home)
		}
		if setting.Key == "instructions.order" && text != outermostFirst && text != nearestFirst {
			return nil, fmt.Errorf("must be %s or %s, not %q", outermostFirst, nearestFirst, text)
		}
		return text, nil
	case Integer:
		n, ok := integer(value)
		if !ok {
			return nil, wrongType(setting, value)
		}
		if n < 0 || n > maxInteger {
			return nil, fmt.Errorf("must be between 0 and %d", maxInteger)
		}
		return int(n), nil
	case Boolean:
		b, ok := value.(bool)
		if !ok {
			return nil, wrongType(setting, value)
		}
		return b, nil
	case Strings:
		list, ok := texts(value)
		if !ok {
			return nil, wrongType(setting, value)
		}
		if setting.Key == contextCommandKey {
			return commandWords(list)
		}
		return list, nil
	}
	return nil, fmt.Errorf("has the unknown type %s in foreword's own table", setting.Type)
}

// sound parts the items of a list that may stand from those that may not: a bad item costs itself alone. The other
// settings, and a command, of which no word can be missed, are left as they are. Each error goes on after the key.
func sound(setting Setting, value any) (any, []error) {
	if setting.Type != Strings || setting.Key == contextCommandKey {
		return value, nil
	}
	var items []any
	switch list := value.(type) {
	case []any:
		items = list
	case []string:
		for _, item := range list {
			items = append(items, item)
		}
	default:
		return value, nil
	}
	var faults []error
	good := make([]any, 0, len(items))
	for i, item := range items {
		err := itemFault(setting, i, item)
		if err == nil {
			good = append(good, item)
			continue
		}
		faults = append(faults, fmt.Errorf("%w; item %d alone is left out", err, i+1))
	}
	return good, faults
}

// itemFault says why an item of a list may not stand.
func itemFault(setting Setting, i int, item any) error {
	text, ok := item.(string)
	if !ok {
		return fmt.Errorf("must be a %s, but its item %d is %s", setting.Type, i+1, typeName(item))
	}
	switch setting.Key {
	case "instructions.names":
		return fileName(text)
	case filesKey:
		return namedFile(text)
	case contextFilesKey:
		return contextFile(text)
	}
	return nil
}

func wrongType(setting Setting, value any) error {
	if list, ok := value.([]any); ok && setting.Type == Strings {
		i := slices.IndexFunc(list, func(item any) bool { _, ok := item.(string); return !ok })
		return fmt.Errorf("must be a %s, but its item %d is %s", setting.Type, i+1, typeName(list[i]))
	}
	article := "a"
	if setting.Type == Integer {
		article = "an"
	}
	return fmt.Errorf("must be %s %s, not %s", article, setting.Type, typeName(value))
}

// typeName names the type of a TOML or JSON value for people.
func typeName(value any) string {
	if _, ok := integer(value); ok {
		return "an integer"
	}
	switch value.(type) {
	case string:
		return "a string"
	case bool:
		return "a boolean"
	case float64, float32, json.Number:
		return "a number with a fraction"
	case []any, []string:
		return "a list"
	case map[string]any:
		return "a table"
	case nil:
		return "null"
	}
	return "a date or time"
}

// integer reads a whole number of whatever type TOML, JSON or an editor's client made of it.
func integer(value any) (int64, bool) {
	switch n := value.(type) {
	case int64:
		return n, true
	case int:
		return int64(n), true
	case float64:
		// Beyond 2^53 a float64 no longer tells whole numbers apart.
		if n != math.Trunc(n) || math.Abs(n) > 1<<53 {
			return 0, false
		}
		return int64(n), true
	case json.Number:
		whole, err := n.Int64()
		return whole, err == nil
	}
	return 0, false
}

// texts reads a list of strings.
func texts(value any) ([]string, bool) {
	switch list := value.(type) {
	case []string:
		return slices.Clone(list), true
	case []any:
		out := make([]string, 0, len(list))
		for _, item := range list {
			text, ok := item.(string)
			if !ok {
				return nil, false
			}
			out = append(out, text)
		}
		return out, true
	}
	return nil, false
}

// fileName refuses a name that leads anywhere: it is looked for in each folder above a file, and must stay in it.
func fileName(name string) error {
	if name == "" || name == "." || name == ".." || strings.ContainsAny(name, "/\\\x00") {
		return fmt.Errorf("must hold file names without folders, not %q", name)
	}
	return nil
}

// userPath makes a path absolute that is so or begins with ~/.
func userPath(text, home string) (string, error) {
	switch rest, ok := strings.CutPrefix(filepath.ToSlash(text), "~/"); {
	case text == "":
		return "", nil
	case ok && home != "":
		return filepath.Join(home, filepath.FromSlash(rest)), nil
	case filepath.IsAbs(text):
		return filepath.Clean(text), nil
	}
	return "", fmt.Errorf("must be absolute or begin with ~/, not %q", text)
}
