package ignore

import (
	"strings"
	"testing"
	"unicode/utf8"
)

// The pattern that decides is returned as it was written, and a folder's pattern is about all below it.
func TestPatterns(t *testing.T) {
	p := Compile([]string{"# comment", "", "*.min.js", "/dist/", "!keep.min.js", "vendor/**/testdata", "  lead", "crlf\r"})
	for path, want := range map[string]string{
		"a.min.js": "*.min.js", "x/a.min.js": "*.min.js", "keep.min.js": "", "dist/a/b.txt": "/dist/", "x/dist/b.txt": "", "dist/keep.min.js": "/dist/",
		"vendor/a/b/testdata/x": "vendor/**/testdata", "vendor/testdata": "vendor/**/testdata", "  lead": "  lead", "lead": "", "crlf": "crlf", "./": "", "main.go": "",
	} {
		if got, ok := p.Match(path, false); got != want || ok != (want != "") {
			t.Errorf("%s: %q, %v; want %q", path, got, ok, want)
		}
	}
	if _, ok := p.Match("dist", false); ok {
		t.Error("a file of the name of a folder pattern")
	}
	if _, ok := p.Match("dist", true); !ok {
		t.Error("the folder of a folder pattern")
	}
}

// A hostile pattern is as quick as any: with blind backtracking this takes longer than anybody lives.
func TestManyDoubleStars(t *testing.T) {
	path := strings.Repeat("a/", 60)
	p := Compile([]string{strings.Repeat("**/a/", 30) + "b"})
	if _, ok := p.Match(path+"c", false); ok {
		t.Error("c matched")
	}
	if _, ok := p.Match(path+"b", false); !ok {
		t.Error("b did not match")
	}
}

// Both engines are in use, each for what it is right about.
func TestSimplePatternsGoToGoGitignore(t *testing.T) {
	for pattern, want := range map[string]bool{
		"*.log": true, "a*b-*_c.txt": true, "*": true,
		"a": false, "a?c": false, "[a]*": false, "c++*": false, "\\a*": false, "a**": false, "é*": false, "*(x)": false,
	} {
		if g := newGlob(pattern, false).simplified(); (g.simple != nil) != want {
			t.Errorf("%s: %v, want %v", pattern, g.simple != nil, want)
		}
	}
}

// No pattern makes the matcher panic, both engines agree, and what is excluded stays so below.
func FuzzPatterns(f *testing.F) {
	f.Add("*.log\n!a/**/b\n[[:alpha:]\\", "a/x/b")
	f.Add("a**/b\n/[!a-]*", "ab/b")
	f.Add("[a/]b\\/c", "a/b/c")
	f.Fuzz(func(t *testing.T, text, path string) {
		lines := strings.Split(text, "\n")
		p := Compile(lines)
		_, ok := p.Match(path, true)
		path = strings.Trim(path, "/")
		if clean := path != "" && path != "." && !strings.Contains(path, "//"); ok && clean {
			if _, below := p.Match(path+"/x", false); !below {
				t.Errorf("%q: %q is excluded, what is below is not", text, path)
			}
		}
		for _, line := range lines {
			plain := newGlob(line, false)
			if utf8.ValidString(path) && !strings.Contains(path, "\n") && !strings.Contains(path, "/") && plain.match(path) != plain.simplified().match(path) {
				t.Errorf("%q and %q: the engines disagree", line, path)
			}
		}
	})
}
