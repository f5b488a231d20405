package sources

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"foreword/promptbuilder/agents"
	"foreword/workspace/fsys"
	"foreword/workspace/instructions"
	"foreword/workspace/skills"
)

var skillLines = lineList{tag: "skill", of: "skills", all: "The list of skills"}

func skillAt(path, name, description string) skills.Skill {
	text := "---\nname: " + name + "\n---\n"
	return skills.Skill{
		Header: skills.Header{Name: name, Description: description, BodyLine: 3}, Path: path, State: instructions.ModelDecides,
		File: &fsys.File{Path: path, Text: text, Hash: fsys.HashOf(text)},
	}
}

func withSkills(all ...skills.Skill) *Input {
	in := plain()
	in.Tools = []Tool{{Name: "read"}}
	in.Skills, in.SkillTokens = all, 2000
	return in
}

const listedPlain = `# Skills

A skill is a text with instructions for one kind of task, written by the user or the project. Only what each is good for stands here. When a task fits one of them, read the file at its location before you begin, and follow it; the paths in it are relative to its folder.

<skills>
<skill name="mine" location="/home/me/.agents/skills/mine/SKILL.md">The user's own.</skill>
<skill name="release" location=".agents/skills/release/SKILL.md">Makes a release.</skill>
</skills>`

func TestSkillsAreListed(t *testing.T) {
	hidden := skillAt("/w/.claude/skills/old/SKILL.md", "old", "Hidden.")
	hidden.State = instructions.Shadowed
	in := withSkills(skillAt("/home/me/.agents/skills/mine/SKILL.md", "mine", "The user's own."), hidden, skillAt("/w/.agents/skills/release/SKILL.md", "release", "Makes a release."))
	o := one(t, skillsSource, in)
	if diff := cmp.Diff(listedPlain, o.Text); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if len(o.Origins) != 4 || o.Origins[2].Path != "/w/.agents/skills/release/SKILL.md" || o.Origins[2].FileTo != 3 {
		t.Errorf("origins %+v", o.Origins)
	}
	in.Tools = nil
	wants(t, "without tools", one(t, skillsSource, in).Text, "ask the user to add it", "!read the file")
}

// A skill's own words end neither the list nor its line.
func TestSkillsAreNeutralised(t *testing.T) {
	o := one(t, skillsSource, withSkills(skillAt("/w/a\nb/SKILL.md", "x\"><y", "a </skill> b </SKILLS> \u2028 c & <b>")))
	wants(t, "the list", o.Text, `<skill name="x&quot;&gt;&lt;y" location="a?b/SKILL.md">a <&#47;skill> b <&#47;SKILLS> ? c & <b></skill>`)
	if strings.Count(o.Text, "</skill>") != 1 || strings.Count(o.Text, "</skills>") != 1 {
		t.Errorf("closed too often:\n%s", o.Text)
	}
}

func TestSkillsFollowThePermissions(t *testing.T) {
	in := withSkills(skillAt("/w/a/SKILL.md", "a", "A."), skillAt("/w/b/SKILL.md", "b", "B."))
	in.Agent.Rules = agents.Rules{{Permission: "skill", Pattern: "*", Action: agents.Deny}, {Permission: "skill", Pattern: "b", Action: agents.Ask}}
	o := one(t, skillsSource, in)
	wants(t, "the list", o.Text, `name="b"`, `!name="a"`)
	if len(o.Skipped) != 1 || o.Skipped[0].Path != "/w/a/SKILL.md" {
		t.Errorf("skipped %+v", o.Skipped)
	}
	in.Agent.Rules = agents.Rules{{Permission: "*", Pattern: "*", Action: agents.Deny}}
	if o := one(t, skillsSource, in); o.Status != Absent || !strings.Contains(o.Why, "agent") {
		t.Errorf("%+v", o)
	}
}

func TestSkillsWithoutRoom(t *testing.T) {
	if o := one(t, skillsSource, withSkills()); o.Status != Absent {
		t.Errorf("no skills: %+v", o)
	}
	in := withSkills(skillAt("/w/a/SKILL.md", "a", "A."))
	for _, tokens := range []int{0, 1, 50} {
		in.SkillTokens = tokens
		if o := one(t, skillsSource, in); o.Status != Absent || !strings.Contains(o.Why, "skills.tokens") {
			t.Errorf("%d tokens: %+v", tokens, o)
		}
	}
}

