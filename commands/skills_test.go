package commands

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func skillFile(name, description, body string) string {
	return "---\nname: " + name + "\ndescription: " + description + "\n---\n" + body
}

var skilled = map[string]string{
	"~/.agents/skills/mine/SKILL.md":      skillFile("mine", "The user's own.", "Mine.\n"),
	"~/.agents/skills/release/SKILL.md":   skillFile("release", "The user's way to release.", "Mine.\n"),
	".agents/skills/release/SKILL.md":     skillFile("release", "Makes a release.", "Run scripts/run.sh.\n"),
	".agents/skills/release/scripts/run":  "true\n",
	".agents/skills/release/.env":         "KEY=1\n",
	".agents/skills/release/out":          "->../../../../home/.agents/skills/mine/SKILL.md",
	".agents/skills/colon/SKILL.md":       skillFile("colon", "Use when: asked", "Colon.\n"),
	".agents/skills/undescribed/SKILL.md": "---\nname: undescribed\n---\nBody.\n",
	".claude/skills":                      "->../.agents/skills",
	"svc/.claude/skills/svc/SKILL.md":     skillFile("svc", "For the service.", "Svc.\n"),
	"svc/main.go":                         "package main\n",
	"AGENTS.md":                           "Rule.\n",
}

func TestListSkills(t *testing.T) {
	r := newRepo(t, skilled)
	s := r.open()
	got := run[ListSkillsResult](t, s, "foreword.skills.list", ListSkillsParams{URI: r.uri("svc/main.go")})
	var lines []string
	for _, skill := range got.Skills {
		if strings.HasPrefix(skill.Path, ".claude/") {
			if skill.State == "model-decides" {
				t.Errorf("%s is told by the name of a link", skill.Path)
			}
			continue
		}
		var problems []string
		for _, p := range skill.Problems {
			problems = append(problems, fmt.Sprintf("%s %s %d:%d", p.Severity, p.Code, p.Range.Start.Line, p.Range.Start.Character))
		}
		lines = append(lines, strings.TrimSpace(fmt.Sprintf("%s %s %s %s", skill.Name, skill.State, skill.Path, strings.Join(problems, ", "))))
		if skill.Why == "" || skill.Location == "" || skill.Tokens == 0 {
			t.Errorf("%+v", skill)
		}
	}
	want := []string{
		"colon model-decides .agents/skills/colon/SKILL.md error yaml-unquoted-colon 2:13",
		"mine model-decides ~/.agents/skills/mine/SKILL.md",
		"release model-decides .agents/skills/release/SKILL.md",
		"release shadowed ~/.agents/skills/release/SKILL.md",
		"svc model-decides svc/.claude/skills/svc/SKILL.md",
		"undescribed out-of-scope .agents/skills/undescribed/SKILL.md error skill-description-missing 0:0",
	}
	if diff := cmp.Diff(want, lines); diff != "" {
		t.Errorf("skills (-want +got):\n%s", diff)
	}
	if len(got.Warnings) != 1 || got.Warnings[0].Code != "skill-name-taken" || got.Warnings[0].URI != r.uri("~/.agents/skills/release/SKILL.md") {
		t.Errorf("warnings %+v", got.Warnings)
	}
	for _, skill := range run[ListSkillsResult](t, s, "foreword.skills.list", ListSkillsParams{Agent: "explore"}).Skills {
		if skill.State == "model-decides" || skill.State == "out-of-scope" {
			t.Errorf("explore, which may use no skill, has %s in state %s", skill.Name, skill.State)
		}
	}
	// The rules of one tool know other folders.
	codex := run[ListSkillsResult](t, s, "foreword.skills.list", ListSkillsParams{URI: r.uri("svc/main.go"), Profile: "codex"})
	for _, skill := range codex.Skills {
		if strings.HasPrefix(skill.Path, "svc/") {
			t.Errorf("codex is told of %s", skill.Path)
		}
	}
	// What the editor shows is what counts.
	r.edit(s, ".agents/skills/undescribed/SKILL.md", skillFile("undescribed", "Now described.", "Body.\n"))
	got = run[ListSkillsResult](t, s, "foreword.skills.list", ListSkillsParams{})
	for _, skill := range got.Skills {
		if skill.Name == "undescribed" && skill.Path[:2] == ".a" && (skill.State != "model-decides" || !skill.Dirty) {
			t.Errorf("%+v", skill)
		}
	}
}

