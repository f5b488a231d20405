package commands

import (
	"path/filepath"
	"strings"
	"testing"
)

const declaredAgents = `
[agents.reviewer]
prompt = "You review changes."
model = "claude-opus-4-5"
permissions = [{permission = "edit", action = "deny"}]

[agents.plan]
permissions = [{permission = "edit", action = "allow"}]
`

func codesOf(warnings []Warning) string {
	var codes []string
	for _, w := range warnings {
		codes = append(codes, w.Code)
	}
	return strings.Join(codes, " ")
}

// TestAgentOfTheWorkspace holds what a repository's foreword.toml can do before
// and after the folder is trusted.
func TestAgentOfTheWorkspace(t *testing.T) {
	r := newRepo(t, map[string]string{"main.go": "", "foreword.toml": declaredAgents})
	s := r.open()
	params := BuildPromptParams{URI: r.uri("main.go"), Agent: "reviewer", Tools: []Tool{{Name: "write", Instructions: "Writes."}, {Name: "read", Instructions: "Reads."}}}
	p := build(t, s, params)
	identity := section(t, p, "core/identity")
	if identity.Text != "You review changes." || identity.Origins[0].URI != r.uri("foreword.toml") || identity.Origins[0].Range.Start.Line != 2 {
		t.Errorf("%+v", identity)
	}
	if tools := section(t, p, "core/tools").Text; strings.Contains(tools, "write") || !strings.Contains(tools, "read") {
		t.Errorf("tools: %s", tools)
	}
	if model := section(t, p, "core/model").Text; !strings.Contains(model, "claude-opus-4-5") {
		t.Errorf("model: %s", model)
	}
	if got := codesOf(p.Warnings); got != "agent-left-out" || p.Warnings[0].URI != r.uri("foreword.toml") {
		t.Errorf("warnings: %+v", p.Warnings)
	}
	params.Agent = "plan"
	if tools := section(t, build(t, s, params), "core/tools").Text; !strings.Contains(tools, "write") {
		t.Error("the agent plan may write its plans")
	}
}

func TestAgentThatIsNotThere(t *testing.T) {
	r := newRepo(t, map[string]string{"main.go": ""})
	p := build(t, r.open(), BuildPromptParams{URI: r.uri("main.go"), Agent: "nobody"})
	if got := codesOf(p.Warnings); got != "agent-unknown" || !strings.HasSuffix(section(t, p, "core/identity").Text, "You act as the agent \"nobody\".") {
		t.Errorf("%s", got)
	}
}

// TestHiddenAgentsAreToldTheirPromptAlone holds what a title or an account is
// made from.
func TestHiddenAgentsAreToldTheirPromptAlone(t *testing.T) {
	r := newRepo(t, small)
	for _, agent := range []string{"title", "compaction", "summary"} {
		if got := keys(build(t, r.open(), BuildPromptParams{URI: r.uri("main.go"), Agent: agent})); strings.Join(got, " ") != "core/identity" {
			t.Errorf("%s: %v", agent, got)
		}
	}
}

// TestTextsOfOnesOwn holds that the preview points at the file, that a broken
// one costs itself, and that a workspace's wait for trust.
func TestTextsOfOnesOwn(t *testing.T) {
	r := newRepo(t, map[string]string{"main.go": "", ".foreword/templates/interactive.md": "Of the workspace."})
	r.write("~/.config/foreword/templates/identity_gpt.md", "\n\nYou are mine.\n")
	r.write("~/.config/foreword/templates/nonsense.md", "x")
	r.write("~/.config/foreword/user.md", "I like Go.\n")
	s := r.open()
	p := build(t, s, BuildPromptParams{URI: r.uri("main.go"), Model: "gpt-5"})
	identity := section(t, p, "core/identity")
	own := fileURI(filepath.Join(r.home, ".config", "foreword", "templates", "identity_gpt.md"))
	if identity.Text != "You are mine." || identity.Origins[0].URI != own || identity.Origins[0].Range.Start.Line != 2 {
		t.Errorf("%+v", identity)
	}
	if got := section(t, p, "core/user"); got.Text != "# The user\n\nI like Go." || got.Origins[1].URI != fileURI(filepath.Join(r.home, ".config", "foreword", "user.md")) {
		t.Errorf("%+v", got)
	}
	if strings.Contains(text(p), "Of the workspace.") {
		t.Error("a text of a workspace that is not trusted is sent")
	}
	if got := codesOf(p.Warnings); got != "templates-need-trust template" {
		t.Errorf("warnings: %s", got)
	}
}

// TestLongDescriptionOfATool holds that the request carries what every provider
// takes, that the rest stands in the system text, and that it is told.
func TestLongDescriptionOfATool(t *testing.T) {
	r := newRepo(t, map[string]string{"main.go": ""})
	s := r.open()
	tool := Tool{Name: "read", Description: strings.Repeat("It reads a file. ", 70) + "The end."}
	got := turn(t, s, map[string]any{"uri": r.uri("main.go"), "tools": []any{map[string]any{"name": tool.Name, "description": tool.Description}}, "messages": []message{user("u", "hi")}})
	if body := string(got.Body); strings.Count(body, "The end.") != 1 || codesOf(got.Warnings) != "tool-description-long" {
		t.Errorf("%s: %s", codesOf(got.Warnings), body)
	}
	for _, section := range got.Sections {
		if section.Key == "core/tools" && !strings.HasSuffix(section.Text, "The end.") {
			t.Errorf("%s", section.Text)
		}
	}
}

// TestPlanFileAndMaxSteps holds the reminder with a file for the plan, and the
// last word of an agent whose steps are used up.
func TestPlanFileAndMaxSteps(t *testing.T) {
	r := newRepo(t, map[string]string{"main.go": "", "foreword.toml": "plan.file = true\n[agents.quick]\nsteps = 2\n"})
	s := r.open()
	got := turn(t, s, map[string]any{"uri": r.uri("main.go"), "session": "a/b c", "mode": "plan", "append": []message{user("u", "how?")}})
	if body := string(got.Body); !strings.Contains(body, ".foreword/plans/a-b-c-") || strings.Contains(body, "{{") {
		t.Errorf("%s", body)
	}
	again := turn(t, s, map[string]any{"uri": r.uri("main.go"), "session": "a/b c", "mode": "plan", "append": []message{{"id": "a", "role": "assistant", "content": "So."}, user("v", "and?")}})
	if n := strings.Count(string(again.Body), "Plan mode is on"); n != 1 {
		t.Errorf("the reminder stands %d times: %s", n, again.Body)
	}
	answer := message{"id": "m", "role": "assistant", "content": "I look."}
	for n, messages := range [][]message{{user("u", "do")}, {user("u", "do"), answer, message{"id": "n", "role": "assistant", "content": "more"}}} {
		got := turn(t, s, map[string]any{"uri": r.uri("main.go"), "agent": "quick", "messages": messages})
		if said := strings.Contains(string(got.Body), "The number of steps for this task is used up."); said != (n == 1) {
			t.Errorf("step %d: %v", n+1, said)
		}
	}
}
