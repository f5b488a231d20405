package globs

import "testing"

// TestOneTextManyMeanings holds what makes dialects necessary: the same pattern names different files.
func TestOneTextManyMeanings(t *testing.T) {
	const pattern, path = "*.py", "pkg/deep/a.py"
	want := map[Dialect]bool{Minimatch: false, Picomatch: false, Gitignore: true, VSCode: true, GitHub: false, Cursor: true}
	for _, d := range Dialects() {
		s, problems := Compile(d, []string{pattern})
		if len(problems) > 0 {
			t.Errorf("%s: %v", d, problems)
		}
		if _, ok := s.Match(path); ok != want[d] {
			t.Errorf("%s: %s matches %s: %v, want %v", d, pattern, path, ok, want[d])
		}
		if _, ok := s.Match("a.py"); !ok {
			t.Errorf("%s: %s does not match a.py", d, pattern)
		}
	}
}
