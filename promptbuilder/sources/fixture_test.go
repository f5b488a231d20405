package sources

import (
	"context"
	"strings"
	"testing"
	"time"

	"foreword/promptbuilder/models"
	"foreword/promptbuilder/tokens"
)

// words counts the words of a text: a counter whose answers can be seen.
func words(text string) int { return len(strings.Fields(text)) }

// plain is an input without a file in it, for one field to be set.
func plain() *Input {
	return &Input{
		Request: Request{Model: models.Lookup("gpt-5"), Interactive: true, ToolFormat: "tool"},
		Place:   Place{Root: "/w", Home: "/home/me"},
		Facts: Facts{
			Ignored: func(_ context.Context, paths []string) map[string]string {
				out := map[string]string{}
				for _, path := range paths {
					if strings.Contains(path, "secret") {
						out[path] = "it is a secret"
					}
				}
				return out
			},
			Now:          func() time.Time { return time.Date(2026, 11, 30, 23, 59, 59, 0, time.FixedZone("", 3600)) },
			Count:        tokens.O200k.Count,
			BufferTokens: 8000,
		},
	}
}

// one observes a function's only source.
func one(t *testing.T, source func(*Input) []Source, in *Input) Observation {
	t.Helper()
	all := source(in)
	if len(all) != 1 {
		t.Fatalf("%d sources, want 1", len(all))
	}
	seen := all[0].Observe(t.Context())
	checkCovered(t, seen)
	return seen
}

// checkCovered holds that every line of a text has one origin, in order.
func checkCovered(t *testing.T, seen Observation) {
	t.Helper()
	if seen.Why == "" {
		t.Errorf("no reason is given: %+v", seen)
	}
	if seen.Status != Present {
		if seen.Text != "" {
			t.Errorf("there is no value and yet a text: %q", seen.Text)
		}
		return
	}
	covered := 0
	for _, o := range seen.Origins {
		if o.FromLine != covered || o.ToLine <= o.FromLine {
			t.Errorf("origin %+v where %d lines are covered", o, covered)
		}
		if o.Path == "" && o.Name == "" {
			t.Errorf("origin %+v names nothing", o)
		}
		covered = o.ToLine
	}
	if lines := lineCount(seen.Text); covered != lines {
		t.Errorf("origins cover %d of %d lines of\n%s", covered, lines, seen.Text)
	}
	if strings.HasSuffix(seen.Text, "\n") || strings.HasPrefix(seen.Text, "\n") {
		t.Errorf("a text has no line end at its ends: %q", seen.Text)
	}
}

// wants checks a text for parts that it must and (after a "!") must not hold.
func wants(t *testing.T, name, text string, parts ...string) {
	t.Helper()
	for _, part := range parts {
		if not, found := strings.CutPrefix(part, "!"); found {
			if strings.Contains(text, not) {
				t.Errorf("%s holds %q:\n%s", name, not, text)
			}
		} else if !strings.Contains(text, part) {
			t.Errorf("%s lacks %q:\n%s", name, part, text)
		}
	}
}
