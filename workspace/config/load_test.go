package config

import (
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"foreword/workspace/fsys"
)

// place is a home and a workspace in a temporary folder.
type place struct {
	t          testing.TB
	home, root string
	env        map[string]string
}

func newPlace(t testing.TB) *place {
	t.Helper()
	base, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	p := &place{t: t, home: filepath.Join(base, "home"), root: filepath.Join(base, "home", "work")}
	p.write(filepath.Join(p.root, "keep"), "")
	return p
}

func (p *place) write(path, text string) {
	p.t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		p.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		p.t.Fatal(err)
	}
}

func (p *place) user(text string)      { p.write(filepath.Join(p.home, ".config/foreword", FileName), text) }
func (p *place) workspace(text string) { p.write(filepath.Join(p.root, FileName), text) }

func (p *place) load(editor map[string]any, trusted bool) (Config, []string) {
	c, problems := Load(fsys.Disk(), p.home, func(name string) string { return p.env[name] }, p.root, editor, trusted)
	var out []string
	for _, problem := range problems {
		where := "editor"
		if problem.Path != "" {
			where = strings.TrimPrefix(problem.Path, p.home+"/")
		}
		out = append(out, fmt.Sprintf("%s:%d %s", where, problem.Line, problem.Message))
	}
	return c, out
}

func (c Config) value(key string) Value {
	i := slices.IndexFunc(c.Values, func(v Value) bool { return v.Key == key })
	return c.Values[i]
}

// Without any file the table's defaults hold, and each says so.
func TestDefaults(t *testing.T) {
	c, problems := newPlace(t).load(nil, false)
	want := Config{
		Profile: "foreword", Exclude: []string{},
		Instructions: Instructions{Names: []string{}, Rules: true, OtherTools: true},
		Tree:         Budget{1000}, Buffers: Budget{8000}, Diagnostics: Budget{1000}, Updates: Budget{4000}, Cache: Cache{5}, Skills: Budget{2000}, Context: Context{Tokens: 4000}, Hover: Hover{true}, CodeLens: CodeLens{true},
		Commands: Commands{HideEnv: []string{}, KeepEnv: []string{}},
	}
	for _, s := range Settings() {
		want.Values = append(want.Values, Value{Key: s.Key, Value: s.Default, Origin: "default"})
	}
	if !reflect.DeepEqual(c, want) || len(problems) != 0 {
		t.Errorf("got  %+v\nwant %+v\n%v", c, want, problems)
	}
}

// Every setting of the table is described, has a default of its type, and reaches its field from every source.
func TestEverySettingIsApplied(t *testing.T) {
	if !slices.IsSortedFunc(Settings(), func(a, b Setting) int { return strings.Compare(a.Key, b.Key) }) {
		t.Error("the table is not sorted")
	}
	for _, s := range Settings() {
		value, toml := any("x"), `"x"`
		switch s.Type {
		case Integer:
			value, toml = 7, "7"
		case Boolean:
			value, toml = !s.Default.(bool), fmt.Sprint(!s.Default.(bool))
		case Strings:
			value, toml = []string{"x"}, `["x"]`
		}
		switch s.Key {
		case "instructions.userFile":
			value, toml = "/x", `"/x"`
		case "instructions.order":
			value, toml = "nearest-first", `"nearest-first"`
		case "agents":
			value, toml = []string{"x"}, `{x = {steps = 2}}`
		case "sources":
			value, toml = []string{"x/y"}, `[{key = "x/y", file = "z"}]`
		case "agent.folder":
			value, toml = "/x", `"/x"`
		case "references":
			value, toml = []string{"x"}, `[{name = "x", path = "/x"}]`
		case "hooks":
			value, toml = []string{"x"}, `[{name = "x", at = "system", command = ["x"]}]`
		}
		if s.Description == "" || !strings.HasSuffix(s.Description, ".") || reflect.TypeOf(s.Default) != reflect.TypeOf(value) {
			t.Errorf("%+v", s)
		}
		defaults, _ := newPlace(t).load(nil, true)
		for _, source := range []string{"user", "workspace", "editor"} {
			p := newPlace(t)
			var editor map[string]any
			switch source {
			case "user":
				p.user("# first\n" + s.Key + " = " + toml + "\n")
			case "workspace":
				p.workspace("# first\n" + s.Key + " = " + toml + "\n")
			default:
				editor = map[string]any{s.Key: value}
			}
			c, problems := p.load(editor, true)
			if source == "workspace" && s.Scope == UserOnly || source == "editor" && FileOnly(s.Key) {
				if len(problems) != 1 || c.value(s.Key).Origin != "default" {
					t.Errorf("%s from %s: %v, %v", s.Key, source, c.value(s.Key), problems)
				}
				continue
			}
			origin := map[string]string{"user": "user ~/.config/foreword/foreword.toml:2", "workspace": "workspace ~/work/foreword.toml:2", "editor": "editor"}[source]
			if got := c.value(s.Key); len(problems) != 0 || !reflect.DeepEqual(got, Value{s.Key, value, origin}) {
				t.Errorf("%s from %s: %+v, %v", s.Key, source, got, problems)
			}
			values := c.Values
			c.Values, defaults.Values = nil, nil
			if reflect.DeepEqual(c, defaults) {
				t.Errorf("%s from %s changed no field", s.Key, source)
			}
			c.Values = values
		}
	}
}

