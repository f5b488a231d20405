package sources

import (
	"encoding/json"
	"testing"

	"foreword/promptbuilder/models"
	"foreword/promptbuilder/templates"
)

func TestModel(t *testing.T) {
	in := plain()
	if got := one(t, model, in).Text; got != "You run on the model gpt-5." {
		t.Errorf("got %q", got)
	}
	in.Provider = "azure"
	if got := one(t, model, in).Text; got != "You run on the model gpt-5, served by azure." {
		t.Errorf("got %q", got)
	}
	in.Model = models.Lookup("")
	if seen := one(t, model, in); seen.Status != Absent {
		t.Errorf("no model is named, and yet %q", seen.Text)
	}
}

func builtin(name templates.Name) string { return templates.Set{}.Get(name).Text }

func TestIdentity(t *testing.T) {
	full, compact := builtin(templates.IdentityDefault), builtin(templates.IdentityCompact)
	for name, c := range map[string]struct {
		compact bool
		agent   string
		text    string
		origins []string
	}{
		"full":    {false, "", full, []string{"templates/identity_default.md"}},
		"build":   {false, "build", full, []string{"templates/identity_default.md"}},
		"agent":   {false, "docs\n# writer", full + "\n\nYou act as the agent \"docs\\n# writer\".", []string{"templates/identity_default.md", "agent of the request"}},
		"compact": {true, "", compact, []string{"templates/identity_compact.md"}},
		"both":    {true, "x", compact + "\n\nYou act as the agent \"x\".", []string{"templates/identity_compact.md", "agent of the request"}},
	} {
		in := plain()
		in.Compact, in.Agent = c.compact, c.agent
		seen := one(t, identity, in)
		if seen.Text != c.text {
			t.Errorf("%s: %q", name, seen.Text)
		}
		for i, o := range seen.Origins {
			if o.Name != c.origins[i] {
				t.Errorf("%s: origin %d is %s, want %s", name, i, o.Name, c.origins[i])
			}
		}
	}
}

func TestBehaviour(t *testing.T) {
	in := plain()
	if seen := one(t, behaviour, in); seen.Text != builtin(templates.Interactive) || seen.Origins[0].Name != "templates/interactive.md" {
		t.Errorf("with a person: %+v", seen)
	}
	in.Interactive = false
	if seen := one(t, behaviour, in); seen.Text != builtin(templates.Unattended) || seen.Origins[0].Name != "templates/unattended.md" {
		t.Errorf("alone: %+v", seen)
	}
}

// TestModeIsNoPartOfTheSystemText holds that switching it costs no cache, and
// that whoever asks in plan mode learns where the reminder is.
func TestModeIsNoPartOfTheSystemText(t *testing.T) {
	in := plain()
	for mode_, part := range map[string]string{"": "no reminder", "build": "no reminder", "plan": "newest user message"} {
		in.Mode = mode_
		seen := one(t, mode, in)
		if seen.Status != Absent {
			t.Errorf("mode %q says %q", mode_, seen.Text)
		}
		wants(t, "mode "+mode_, seen.Why, part)
	}
}

func TestEnvironment(t *testing.T) {
	for name, c := range map[string]struct {
		place Place
		want  string
	}{
		"none":       {Place{}, "# Environment\n\n- Workspace: none\n- Platform: plan9 mips"},
		"folder":     {Place{Root: "/w", Cwd: "/w"}, "# Environment\n\n- Workspace root: /w\n- Git repository: no\n- Platform: plan9 mips"},
		"elsewhere":  {Place{Root: "/w", Cwd: "/w/a", Repository: true}, "# Environment\n\n- Workspace root: /w\n- Working directory: /w/a\n- Git repository: yes\n- Platform: plan9 mips"},
		"odd folder": {Place{Root: "/w\n# Obey", Cwd: "/w\r\u2028x"}, "# Environment\n\n- Workspace root: /w?# Obey\n- Working directory: /w??x\n- Git repository: no\n- Platform: plan9 mips"},
	} {
		in := plain()
		in.Place, in.Platform = c.place, "plan9 mips"
		if got := one(t, environment, in).Text; got != c.want {
			t.Errorf("%s:\n%s\nwant\n%s", name, got, c.want)
		}
	}
}

// TestDateIsTheUsersDay holds that the clock's own zone counts and that the
// time of day does not show.
func TestDateIsTheUsersDay(t *testing.T) {
	in := plain()
	if got := one(t, date, in).Text; got != "Today is Monday, 30 November 2026." {
		t.Errorf("got %q", got)
	}
	if got := date(in)[0].SayUpdate("yesterday", "Today is Tuesday."); got != "The day has changed. Today is Tuesday." {
		t.Errorf("got %q", got)
	}
}

func TestOutputSchema(t *testing.T) {
	in := plain()
	if seen := one(t, outputSchema, in); seen.Status != Absent {
		t.Errorf("got %q", seen.Text)
	}
	in.OutputSchema = json.RawMessage("{ \"b\": 1,\n \"a\": \"```\" }")
	wants(t, "schema", one(t, outputSchema, in).Text, "\n````json\n{\"b\":1,\"a\":\"```\"}\n````")
}

// TestKeysAreUniqueAndSortedByLayer holds the registry.
func TestKeysAreUniqueAndSortedByLayer(t *testing.T) {
	seen := map[string]bool{}
	var before Source
	for _, s := range All(plain()) {
		if seen[s.Key] || s.Key == "" || s.Group == "" || s.Title == "" {
			t.Errorf("source %+v", s)
		}
		seen[s.Key] = true
		if before.Key != "" && ByLayer(before, s) > 0 {
			t.Errorf("%s of layer %s stands after %s of layer %s", s.Key, s.Layer, before.Key, before.Layer)
		}
		before = s
	}
}

func TestUsualWordingOfAChange(t *testing.T) {
	s := Source{Title: "Tools"}
	if got := s.SayUpdate("a", "b"); got != "Tools changed. It replaces what was said before:\n\nb" {
		t.Errorf("update: %q", got)
	}
	if got := s.SayRemoval("a"); got != "Tools no longer holds; disregard what was said about it before." {
		t.Errorf("removal: %q", got)
	}
}
