package instructions

import (
	"fmt"
	"strings"
)

// Settings are a tool's settings by dotted key. Objects that a tool writes
// nested are flattened, so both spellings are found.
type Settings map[string]any

// Flatten turns nested objects into dotted keys. A list is a value.
func Flatten(nested map[string]any) Settings {
	out := Settings{}
	flatten(out, "", nested)
	return out
}

func flatten(out Settings, prefix string, nested map[string]any) {
	for key, value := range nested {
		if inner, ok := value.(map[string]any); ok {
			flatten(out, prefix+key+".", inner)
			if prefix+key != "" && len(inner) > 0 {
				continue
			}
		}
		out[prefix+key] = value
	}
}

// over puts settings on top of others.
func (s Settings) over(below Settings) Settings {
	out := make(Settings, len(s)+len(below))
	for key, value := range below {
		out[key] = value
	}
	for key, value := range s {
		out[key] = value
	}
	return out
}

// strings reads a list of names: a list, or one string.
func (s Settings) strings(key string) ([]string, bool) {
	switch value := s[key].(type) {
	case string:
		return []string{value}, true
	case []string:
		return value, true
	case []any:
		var out []string
		for _, v := range value {
			if text, ok := v.(string); ok {
				out = append(out, text)
			}
		}
		return out, true
	}
	return nil, false
}

func (s Settings) number(key string) (int, bool) {
	switch value := s[key].(type) {
	case int:
		return value, true
	case int64:
		return int(value), true
	case float64:
		return int(value), true
	}
	return 0, false
}

func (s Settings) isTrue(key string) bool {
	switch value := s[key].(type) {
	case bool:
		return value
	case string:
		return value == "1" || strings.EqualFold(value, "true")
	}
	return false
}

// holds says whether a condition on a setting is met, and what the setting is.
func (s Settings) holds(c SettingIs) (met bool, value string) {
	if c.Setting == "" {
		return true, ""
	}
	have, ok := s[c.Setting]
	if !ok {
		return false, "not set"
	}
	for _, want := range c.In {
		if fmt.Sprint(want) == fmt.Sprint(have) {
			return true, fmt.Sprint(have)
		}
	}
	return false, fmt.Sprint(have)
}

// nearestFirst tells whether a setting asks for the nearest file first.
func (r *resolver) nearestFirst(key string) bool {
	return key != "" && fmt.Sprint(r.settings[key]) == "nearest-first"
}

// origin says in parentheses where a setting's value comes from; empty where
// nobody knows.
func (r *resolver) origin(key string) string {
	if r.req.Origin == nil {
		return ""
	}
	if origin := r.req.Origin(key); origin != "" {
		return " (" + origin + ")"
	}
	return ""
}
