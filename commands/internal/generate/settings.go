package main

import (
	"bytes"
	_ "embed"
	"fmt"
	"strings"
	"text/template"

	"foreword/workspace/config"
)

// settingsText is the prose of docs/settings.md.
//
//go:embed settings.md
var settingsText string

// scopeWords say what a workspace's file may do with a setting.
var scopeWords = map[config.Scope]string{
	config.Anywhere:         "yes",
	config.TrustedWorkspace: "once the folder is trusted",
	config.UserOnly:         "never",
}

// writeSettings makes docs/settings.md.
func writeSettings(settings []config.Setting) ([]byte, error) {
	type row struct{ Key, Type, Default, Description, Scope, Editor string }
	page := struct {
		Header   string
		Settings []row
		Sample   string
	}{Header: header, Sample: sampleFile(settings)}
	for _, s := range settings {
		scope, ok := scopeWords[s.Scope]
		if !ok {
			return nil, fmt.Errorf("generate: scopeWords in settings.go has no words for %q", s.Scope)
		}
		value := "`" + tomlValue(s.Default) + "`"
		if s.Type == config.TablesByName {
			value = "none"
		}
		editor := "yes"
		if config.FileOnly(s.Key) {
			editor = "never"
		}
		page.Settings = append(page.Settings, row{s.Key, string(s.Type), value, s.Description, scope, editor})
	}
	t, err := template.New("settings.md").Funcs(template.FuncMap{"cell": mdCell}).Parse(settingsText)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	if err := t.Execute(&b, page); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

// sampleFile is a foreword.toml that sets everything to what it is anyway.
func sampleFile(settings []config.Setting) string {
	var top, tables strings.Builder
	last := ""
	for _, s := range settings { // sorted by key, so that a table's keys are together
		if s.Type == config.TablesByName {
			continue // there is no table without a name
		}
		table, name, nested := strings.Cut(s.Key, ".")
		if !nested {
			fmt.Fprintf(&top, "%s = %s\n", s.Key, tomlValue(s.Default))
			continue
		}
		if table != last {
			fmt.Fprintf(&tables, "\n[%s]\n", table)
			last = table
		}
		fmt.Fprintf(&tables, "%s = %s\n", name, tomlValue(s.Default))
	}
	return top.String() + tables.String()
}

// tomlValue writes a string, a list of strings, an integer or a boolean.
func tomlValue(v any) string {
	switch v := v.(type) {
	case string:
		return fmt.Sprintf("%q", v)
	case []string:
		quoted := make([]string, len(v))
		for i, text := range v {
			quoted[i] = fmt.Sprintf("%q", text)
		}
		return "[" + strings.Join(quoted, ", ") + "]"
	}
	return fmt.Sprint(v)
}