// Later sources win, each value by itself, and say where they are: file and line.
func TestPrecedenceAndOrigins(t *testing.T) {
	p := newPlace(t)
	p.user("model = \"user\"\nwindow = 1\n\n[tree]\n# the tree\ntokens = 10\n[buffers]\ntokens = 20\n")
	p.workspace("window = 2\r\nreserve = 3\r\n[instructions]\r\nnames = [\r\n  \"RULES.md\",\r\n]\r\ntree.x = 1\r\n")
	p.workspace("window = 2\r\nreserve = 3\r\ntree = { tokens = 30 }\r\n[instructions]\r\nnames = [\r\n  \"RULES.md\",\r\n]\r\n")
	c, problems := p.load(map[string]any{"reserve": float64(4), "hover": map[string]any{"sources": false}, "codeLens.enabled": false, "profile": nil, "model": ""}, false)
	if len(problems) != 0 {
		t.Error(problems)
	}
	if c.Model != "user" || c.Window != 2 || c.Reserve != 4 || c.Tree.Tokens != 30 || c.Buffers.Tokens != 20 || c.Hover.Sources || c.CodeLens.Enabled || c.Profile != "foreword" {
		t.Errorf("%+v", c)
	}
	if !reflect.DeepEqual(c.Instructions.Names, []string{"RULES.md"}) {
		t.Errorf("names: %q", c.Instructions.Names)
	}
	for key, want := range map[string]string{
		"model": "user ~/.config/foreword/foreword.toml:1", "window": "workspace ~/work/foreword.toml:1", "reserve": "editor",
		"tree.tokens": "workspace ~/work/foreword.toml:3", "buffers.tokens": "user ~/.config/foreword/foreword.toml:8", "hover.sources": "editor",
		"instructions.names": "workspace ~/work/foreword.toml:5", "profile": "default",
	} {
		if got := c.value(key).Origin; got != want {
			t.Errorf("%s: origin %q, want %q", key, got, want)
		}
	}
}

