package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestTool(t *testing.T) {
	root := t.TempDir()
	if err := os.WriteFile(filepath.Join(root, "a.go"), []byte("package a\n\nfunc Total() {}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	injected := []string{"--root", root, "--home", t.TempDir()}
	for _, c := range []struct {
		args           []string
		code           int
		stdout, stderr string
	}{
		{[]string{"tool"}, exitDone, "read         allow", ""},
		{[]string{"tool", "read", "path=a.go", "offset=3"}, exitDone, "3\tfunc Total() {}\n", ""},
		{[]string{"tool", "grep", `{"pattern": "Total"}`}, exitDone, "a.go:3: func Total() {}\n", ""},
		{[]string{"tool", "read", "path=b.go"}, exitFailed, "there is no such file", ""},
		{[]string{"tool", "--json", "read", "path=b.go"}, exitFailed, `"isError": true`, ""},
		{[]string{"tool", "read", "a.go"}, exitUsage, "", `"a.go": want name=value`},
		{[]string{"tool", "bash"}, exitUsage, "", `there is no tool "bash"; there are read, list`},
		{[]string{"__complete", "tool", ""}, exitDone, "diagnostics\n", ""},
	} {
		args := append([]string{}, c.args...)
		if c.args[0] != "__complete" {
			args = append(args, injected...)
		}
		r := foreword(t, "", args...)
		if r.code != c.code || !strings.Contains(r.stdout, c.stdout) || !strings.Contains(r.stderr, c.stderr) {
			t.Errorf("%v: code %d\n%s\n%s", c.args, r.code, r.stdout, r.stderr)
		}
	}
}