func TestLoadSkill(t *testing.T) {
	r := newRepo(t, skilled)
	s := r.open()
	got := run[LoadSkillResult](t, s, "foreword.skills.load", LoadSkillParams{Name: "release"})
	if got.Body != "Run scripts/run.sh.\n" || got.Location != r.uri(".agents/skills/release/SKILL.md") || got.Folder != r.uri(".agents/skills/release") || got.Tokens == 0 || len(got.Hash) != 64 {
		t.Errorf("%+v", got)
	}
	if diff := cmp.Diff([]SkillFile{{Path: "scripts/run", URI: r.uri(".agents/skills/release/scripts/run")}}, got.Files); diff != "" {
		t.Errorf("files (-want +got):\n%s", diff)
	}
	if !strings.Contains(got.Text, `<skill name="release" folder=".agents/skills/release">`) || !strings.Contains(got.Text, "- scripts/run") || strings.Contains(got.Text, "Makes a release") {
		t.Errorf("text %q", got.Text)
	}
	for name, body := range map[string]string{"mine": "Mine.\n", "colon": "Colon.\n", "undescribed": "Body.\n"} {
		if got := run[LoadSkillResult](t, s, "foreword.skills.load", LoadSkillParams{Name: name}); got.Body != body {
			t.Errorf("%s: %q", name, got.Body)
		}
	}
	for _, c := range []struct{ name, part string }{
		{"relaese", `did you mean "release"`}, {"quite another", "there are colon, mine, release, undescribed"}, {"", "there is no skill"}, {"svc", "there is no skill"},
	} {
		_, err := try[LoadSkillResult](t, s, "foreword.skills.load", LoadSkillParams{Name: c.name})
		if err == nil || !strings.Contains(err.Error(), c.part) {
			t.Errorf("%q: %v, want %q", c.name, err, c.part)
		}
	}
	if _, err := try[LoadSkillResult](t, s, "foreword.skills.load", LoadSkillParams{Name: "mine", Agent: "explore"}); err == nil || !strings.Contains(err.Error(), "not permitted") {
		t.Errorf("explore loads a skill: %v", err)
	}
	if got := run[LoadSkillResult](t, s, "foreword.skills.load", LoadSkillParams{Name: "svc", URI: r.uri("svc/main.go")}); got.Body != "Svc.\n" {
		t.Errorf("nested: %+v", got)
	}
}

// Loading a skill in a session is a read of its file: the session remembers it,
// and the instruction files of its folder are told once.
func TestLoadSkillInASession(t *testing.T) {
	r := newRepo(t, skilled)
	r.write(".agents/skills/release/AGENTS.md", "Only on Fridays.\n")
	s := r.open()
	load := func(message string) *LoadSkillResult {
		return run[LoadSkillResult](t, s, "foreword.skills.load", LoadSkillParams{Name: "release", Session: "s", Message: message})
	}
	if got := load("m1"); len(got.Injections) != 1 || !strings.Contains(got.Injections[0].Text, "Only on Fridays.") || got.Injections[0].Message != "m1" {
		t.Errorf("%+v", got.Injections)
	}
	if got := load("m2"); len(got.Injections) != 0 {
		t.Errorf("told again: %+v", got.Injections)
	}
	if got := run[LoadSkillResult](t, s, "foreword.skills.load", LoadSkillParams{Name: "mine", Session: "s", Message: "m3"}); len(got.Injections) != 0 || len(got.Warnings) != 0 {
		t.Errorf("the user's own: %+v", got)
	}
}

// A skill outside the repository is neither told nor given before the folder
// is trusted; then it is both.
func TestSkillsOutsideNeedTrust(t *testing.T) {
	r := newRepo(t, map[string]string{
		"~/elsewhere/x/SKILL.md":     skillFile("x", "Outside.", "Outside.\n"),
		".agents/skills/x":           "->../../../home/elsewhere/x",
		".agents/skills/x2/SKILL.md": "->../../../../home/elsewhere/x/SKILL.md",
		"main.go":                    "package main\n",
	})
	s := r.open()
	if _, err := try[LoadSkillResult](t, s, "foreword.skills.load", LoadSkillParams{Name: "x2"}); err == nil || !strings.Contains(err.Error(), "needs-trust") {
		t.Errorf("untrusted: %v", err)
	}
	if got := text(build(t, s, BuildPromptParams{URI: r.uri("main.go")})); strings.Contains(got, "Outside.") {
		t.Errorf("told of what lies outside:\n%s", got)
	}
	run[TrustResult](t, s, "foreword.trust", TrustParams{Folder: r.uri("."), Trusted: new(true)})
	if got := run[LoadSkillResult](t, s, "foreword.skills.load", LoadSkillParams{Name: "x"}); got.Body != "Outside.\n" {
		t.Errorf("trusted: %+v", got)
	}
}

// The list of skills stands before the cache boundary, and each of its lines
// leads to the file that it came from.
func TestPromptListsSkills(t *testing.T) {
	r := newRepo(t, skilled)
	s := r.open()
	b := build(t, s, BuildPromptParams{URI: r.uri("svc/main.go"), Tools: []Tool{{Name: "read"}}})
	list := section(t, b, "core/skills")
	if list.Layer != "cacheable" {
		t.Errorf("layer %s", list.Layer)
	}
	for _, part := range []string{`name="release" location=".agents/skills/release/SKILL.md">Makes a release.`, `name="mine" location="` + r.path("~/.agents/skills/mine/SKILL.md"), `name="svc"`, "Use when: asked"} {
		if !strings.Contains(list.Text, part) {
			t.Errorf("the list lacks %q:\n%s", part, list.Text)
		}
	}
	if strings.Contains(list.Text, "undescribed") || strings.Contains(text(b), "Run scripts/run.sh") {
		t.Errorf("told too much:\n%s", text(b))
	}
	if len(list.Origins) != 6 || list.Origins[1].URI != r.uri(".agents/skills/colon/SKILL.md") {
		t.Errorf("origins %+v", list.Origins)
	}
	for _, n := range b.NotApplied {
		if n.State == "model-decides" && strings.HasSuffix(n.URI, "SKILL.md") {
			t.Errorf("%s is told of, and said not to apply", n.URI)
		}
	}
}
