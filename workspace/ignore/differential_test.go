package ignore

import (
	"context"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"foreword/workspace/fsys"
)

// ignoreCases are .gitignore texts with paths to try; a path that ends in a slash is a folder. What is right is what
// git says.
var ignoreCases = []struct {
	name  string
	files map[string]string // ignore files
	paths string            // separated by spaces; _ stands for a space
}{
	{"simple names", map[string]string{".gitignore": "a.txt\nb\n"}, "a.txt d/a.txt b/x b a.txt.bak xa.txt"},
	{"star", map[string]string{".gitignore": "*.log\nfoo*bar\n"}, "x.log .log d/x.log fooxbar foobar foo/bar foo/x/bar x.log/y x.logs"},
	{"question mark", map[string]string{".gitignore": "?.txt\na?c\n"}, "a.txt ab.txt .txt abc a/c ac"},
	{"question mark is a byte", map[string]string{".gitignore": "?.txt\n??.md\n"}, "ü.txt ü.md"},
	{"folder only", map[string]string{".gitignore": "build/\n"}, "build/ build/x d/build/x d/build"},
	{"folder pattern, file of that name", map[string]string{".gitignore": "build/\n"}, "build"},
	{"leading slash", map[string]string{".gitignore": "/a\n/d/b\n"}, "a d/a d/b e/d/b a2"},
	{"middle slash anchors", map[string]string{".gitignore": "doc/frotz\n"}, "doc/frotz a/doc/frotz doc/frotz/x"},
	{"middle slash and folder only", map[string]string{".gitignore": "doc/frotz/\n"}, "doc/frotz/ doc/frotz/x a/doc/frotz/x"},
	{"contents of a folder", map[string]string{".gitignore": "foo/*\n"}, "foo/ foo/a foo/b/ foo/b/c d/foo/a"},
	{"double star first", map[string]string{".gitignore": "**/foo\n**/x/y\n"}, "foo a/foo a/b/foo x/y a/x/y a/x/b/y"},
	{"double star last", map[string]string{".gitignore": "abc/**\n"}, "abc/ abc/a abc/b/ abc/b/c x/abc/a"},
	{"double star middle", map[string]string{".gitignore": "a/**/b\n"}, "a/b a/x/b a/x/y/b z/a/b a/bx"},
	{"double star backtracks", map[string]string{".gitignore": "a/**/b/c\n"}, "a/b/c a/b/x/b/c a/b/b/c a/b/x"},
	{"double stars", map[string]string{".gitignore": "a/**/**/b\n**/**/z\n/**/q\n"}, "a/b a/x/b z y/z q w/q"},
	{"only double star", map[string]string{".gitignore": "**\n"}, "a a/b"},
	{"only slash double star", map[string]string{".gitignore": "/**\n"}, "a a/b"},
	{"double star slash", map[string]string{".gitignore": "**/\n"}, "a d/ d/a"},
	{"double star in a name", map[string]string{".gitignore": "a**b\nx/c**d\n"}, "ab axb a/b x/cd x/cyd x/c/d"},
	{"double star after letters", map[string]string{".gitignore": "/a**\n!a/\nx/b**/c\nd**/e\nf\\**/g\n"},
		"a/ a/b ab axb x/bc x/by/c x/b/y/c x/byc de d/e dx/y/e e f/g f*/g f*x/g"},
	{"triple star", map[string]string{".gitignore": "x/***/b\n***c\n"}, "x/b x/y/b x/y/z/b abc c"},
	{"negation", map[string]string{".gitignore": "*.log\n!keep.log\n"}, "x.log keep.log d/keep.log"},
	{"negation order", map[string]string{".gitignore": "!keep.log\n*.log\n"}, "x.log keep.log"},
	{"no taking back below a folder", map[string]string{".gitignore": "dir/\n!dir/keep\n"}, "dir/ dir/keep dir/x"},
	{"contents taken back", map[string]string{".gitignore": "dir/*\n!dir/keep\n"}, "dir/ dir/keep dir/x"},
	{"everything but one kind", map[string]string{".gitignore": "*\n!*/\n!*.go\n"}, "a.go a.txt d/ d/a.go d/a.txt"},
	{"everything below but one kind", map[string]string{".gitignore": "a/**\n!a/**/\n!a/**/*.md\n"}, "a/ a/x.txt a/b/ a/b/x.txt a/b/x.md a/y.md"},
	{"negated folder", map[string]string{".gitignore": "/*\n!/src/\n"}, "src/ src/a other/ other/a"},
	{"comment", map[string]string{".gitignore": "#a\n\\#b\n # c\nd # e\n"}, "#a #b _#_c d d_#_e"},
	{"escaped !", map[string]string{".gitignore": "\\!important\n"}, "!important important"},
	{"escapes", map[string]string{".gitignore": "a\\*b\n\\a\\b\nc\\?d\n\\[x]\ne\\\\f\n"}, "a*b axb ab c?d cxd [x] x e\\f"},
	{"escaped slash", map[string]string{".gitignore": "a\\/b\n"}, "a/b b"},
	{"backslash at the end", map[string]string{".gitignore": "foo\\\nbar*\\\n"}, "foo foo\\ barx barx\\"},
	{"trailing spaces", map[string]string{".gitignore": "foo  \nbar\\ \nbaz\\  \nqux \\ \n"}, "foo foo_ bar bar_ baz_ baz__ qux__ qux_"},
	{"spaces", map[string]string{".gitignore": " lead\na b\n   \n"}, "lead _lead a_b a b"},
	{"tab at the end", map[string]string{".gitignore": "foo\t\n"}, "foo foo\t"},
	{"escaped backslash and space", map[string]string{".gitignore": "foo\\\\ \n"}, "foo\\ foo\\_ foo"},
	{"class", map[string]string{".gitignore": "[abc].txt\n[0-9][0-9]\n"}, "a.txt d.txt 12 1x"},
	{"negated class", map[string]string{".gitignore": "[!abc].txt\n[^0-9]x\n"}, "a.txt d.txt ax 1x"},
	{"posix class", map[string]string{".gitignore": "[[:digit:]].txt\n[[:upper:][:digit:]_]x\n[![:alpha:]]y\n"}, "1.txt a.txt Ax _x ax 1y ay"},
	{"all posix classes", map[string]string{".gitignore": "[[:alnum:]]1\n[[:blank:]]2\n[[:punct:]]3\n[[:space:]]4\n[[:xdigit:]]5\n[[:lower:]]6\n[[:graph:]]7\n[[:print:]]8\n[[:cntrl:]]9\n"},
		"a1 -1 _2 x2 !3 a3 _4 a4 f5 g5 a6 A6 é7 a7 _8 \x019"},
	{"unknown posix class", map[string]string{".gitignore": "[[:nope:]]\n[[:alpha]x\n[[:]y\n"}, "n : a ax :x [x [y :y"},
	{"bracket in a class", map[string]string{".gitignore": "[]-]a\n[]]b\n[!]]c\n[[]d\n[a]]e\n"}, "]a -a ]b ]c xc [d a]e"},
	{"dash in a class", map[string]string{".gitignore": "[a-]1\n[-a]2\n[a-c-e]3\n[--0]4\n[!-a]5\n"}, "-1 a1 -2 a2 b3 -3 e3 d3 .4 -4 b5 -5 a5"},
	{"escape in a class", map[string]string{".gitignore": "[\\]]1\n[\\a-\\c]2\n[\\-x]3\n[a\\-c]4\n"}, "]1 b2 -3 x3 b4 -4 a4"},
	{"backwards range", map[string]string{".gitignore": "[c-a]x\n[!c-a]y\n"}, "bx ax by cy"},
	{"unclosed class", map[string]string{".gitignore": "[abc\na[\nx[!\ny[]\n"}, "[abc a a[ x[! x[ y[] y["},
	{"class does not match a slash", map[string]string{".gitignore": "a[/]b\na[!x]c\nd[.-0]e\n"}, "a/b a/c d/e d.e"},
	{"non-ASCII", map[string]string{".gitignore": "ü*\n[é]x\n*.日本\n"}, "über ex éx a.日本"},
	{"BOM", map[string]string{".gitignore": "\ufefffoo\nbar\n"}, "foo bar"},
	{"CRLF", map[string]string{".gitignore": "foo\r\n*.log\r\n\r\nlast"}, "foo x.log last a"},
	{"lone carriage return", map[string]string{".gitignore": "foo\rbar\nbaz\r"}, "foo bar foo\rbar baz baz\r"},
	{"no newline at the end", map[string]string{".gitignore": "foo"}, "foo"},
	{"only slash", map[string]string{".gitignore": "/\n//\n"}, "a d/a"},
	{"double slash", map[string]string{".gitignore": "a//b\n//c\nd//\n"}, "a/b c d/ d/x"},
	{"dot segments", map[string]string{".gitignore": "./a\n../b\nc/./d\n"}, "a b c/d"},
	{"regex characters", map[string]string{".gitignore": "c++\na.b\n(x)\n$y^\n{a,b}\nz|w\n"}, "c++ cc axb a.b (x) x $y^ {a,b} a z|w"},
	{"case", map[string]string{".gitignore": "Foo\n[a-z]1\n"}, "Foo foo FOO A1 a1"},
	{"nested", map[string]string{".gitignore": "*.log\n", "d/.gitignore": "!keep.log\n/own\nx/y\n", "d/e/.gitignore": "*.log\n"},
		"keep.log d/keep.log d/e/keep.log d/own d/e/own own d/x/y x/y d/e/x/y"},
	{"nested in an ignored folder", map[string]string{".gitignore": "d/\n", "d/.gitignore": "!*\n"}, "d/ d/a"},
	{"nested takes back a folder", map[string]string{".gitignore": "build\n", "d/.gitignore": "!build\n"}, "build/ d/build/ d/build/x e/build/x"},
	{"nested everything", map[string]string{"d/.gitignore": "*\n!.gitignore\n"}, "d/ d/a d/.gitignore d/e/x a"},
	{"info/exclude", map[string]string{".git/info/exclude": "private\n*.me\n", ".gitignore": "!x.me\n"}, "private d/private x.me y.me"},
	{"leading !!", map[string]string{".gitignore": "*.x\n!!a.x\n"}, "a.x !a.x"},
	{"negated folder only", map[string]string{".gitignore": "*\n!d/\n"}, "d/ d/a d a"},
	{"names that look like options", map[string]string{".gitignore": "-v\n--\n"}, "-v -- -x"},
	{"pathspec magic", map[string]string{".gitignore": ":(top)a\n:b\n"}, ":(top)a :b a"},
	{"wildcards in names", map[string]string{".gitignore": "x\n"}, "* ? [x] x"},
}