// Each mistake is one problem with its line, says what to do, and costs nothing but itself.
func TestMistakes(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"modle = \"x\"", `1 unknown setting modle; did you mean model?`},
		{"\n[trees]\ntokens = 5", `3 unknown setting trees.tokens; did you mean tree.tokens?`},
		{"[code_lens]\nenabled = true", `2 unknown setting code_lens.enabled; did you mean codeLens.enabled?`},
		{"HOVER.sources = true", `1 unknown setting HOVER.sources; did you mean hover.sources?`},
		{"names = [\"x\"]", `1 unknown setting names; did you mean instructions.names?`},
		{"zzzzzzzz = 1", `1 unknown setting zzzzzzzz`},
		{"[nothing]", `1 unknown setting nothing`},
		{"[[tree]]\ntokens = 1", `1 tree must be a table, whose settings are written as tree.tokens`},
		{"tree = 5", `1 tree must be a table, whose settings are written as tree.tokens`},
		{"instructions = []", `1 instructions must be a table, whose settings are written as instructions.files, instructions.names, instructions.order, instructions.otherTools, instructions.rules, instructions.userFile`},
		{"model = 5", `1 model must be a string, not an integer`},
		{"model = { a = 1 }", `1 model must be a string, not a table`},
		{"[model]\na = 1", `2 unknown setting model.a; did you mean model?`},
		{"window = \"big\"", `1 window must be an integer, not a string`},
		{"window = 1.5", `1 window must be an integer, not a number with a fraction`},
		{"window = -1", `1 window must be between 0 and 1000000000`},
		{"window = 9223372036854775807", `1 window must be between 0 and 1000000000`},
		{"window = true", `1 window must be an integer, not a boolean`},
		{"window = 2026-01-01", `1 window must be an integer, not a date or time`},
		{"exclude = \"x\"", `1 exclude must be a list of strings, not a string`},
		{"exclude = [\"x\", 5]", `1 exclude must be a list of strings, but its item 2 is an integer; item 2 alone is left out`},
		{"hover.sources = \"yes\"", `1 hover.sources must be a boolean, not a string`},
		{"instructions.names = [\"../x\"]", `1 instructions.names must hold file names without folders, not "../x"`},
		{"instructions.names = [\"a\\\\b\"]", `1 instructions.names must hold file names without folders, not "a\\b"`},
		{"instructions.names = [\"..\"]", `1 instructions.names must hold file names without folders, not ".."`},
		{"instructions.order = \"upwards\"", `1 instructions.order must be outermost-first or nearest-first, not "upwards"`},
		{"instructions.files = [\"\"]", `1 instructions.files must hold paths, patterns and addresses, not ""`},
		{"instructions.files = [\"http://x/y.md\"]", `1 instructions.files may hold https addresses alone, not "http://x/y.md"`},
		{"instructions.files = [\"file:///etc/passwd\"]", `1 instructions.files may hold https addresses alone, not "file:///etc/passwd"`},
		{"instructions.files = [\"https://me:secret@x/y.md\"]", `1 instructions.files must hold addresses like https://example.com/rules.md, without a name or password before the host`},
		{"instructions.files = [\"https:///y.md\"]", `1 instructions.files must hold addresses like https://example.com/rules.md, without a name or password before the host`},
		{"trusted = true", `1 trusted cannot be set by a workspace: only the user says what is trusted, with foreword trust or in the editor`},
		{"[trust]\nlevel = \"all\"", `2 trust.level cannot be set by a workspace: only the user says what is trusted, with foreword trust or in the editor`},
		{"autoApprove = true", `1 autoApprove cannot be set by a workspace: only the user says what is trusted, with foreword trust or in the editor`},
		{"instructions.userFile = \"/etc/passwd\"", `1 instructions.userFile cannot be set by a workspace; set it in the user's own foreword.toml`},
		{"provider = \"x\"", `1 provider is left out because this workspace is not trusted; run foreword trust`},
		{"model = \"a\"\nmodel = \"b\"", `2 its settings are left out: toml:`},
		{"model = ", `1 its settings are left out: toml:`},
		{"reserve = 1\n\"unclosed = 2", `2 its settings are left out: toml:`},
		{"a\x00b = 1", `0 its settings are left out: cannot read`},
	} {
		p := newPlace(t)
		p.user("window = 100\n[tree]\ntokens = 5\n")
		p.workspace(c.text + "\n")
		got, problems := p.load(nil, false)
		if len(problems) != 1 || !strings.HasPrefix(problems[0], "work/foreword.toml:"+c.want) {
			t.Errorf("%q:\n got %q\nwant %q", c.text, problems, c.want)
		}
		if got.Window != 100 || got.Tree.Tokens != 5 || got.Instructions.UserFile != "" || got.Provider != "" {
			t.Errorf("%q: the user's settings are gone: %+v", c.text, got)
		}
	}
	// A mistake in the middle costs one key.
	p := newPlace(t)
	p.workspace("window = 5\nreserve = \"x\"\n[tree]\ntoken = 1\ntokens = 7\n")
	c, problems := p.load(nil, false)
	if c.Window != 5 || c.Tree.Tokens != 7 || len(problems) != 2 {
		t.Errorf("%+v, %v", c, problems)
	}
}

