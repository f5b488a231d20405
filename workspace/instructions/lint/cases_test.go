package lint

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"foreword/workspace/fsys"
	"foreword/workspace/instructions"
)

// toolCase is what a case of ../testdata/cases says of diagnostics.
type toolCase struct {
	Name, Tool, Cwd, Version string
	Files                    map[string]json.RawMessage
	Settings                 map[string]any
	Expect                   struct {
		Diagnostics []struct{ Path, Code, Severity string }
	}
}

// TestToolCases replays the cases: each fault that they name is found, with its
// severity.
func TestToolCases(t *testing.T) {
	files, err := filepath.Glob("../testdata/cases/*.json")
	must(t, err)
	ran := 0
	for _, file := range files {
		raw, err := os.ReadFile(file)
		must(t, err)
		var cases []toolCase
		must(t, json.Unmarshal(raw, &cases))
		for _, c := range cases {
			if len(c.Expect.Diagnostics) > 0 {
				ran++
				t.Run(c.Name, c.check)
			}
		}
	}
	if ran < 30 {
		t.Errorf("only %d cases", ran)
	}
}

func (c *toolCase) check(t *testing.T) {
	root, home, settings := c.layOut(t)
	got := check(t, laid{root: root, home: home}, []string{c.Tool}, c.Version, settings)
	have := map[string]string{}
	for _, d := range got {
		have[instructions.Display(root, home, d.Path)+" "+d.Code] = d.Severity.String()
	}
	for _, want := range c.Expect.Diagnostics {
		severity, ok := have[strings.TrimPrefix(want.Path, c.prefix())+" "+want.Code]
		switch {
		case !ok:
			t.Errorf("no %s on %s; found %v", want.Code, want.Path, have)
		case severity != want.Severity:
			t.Errorf("%s on %s is %s, want %s", want.Code, want.Path, severity, want.Severity)
		}
	}
}

// prefix is what the paths of a case below the home folder begin with.
func (c *toolCase) prefix() string {
	if strings.HasPrefix(c.Cwd, "~/") {
		return c.Cwd + "/"
	}
	return ""
}

func (c *toolCase) layOut(t *testing.T) (root, home string, settings map[string]any) {
	base, err := filepath.EvalSymlinks(t.TempDir())
	must(t, err)
	root, home = filepath.Join(base, "w"), filepath.Join(base, "home")
	if c.prefix() != "" {
		root = filepath.Join(home, c.Cwd[2:])
	}
	must(t, os.MkdirAll(root, 0o755))
	must(t, os.MkdirAll(home, 0o755))
	for path, raw := range c.Files {
		full := filepath.Join(root, path)
		if rest, ok := strings.CutPrefix(path, "~/"); ok {
			full = filepath.Join(home, rest)
		}
		must(t, os.MkdirAll(filepath.Dir(full), 0o755))
		var link struct{ Symlink string }
		if json.Unmarshal(raw, &link) == nil && link.Symlink != "" {
			must(t, os.Symlink(link.Symlink, full))
			continue
		}
		must(t, os.WriteFile(full, bytes.ReplaceAll(content(t, raw), []byte("{root}"), []byte(root)), 0o644))
	}
	raw, err := json.Marshal(c.Settings)
	must(t, err)
	must(t, json.Unmarshal(bytes.ReplaceAll(raw, []byte("{root}"), []byte(root)), &settings))
	return root, home, settings
}

// content is a file's content as a case writes it.
func content(t *testing.T, raw json.RawMessage) []byte {
	var text string
	if json.Unmarshal(raw, &text) == nil {
		return []byte(text)
	}
	var made struct {
		Repeat []any
		Concat []json.RawMessage
		Base64 string
	}
	must(t, json.Unmarshal(raw, &made))
	switch {
	case made.Repeat != nil:
		return []byte(strings.Repeat(made.Repeat[0].(string), int(made.Repeat[1].(float64))))
	case made.Concat != nil:
		var all []byte
		for _, part := range made.Concat {
			all = append(all, content(t, part)...)
		}
		return all
	}
	decoded, err := base64.StdEncoding.DecodeString(made.Base64)
	must(t, err)
	return decoded
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// laid is a workspace on disk.
type laid struct{ root, home string }

// check finds the instruction files of a workspace and what is wrong with them.
// A directory belongs to the nearest repository above it, else to the folder.
func check(t testing.TB, w laid, tools []string, version string, settings map[string]any) []Diagnostic {
	t.Helper()
	found, err := Find(t.Context(), Search{Root: w.root, FS: fsys.Disk(), Secret: secret})
	must(t, err)
	got, err := Check(t.Context(), Workspace{Root: w.root, FS: fsys.Disk(), Found: found, Tools: tools, Request: w.request(version, settings)})
	must(t, err)
	return got
}

func (w laid) request(version string, settings map[string]any) func(*instructions.Profile, string) instructions.Request {
	return func(_ *instructions.Profile, dir string) instructions.Request {
		req := instructions.Request{Root: w.root, Home: w.home, Version: version, Settings: instructions.Flatten(settings), Secret: secret}
		for at := dir; fsys.Within(w.root, at); at = filepath.Dir(at) {
			if _, err := os.Lstat(filepath.Join(at, ".git")); err == nil {
				req.Root = at
				break
			}
		}
		return req
	}
}

// secret stands for the list of secrets that the caller has.
func secret(path string) (string, bool) { return "by its name", filepath.Base(path) == ".env" }
