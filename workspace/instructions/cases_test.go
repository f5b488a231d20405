package instructions

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"foreword/workspace/fsys"
	"foreword/workspace/vcs"
)

// toolCase is one case with its right answer, as testdata/cases holds them:
// files, what happened, and what the tool then sends.
type toolCase struct {
	Name, Tool, Cwd, Event, Open, Version string
	Files                                 map[string]json.RawMessage
	Settings                              map[string]any
	// Env are variables of the environment; {home} and {root} stand for the folders.
	Env     map[string]string
	Trusted bool
	Expect  struct {
		Ordered bool
		Applies []struct {
			Path, Mode, Target string
			// Reason is a part of what the entry says of itself.
			Reason    string
			Bytes     *int64
			Truncated *bool
		}
		Not []struct{ Path, State, Why, Reason string }
		// Warnings that must be among those given, by path and code.
		Warnings        []struct{ Path, Code string }
		Prompt_contains []string
		Prompt_excludes []string
	}
}

// content is a file's content as a case writes it.
func content(t *testing.T, raw json.RawMessage) []byte {
	t.Helper()
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

// layOut writes a case's files and gives the request that it describes.
func (c *toolCase) layOut(t *testing.T) Request {
	t.Helper()
	base, err := filepath.EvalSymlinks(t.TempDir())
	must(t, err)
	root, home := filepath.Join(base, "w"), filepath.Join(base, "home")
	cwd, open := c.Cwd, c.Open
	if rest, ok := strings.CutPrefix(c.Cwd, "~/"); ok {
		root, cwd, open = filepath.Join(home, rest), ".", strings.TrimPrefix(c.Open, c.Cwd+"/")
	}
	place := func(path string) string {
		if rest, ok := strings.CutPrefix(path, "~/"); ok {
			return filepath.Join(home, rest)
		}
		return filepath.Join(root, path)
	}
	must(t, os.MkdirAll(root, 0o755))
	must(t, os.MkdirAll(home, 0o755))
	for path, raw := range c.Files {
		full := place(path)
		must(t, os.MkdirAll(filepath.Dir(full), 0o755))
		var link struct{ Symlink string }
		if json.Unmarshal(raw, &link) == nil && link.Symlink != "" {
			must(t, os.Symlink(link.Symlink, full))
			continue
		}
		must(t, os.WriteFile(full, bytes.ReplaceAll(content(t, raw), []byte("{root}"), []byte(root)), 0o644))
	}
	settings, err := json.Marshal(c.Settings)
	must(t, err)
	given := map[string]any{}
	must(t, json.Unmarshal(bytes.ReplaceAll(settings, []byte("{root}"), []byte(root)), &given))
	must(t, os.MkdirAll(filepath.Join(root, cwd), 0o755))
	req := Request{
		Target: filepath.Join(root, open), Root: root, Cwd: filepath.Join(root, cwd), Home: home,
		Version: c.Version, Settings: given, Trusted: c.Trusted,
	}
	places := strings.NewReplacer("{home}", home, "{root}", root)
	req.Env = func(name string) string { return places.Replace(c.Env[name]) }
	req.Dir = filepath.Dir(req.Target)
	if found, ok := vcs.Root(fsys.Disk(), req.Dir, home); ok {
		req.Root = found
	}
	if kind, path, ok := strings.Cut(c.Event, ":"); ok {
		req.Event = Event{Kind: kind, Path: filepath.Join(root, path)}
	}
	return req
}

// shown is a path as the cases write it: relative to the workspace.
func (c *toolCase) shown(req Request, path string) string {
	workspace := strings.TrimSuffix(req.Cwd, string(filepath.Separator)+filepath.FromSlash(c.Cwd))
	if strings.HasPrefix(c.Cwd, "~/") {
		return Display("", req.Home, path)
	}
	return Display(workspace, req.Home, path)
}

// TestToolCases replays the cases: what each tool sends, in its order.
func TestToolCases(t *testing.T) {
	files, err := filepath.Glob("testdata/cases/*.json")
	must(t, err)
	ran := 0
	for _, file := range files {
		raw, err := os.ReadFile(file)
		must(t, err)
		var cases []toolCase
		must(t, json.Unmarshal(raw, &cases))
		for _, c := range cases {
			ran++
			t.Run(c.Name, func(t *testing.T) { c.check(t) })
		}
	}
	if ran < 200 {
		t.Errorf("only %d cases", ran)
	}
}

func (c *toolCase) check(t *testing.T) {
	p, ok, err := LookupProfile(c.Tool)
	if err != nil || !ok {
		t.Fatalf("profile %s: %v %v", c.Tool, ok, err)
	}
	req := c.layOut(t)
	d, err := Resolve(t.Context(), fsys.Disk(), p, req)
	must(t, err)
	var sent, want []string
	byPath := map[string]Entry{}
	for _, e := range d.Entries {
		byPath[c.shown(req, e.Path)] = e
		if e.Sent {
			sent = append(sent, c.shown(req, e.Path))
		}
		if kept := p.keeps(e.Step); e.Sent && kept && strings.HasPrefix(c.shown(req, e.Path), "~/") && !strings.HasPrefix(c.Cwd, "~/") && !e.Personal {
			t.Errorf("%s is the user's own, and is not told so", e.Path)
		}
		if e.Why == "" || e.Rule.Source == "" || e.Rule.Checked == "" {
			t.Errorf("%s has no reason or no rule: %+v", e.Path, e)
		}
	}
	for _, a := range c.Expect.Applies {
		want = append(want, a.Path)
		e := byPath[a.Path]
		if a.Mode != "" && e.Mode != a.Mode {
			t.Errorf("%s: mode %s, want %s", a.Path, e.Mode, a.Mode)
		}
		if !strings.Contains(e.Why, a.Reason) {
			t.Errorf("%s: reason %q, want %q in it", a.Path, e.Why, a.Reason)
		}
		if a.Bytes != nil && e.Bytes != *a.Bytes {
			t.Errorf("%s: %d bytes, want %d", a.Path, e.Bytes, *a.Bytes)
		}
		if a.Truncated != nil && (e.Cut != nil) != *a.Truncated {
			t.Errorf("%s: cut %v, want %v", a.Path, e.Cut, *a.Truncated)
		}
	}
	if c.Expect.Ordered && !slices.Equal(sent, want) {
		t.Errorf("sent %q, want %q", sent, want)
	}
	for _, path := range want {
		if !slices.Contains(sent, path) {
			t.Errorf("sent %q, want %s among them", sent, path)
		}
	}
	for _, n := range c.Expect.Not {
		e, found := byPath[n.Path]
		if found && e.Sent {
			t.Errorf("%s is sent; it must not be: %s", n.Path, n.Why)
		}
		if n.State != "" && string(e.State) != n.State {
			t.Errorf("%s: state %q, want %s", n.Path, e.State, n.State)
		}
		if !strings.Contains(e.Why, n.Reason) {
			t.Errorf("%s: reason %q, want %q in it", n.Path, e.Why, n.Reason)
		}
	}
	for _, w := range c.Expect.Warnings {
		if !slices.ContainsFunc(d.Warnings, func(got Warning) bool { return got.Code == w.Code && c.shown(req, got.Path) == w.Path }) {
			t.Errorf("no warning %s of %s among %+v", w.Code, w.Path, d.Warnings)
		}
	}
	text := p.Text(d, req.Home)
	for _, part := range c.Expect.Prompt_contains {
		if !strings.Contains(text, part) {
			t.Errorf("the text lacks %q:\n%s", part, text)
		}
	}
	for _, part := range c.Expect.Prompt_excludes {
		if strings.Contains(text, part) {
			t.Errorf("the text holds %q:\n%s", part, text)
		}
	}
}

// keeps tells whether a step looks at places of its own, and not at what a
// setting names.
func (p *Profile) keeps(id string) bool {
	return slices.ContainsFunc(p.Steps, func(s Step) bool { return s.ID == id && (s.Files != nil || s.Rules != nil) })
}
