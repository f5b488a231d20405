package tools

import (
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// grep finds the lines that match, each by itself, and shows each line once, whatever the surroundings that are asked for.
func TestGrepIsLineByLine(t *testing.T) {
	dir := t.TempDir()
	rapid.Check(t, func(t *rapid.T) {
		lines := rapid.SliceOfN(rapid.StringMatching(`[ab. ]{0,4}`), 1, 30).Draw(t, "lines")
		end := rapid.SampledFrom([]string{"\n", "\r\n"}).Draw(t, "end")
		p := lay(t, dir, map[string]string{"f": strings.Join(lines, end) + end})
		pattern := rapid.SampledFrom([]string{"^a", "b$", "^$", "a", "a.b", "^a|b$", `\bab\b`, "(a|b)+$", `\.`, "", "a*", "(?i)A", "[", "(?-m)^b"}).Draw(t, "pattern")
		around := rapid.IntRange(0, 3).Draw(t, "context")
		arguments, err := json.Marshal(map[string]any{"pattern": pattern, "context": around})
		if err != nil {
			t.Fatal(err)
		}
		tool, _ := Lookup("grep")
		answer, err := tool.Call(t.Context(), p, arguments)
		expression, invalid := regexp.Compile(pattern)
		var refusal *Refusal
		if errors.As(err, &refusal) {
			if invalid == nil && pattern != "" {
				t.Fatalf("%q: %v", pattern, err)
			}
			return
		}
		if err != nil || invalid != nil {
			t.Fatal(err, invalid)
		}
		var want []string
		near := func(i int) bool {
			for k := max(0, i-around); k <= min(len(lines)-1, i+around); k++ {
				if expression.MatchString(lines[k]) {
					return true
				}
			}
			return false
		}
		for i, line := range lines {
			line := strings.TrimRight(line, " ")
			switch {
			case expression.MatchString(lines[i]):
				want = append(want, fmt.Sprintf("f:%d: %s", i+1, line))
			case near(i):
				want = append(want, fmt.Sprintf("f-%d- %s", i+1, line))
			}
		}
		var got []string
		for line := range strings.SplitSeq(strings.TrimSuffix(answer.Text, "\n"), "\n") {
			if line != "--" && !strings.HasPrefix(line, "nothing below") {
				got = append(got, line)
			}
		}
		if strings.Join(got, "\n") != strings.Join(want, "\n") {
			t.Fatalf("%q, context %d:\n%s\nwant\n%s", pattern, around, strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
	})
}
