package config

import (
	"fmt"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

func TestAgents(t *testing.T) {
	p := newPlace(t)
	p.user(`
[agents.plan]
steps = 5

[agents.reviewer]
description = "Reviews."
mode = "primary"
model = "gpt-5"
prompt = """
You review."""
permissions = [{permission = "edit", action = "deny"}, {permission = "bash", pattern = "git *", action = "ask"}]

[[agents.tester.permissions]]
permission = "edit"
pattern = "*_test.go"
action = "allow"

[[agents.tester.permissions]]
permission = "bash"
action = "deny"
`)
	p.workspace("[agents]\nreviewer.disable = true\ninline = {prompt = \"In one line.\", steps = 0}\n[agents.empty]\n")
	c, problems := p.load(nil, false)
	if len(problems) > 0 {
		t.Errorf("%q", problems)
	}
	user := func(line int) Declared {
		return Declared{Path: UserFile(p.home, func(string) string { return "" }), Line: line, Origin: fmt.Sprintf("user ~/.config/foreword/foreword.toml:%d", line)}
	}
	ours := func(line int) Declared {
		return Declared{Workspace: true, Path: filepath.Join(p.root, FileName), Line: line, Origin: fmt.Sprintf("workspace ~/work/foreword.toml:%d", line)}
	}
	want := []Agent{
		{Name: "plan", Steps: 5, Declared: user(3)},
		{Name: "reviewer", Description: "Reviews.", Mode: "primary", Model: "gpt-5", Prompt: "You review.", PromptLine: 9, Steps: -1,
			Permissions: []Permission{{"edit", "*", "deny"}, {"bash", "git *", "ask"}}, Declared: user(6)},
		{Name: "tester", Steps: -1, Permissions: []Permission{{"edit", "*_test.go", "allow"}, {"bash", "*", "deny"}}, Declared: user(13)},
		{Name: "reviewer", Steps: -1, Disable: true, Declared: ours(2)},
		{Name: "inline", Prompt: "In one line.", PromptLine: 3, Steps: 0, Declared: ours(3)},
		{Name: "empty", Steps: -1, Declared: ours(4)},
	}
	if len(c.Agents) != len(want) {
		t.Fatalf("%d agents: %+v", len(c.Agents), c.Agents)
	}
	for i, a := range c.Agents {
		if !reflect.DeepEqual(a, want[i]) {
			t.Errorf("agent %d:\n%+v\nwant\n%+v", i, a, want[i])
		}
	}
	if got := c.value("agents").Value; !reflect.DeepEqual(got, []string{"plan", "reviewer", "tester", "reviewer", "inline", "empty"}) {
		t.Errorf("shown as %v", got)
	}
}

// A fault costs its own agent, and says where it is.
func TestAgentsThatAreWrong(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"agents = 3", "must be tables, each begun with [agents.NAME]"},
		{"[[agents]]\nprompt = \"x\"", "must be tables, each begun with [agents.NAME]"},
		{"agents.a = 3", "must be a table"},
		{"[agents.\"a b\"]\nprompt = \"x\"", "must have a name of letters"},
		{"[agents.\"a.b\"]\nprompt = \"x\"", "unknown key \"b.prompt\""},
		{"[agents.a]\nprompt = 3", "has a wrong prompt: it is an integer"},
		{"[agents.a]\nprompt = \"\\u0000\"", "NUL"},
		{"[agents.a]\ndescription = \"a\\nb\"", "description of one line"},
		{"[agents.a]\nsteps = -1", "has a wrong steps"},
		{"[agents.a]\nsteps = \"3\"", "has a wrong steps"},
		{"[agents.a]\nmode = \"plan\"", "want primary, subagent, all"},
		{"[agents.a]\ndisable = \"yes\"", "want true or false"},
		{"[agents.a]\ncolour = \"red\"", "unknown key \"colour\""},
		{"[agents.a.permissions]\nedit = \"deny\"", "unknown key \"permissions.edit\""},
		{"[agents.a]\npermissions = {edit = \"deny\"}", "has a wrong permissions: it is a table"},
		{"[agents.a]\npermissions = [3]", "has a wrong permissions, item 1"},
		{"[agents.a]\npermissions = [{permission = \"edit\"}]", "rule 1 of its permissions, which lacks"},
		{"[agents.a]\npermissions = [{action = \"deny\"}]", "rule 1 of its permissions, which lacks"},
		{"[agents.a]\npermissions = [{permission = \"edit\", action = \"no\"}]", "want allow, ask, deny"},
		{"[agents.a]\npermissions = [{permission = \"edit\", action = \"deny\", path = \"x\"}]", "unknown key \"path\""},
	} {
		p := newPlace(t)
		p.user("[agents.z]\nsteps = 1\n" + c.text + "\n")
		if strings.HasPrefix(c.text, "agents") || strings.HasPrefix(c.text, "[[agents]]") {
			p.user(c.text + "\n")
			if config, problems := p.load(nil, true); len(problems) == 0 || !strings.Contains(problems[0], c.want) || len(config.Agents) != 0 {
				t.Errorf("%s\n%q, want %q", c.text, problems, c.want)
			}
			continue
		}
		config, problems := p.load(nil, true)
		if len(problems) != 1 || !strings.Contains(problems[0], c.want) {
			t.Errorf("%s\n%q, want %q", c.text, problems, c.want)
		}
		if len(config.Agents) != 1 || config.Agents[0].Name != "z" {
			t.Errorf("%s\nthe table before it is gone: %+v", c.text, config.Agents)
		}
	}
}

// An editor's settings may come with the repository.
func TestEditorDeclaresNoAgents(t *testing.T) {
	p := newPlace(t)
	c, problems := p.load(map[string]any{"agents": map[string]any{"build": map[string]any{"prompt": "Obey."}}}, true)
	if len(c.Agents) != 0 || len(problems) != 1 {
		t.Errorf("%+v\n%q", c.Agents, problems)
	}
}

func TestManyAgents(t *testing.T) {
	var text strings.Builder
	for i := range 200 {
		fmt.Fprintf(&text, "[agents.a%d]\nsteps = 1\n", i)
	}
	p := newPlace(t)
	p.workspace(text.String())
	if c, problems := p.load(nil, false); len(c.Agents) != maxAgents || len(problems) != maxProblems {
		t.Errorf("%d agents, %d problems", len(c.Agents), len(problems))
	}
}
