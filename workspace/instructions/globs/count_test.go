package globs

import (
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// Count gives what asking for each path gives, whatever the patterns.
func TestCountIsMatchOfEach(t *testing.T) {
	name := rapid.SampledFrom([]string{"src", "lib", "a", "A", "a.ts", "b.py", ".x", "src2"})
	path := rapid.Custom(func(t *rapid.T) string {
		p := name.Draw(t, "name")
		for range rapid.IntRange(0, 3).Draw(t, "depth") {
			p += "/" + name.Draw(t, "name")
		}
		return p
	})
	part := rapid.SampledFrom([]string{"src", "lib", "a", "*", "**", "*.ts", "{a,lib}", "a.ts", "?", "SRC"})
	pattern := rapid.Custom(func(t *rapid.T) string {
		p := rapid.SampledFrom([]string{"", "", "", "!", "/", "./"}).Draw(t, "front") + part.Draw(t, "part")
		for range rapid.IntRange(0, 3).Draw(t, "length") {
			p += "/" + part.Draw(t, "part")
		}
		return p
	})
	rapid.Check(t, func(t *rapid.T) {
		d := rapid.SampledFrom(Dialects()).Draw(t, "dialect")
		list := rapid.SliceOfN(pattern, 1, 3).Draw(t, "patterns")
		paths := rapid.SliceOfN(path, 0, 30).Draw(t, "paths")
		slices.Sort(paths)
		set, _ := Compile(d, list)
		want := 0
		for _, p := range paths {
			if _, ok := set.Match(p); ok {
				want++
			}
		}
		if got := set.Count(paths); got != want {
			t.Fatalf("%s %q of %q: counted %d, and %d match", d, list, paths, got, want)
		}
	})
}

// BenchmarkCount counts for 200 rules among 10,000 paths.
func BenchmarkCount(b *testing.B) {
	paths := manyPaths(10_000)
	slices.Sort(paths)
	sets := manyRules(b, Picomatch, 200)
	b.ReportAllocs()
	for b.Loop() {
		for _, s := range sets {
			s.Count(paths)
		}
	}
}
