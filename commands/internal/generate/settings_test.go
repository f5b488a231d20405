package main

import (
	"path/filepath"
	"reflect"
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
		joined := s.Key == "exclude" // the lists of all sources; an empty one adds nothing
		if !strings.HasPrefix(v.Origin, "user ") && !joined {
			t.Errorf("%s comes from %q, want the file", v.Key, v.Origin)
		}
	}
}