// The editor's settings are checked like the others; what is for the editor's own side is none of ours.
func TestEditorMistakes(t *testing.T) {
	p := newPlace(t)
	c, problems := p.load(map[string]any{
		"window": "x", "modell": "x", "tree": map[string]any{"tokens": 1.5, "depth": 3.0}, "trace": map[string]any{"server": "verbose"}, "server.path": "/x",
		"hover": nil, "reserve": 12.0, "exclude": []any{"a", 5.0}, "provider": "p", "instructions": map[string]any{"userFile": "~/rules.md"}, "buffers": 5,
	}, false)
	want := []string{
		"editor:0 buffers must be a table, whose settings are written as buffers.tokens",
		"editor:0 exclude must be a list of strings, but its item 2 is an integer; item 2 alone is left out",
		"editor:0 unknown setting modell; did you mean model?",
		"editor:0 unknown setting tree.depth",
		"editor:0 tree.tokens must be an integer, not a number with a fraction",
		"editor:0 window must be an integer, not a string",
	}
	if !reflect.DeepEqual(problems, want) {
		t.Errorf("got  %q\nwant %q", problems, want)
	}
	if c.Reserve != 12 || c.Provider != "p" || c.Instructions.UserFile != filepath.Join(p.home, "rules.md") {
		t.Errorf("%+v", c)
	}
}

// A workspace can add to the user's exclude list; it cannot take from it.
func TestExcludeListsAreJoined(t *testing.T) {
	p := newPlace(t)
	p.user("exclude = [\"private/\"]\n")
	p.workspace("exclude = [\"generated/\", \"!private/\"]\n")
	c, problems := p.load(map[string]any{"exclude": []any{"*.tmp"}}, false)
	if want := []string{"generated/", "!private/", "private/", "*.tmp"}; !reflect.DeepEqual(c.Exclude, want) || len(problems) != 0 {
		t.Errorf("%q, %v", c.Exclude, problems)
	}
	if got, want := c.value("exclude").Origin, "workspace ~/work/foreword.toml:1, user ~/.config/foreword/foreword.toml:1, editor"; got != want {
		t.Errorf("origin %q, want %q", got, want)
	}
	p.workspace("exclude = []\n")
	c, _ = p.load(map[string]any{"exclude": []any{}}, false)
	if !reflect.DeepEqual(c.Exclude, []string{"private/"}) {
		t.Errorf("emptied by the workspace: %q", c.Exclude)
	}
}

// Trust lets a workspace set its provider, and nothing that is the user's only.
func TestTrustedWorkspace(t *testing.T) {
	p := newPlace(t)
	p.workspace("provider = \"p\"\ninstructions.userFile = \"/etc/passwd\"\ntrusted = true\n")
	c, problems := p.load(nil, true)
	if c.Provider != "p" || c.Instructions.UserFile != "" || len(problems) != 2 {
		t.Errorf("%+v, %v", c, problems)
	}
}

// A workspace file that leads out of an untrusted workspace is not read; one that is no text file is a problem.
func TestWorkspaceFileThatIsNone(t *testing.T) {
	p := newPlace(t)
	outside := filepath.Join(p.home, "outside.toml")
	p.write(outside, "window = 5\n")
	file := filepath.Join(p.root, FileName)
	if err := os.Symlink(outside, file); err != nil {
		t.Fatal(err)
	}
	if c, problems := p.load(nil, false); c.Window != 0 || len(problems) != 1 {
		t.Errorf("untrusted: %d, %v", c.Window, problems)
	}
	if c, problems := p.load(nil, true); c.Window != 5 || len(problems) != 0 {
		t.Errorf("trusted: %d, %v", c.Window, problems)
	}
	// A root that is a link itself is no way out.
	link := filepath.Join(p.home, "link")
	if err := os.Symlink(p.root, link); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(file); err != nil {
		t.Fatal(err)
	}
	p.workspace("window = 6\n")
	linked := *p
	linked.root = link
	if c, problems := linked.load(nil, false); c.Window != 6 || len(problems) != 0 {
		t.Errorf("a linked root: %d, %v", c.Window, problems)
	}
	if err := os.Remove(file); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(file, 0o755); err != nil {
		t.Fatal(err)
	}
	if _, problems := p.load(nil, false); len(problems) != 1 {
		t.Errorf("a folder: %v", problems)
	}
}

