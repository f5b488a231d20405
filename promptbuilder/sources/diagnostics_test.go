package sources

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func troubled(problems ...Problems) *Input {
	in := plain()
	in.ProblemTokens = 1000
	in.Problems = problems
	return in
}

func TestProblemsAreOneLineEach(t *testing.T) {
	in := troubled(
		Problems{Path: "/w/a.go", List: []Problem{
			{FromLine: 11, ToLine: 11, Severity: 1, Message: "undefined: foo", Source: "compiler", Code: "UndeclaredName"},
			{FromLine: 2, ToLine: 4, Severity: 2, Message: "unused\n\tvariable `x`\x1b[31m", Source: "vet"},
			{FromLine: 3, ToLine: 3, Severity: 4, Message: "can be simplified"},
		}},
		Problems{Label: "untitled:1\n# Obey", Stale: true, List: []Problem{{Severity: 3, Message: strings.Repeat("long ", 100)}}},
	)
	seen := one(t, diagnostics, in)
	want := problemsHeading + "\n\n" +
		"a.go:3: warning: unused variable `x`?[31m [vet]\n" +
		"a.go:12: error: undefined: foo [compiler UndeclaredName]\n" +
		"untitled:1?# Obey:1: info: " + strings.TrimRight(strings.Repeat("long ", 60), " ") + "… (the text was edited since)"
	if seen.Text != want {
		t.Errorf("got\n%s\nwant\n%s", seen.Text, want)
	}
	if o := seen.Origins[1]; o.Path != "/w/a.go" || o.FileFrom != 2 || o.FileTo != 5 {
		t.Errorf("origin of the first line: %+v", o)
	}
}

func TestErrorsAndNearFilesComeFirst(t *testing.T) {
	var all []Problems
	for _, name := range []string{"a", "focus", "target", "visible"} {
		all = append(all, Problems{Path: "/w/" + name, List: []Problem{
			{Severity: 1, Message: "error one two three"}, {FromLine: 1, ToLine: 1, Severity: 2, Message: "warning one two three"},
		}})
	}
	all[0].More = 7
	in := troubled(all...)
	in.Count = words
	in.Target = "/w/target"
	in.Focus = Focus{Path: "/w/focus", Visible: []string{"/w/visible"}}
	for told, want := range []string{
		"", "target:1", "focus:1 target:1", "focus:1 target:1 visible:1", "a:1 focus:1 target:1 visible:1", "a:1 focus:1 target:1 target:2 visible:1",
	} {
		in.ProblemTokens = words(problemsHeading) + 30 + told*words("a:1: error: error one two three")
		seen := one(t, diagnostics, in)
		var got []string
		lines, more := toldProblems(seen.Text)
		for _, line := range lines {
			if place, _, ok := strings.Cut(line, ": "); ok {
				got = append(got, place)
			}
		}
		if strings.Join(got, " ") != want {
			t.Errorf("room for %d: told %s, want %s", told, got, want)
		}
		if told == 2 && more != "Left out for their number: 2 errors, 4 warnings, 7 that are not sorted." {
			t.Errorf("the rest is said as %q", more)
		}
		if n := words(seen.Text); n > in.ProblemTokens {
			t.Errorf("%d tokens of %d", n, in.ProblemTokens)
		}
	}
}

func TestProblemsThatMayNotBeTold(t *testing.T) {
	list := []Problem{{Severity: 1, Message: "wrong"}}
	in := troubled(Problems{Path: "/w/secret.go", List: list}, Problems{Path: "/elsewhere/a.go", List: list}, Problems{Path: "/w/go.sum", List: list})
	seen := one(t, diagnostics, in)
	if seen.Status != Absent || len(seen.Skipped) != 3 {
		t.Fatalf("got %+v", seen)
	}
	for i, want := range []string{"it is a secret", "outside the repository", "written by a program"} {
		wants(t, seen.Skipped[i].Path, seen.Skipped[i].Why, want)
	}
	in = troubled(Problems{Path: "/w/a.go", List: []Problem{{Severity: 4, Message: "a hint"}, {Severity: 0, Message: "of no severity"}}})
	if seen := one(t, diagnostics, in); seen.Status != Absent {
		t.Errorf("hints are told: %s", seen.Text)
	}
	in = troubled(Problems{Path: "/w/a.go", List: list})
	in.ProblemTokens = 0
	wants(t, "with 0", one(t, diagnostics, in).Why, "diagnostics.tokens is 0")
	wants(t, "without any", one(t, diagnostics, troubled()).Why, "shows no problem")
}

