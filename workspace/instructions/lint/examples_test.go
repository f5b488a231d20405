package lint

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"foreword/workspace/instructions"
)

// Each archive testdata/<code>.txtar holds examples of one rule. The comment
// begins with a sentence of intent; a line "tools: a, b" says whose rules count,
// "version: v" and "settings: {…}" are those of the tool. The first folder of a
// path is the name of an example, the rest a file of its workspace, which is a
// repository. <example>/want lists what the rule finds there, a line for each:
// "path:line:column-column severity", from 1, or "path severity" for a whole
// file; without it the rule must find nothing. <example>/options replaces the
// lines of the comment.
//
// The text of a file may stand for another one: "->target" is a symbolic link,
// "base64 …" its bytes, "repeat N text" the text so many times.
type example struct {
	name    string
	files   map[string]string
	want    []string
	options options
}

type options struct {
	tools    []string
	version  string
	settings map[string]any
}

func TestExamples(t *testing.T) {
	paths, err := filepath.Glob("testdata/*.txtar")
	must(t, err)
	for _, path := range paths {
		code := strings.TrimSuffix(filepath.Base(path), ".txtar")
		t.Run(code, func(t *testing.T) {
			if _, ok := Lookup(code); !ok {
				t.Fatalf("no rule has the code %s", code)
			}
			faulty, right := 0, 0
			for _, e := range readExamples(t, path) {
				if len(e.want) > 0 {
					faulty++
				} else {
					right++
				}
				t.Run(e.name, func(t *testing.T) { e.check(t, code) })
			}
			if faulty == 0 || right == 0 {
				t.Errorf("%d examples show the fault and %d do not; want some of both", faulty, right)
			}
		})
	}
}

// elsewhereShown are the rules that no example can show, with the reason;
// TestWarningsAreTakenOver shows them.
var elsewhereShown = map[string]string{
	"address-stale":        "the commands alone fetch",
	"address-unreachable":  "the commands alone fetch",
	"configured-missing":   "the commands alone read foreword.toml",
	"import-home":          "the tools that know no home folder do not take ~ for the beginning of a path",
	"too-many-files":       "it takes thousands of files",
	"unreadable-directory": "it takes a directory that the user may not list",
}

// TestEveryRuleHasExamples holds that no rule comes without an archive, a text
// and a place where its fact stands.
func TestEveryRuleHasExamples(t *testing.T) {
	for _, r := range Rules() {
		if _, err := os.Stat("testdata/" + r.Code + ".txtar"); err != nil && elsewhereShown[r.Code] == "" {
			t.Errorf("%s: no examples: %v", r.Code, err)
		}
		if r.Doc.What == "" || r.Doc.Why == "" || r.Doc.Mend == "" || r.Severity == unset || r.check == nil {
			t.Errorf("%s: no text, severity or function: %+v", r.Code, r)
		}
		for _, tool := range r.Tools {
			if _, ok, err := instructions.LookupProfile(tool); !ok || err != nil {
				t.Errorf("%s: no tool %s", r.Code, tool)
			}
		}
	}
}

func readExamples(t *testing.T, path string) []*example {
	t.Helper()
	archive, err := txtar.ParseFile(path)
	must(t, err)
	common := readOptions(t, string(archive.Comment), options{})
	var all []*example
	for _, f := range archive.Files {
		name, file, ok := strings.Cut(f.Name, "/")
		if !ok {
			t.Fatalf("%s: the file %s stands in no example", path, f.Name)
		}
		at := slices.IndexFunc(all, func(e *example) bool { return e.name == name })
		if at < 0 {
			at, all = len(all), append(all, &example{name: name, files: map[string]string{}, options: common})
		}
		switch e := all[at]; file {
		case "want":
			e.want = strings.Split(strings.TrimSpace(string(f.Data)), "\n")
		case "options":
			e.options = readOptions(t, string(f.Data), common)
		default:
			e.files[file] = string(f.Data)
		}
	}
	return all
}

func readOptions(t *testing.T, text string, o options) options {
	t.Helper()
	for line := range strings.SplitSeq(text, "\n") {
		key, value, _ := strings.Cut(line, ": ")
		switch key {
		case "tools":
			o.tools = strings.Split(value, ", ")
		case "version":
			o.version = value
		case "settings":
			o.settings = nil
			must(t, json.Unmarshal([]byte(value), &o.settings))
		}
	}
	return o
}

func (e *example) check(t *testing.T, code string) {
	w := layOut(t, e.files)
	var got []string
	for _, d := range check(t, w, e.options.tools, e.options.version, e.options.settings) {
		if d.Code != code {
			continue
		}
		where := instructions.Display(w.root, w.home, d.Path)
		if p := d.Place; p != nil {
			where += fmt.Sprintf(":%d:%d-%d", p.Line+1, p.Column+1, p.EndColumn+1)
		}
		got = append(got, where+" "+d.Severity.String())
		if d.Message == "" || d.Source == "" {
			t.Errorf("no message or no source: %+v", d)
		}
		if len(d.Tools) == 0 || !slices.IsSorted(d.Tools) {
			t.Errorf("tools %q: %s", d.Tools, d.Message)
		}
		t.Log(d.Message)
	}
	if !slices.Equal(got, e.want) {
		t.Errorf("found\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(e.want, "\n"))
	}
}

// layOut writes the files of an example into a fresh repository with a home
// folder beside it.
func layOut(t testing.TB, files map[string]string) laid {
	t.Helper()
	base, err := filepath.EvalSymlinks(t.TempDir())
	must(t, err)
	w := laid{root: filepath.Join(base, "w"), home: filepath.Join(base, "home")}
	must(t, os.MkdirAll(filepath.Join(w.root, ".git"), 0o755))
	must(t, os.MkdirAll(w.home, 0o755))
	for name, text := range files {
		path := filepath.Join(w.root, filepath.FromSlash(name))
		if rest, ok := strings.CutPrefix(name, "~/"); ok {
			path = filepath.Join(w.home, filepath.FromSlash(rest))
		}
		must(t, os.MkdirAll(filepath.Dir(path), 0o755))
		if target, ok := strings.CutPrefix(text, "->"); ok {
			must(t, os.Symlink(strings.TrimSpace(target), path))
			continue
		}
		must(t, os.WriteFile(path, spelledOut(t, text), 0o644))
	}
	return w
}

// spelledOut is the text that a file's text stands for.
func spelledOut(t testing.TB, text string) []byte {
	t.Helper()
	if rest, ok := strings.CutPrefix(text, "base64 "); ok {
		raw, err := base64.StdEncoding.DecodeString(strings.TrimSpace(rest))
		must(t, err)
		return raw
	}
	if rest, ok := strings.CutPrefix(text, "repeat "); ok {
		number, what, _ := strings.Cut(strings.TrimSuffix(rest, "\n"), " ")
		n, err := strconv.Atoi(number)
		must(t, err)
		return []byte(strings.Repeat(strings.ReplaceAll(what, `\n`, "\n"), n))
	}
	return []byte(text)
}