func unescapePaths(text string) []string {
	var paths []string
	for field := range strings.SplitSeq(text, " ") {
		paths = append(paths, strings.ReplaceAll(field, "_", " "))
	}
	return paths
}

// consistent drops paths that cannot be on a disk together with earlier ones: a file and a folder of one name.
func consistent(paths []string) []string {
	folders, files := map[string]bool{}, map[string]bool{}
	var out []string
	for _, p := range paths {
		clean := strings.TrimSuffix(p, "/")
		ok := !files[clean] && (strings.HasSuffix(p, "/") || !folders[clean])
		for dir := filepath.Dir(clean); dir != "."; dir = filepath.Dir(dir) {
			ok = ok && !files[dir]
		}
		if !ok {
			continue
		}
		for dir := filepath.Dir(clean); dir != "."; dir = filepath.Dir(dir) {
			folders[dir] = true
		}
		if strings.HasSuffix(p, "/") {
			folders[clean] = true
		} else {
			files[clean] = true
		}
		out = append(out, p)
	}
	return out
}

// compare checks both checkers, one path at a time and all in one batch, against git.
func compare(t interface {
	Errorf(string, ...any)
	Fatal(...any)
}, r *repo, paths []string, context_ string) {
	want := r.oracle(paths)
	full := make([]string, len(paths))
	for i, p := range paths {
		full[i] = r.at(strings.TrimSuffix(p, "/"))
	}
	for name, checker := range r.checkers(fsys.Disk()) {
		batch, err := checker.IgnoredPaths(context.Background(), full)
		if err != nil {
			t.Fatal(err)
		}
		single := NewCheckerWith(fsys.Disk(), r.root, checker.git)
		for i, p := range paths {
			ignored := want[strings.TrimSuffix(p, "/")]
			if _, got := batch[full[i]]; got != ignored {
				t.Errorf("%s: %s, batch: %q ignored: %v, git says %v", context_, name, p, got, ignored)
			}
			why, got := single.Ignored(full[i], strings.HasSuffix(p, "/"))
			if got != ignored || (why != "") != got {
				t.Errorf("%s: %s: %q ignored: %v (%q), git says %v", context_, name, p, got, why, ignored)
			}
		}
	}
}

