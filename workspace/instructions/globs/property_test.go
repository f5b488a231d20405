package globs

import (
	"slices"
	"strings"
	"testing"
	"unicode"

	"pgregory.net/rapid"
)

var (
	// name is a file's name without anything that a pattern could read otherwise.
	name = rapid.StringMatching(`[a-zé][a-z0-9é_-]{0,6}(\.[a-z]{1,3})?`)
	// hiddenName may begin with a dot.
	hiddenName = rapid.StringMatching(`\.?[a-zé][a-z0-9é_-]{0,6}`)
	// garbage is made of what patterns are made of.
	garbage = rapid.StringOf(rapid.SampledFrom([]rune(`ab./*?[]{}()|,!@+^-\ #:é$~'"1`)))
)

func path(names *rapid.Generator[string]) *rapid.Generator[string] {
	return rapid.Map(rapid.SliceOfN(names, 1, 6), func(s []string) string { return strings.Join(s, "/") })
}

func matches(t *rapid.T, d Dialect, path string, patterns ...string) bool {
	s, problems := Compile(d, patterns)
	if len(problems) > 0 {
		t.Fatalf("%s %q: %v", d, patterns, problems)
	}
	_, ok := s.Match(path)
	return ok
}

// TestLiteralMatchesItself: a path without wildcards is a pattern that names it and no other.
func TestLiteralMatchesItself(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p, other := path(hiddenName).Draw(t, "path"), path(hiddenName).Draw(t, "other")
		for _, d := range Dialects() {
			if !matches(t, d, p, p) {
				t.Fatalf("%s: %q does not match itself", d, p)
			}
			inside := strings.HasPrefix(other, p+"/") || strings.HasSuffix(other, "/"+p) || strings.Contains(other, "/"+p+"/")
			if p != other && !inside && matches(t, d, other, p) {
				t.Fatalf("%s: %q matches %q", d, p, other)
			}
		}
	})
}

// TestStarsMeanWhatTheyCover replaces names by wildcards.
func TestStarsMeanWhatTheyCover(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		names := rapid.SliceOfN(name, 2, 6).Draw(t, "names")
		p := strings.Join(names, "/")
		at := rapid.IntRange(0, len(names)-1).Draw(t, "at")
		star := slices.Clone(names)
		star[at] = "*"
		stars := slices.Concat(names[:at], []string{"**"}, names[min(at+rapid.IntRange(0, len(names)).Draw(t, "gone"), len(names)):])
		for _, d := range Dialects() {
			if pattern := strings.Join(star, "/"); !matches(t, d, p, pattern) {
				t.Fatalf("%s: %q does not match %q", d, pattern, p)
			}
			pattern := strings.Join(stars, "/")
			if stars[len(stars)-1] == "**" && len(stars)-1 == len(names) {
				continue // "a/**" and a: the dialects differ
			}
			if !matches(t, d, p, pattern) {
				t.Fatalf("%s: %q does not match %q", d, pattern, p)
			}
		}
	})
}

// TestOrderDoesNotMatter: without "!" a set matches what one of its patterns does, however they are ordered, by the
// first that does.
func TestOrderDoesNotMatter(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		positive := rapid.Map(garbage, func(s string) string { return strings.TrimLeft(strings.TrimSpace(s), "!") })
		patterns := rapid.SliceOfN(positive, 1, 5).Draw(t, "patterns")
		p := path(rapid.OneOf(hiddenName, rapid.SampledFrom([]string{"a", "b", ".a", "ab"}))).Draw(t, "path")
		for _, d := range Dialects() {
			want := -1
			for i, pattern := range patterns {
				s, _ := Compile(d, []string{pattern})
				if _, ok := s.Match(p); ok {
					want = i
					break
				}
			}
			s, _ := Compile(d, patterns)
			if index, ok := s.Match(p); index != want || ok != (want >= 0) {
				t.Fatalf("%s %q %q: %d, %v, want %d", d, patterns, p, index, ok, want)
			}
			back := slices.Clone(patterns)
			slices.Reverse(back)
			s, _ = Compile(d, back)
			if _, ok := s.Match(p); ok != (want >= 0) {
				t.Fatalf("%s %q %q: %v, want %v", d, back, p, ok, want >= 0)
			}
		}
	})
}

// TestNegationTakesAway: in Continue's dialect wherever it stands, in git's when it stands behind.
func TestNegationTakesAway(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := path(name).Draw(t, "path")
		for _, d := range []Dialect{Minimatch, Gitignore} {
			if matches(t, d, p, "**/*.zzzz", p, "!"+p) || !matches(t, d, p, p, "!"+p+"x") {
				t.Fatalf("%s: %q", d, p)
			}
		}
		if matches(t, Minimatch, p, "!"+p, p) || !matches(t, Gitignore, p, "!"+p, p) {
			t.Fatalf("%q", p)
		}
		s, _ := Compile(Minimatch, []string{p, "!" + p})
		if index, ok := s.Match(p); index != 1 || ok {
			t.Fatalf("%q is taken away by %d, %v", p, index, ok)
		}
	})
}

// TestLetterCase: it counts everywhere but in VS Code.
func TestLetterCase(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := path(name).Draw(t, "path")
		upper := strings.Map(unicode.ToUpper, p)
		for _, d := range Dialects() {
			if got := matches(t, d, upper, p); got != (d == VSCode || upper == p) {
				t.Fatalf("%s: %q matches %q: %v", d, p, upper, got)
			}
		}
	})
}

// TestGarbage: whatever the pattern and the path, nothing panics or hangs, problems are in order and say which pattern
// they are of, and the answer is one of the patterns'.
func TestGarbage(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		patterns := rapid.SliceOfN(rapid.OneOf(garbage, rapid.String()), 0, 4).Draw(t, "patterns")
		p := rapid.OneOf(garbage, rapid.String(), path(hiddenName)).Draw(t, "path")
		for _, d := range Dialects() {
			checkSane(t, d, patterns, p)
		}
	})
}

func checkSane(t interface{ Fatalf(string, ...any) }, d Dialect, patterns []string, p string) {
	s, problems := Compile(d, patterns)
	if !slices.IsSortedFunc(problems, func(a, b Problem) int { return a.Index - b.Index }) {
		t.Fatalf("%s %q: problems out of order: %v", d, patterns, problems)
	}
	for _, problem := range problems {
		if problem.Index < 0 || problem.Index >= len(patterns) || problem.Code == "" || problem.Message == "" {
			t.Fatalf("%s %q: %+v", d, patterns, problem)
		}
	}
	index, ok := s.Match(p)
	if index < -1 || index >= len(patterns) || ok && index < 0 {
		t.Fatalf("%s %q %q: %d, %v", d, patterns, p, index, ok)
	}
	if again, same := s.Match(p); again != index || same != ok {
		t.Fatalf("%s %q %q: %d, %v, then %d, %v", d, patterns, p, index, ok, again, same)
	}
}
