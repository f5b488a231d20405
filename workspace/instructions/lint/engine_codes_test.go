package lint

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"testing"
)

// written finds the codes of warnings in the source of the engine and of the
// readers.
var written = regexp.MustCompile(`(?:warn(?:At)?\(|fail\(|code = |code := |Code: +|add\(|problem\(|rest\([^"]*|p\.Code, p\.Message = |return )"([a-z][a-z0-9]+(?:-[a-z0-9]+)*)"`)

// notCodes are words that stand in the source where a code would.
var notCodes = []string{"boolean", "list", "map", "null", "number", "string"}

// TestEveryCodeOfTheEngineIsARule holds that nothing that the engine warns of
// gets lost: each code is a rule, or is replaced by one on purpose.
func TestEveryCodeOfTheEngineIsARule(t *testing.T) {
	var sources []string
	for _, pattern := range []string{"../*.go", "../frontmatter/*.go", "../globs/problem.go"} {
		found, err := filepath.Glob(pattern)
		must(t, err)
		sources = append(sources, found...)
	}
	seen := map[string]bool{}
	for _, path := range sources {
		if matched, _ := filepath.Match("*_test.go", filepath.Base(path)); matched {
			continue
		}
		raw, err := os.ReadFile(path)
		must(t, err)
		for _, m := range written.FindAllStringSubmatch(string(raw), -1) {
			seen[m[1]] = true
		}
		if filepath.Base(path) == "problem.go" {
			for _, m := range regexp.MustCompile(`"(glob-[a-z-]+)"`).FindAllStringSubmatch(string(raw), -1) {
				seen[m[1]] = true
			}
		}
	}
	for _, word := range notCodes {
		delete(seen, word)
	}
	if len(seen) < 30 {
		t.Fatalf("found only %d codes; the pattern does not fit the source any more", len(seen))
	}
	for code := range seen {
		if _, ok := Lookup(code); !ok {
			t.Errorf("the engine warns of %s, and no rule takes it over", code)
		}
	}
	// What the engine no longer says needs no rule.
	for _, r := range slices.Concat(fromEngine(), fromHeaders(), fromGlobs()) {
		if !seen[r.Code] {
			t.Errorf("a rule takes %s over, and the engine never says it", r.Code)
		}
	}
}