// Both checkers say what git check-ignore says.
func TestAgainstGit(t *testing.T) {
	checks := 0
	for _, c := range ignoreCases {
		t.Run(c.name, func(t *testing.T) {
			r := newRepo(t, t.TempDir())
			for path, text := range c.files {
				r.write(path, text)
			}
			paths := consistent(unescapePaths(c.paths))
			for _, p := range paths {
				if !isIgnoreFile(c.files, p) {
					r.write(p, "")
				}
			}
			checks += len(paths)
			compare(t, r, paths, c.name)
			// Neither may it matter that the files exist.
			for _, p := range paths {
				if !isIgnoreFile(c.files, p) {
					if err := os.RemoveAll(r.at(p)); err != nil {
						t.Fatal(err)
					}
				}
			}
			for path, text := range c.files {
				r.write(path, text)
			}
			compare(t, r, withoutFolders(paths), c.name+", not on the disk")
		})
	}
	t.Logf("%d cases, %d paths", len(ignoreCases), checks)
}

func isIgnoreFile(files map[string]string, path string) bool {
	_, ok := files[path]
	return ok
}

func withoutFolders(paths []string) []string {
	var out []string
	for _, p := range paths {
		if !strings.HasSuffix(p, "/") {
			out = append(out, p)
		}
	}
	return out
}

