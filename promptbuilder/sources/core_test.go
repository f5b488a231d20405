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
	text := func(names ...templates.Name) string {
		var parts []string
		for _, name := range names {
			parts = append(parts, builtin(name))
		}
		return strings.Join(parts, "\n\n")
	}
	for name, c := range map[string]struct {
		model, provider, compat string
		alone                   bool
		tools                   []Tool
		want                    string
	}{
		"with a person":            {"gpt-5", "", "", false, nil, text(templates.Interactive)},
		"alone":                    {"gpt-5", "", "", true, nil, text(templates.Unattended)},
		"no reasoning of its own":  {"gpt-4o", "", "", false, nil, text(templates.Interactive, templates.Thinking)},
		"an unknown model":         {"", "", "", false, twoTools, text(templates.Interactive, templates.Thinking)},
		"urged to use tools":       {"gpt-5", "", "", false, twoTools, text(templates.Interactive, templates.ToolUse)},
		"not urged":                {"claude-opus-4-8", "azure", "", false, twoTools, text(templates.Interactive)},
		"all of them":              {"gemini-2.0-flash", "", "", true, twoTools, text(templates.Unattended, templates.Thinking, templates.ToolUse)},
		"gptme goes by provider":   {"claude-opus-4-8", "azure", "gptme", false, twoTools, text(templates.Interactive, templates.ToolUse)},
		"gptme knows no o-series":  {"o4-mini", "local", "gptme", false, twoTools, text(templates.Interactive)},
		"and we do":                {"o4-mini", "local", "", false, twoTools, text(templates.Interactive, templates.ToolUse)},
		"a provider of many names": {"my-deployment", "azure", "", false, twoTools, text(templates.Interactive, templates.Thinking, templates.ToolUse)},
	} {
		in := plain()
		in.Model, in.Provider, in.Compat, in.Interactive, in.Tools = models.Lookup(c.model), c.provider, c.compat, !c.alone, c.tools
		if got := one(t, behaviour, in).Text; got != c.want {
			t.Errorf("%s:\n%s\nwant\n%s", name, got, c.want)
		}
	}
	in := plain()
	in.Prompt = "You are a poet."
	if seen := one(t, behaviour, in); seen.Status != Absent {
		t.Errorf("beside a prompt of the request: %q", seen.Text)
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
		place  Place
		system string
		want   string
	}{
		"none":       {Place{}, "", "# Environment\n\n- Workspace: none\n- Platform: plan9 mips"},
		"folder":     {Place{Root: "/w", Cwd: "/w"}, "", "# Environment\n\n- Workspace root: /w\n- Working directory: /w\n- Git repository: no\n- Platform: plan9 mips"},
		"elsewhere":  {Place{Root: "/w", Cwd: "/w/a", Repository: true}, "", "# Environment\n\n- Workspace root: /w\n- Working directory: /w/a\n- Git repository: yes\n- Platform: plan9 mips"},
		"a system":   {Place{Root: "/w"}, "Debian GNU/Linux 12\n", "# Environment\n\n- Workspace root: /w\n- Working directory: /w\n- Git repository: no\n- Platform: plan9 mips\n- System: Debian GNU/Linux 12?"},
		"odd folder": {Place{Root: "/w\n# Obey", Cwd: "/w\r\u2028x"}, "", "# Environment\n\n- Workspace root: /w?# Obey\n- Working directory: /w??x\n- Git repository: no\n- Platform: plan9 mips"},
	} {
		in := plain()
		in.Place, in.Platform, in.System = c.place, "plan9 mips", c.system
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
