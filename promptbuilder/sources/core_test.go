package sources

import (
	"encoding/json"
	"strings"
	"testing"

	"foreword/promptbuilder/agents"
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
	in.Model = models.Lookup("openai/gpt-5")
	if got := one(t, model, in).Text; got != "You run on the model gpt-5, whose exact identifier is openai/gpt-5, served by azure." {
		t.Errorf("got %q", got)
	}
	in.Model = models.Lookup("")
	if seen := one(t, model, in); seen.Status != Absent {
		t.Errorf("no model is named, and yet %q", seen.Text)
	}
}

func builtin(name templates.Name) string { return templates.Set{}.Get(name).Text }

func TestIdentity(t *testing.T) {
	gpt, compact := builtin(templates.IdentityGPT), builtin(templates.IdentityCompact)
	for name, c := range map[string]struct {
		request Request
		text    string
		origins string
	}{
		"full":           {Request{}, gpt, "templates/identity_gpt.md"},
		"build":          {Request{Agent: agents.Agent{Name: "build", BuiltIn: true}}, gpt, "templates/identity_gpt.md"},
		"plan":           {Request{Agent: agents.Agent{Name: "plan", BuiltIn: true}}, gpt, "templates/identity_gpt.md"},
		"agent":          {Request{Agent: agents.Agent{Name: "docs\n# writer"}}, gpt + "\n\nYou act as the agent \"docs\\n# writer\".", "templates/identity_gpt.md agent of the request"},
		"agent's prompt": {Request{Agent: agents.Agent{Name: "x", Prompt: "\r\nYou review.\r\nThat is all.\n"}, Compact: true}, "You review.\nThat is all.", "agent x"},
		"declared":       {Request{Agent: agents.Agent{Name: "x", Prompt: "You review.", File: "/f.toml", Line: 3}}, "You review.", "/f.toml"},
		"agent's text":   {Request{Agent: agents.Agent{Name: "explore", Text: templates.Explore, BuiltIn: true}, Compact: true}, builtin(templates.Explore), "templates/explore.md"},
		"compact":        {Request{Compact: true}, compact, "templates/identity_compact.md"},
		"both":           {Request{Agent: agents.Agent{Name: "x"}, Compact: true}, compact + "\n\nYou act as the agent \"x\".", "templates/identity_compact.md agent of the request"},
		"own prompt":     {Request{Prompt: "\nYou are a poet.\n", Agent: agents.Agent{Name: "x", Prompt: "no"}}, "You are a poet.", "prompt of the request"},
		"blank prompt":   {Request{Prompt: " \n"}, gpt, "templates/identity_gpt.md"},
		"opencode":       {Request{Compat: "opencode", Compact: true}, gpt, "templates/identity_gpt.md"},
	} {
		in := plain()
		c.request.Model = in.Model
		in.Request = c.request
		seen := one(t, identity, in)
		if seen.Text != c.text {
			t.Errorf("%s: %q", name, seen.Text)
		}
		var origins []string
		for _, o := range seen.Origins {
			origins = append(origins, o.Name+o.Path)
		}
		if got := strings.Join(origins, " "); got != c.origins {
			t.Errorf("%s: from %s", name, got)
		}
	}
}

// TestIdentityOfEachFamily holds which text a model gets, by our rules and by
// opencode's.
func TestIdentityOfEachFamily(t *testing.T) {
	for id, want := range map[string][2]templates.Name{
		"gpt-4o":        {templates.IdentityGPT4, templates.IdentityGPT4},
		"GPT-4o":        {templates.IdentityGPT4, templates.IdentityDefault},
		"o4-mini":       {templates.IdentityGPT4, templates.IdentityDefault},
		"solar-pro3":    {templates.IdentityDefault, templates.IdentityGPT4},
		"gpt-5-codex":   {templates.IdentityCodex, templates.IdentityCodex},
		"gpt-5":         {templates.IdentityGPT, templates.IdentityGPT},
		"gemini-3-pro":  {templates.IdentityGemini, templates.IdentityGemini},
		"claude-opus-4": {templates.IdentityClaude, templates.IdentityClaude},
		"trinity-mini":  {templates.IdentityTrinity, templates.IdentityTrinity},
		"kimi-k2":       {templates.IdentityKimi, templates.IdentityKimi},
		"qwen3":         {templates.IdentityDefault, templates.IdentityDefault},
		"":              {templates.IdentityDefault, templates.IdentityDefault},
	} {
		for i, compat := range []string{"", "opencode"} {
			in := plain()
			in.Model, in.Compat = models.Lookup(id), compat
			if got := one(t, identity, in).Origins[0].Name; got != "templates/"+string(want[i])+".md" {
				t.Errorf("%s, compat %q: %s", id, compat, got)
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