// The user's own ignore file counts wherever git looks for it.
func TestGlobalExcludesAgainstGit(t *testing.T) {
	paths := []string{"a.swp", "b.tmp", "d/c.swp", "x.txt"}
	for name, set := range map[string]func(r *repo){
		"default place": func(r *repo) { home(r, ".config/git/ignore", "*.swp\n") },
		"in .gitconfig": func(r *repo) {
			home(r, ".gitconfig", "[core]\n\texcludesFile = ~/my-ignore\n")
			home(r, "my-ignore", "*.tmp\n")
			home(r, ".config/git/ignore", "*.swp\n")
		},
		"in the repository": func(r *repo) {
			home(r, ".gitconfig", "[core]\n\texcludesFile = ~/my-ignore\n")
			home(r, "my-ignore", "*.tmp\n")
			home(r, "other", "*.swp\n")
			r.git("", "config", "core.excludesFile", filepath.Join(r.home, "other"))
		},
		"switched off": func(r *repo) {
			home(r, ".config/git/ignore", "*.swp\n")
			r.git("", "config", "core.excludesFile", "")
		},
		"weaker than the repository's": func(r *repo) {
			home(r, ".config/git/ignore", "*.swp\n")
			r.write(".gitignore", "!a.swp\n")
			r.write(".git/info/exclude", "!c.swp\n")
		},
		"ignoreCase": func(r *repo) {
			r.write(".gitignore", "*.SWP\nX.[A-T]xt\n")
			r.git("", "config", "core.ignoreCase", "true")
		},
	} {
		t.Run(name, func(t *testing.T) {
			r := newRepo(t, t.TempDir())
			set(r)
			for _, p := range paths {
				r.write(p, "")
			}
			compare(t, r, paths, name)
		})
	}
}

func home(r *repo, path, text string) {
	full := filepath.Join(r.home, filepath.FromSlash(path))
	if err := os.MkdirAll(filepath.Dir(full), 0o755); err != nil {
		r.t.Fatal(err)
	}
	if err := os.WriteFile(full, []byte(text), 0o644); err != nil {
		r.t.Fatal(err)
	}
}

// What git tracks is not ignored, by either checker, whatever the files say.
func TestTrackedAgainstGit(t *testing.T) {
	r := newRepo(t, t.TempDir())
	r.write(".gitignore", "*.log\nbuild/\nout/\n")
	for _, p := range []string{"a.log", "b.log", "build/x.o", "build/y.o", "out/z.o", "d/c.log"} {
		r.write(p, "")
	}
	r.git("", "add", "--force", "a.log", "build/x.o", "d/c.log")
	paths := []string{"a.log", "b.log", "build/x.o", "build/y.o", "build/", "out/", "out/z.o", "d/c.log", "d/"}
	compare(t, r, paths, "tracked")
	checkers := r.checkers(fsys.Disk())
	for name, c := range checkers {
		if _, ignored := c.Ignored(r.at("a.log"), false); ignored {
			t.Errorf("%s: a tracked file is ignored", name)
		}
	}
	r.git("", "rm", "--cached", "--quiet", "a.log")
	for name, c := range checkers {
		if _, ignored := c.Ignored(r.at("a.log"), false); !ignored {
			t.Errorf("%s: a file that is no longer tracked is not ignored", name)
		}
	}
}