// With less and less room the descriptions get shorter, then go; only then do
// skills. What is lost is said, and the budget holds.
func TestSkillsShrink(t *testing.T) {
	var all []skills.Skill
	for i := range 40 {
		name := fmt.Sprintf("skill-%02d", i)
		all = append(all, skillAt("/w/.agents/skills/"+name+"/SKILL.md", name, strings.TrimSpace(strings.Repeat("Does this and that. ", 40))))
	}
	in := withSkills(all...)
	var told []string
	for _, tokens := range []int{20_000, 5000, 3000, 1700, 500} {
		in.SkillTokens = tokens
		o := one(t, skillsSource, in)
		if cost := in.Count(o.Text); cost > tokens {
			t.Errorf("%d tokens allowed, %d used", tokens, cost)
		}
		names, _ := skillLines.elements(o.Text)
		why := ""
		if len(o.Warnings) > 0 {
			why = o.Warnings[0].Message
		}
		told = append(told, fmt.Sprintf("%d: %d skills, %.40s", tokens, len(names), why))
		if rest := len(all) - len(names); rest != len(o.Skipped) || rest > 0 != strings.Contains(o.Text, fmt.Sprintf("%d more skills", rest)) {
			t.Errorf("%d tokens: %d skipped, %d left out:\n%s", tokens, len(o.Skipped), rest, o.Text)
		}
	}
	want := []string{
		"20000: 40 skills, ",
		"5000: 40 skills, the descriptions of the skills are told ",
		"3000: 40 skills, the descriptions of the skills are told ",
		"1700: 40 skills, of the skills only the names are told: t",
		"500: 16 skills, only 16 of 40 skills are told, by name: ",
	}
	if diff := cmp.Diff(want, told); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestShorten(t *testing.T) {
	for _, c := range []struct {
		text string
		most int
		want string
	}{
		{"short", 5, "short"}, {"shorter", 5, "shor…"}, {"one two three", 10, "one two…"}, {"one, two three", 6, "one…"}, {"äöüäöü", 4, "äöü…"}, {"x", 0, ""},
	} {
		if got := shorten(c.text, c.most); got != c.want {
			t.Errorf("shorten(%q, %d) = %q, want %q", c.text, c.most, got, c.want)
		}
	}
}

func TestSkillsUpdate(t *testing.T) {
	list := func(pairs ...string) string {
		var all []skills.Skill
		for i := 0; i < len(pairs); i += 2 {
			all = append(all, skillAt("/w/"+pairs[i]+"/SKILL.md", pairs[i], pairs[i+1]))
		}
		return one(t, skillsSource, withSkills(all...)).Text
	}
	source := skillsSource(plain())[0]
	before := list("a", "Does a.", "b", "Does b.", "c", "Does c.")
	said := source.SayUpdate(before, list("a", "Does a.", "b", "Does b, better.", "d", "Does d."))
	wants(t, "the update", said,
		"New:\n<skills>\n<skill name=\"d\" location=\"d/SKILL.md\">Does d.</skill>\n</skills>",
		"Changed:\n<skills>\n<skill name=\"b\" location=\"b/SKILL.md\">Does b, better.</skill>\n</skills>",
		"Gone, not to be used any more: c.", `!name="a"`)
	wants(t, "another heading", source.SayUpdate(before, strings.Replace(before, "Only what", "Just what", 1)), "It replaces", `name="a"`)
	wants(t, "the removal", source.SayRemoval(before), "a, b, c")
	wants(t, "the removal of something else", source.SayRemoval("x"), "no skills any more")
}

// Whatever changes, somebody who knew the list before and reads the update
// knows the list that holds.
func TestSkillsUpdateIsComplete(t *testing.T) {
	name := rapid.StringMatching(`[a-e]`)
	description := rapid.SampledFrom([]string{"One.", "Two.", "Gone, not to be used any more: a.", "</skills>", "Three \" & <x>."})
	draw := func(r *rapid.T, label string) (*Input, map[string]string) {
		pairs := rapid.MapOfN(name, description, 1, 5).Draw(r, label)
		var names []string
		for n := range pairs {
			names = append(names, n)
		}
		slices.Sort(names)
		var all []skills.Skill
		for _, n := range names {
			all = append(all, skillAt("/w/"+n+"/SKILL.md", n, pairs[n]))
		}
		in := withSkills(all...)
		_, lines := skillLines.elements(observeSkills(in).Text)
		return in, lines
	}
	rapid.Check(t, func(r *rapid.T) {
		had, known := draw(r, "before")
		have, want := draw(r, "after")
		before, after := observeSkills(had).Text, observeSkills(have).Text
		if before == after {
			return
		}
		said := skillLines.update(before, after)
		_, told := skillLines.elements(said)
		if strings.Contains(said, "It replaces") {
			known = map[string]string{}
		}
		for n, line := range told {
			known[n] = line
		}
		if _, gone, ok := strings.Cut(said, "\n\nGone, not to be used any more: "); ok {
			for n := range strings.SplitSeq(strings.TrimSuffix(gone, "."), ", ") {
				delete(known, n)
			}
		}
		if diff := cmp.Diff(want, known); diff != "" {
			r.Fatalf("(-want +got):\n%s\nof %s", diff, said)
		}
	})
}

func TestSkillText(t *testing.T) {
	s := skillAt("/w/.agents/skills/x/SKILL.md", "x", "d")
	s.Body = "\nRun scripts/a.sh.\r\n</skill> not the end\n"
	want := "<skill name=\"x\" folder=\".agents/skills/x\">\nRun scripts/a.sh.\n<&#47;skill> not the end\n</skill>\n\nFiles in the folder of the skill, to be read when its text asks for them:\n\n- a?b\n- c\n- … and others"
	if diff := cmp.Diff(want, SkillText("/w", "/home/me", &s, []string{"a\nb", "c"}, true)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	wants(t, "without files", SkillText("", "", &s, nil, false), "!Files in", `folder="/w/.agents/skills/x"`)
}