func TestUpdatesOfProblemsSayWhatIsNewAndGone(t *testing.T) {
	at := func(line int, message string) Problem {
		return Problem{FromLine: line, ToLine: line, Severity: 1, Message: message}
	}
	many := Problems{Path: "/w/z.go"}
	for i := range 12 {
		many.List = append(many.List, at(i, fmt.Sprintf("stays as number %d of its kind", i)))
	}
	before := one(t, diagnostics, troubled(Problems{Path: "/w/a.go", List: []Problem{at(1, "mended"), at(5, "moves: error: here"), at(7, "twice"), at(8, "twice")}}, many)).Text
	after := one(t, diagnostics, troubled(Problems{Path: "/w/a.go", List: []Problem{at(3, "fresh"), at(6, "moves: error: here"), at(8, "twice")}}, many)).Text
	want := "The problems that the editor shows changed; those that are not named here are as they were.\n\n" +
		"New:\na.go:4: error: fresh\n\nThe same at another line:\na.go:7: error: moves: error: here\n\n" +
		"No longer listed:\na.go:2: error: mended\na.go:8: error: twice"
	if got := updateProblems(before, after); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	few := one(t, diagnostics, troubled(Problems{Path: "/w/a.go", List: []Problem{at(3, "fresh")}})).Text
	if got, want := updateProblems(before, few), "The problems that the editor shows changed. These are all:\n\na.go:4: error: fresh"; got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// What was told before, with what an update names, is what is told now.
func TestUpdatesOfProblemsAreComplete(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		problem := rapid.Custom(func(t *rapid.T) Problem {
			line := rapid.IntRange(0, 4).Draw(t, "line")
			return Problem{
				FromLine: line, ToLine: line, Severity: rapid.IntRange(1, 3).Draw(t, "severity"),
				Message: rapid.SampledFrom([]string{"x", "y: error: z", "New:", "Left out for their number: all", ""}).Draw(t, "message"),
			}
		})
		draw := func(label string) string {
			in := plain()
			in.ProblemTokens = 100_000
			for i := range 3 {
				in.Problems = append(in.Problems, Problems{Path: fmt.Sprintf("/w/%d.go", i), List: rapid.SliceOfN(problem, 1, 6).Draw(t, label)})
			}
			return diagnostics(in)[0].Observe(t.Context()).Text
		}
		before, after := draw("before"), draw("after")
		if before == after {
			return
		}
		had, _ := toldProblems(before)
		have, _ := toldProblems(after)
		part, update := "", updateProblems(before, after)
		moved := map[string]int{}
		for line := range strings.SplitSeq(update, "\n") {
			switch {
			case strings.HasPrefix(line, "The problems") && strings.HasSuffix(line, "all:"):
				had, part = nil, "New:"
			case slices.Contains([]string{"New:", "The same at another line:", "No longer listed:"}, line):
				part = line
			case line == "" || part == "":
			case part == "No longer listed:":
				i := slices.Index(had, line)
				if i < 0 {
					t.Fatalf("%q is gone and was not there", line)
				}
				had = slices.Delete(had, i, i+1)
			default:
				if part == "The same at another line:" {
					moved[withoutPlace(line)]++
				}
				had = append(had, line)
			}
		}
		// What moved stood somewhere before, at a line where it does not stand now.
		for _, line := range have {
			if i := slices.Index(had, line); i >= 0 {
				had = slices.Delete(had, i, i+1)
			} else {
				t.Fatalf("%q is not said\nbefore:\n%s\nafter:\n%s\nupdate:\n%s", line, before, after, update)
			}
		}
		for _, line := range had {
			if moved[withoutPlace(line)]--; moved[withoutPlace(line)] < 0 {
				t.Fatalf("%q is left over\nbefore:\n%s\nafter:\n%s\nupdate:\n%s", line, before, after, update)
			}
		}
	})
}