// Where the user's file is depends on their environment only, and unsaved text counts.
func TestUserFileAndBuffers(t *testing.T) {
	p := newPlace(t)
	p.user("window = 1\n")
	xdg := filepath.Join(p.home, "xdg")
	p.write(filepath.Join(xdg, "foreword", FileName), "window = 2\n")
	p.env = map[string]string{"XDG_CONFIG_HOME": xdg}
	if c, _ := p.load(nil, false); c.Window != 2 {
		t.Errorf("XDG_CONFIG_HOME: %d", c.Window)
	}
	p.env["XDG_CONFIG_HOME"] = "xdg"
	if c, _ := p.load(nil, false); c.Window != 1 {
		t.Errorf("a relative XDG_CONFIG_HOME: %d", c.Window)
	}
	path := filepath.Join(p.root, FileName)
	overlay := fsys.Overlay(fsys.Disk(), map[string]fsys.Buffer{path: {Path: path, Text: "window = 9\n", Dirty: true}})
	c, problems := Load(overlay, p.home, func(string) string { return "" }, p.root, nil, false)
	if c.Window != 9 || len(problems) != 0 {
		t.Errorf("unsaved: %d, %v", c.Window, problems)
	}
	// The user's own settings folder, opened as a workspace, is still the user's.
	c, problems = Load(fsys.Disk(), p.home, func(string) string { return "" }, filepath.Join(p.home, ".config/foreword"), nil, false)
	if c.Window != 1 || len(problems) != 0 || !strings.HasPrefix(c.value("window").Origin, "user ") {
		t.Errorf("the user's folder: %+v, %v", c.value("window"), problems)
	}
	// No home, no root.
	c, problems = Load(fsys.Disk(), "", func(string) string { return "" }, "", nil, false)
	if c.Profile != "foreword" || len(problems) != 0 {
		t.Errorf("nothing known: %+v, %v", c, problems)
	}
}

// A file full of mistakes is not a flood, and results never share memory with the table or each other.
func TestManyMistakesAndNoSharing(t *testing.T) {
	p := newPlace(t)
	var text strings.Builder
	for i := range 5000 {
		fmt.Fprintf(&text, "key%d = 1\n", i)
	}
	text.WriteString("window = 3\n" + strings.Repeat("x", 100_000) + " = 1\n")
	p.workspace(text.String())
	c, problems := p.load(nil, false)
	if c.Window != 3 || len(problems) != maxProblems || !strings.Contains(problems[maxProblems-1], "more problems") || c.value("window").Origin != "workspace ~/work/foreword.toml:5001" {
		t.Errorf("%+v, %d problems", c.value("window"), len(problems))
	}
	p.workspace("instructions.names = [\"A.md\", \"B.md\"]\n")
	c, _ = p.load(nil, false)
	c.Instructions.Names[0] = "changed"
	c.value("instructions.names").Value.([]string)[1] = "changed"
	first := Settings()[0].Key
	Settings()[0].Key = "changed"
	again, _ := p.load(nil, false)
	if !reflect.DeepEqual(again.Instructions.Names, []string{"A.md", "B.md"}) || Settings()[0].Key != first {
		t.Errorf("shared: %q", again.Instructions.Names)
	}
}

// No text makes Load panic, and what it accepts it reads as the decoder does.
func FuzzLoad(f *testing.F) {
	for _, seed := range []string{"window = 1\n", "[tree]\ntokens = 2\n[[a]]\nb = 1\n[a.c]\nd = {e = {f = 1}}\n", "a.\"b.c\".d = [1, {x = 2}]\n",
		"tree = {tokens = 1}", "'' = 1\n\"\\u0000\" = 2", "[tree.tokens]\nx=1", "[[tree.tokens]]", "exclude = [[\"x\"]]"} {
		f.Add(seed)
	}
	p := newPlace(f)
	f.Fuzz(func(t *testing.T, text string) {
		path := filepath.Join(p.root, FileName)
		files := fsys.Overlay(fsys.Disk(), map[string]fsys.Buffer{path: {Path: path, Text: text}})
		c, problems := Load(files, p.home, func(string) string { return "" }, p.root, nil, false)
		if len(c.Values) != len(settings) {
			t.Errorf("%d values", len(c.Values))
		}
		for _, problem := range problems {
			if problem.Line < 0 || problem.Line > strings.Count(text, "\n")+1 || problem.Message == "" {
				t.Errorf("%+v", problem)
			}
		}
	})
}

// The distance is a metric on short texts, and the nearest key to a known key is that key.
func TestNearest(t *testing.T) {
	for _, s := range settings {
		if got := nearest(s.Key); got != s.Key {
			t.Errorf("%s: %s", s.Key, got)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		short := rapid.StringMatching(`[ab]{0,6}`)
		a, b, c := short.Draw(t, "a"), short.Draw(t, "b"), short.Draw(t, "c")
		ab, ba := levenshtein(a, b), levenshtein(b, a)
		if ab != ba || (ab == 0) != (a == b) || levenshtein(a, c) > ab+levenshtein(b, c) {
			t.Errorf("%q %q %q: %d, %d", a, b, c, ab, ba)
		}
	})
}
