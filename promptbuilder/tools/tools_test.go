package tools

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"foreword/workspace/fsys"

	"pgregory.net/rapid"
)

// lay makes a workspace of files, and the place of it. A text "-> x" is a link.
func lay(t interface {
	Helper()
	Fatal(...any)
}, dir string, files map[string]string) *Place {
	t.Helper()
	for name, text := range files {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		var err error
		if target, link := strings.CutPrefix(text, "-> "); link {
			err = os.Symlink(target, path)
		} else {
			err = os.WriteFile(path, []byte(text), 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return &Place{
		Root: dir, Roots: []string{dir}, Files: fsys.Disk(),
		LeftOut: func(_ context.Context, paths []string) map[string]string {
			out := map[string]string{}
			for _, path := range paths {
				if strings.HasSuffix(path, ".secret") {
					out[path] = "it is a secret"
				}
			}
			return out
		},
		List: func(_ context.Context, below string) (paths []string, truncated bool, err error) {
			err = filepath.WalkDir(below, func(path string, d fs.DirEntry, err error) error {
				if err == nil && d.Type().IsRegular() {
					paths = append(paths, path)
				}
				return err
			})
			slices.Sort(paths)
			return paths, false, err
		},
	}
}

// use calls a tool with arguments and gives what the model reads.
func use(t *testing.T, p *Place, name, arguments string) string {
	t.Helper()
	tool, ok := Lookup(name)
	if !ok {
		t.Fatalf("no tool %s", name)
	}
	answer, err := tool.Call(t.Context(), p, json.RawMessage(arguments))
	var refusal *Refusal
	switch {
	case errors.As(err, &refusal):
		return "refused: " + refusal.Reason
	case err != nil:
		t.Fatalf("%s %s: %v", name, arguments, err)
	}
	return answer.Text
}

func TestTools(t *testing.T) {
	dir, outside := t.TempDir(), t.TempDir()
	if err := os.WriteFile(filepath.Join(outside, "x.txt"), []byte("outside"), 0o600); err != nil {
		t.Fatal(err)
	}
	p := lay(t, dir, map[string]string{
		"a.go": "package a\r\n\r\nfunc A() {}\r\n", "empty.go": "", "no_end": "x", "sub/b.go": "package b\n// A and B\nfunc B() {}\n", "sub/deep/er/c.txt": "c",
		"k.secret": "A secret", "leads": "-> " + outside, "binary": "A\x00\x01", "long": strings.Repeat("é", 3000) + "\n",
	})
	lines := make([]string, 5000)
	for i := range lines {
		lines[i] = fmt.Sprint("line ", i+1)
	}
	if err := os.WriteFile(filepath.Join(dir, "many"), []byte(strings.Join(lines, "\n")), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "huge"), make([]byte, fsys.MaxFileSize+1), 0o600); err != nil {
		t.Fatal(err)
	}
	p.Problems = []Problems{
		{Path: filepath.Join(dir, "a.go"), Total: 3, List: []Problem{{Line: 3, Column: 6, Severity: "error", Message: "A is\nnot used", Source: "vet", Code: "U1"}, {Line: 1, Column: 1, Severity: "hint", Message: "h"}}},
		{Path: filepath.Join(dir, "k.secret"), Total: 1, List: []Problem{{Line: 1, Column: 1, Severity: "error", Message: "told"}}},
	}
	p.Changed = func(_ context.Context, below string, staged bool) ([]string, error) {
		if staged {
			return nil, nil
		}
		return []string{filepath.Join(dir, "a.go"), filepath.Join(dir, "k.secret")}, nil
	}
	p.Diff = func(_ context.Context, paths []string, _ bool, most int) (string, bool, error) {
		return fmt.Sprintf("diff of %d, %d at most\ncut", len(paths), most), true, nil
	}
	p.Untracked = func(context.Context, string) ([]string, error) {
		return []string{filepath.Join(dir, "new.go"), filepath.Join(dir, "new.secret")}, nil
	}
	p.Unsaved = []string{filepath.Join(dir, "a.go"), filepath.Join(dir, "k.secret"), filepath.Join(outside, "x.txt")}
	for _, test := range []struct{ tool, arguments, want string }{
		{"read", `{"path":"a.go"}`, "1\tpackage a\n2\t\n3\tfunc A() {}\n"},
		{"read", `"{\"path\":\"a.go\"}"`, "1\tpackage a\n2\t\n3\tfunc A() {}\n"},
		{"read", `{"path":"a.go","offset":"2","limit":1.0}`, "2\t\n\n(lines 2–2 of 3; read on with offset 3)"},
		{"read", `{"path":"a.go","offset":4}`, "refused: a.go has 3 lines, so there is none from 4 on"},
		{"read", `{"path":"./sub/../no_end","limit":null}`, "1\tx\n"},
		{"read", `{"path":"file://` + filepath.ToSlash(dir) + `/no_end"}`, "1\tx\n"},
		{"read", `{"path":"` + filepath.ToSlash(dir) + `/no_end"}`, "1\tx\n"},
		{"read", `{"path":"` + filepath.Base(dir) + `/no_end"}`, "1\tx\n"},
		{"read", `{"path":"empty.go"}`, "(empty.go is empty)"},
		{"read", `{"path":"binary"}`, "refused: cannot read binary: it holds NUL bytes, so it is not a text file"},
		{"read", `{"path":"sub"}`, "refused: sub is a directory; list shows what is in it"},
		{"read", `{"path":"b.go"}`, "refused: cannot read b.go: there is no such file; there is sub/b.go"},
		{"read", `{"path":"nowhere.go"}`, "refused: cannot read nowhere.go: there is no such file; glob finds files by name"},
		{"read", `{"path":"k.secret"}`, "refused: k.secret is not shown to models: it is a secret. Go on without it, or ask the user to attach it if it is needed"},
		{"read", `{"path":"leads/x.txt"}`, "refused: leads/x.txt leads out of the workspace, to where nothing may be read"},
		{"read", `{"path":"../x"}`, "refused: ../x is outside of the workspace (" + dir + ")"},
		{"read", `{"path":" "}`, "refused: path: missing; say which file to read"},
		{"read", `{"file":"a.go"}`, `refused: there is no argument "file"; there are: limit, offset, path`},
		{"read", `{"path":7}`, `refused: argument "path": want a text`},
		{"read", `{"path":"a.go","limit":1.5}`, `refused: argument "limit": want a whole number`},
		{"read", `{"path":"a.go"`, "refused: the arguments are no JSON object: unexpected EOF"},
		{"read", `{"path":"a.go"} {}`, "refused: the arguments are more than one JSON object"},
		{"read", ``, "refused: path: missing; say which file to read"},
		{"list", ``, "./\n  a.go\n  binary\n  empty.go\n  huge\n  long\n  many\n  no_end\n  sub/\n    b.go\n    deep/ (1)\n"},
		{"list", `{"path":"sub","depth":"3"}`, "sub/\n  b.go\n  deep/\n    er/\n      c.txt\n"},
		{"list", `{"path":"a.go"}`, "refused: a.go is a file, not a directory"},
		{"list", `{"path":"none"}`, "refused: cannot read none: there is no such file"},
		{"glob", `{"pattern":"*.go"}`, "a.go\nempty.go\nsub/b.go\n"},
		{"glob", `{"pattern":"./sub/**/*.{txt,md}"}`, "sub/deep/er/c.txt\n"},
		{"glob", `{"pattern":"er/*","path":"sub/deep"}`, "sub/deep/er/c.txt\n"},
		{"glob", `{"pattern":"*.rs"}`, `no file below . fits "*.rs"`},
		{"glob", `{}`, "refused: pattern: missing; say which paths to look for, such as **/*.go"},
		{"grep", `{"pattern":"func"}`, "a.go:3: func A() {}\nsub/b.go:3: func B() {}\n\n(not searched, because no text or larger than 1 MiB: 2 files)"},
		{"grep", `{"pattern":"a and","ignoreCase":"true","context":1,"include":"*.go"}`, "sub/b.go-1- package b\nsub/b.go:2: // A and B\nsub/b.go-3- func B() {}\n"},
		{"grep", `{"pattern":"A() {","literal":true,"path":"a.go"}`, "a.go:3: func A() {}\n"},
		{"grep", `{"pattern":"secret","include":"*.secret"}`, `nothing below . matches "secret"`},
		{"grep", `{"pattern":"func","limit":"1"}`, "a.go:3: func A() {}\n\n(the search ended after 1 match; use a narrower pattern, include or path)"},
		{"grep", `{"pattern":"^func","path":"a.go"}`, "a.go:3: func A() {}\n"},
		{"grep", `{"pattern":"a$","path":"a.go"}`, "a.go:1: package a\n"},
		{"grep", `{"pattern":"^$","path":"a.go","context":1}`, "a.go-1- package a\na.go:2: \na.go-3- func A() {}\n"},
		{"grep", `{"pattern":""}`, "refused: pattern: missing; say what to look for"},
		{"diagnostics", ``, "a.go:3:6: error: A is?not used (vet U1)\na.go:1:1: hint: h\n\n(2 of 3 problems; give a file as path)"},
		{"diagnostics", `{"path":"sub"}`, "the editor shows no problems there; files that no language server looks at have none"},
		{"diff", ``, fmt.Sprintf("diff of 1, %d at most\n\n(the diff is cut after 1 line; it is of 1 file: a.go. Give one as path; left out: 1 file that may not be shown to models; new, and not in git yet: new.go; with unsaved text, which is not compared: a.go)", maxAnswer)},
		{"diagnostics", `{"path":"nowhere"}`, "refused: cannot read nowhere: there is no such file"},
		{"diff", `{"staged":true,"path":"nowhere"}`, "refused: cannot read nowhere: there is no such file"},
		{"read", `{"path":"huge"}`, "refused: huge is larger than 1 MiB, and such files are not read; look for what you need in others, or ask the user for the part"},
		{"diff", `{"staged":true}`, "nothing is staged there"},
	} {
		if got := use(t, p, test.tool, test.arguments); got != test.want {
			t.Errorf("%s %s:\n got %q\nwant %q", test.tool, test.arguments, got, test.want)
		}
	}
	if got := use(t, p, "read", `{"path":"many"}`); !strings.HasSuffix(got, "2000\tline 2000\n\n(lines 1–2000 of 5000; read on with offset 2001)") {
		t.Errorf("many lines end with %q", got[len(got)-80:])
	}
	if got := use(t, p, "read", `{"path":"long"}`); got != "1\t"+strings.Repeat("é", 1000)+" … (cut)\n" {
		t.Errorf("a long line gives %d bytes", len(got))
	}
	if got := use(t, p, "grep", `{"pattern":"line"}`); strings.Count(got, "\n") != maxMatches+1 || !strings.Contains(got, "(the search ended after 200 matches") {
		t.Errorf("many matches end with %q", got[len(got)-120:])
	}
	for i := range maxListed + 100 {
		path := filepath.Join(dir, "sub", "wide", fmt.Sprintf("d%d", i%30), fmt.Sprintf("f%d", i))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if got := use(t, p, "list", `{"path":"sub","depth":5}`); !strings.HasPrefix(got, "sub/\n  b.go\n  deep/\n    er/ (1)\n  wide/\n    d0/ (37)\n") || !strings.HasSuffix(got, "d9/ (37)\n\n(2 levels, as 3 would be too long; list a directory in it)") {
		t.Errorf("a list that is too long: %q", got)
	}
	if got := use(t, p, "list", `{"path":"sub/wide/d0"}`); strings.Count(got, "\n") != 38 {
		t.Errorf("d0: %q", got)
	}
	p.Root, p.Roots = "", nil
	if got := use(t, p, "list", ``); got != "refused: no folder is open, so there is nothing to look at" {
		t.Errorf("without a folder: %q", got)
	}
}

// What a tool is described by is what it takes.
func TestSchemas(t *testing.T) {
	for _, tool := range All() {
		if len(tool.Description) > 1024 {
			t.Errorf("%s: the description has %d bytes; some providers take 1024", tool.Name, len(tool.Description))
		}
		var schema struct {
			Type                 string
			Properties           map[string]struct{ Type, Description string }
			Required             []string
			AdditionalProperties *bool
		}
		if err := json.Unmarshal(tool.Parameters, &schema); err != nil || schema.Type != "object" || schema.AdditionalProperties == nil || *schema.AdditionalProperties {
			t.Fatalf("%s: %v, %+v", tool.Name, err, schema)
		}
		values := map[string]string{"string": `"."`, "integer": "1", "boolean": "true"}
		var fields []string
		for name, property := range schema.Properties {
			if property.Description == "" || values[property.Type] == "" {
				t.Errorf("%s.%s: type %q, described as %q", tool.Name, name, property.Type, property.Description)
			}
			fields = append(fields, fmt.Sprintf("%q:%s", name, values[property.Type]))
		}
		p := lay(t, t.TempDir(), map[string]string{"a": "b"})
		p.Changed = func(context.Context, string, bool) ([]string, error) { return nil, nil }
		_, err := tool.Call(t.Context(), p, json.RawMessage("{"+strings.Join(fields, ",")+"}"))
		if err != nil && (strings.Contains(err.Error(), "argument") || strings.Contains(err.Error(), "missing")) {
			t.Errorf("%s does not take what its schema has: %v", tool.Name, err)
		}
	}
}

// Whatever is asked, an answer is bounded, tells of no secret, and names what it read.
func TestAnswersAreBounded(t *testing.T) {
	dir := t.TempDir()
	files := map[string]string{"k.secret": "hush"}
	for i := range 300 {
		files[fmt.Sprintf("d%02d/f%03d.txt", i%17, i)] = strings.Repeat(fmt.Sprintf("word %d and more words\n", i), i)
	}
	p := lay(t, dir, files)
	rapid.Check(t, func(t *rapid.T) {
		tool, _ := Lookup(rapid.SampledFrom([]string{"read", "list", "glob", "grep"}).Draw(t, "tool"))
		path := rapid.SampledFrom([]string{"", ".", "d03", "d16/f016.txt", "d05/f294.txt", "k.secret", "d03/../d04", "nowhere"}).Draw(t, "path")
		arguments, err := json.Marshal(map[string]any{
			"path": path, "offset": rapid.IntRange(-3, 400).Draw(t, "offset"), "limit": rapid.IntRange(-1, 9000).Draw(t, "limit"), "depth": rapid.IntRange(-1, 20).Draw(t, "depth"),
			"pattern": rapid.SampledFrom([]string{"*", "word", "f?[0-9]", "hush", "**", "(", "."}).Draw(t, "pattern"), "context": rapid.IntRange(0, 20).Draw(t, "context"),
		})
		if err != nil {
			t.Fatal(err)
		}
		known := map[string][]string{"read": {"path", "offset", "limit"}, "list": {"path", "depth"}, "glob": {"pattern", "path"}, "grep": {"pattern", "path", "context"}}[tool.Name]
		var fields map[string]json.RawMessage
		if err := json.Unmarshal(arguments, &fields); err != nil {
			t.Fatal(err)
		}
		for name := range fields {
			if !slices.Contains(known, name) {
				delete(fields, name)
			}
		}
		if arguments, err = json.Marshal(fields); err != nil {
			t.Fatal(err)
		}
		answer, err := tool.Call(t.Context(), p, arguments)
		var refusal *Refusal
		if errors.As(err, &refusal) {
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		const words = 300 // what is said of what is missing
		if len(answer.Text) > maxAnswer+words || answer.Title == "" || answer.Text == "" || strings.Contains(answer.Text, "hush\n") {
			t.Fatalf("%s %s: %d bytes, title %q", tool.Name, arguments, len(answer.Text), answer.Title)
		}
		for _, read := range answer.Read {
			if strings.HasSuffix(read, ".secret") {
				t.Fatalf("%s %s read %s", tool.Name, arguments, read)
			}
		}
	})
}

func FuzzArguments(f *testing.F) {
	f.Add(`{"path":"a","offset":"3"}`)
	f.Add(`"{\"pattern\":\"x\",\"literal\":\"yes\"}"`)
	f.Add(`{"path":null,"context":1e3}`)
	f.Fuzz(func(t *testing.T, arguments string) {
		var a grepArguments
		err := decode(json.RawMessage(arguments), &a)
		var refusal *Refusal
		if err != nil && !errors.As(err, &refusal) {
			t.Errorf("%q: %v is no refusal", arguments, err)
		}
	})
}
