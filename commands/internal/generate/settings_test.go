package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"foreword/workspace/config"
	"foreword/workspace/fsys"
)

// The sample file of the settings reference is read without a complaint, has
// every key, and changes nothing.
func TestSampleSettingsAreTheDefaults(t *testing.T) {
	home := t.TempDir()
	path := filepath.Join(home, ".config", "foreword", "foreword.toml")
	sample := sampleFile(config.Settings())
	files := fsys.Overlay(fsys.Disk(), map[string]fsys.Buffer{path: {Path: path, Text: sample}})
	c, problems := config.Load(files, home, func(string) string { return "" }, "", nil, false)
	for _, p := range problems {
		t.Errorf("line %d: %s\n%s", p.Line, p.Message, sample)
	}
	for i, s := range config.Settings() {
		v := c.Values[i]
		if v.Key != s.Key || !reflect.DeepEqual(v.Value, s.Default) {
			t.Errorf("%s is %v, want %v", v.Key, v.Value, s.Default)
		}
		// The lists of all sources; an empty one adds nothing.
		joined := slices.Contains([]string{"exclude", "instructions.files", "context.files", "contextCommand", "sources", "hooks", "references", "agents"}, s.Key)
		if !strings.HasPrefix(v.Origin, "user ") && !joined {
			t.Errorf("%s comes from %q, want the file", v.Key, v.Origin)
		}
	}
}

// The settings that the VS Code extension declares are those that there are,
// of the same type and with the same default.
func TestSettingsOfTheExtensionAreTheSame(t *testing.T) {
	root, err := repository()
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(root, "editors", "vscode", "package.json"))
	if err != nil {
		t.Fatal(err)
	}
	type property struct {
		Type    string
		Default any
	}
	var manifest struct {
		Contributes struct {
			Configuration json.RawMessage
		}
	}
	if err := json.Unmarshal(text, &manifest); err != nil {
		t.Fatal(err)
	}
	declared := map[string]property{}
	sections := []struct{ Properties map[string]property }{{}}
	if err := json.Unmarshal(manifest.Contributes.Configuration, &sections); err != nil {
		if err := json.Unmarshal(manifest.Contributes.Configuration, &sections[0]); err != nil {
			t.Fatal(err)
		}
	}
	for _, section := range sections {
		for key, p := range section.Properties {
			declared[strings.TrimPrefix(key, "foreword.")] = p
		}
	}

	jsonTypes := map[config.Type]string{config.String: "string", config.Integer: "integer", config.Boolean: "boolean", config.Strings: "array"}
	for _, s := range config.Settings() {
		p, ok := declared[s.Key]
		if !ok && config.FileOnly(s.Key) {
			continue
		}
		if !ok {
			t.Errorf("package.json does not declare foreword.%s", s.Key)
			continue
		}
		delete(declared, s.Key)
		if p.Type != jsonTypes[s.Type] {
			t.Errorf("foreword.%s is declared as %s, want %s", s.Key, p.Type, jsonTypes[s.Type])
		}
		want, err := json.Marshal(s.Default)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := json.Marshal(p.Default); err != nil || string(got) != string(want) {
			t.Errorf("the default of foreword.%s is declared as %s, want %s", s.Key, got, want)
		}
	}
	for key := range declared {
		// What concerns the extension alone: its program, its trace and its chat.
		if !strings.HasPrefix(key, "server.") && !strings.HasPrefix(key, "trace.") && !strings.HasPrefix(key, "chat.") {
			t.Errorf("package.json declares foreword.%s, which foreword does not know", key)
		}
	}
}
