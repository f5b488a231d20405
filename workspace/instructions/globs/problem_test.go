package globs

import (
	"fmt"
	"strings"
	"testing"
)

func codes(problems []Problem) string {
	var all []string
	for _, p := range problems {
		all = append(all, fmt.Sprintf("%d:%s", p.Index, p.Code))
	}
	return strings.Join(all, " ")
}

func TestProblems(t *testing.T) {
	for _, c := range []struct {
		dialect  Dialect
		patterns []string
		want     string
	}{
		{Minimatch, []string{"**/*.ts", "!a/{b,c}/[!d-e]?.@(f|g)"}, ""},
		{Minimatch, []string{""}, "0:glob-syntax"},
		{Minimatch, []string{"a", " ", "!"}, "1:glob-syntax 2:glob-syntax"},
		{Minimatch, []string{"#a"}, "0:glob-syntax"},
		{Minimatch, []string{"a{b"}, "0:glob-syntax"},
		{Minimatch, []string{"a[b"}, "0:glob-syntax"},
		{Minimatch, []string{"[z-a]"}, "0:glob-syntax"},
		{Minimatch, []string{"./a", "/a", "a/"}, "0:glob-dot-slash 1:glob-rooted 2:glob-trailing-slash"},
		{Minimatch, []string{`src\a`, `\[id\]/\{a\}`, `docs/\*_/_.{md,mdx}`, `a\_b`}, "0:glob-backslash 2:glob-backslash 3:glob-backslash"},
		{Minimatch, []string{"+(+(+(a)))"}, "0:glob-syntax"},
		{Minimatch, []string{"{1..5000}"}, "0:glob-too-many-braces"},
		{Picomatch, []string{"#a", "a{b,c}", "./a"}, ""},
		{Picomatch, []string{"!a", "!!a", "!(a)", "[!a]"}, "0:glob-negation 3:glob-negation"},
		{Picomatch, []string{"/a", "a/"}, "0:glob-rooted 1:glob-trailing-slash"},
		{Gitignore, []string{"!a", "/a", "a/", "a/**"}, ""},
		{Gitignore, []string{"a[b", `a\`, "./a", "#"}, "0:glob-syntax 1:glob-syntax 2:glob-dot-slash 3:glob-syntax"},
		{VSCode, []string{"*", "src/**", "**/*.{ts,tsx}", "#a"}, ""},
		{VSCode, []string{"{a", "a[b", "a]", "a/**/**"}, "0:glob-syntax 1:glob-syntax 2:glob-syntax 3:glob-syntax"},
		{VSCode, []string{"{a,{b,c}}"}, "0:glob-braces"},
		{VSCode, []string{"!a", `src\a`, "./a", "/a", "a/"}, "0:glob-negation 1:glob-backslash 2:glob-dot-slash 3:glob-rooted 4:glob-trailing-slash"},
		{GitHub, []string{"**", "/src/*.py", "**/*.{ts,tsx}"}, ""},
		{GitHub, []string{"!a", "./a", "a/"}, "0:glob-negation 1:glob-dot-slash 2:glob-trailing-slash"},
		{Cursor, []string{"**/*.ts", "/a"}, ""},
		{Cursor, []string{"**/*.{ts", "tsx}", "!a", `src\a`}, "0:glob-braces 1:glob-braces 2:glob-negation 3:glob-backslash"},
		{"unheard-of", []string{"a", "b"}, "0:glob-syntax 1:glob-syntax"},
	} {
		_, problems := Compile(c.dialect, c.patterns)
		if got := codes(problems); got != c.want {
			t.Errorf("%s %q: %s, want %s", c.dialect, c.patterns, got, c.want)
		}
		for _, p := range problems {
			if p.Message == "" || strings.HasSuffix(p.Message, ".") || strings.Contains(p.Message, "%!") {
				t.Errorf("%s %q: message %q", c.dialect, c.patterns, p.Message)
			}
		}
	}
}

// TestBrokenPatternCostsItself holds that the others keep their answers and their indexes.
func TestBrokenPatternCostsItself(t *testing.T) {
	deep := strings.Repeat("{a,", 10_000) + strings.Repeat("}", 10_000)
	for _, d := range Dialects() {
		for _, broken := range []string{"", deep, strings.Repeat("a", maxPattern+1)} {
			s, problems := Compile(d, []string{broken, "*.ts"})
			if len(problems) == 0 || problems[0].Index != 0 {
				t.Errorf("%s: no problem of %.20q", d, broken)
			}
			if index, ok := s.Match("a.ts"); index != 1 || !ok {
				t.Errorf("%s: %.20q costs its neighbour: %d, %v", d, broken, index, ok)
			}
			if index, ok := s.Match("a"); index != -1 || ok {
				t.Errorf("%s: %.20q matches: %d, %v", d, broken, index, ok)
			}
		}
	}
}

// TestBrokenNegation holds that a broken pattern that takes away takes nothing.
func TestBrokenNegation(t *testing.T) {
	for _, d := range []Dialect{Minimatch, Picomatch, Gitignore} {
		s, _ := Compile(d, []string{"*.ts", "!" + strings.Repeat("{a,b}", 20)})
		if index, ok := s.Match("a.ts"); index != 0 || !ok {
			t.Errorf("%s: %d, %v", d, index, ok)
		}
		if index, ok := s.Match("b.md"); index != -1 || ok {
			t.Errorf("%s: %d, %v", d, index, ok)
		}
	}
}

// TestFolderBudget holds how many folders a pattern may name, and that several ** in a row are one.
func TestFolderBudget(t *testing.T) {
	for _, d := range Dialects() {
		most := strings.Repeat("a/", maxParts-2) + "a"
		for _, c := range []struct{ pattern, path, want string }{
			{most, most, ""},
			{"b/a/" + most, "b/a/" + most, "0:glob-syntax"},
			{strings.Repeat("**/", 100) + "a", "b/a", ""},
		} {
			s, problems := Compile(d, []string{c.pattern})
			if got := codes(problems); got != c.want {
				t.Errorf("%s %.10q: %s, want %q", d, c.pattern, got, c.want)
			}
			if _, ok := s.Match(c.path); ok != (c.want == "") {
				t.Errorf("%s %.10q matches %.10q: %v", d, c.pattern, c.path, ok)
			}
		}
	}
}

// TestBraceBudget holds where the budget ends, and that depth alone is none of the pattern's fault up to there.
func TestBraceBudget(t *testing.T) {
	for _, c := range []struct {
		pattern string
		want    string
	}{
		{"{" + strings.Repeat("a,", maxAlternatives-1) + "b}", ""},
		{"{" + strings.Repeat("a,", maxAlternatives) + "b}", "0:glob-too-many-braces"},
		{strings.Repeat("{a,b}", 9), ""},
		{strings.Repeat("{a,b}", 10), "0:glob-too-many-braces"},
		{strings.Repeat("{a,b}", 500), "0:glob-too-many-braces"},
		{strings.Repeat("{a,", maxBraceDepth) + strings.Repeat("}", maxBraceDepth), ""},
		{strings.Repeat("{a,", maxBraceDepth+1) + strings.Repeat("}", maxBraceDepth+1), "0:glob-too-many-braces"},
		{strings.Repeat("{", 10_000) + strings.Repeat("}", 10_000), "0:glob-too-many-braces"},
		{strings.Repeat("{", 10_000), "0:glob-syntax"},
		{"{a,b}" + strings.Repeat("x", maxExpanded/2-10), "0:glob-syntax"},
		{"{a,b,c,d,e}" + strings.Repeat("x", maxPattern-11), "0:glob-too-many-braces"},
		{"{1..99999999999999999999}", ""},
		{"{-9223372036854775808..9223372036854775807}", "0:glob-too-many-braces"},
		{"{9223372036854775800..9223372036854775807}", ""},
	} {
		s, problems := Compile(Minimatch, []string{c.pattern})
		if got := codes(problems); got != c.want {
			t.Errorf("%.30q (%d bytes): %s, want %s", c.pattern, len(c.pattern), got, c.want)
		}
		s.Match("a/b")
	}
}
