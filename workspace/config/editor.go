package config

import (
	"maps"
	"slices"
	"strings"
)

// flatten returns the editor's settings with dotted keys, sorted. Settings come nested ({"tree": {"tokens": 5}}), with
// dotted keys ({"tree.tokens": 5}) or mixed; null means that nobody set it.
func flatten(editor map[string]any) []found {
	var values []found
	var walk func(path []string, at map[string]any)
	walk = func(path []string, at map[string]any) {
		for _, name := range slices.Sorted(maps.Keys(at)) {
			value := at[name]
			here := append(slices.Clone(path), name)
			if value == nil {
				continue
			}
			// A table is looked into where a setting can be in it; else it is a wrong value, and one problem.
			if table, ok := value.(map[string]any); ok && (isPrefix(join(here)) || len(table) == 0) {
				walk(here, table)
				continue
			}
			values = append(values, found{key: join(here), value: value})
		}
	}
	walk(nil, editor)
	slices.SortStableFunc(values, func(a, b found) int { return strings.Compare(a.key, b.key) })
	return values
}

// join makes a dotted key.
func join(path []string) string { return strings.Join(path, ".") }

// isPrefix says whether some setting's key goes on after this one.
func isPrefix(key string) bool { return len(below(key)) > 0 }

// below returns the keys that go on after key.
func below(key string) []string {
	var keys []string
	for _, s := range settings {
		if strings.HasPrefix(s.Key, key+".") {
			keys = append(keys, s.Key)
		}
	}
	return keys
}
