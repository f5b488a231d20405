package globs

import (
	"fmt"
	"strings"
	"testing"
)

// manyPaths are what a repository of some size holds.
func manyPaths(n int) []string {
	folders := []string{"src", "lib", "pkg/api", "pkg/web/components", "docs", ".github/workflows", "tests/unit", "services/billing/internal"}
	kinds := []string{"ts", "tsx", "py", "go", "md", "yml", "test.ts", "css"}
	paths := make([]string, n)
	for i := range paths {
		paths[i] = fmt.Sprintf("%s/part%d/file%d.%s", folders[i%len(folders)], i%37, i, kinds[i/7%len(kinds)])
	}
	return paths
}

// manyRules are what its rule files say, one set for each.
func manyRules(tb testing.TB, d Dialect, n int) []*Set {
	lists := [][]string{
		{"src/**/*.{ts,tsx}"}, {"**/*.py"}, {"docs/**"}, {"**/*.test.ts", "**/*.spec.ts"}, {"pkg/*/components/**/*.tsx"},
		{".github/workflows/*.yml"}, {"*.md"}, {"services/**/internal/**"}, {"**/part[0-9]/*.css"}, {"lib/**/file?.go", "go.mod"},
	}
	sets := make([]*Set, n)
	for i := range sets {
		s, problems := Compile(d, lists[i%len(lists)])
		if len(problems) > 0 && d != Cursor {
			tb.Fatal(problems)
		}
		sets[i] = s
	}
	return sets
}

// BenchmarkMatch asks 200 rules about 10,000 paths.
func BenchmarkMatch(b *testing.B) {
	paths := manyPaths(10_000)
	for _, d := range Dialects() {
		b.Run(string(d), func(b *testing.B) {
			sets := manyRules(b, d, 200)
			b.ReportAllocs()
			found := 0
			for b.Loop() {
				for _, s := range sets {
					for _, p := range paths {
						if _, ok := s.Match(p); ok {
							found++
						}
					}
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(sets)*len(paths)), "ns/match")
			if found == 0 {
				b.Fatal("nothing matches")
			}
		})
	}
}

// BenchmarkCompile reads the patterns of 200 rules.
func BenchmarkCompile(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		manyRules(b, Minimatch, 200)
	}
}

// TestMatchAllocatesNothing holds what the package says of itself.
func TestMatchAllocatesNothing(t *testing.T) {
	deep := strings.Repeat("a/", 254) + "a.ts"
	for _, d := range Dialects() {
		s, _ := Compile(d, []string{"src/**/*.{ts,tsx}", "**/a[0-9]?*.py", "*.@(md|mdx)", "**/!(x)+(y|z).go", strings.Repeat("a/", 60) + "**"})
		for _, p := range []string{"src/a/b/c.tsx", "x/y/a1éé.py", "README.mdx", "a/b/cyz.go", deep} {
			if n := testing.AllocsPerRun(10, func() { s.Match(p) }); n != 0 {
				t.Errorf("%s: %.20q: %v allocations", d, p, n)
			}
		}
	}
}

// TestNothingExplodes asks what makes a matcher that goes back on its choices, or a reader that looks ahead again and
// again, run for years.
func TestNothingExplodes(t *testing.T) {
	as := strings.Repeat("a", 255)
	long := strings.Repeat("a/", 2000)
	for _, c := range []struct{ pattern, path string }{
		{strings.Repeat("*a", 100) + "b", as},
		{strings.Repeat("**/a/", 300) + "b", long},
		{strings.Repeat("**/", 20_000) + "b", long},
		{strings.Repeat("*/", 20_000) + "b", long},
		{"+(a|aa|aaa)" + strings.Repeat("*(a|aa)", 50) + "b", as},
		{"*(*(a)*(aa))b", as},
		{"*@(a|b)", as + as},
		{"+(+(a|b)|+(aa|bb))c", as},
		{strings.Repeat("!(a)", 1000) + "b", as},
		{strings.Repeat("@(", 10_000) + strings.Repeat(")", 10_000), as},
		{strings.Repeat("@(a|", 30_000/2), as},
		{strings.Repeat("[", maxPattern), as},
		{strings.Repeat("[[:", maxPattern/3), as},
		{strings.Repeat(`[\]`, maxPattern/3), as},
		{strings.Repeat("{", maxPattern), as},
		{strings.Repeat("}", maxPattern), as},
		{strings.Repeat("{a,b}[", maxPattern/6), as},
		{strings.Repeat("${", maxPattern/2), as},
		{strings.Repeat("{a..b", maxPattern/5), as},
		{strings.Repeat("(", maxPattern), as},
		{strings.Repeat("!", maxPattern-1) + "a", as},
		{strings.Repeat(`\`, maxPattern), as},
	} {
		for _, d := range Dialects() {
			s, _ := Compile(d, []string{c.pattern})
			if s.Match(c.path); len(c.path) > 1000 {
				s.Match(strings.TrimSuffix(c.path, "/"))
			}
		}
	}
}