// Random ignore files and paths: the rules, and foreword's own patterns, say what git says.
func TestRandomPatternsAgainstGit(t *testing.T) {
	dir := t.TempDir()
	r := newRepo(t, dir)
	atoms := []string{"a", "b", "ab", "*", "?", "**", "/", "[ab]", "[!a]", "[^b-c]", "\\a", ".", "-", " ", "\\ ", "[[:alpha:]]", "[]a]", "[a", "\\*", "é", "!", "#", "x*"}
	names := []string{"a", "b", "ab", "abc", "x", "a.b", "-", "é", " ", "a ", "*", "]", "[a", "!a", "#a", "xa"}
	rapid.Check(t, func(t *rapid.T) {
		text := func(label string) string {
			var lines []string
			for range rapid.IntRange(1, 4).Draw(t, label) {
				lines = append(lines, rapid.SampledFrom([]string{"", "", "!", "/"}).Draw(t, "prefix")+
					strings.Join(rapid.SliceOfN(rapid.SampledFrom(atoms), 1, 6).Draw(t, "line"), ""))
			}
			return strings.Join(lines, "\n") + "\n"
		}
		files := map[string]string{".gitignore": text("root")}
		for _, nested := range []string{"a/.gitignore", "a/b/.gitignore"} {
			if rapid.Bool().Draw(t, nested) {
				files[nested] = text(nested)
			}
		}
		var paths []string
		for range rapid.IntRange(1, 12).Draw(t, "paths") {
			p := strings.Join(rapid.SliceOfN(rapid.SampledFrom(names), 1, 4).Draw(t, "path"), "/")
			paths = append(paths, p)
		}
		// git lists each path once for each line of its input; the oracle works on sets.
		sort.Strings(paths)

		entries, err := os.ReadDir(r.root)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range entries {
			if e.Name() != ".git" {
				if err := os.RemoveAll(filepath.Join(r.root, e.Name())); err != nil {
					t.Fatal(err)
				}
			}
		}
		for path, text := range files {
			r.write(path, text)
		}
		want := r.oracle(paths)
		rules := NewCheckerWith(fsys.Disk(), r.root, r.caller("-"))
		patterns := Compile(strings.Split(files[".gitignore"], "\n"))
		for _, p := range paths {
			info, err := os.Lstat(r.at(p))
			isDir := err == nil && info.IsDir()
			if why, got := rules.Ignored(r.at(p), isDir); got != want[p] {
				t.Fatalf("rules: %q ignored: %v (%q), git says %v; files %q", p, got, why, want[p], files)
			}
			if len(files) == 1 {
				if why, got := patterns.Match(p, isDir); got != want[p] {
					t.Fatalf("patterns: %q excluded: %v (%q), git says %v; %q", p, got, why, want[p], files)
				}
			}
		}
	})
}

// Foreword's own patterns say what git says of a .gitignore at the root.
func TestPatternsAgainstGit(t *testing.T) {
	for _, c := range ignoreCases {
		text, ok := c.files[".gitignore"]
		if !ok || len(c.files) > 1 || strings.Contains(text, "\ufeff") {
			continue
		}
		r := newRepo(t, t.TempDir())
		r.write(".gitignore", text)
		paths := consistent(unescapePaths(c.paths))
		for _, p := range paths {
			r.write(p, "")
		}
		want := r.oracle(paths)
		lines := strings.Split(strings.ReplaceAll(text, "\r\n", "\n"), "\n")
		patterns := Compile(lines)
		for _, p := range paths {
			clean := strings.TrimSuffix(p, "/")
			info, err := os.Stat(r.at(clean))
			if err != nil {
				t.Fatal(err)
			}
			pattern, got := patterns.Match(clean, info.IsDir())
			if got != want[clean] || (pattern != "") != got {
				t.Errorf("%s: %q excluded: %v (%q), git says %v", c.name, p, got, pattern, want[clean])
			}
		}
	}
	if _, ok := (*Patterns)(nil).Match("a", false); ok {
		t.Error("no patterns exclude nothing")
	}
	for _, rel := range []string{"", "."} {
		if _, ok := Compile([]string{"*"}).Match(rel, true); ok {
			t.Error("the root cannot be excluded")
		}
	}
}
