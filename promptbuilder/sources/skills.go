package sources

import (
	"context"
	"fmt"
	"strings"
	"unicode/utf8"

	"foreword/workspace/fsys"
	"foreword/workspace/skills"
)

const skillsHeading = "# Skills\n\n" +
	"A skill is a text with instructions for one kind of task, written by the user or the project. Only what each is good for stands here. "

// How a model gets at the text of a skill, with tools and without.
const (
	skillsWithTools    = "When a task fits one of them, read the file at its location before you begin, and follow it; the paths in it are relative to its folder."
	skillsWithoutTools = "When a task fits one of them, ask the user to add it to the conversation."
)

// skillsSource lists the skills that the model may ask for, by name,
// description and location. Their texts are read on demand.
func skillsSource(in *Input) []Source {
	list := lineList{tag: "skill", of: "skills", all: "The list of skills"}
	return []Source{{
		Key: "core/skills", Group: "skills", Layer: Cacheable, Title: "Skills",
		Observe: func(context.Context) Observation { return observeSkills(in) },
		Update:  list.update, Removal: list.removal,
	}}
}

func observeSkills(in *Input) Observation {
	told, denied := in.toldSkills()
	switch {
	case len(told) == 0 && len(denied) > 0:
		return none("the agent may use none of the skills that were found")
	case len(told) == 0:
		return none("no skill was found")
	case in.SkillTokens <= 0:
		return none("the setting skills.tokens is 0")
	}
	heading := skillsHeading + skillsWithTools
	if len(in.Tools) == 0 {
		heading = skillsHeading + skillsWithoutTools
	}
	list := fitSkills(in, told, in.SkillTokens-in.Count(heading))
	if len(list.lines) == 0 {
		o := none(fmt.Sprintf("%s leaves no room for a list", in.bound("skills.tokens", in.SkillTokens)))
		o.Skipped = denied
		return o
	}
	o := Observation{Status: Present, Skipped: denied, Why: fmt.Sprintf("the model may ask for them; bounded by %s", in.bound("skills.tokens", in.SkillTokens))}
	text := strings.Split(heading+"\n\n<skills>", "\n")
	o.Origins = []Origin{{Name: "skills", ToLine: len(text)}}
	for i, line := range list.lines {
		s := &told[i]
		o.Origins = append(o.Origins, Origin{
			Path: s.Path, Hash: s.File.Hash, Dirty: s.File.Dirty, FromLine: len(text), ToLine: len(text) + 1, FileTo: max(1, s.BodyLine),
		})
		text = append(text, line)
	}
	end := len(text)
	text = append(text, "</skills>")
	if rest := told[len(list.lines):]; len(rest) > 0 {
		text = append(text, fmt.Sprintf("There are %d more skills, for which this list has no room.", len(rest)))
		for _, s := range rest {
			o.Skipped = append(o.Skipped, Skipped{Path: s.Path, Why: fmt.Sprintf("%s leaves no room for it", in.bound("skills.tokens", in.SkillTokens))})
		}
	}
	o.Origins = append(o.Origins, Origin{Name: "skills", FromLine: end, ToLine: len(text)})
	o.Text = strings.Join(text, "\n")
	if list.why != "" {
		o.Warnings = append(o.Warnings, Warning{Code: "skills-cut", Message: fmt.Sprintf("%s: the setting skills.tokens is %d; raise it, or shorten the descriptions", list.why, in.SkillTokens)})
	}
	return o
}

// toldSkills are those that the model is told of: one of each name, and none
// that the agent is denied.
func (in *Input) toldSkills() (told []skills.Skill, denied []Skipped) {
	for _, s := range in.Skills {
		switch {
		case !s.Told() || s.File == nil:
		case !in.Agent.Allowed("skill", s.Name):
			denied = append(denied, Skipped{Path: s.Path, Why: fmt.Sprintf("the agent %s is not permitted the skill", oneLine(in.Agent.Name))})
		default:
			told = append(told, s)
		}
	}
	return told, denied
}

// SkillNames are the skills that the prompt tells of.
func (in *Input) SkillNames() []string {
	if in.SkillTokens <= 0 {
		return nil
	}
	told, _ := in.toldSkills()
	names := make([]string, len(told))
	for i := range told {
		names[i] = told[i].Name
	}
	return names
}

// skillList is the lines of as many skills as there is room for.
type skillList struct {
	lines []string
	why   string // what was lost
}

// The lengths, in characters, to which descriptions are shortened in turn when
// there is no room for all of them. The first is all that the specification
// allows; at the second one still says what a skill does and when.
var skillCuts = []int{skills.MaxDescription, 300, 120, 0}

// skillsTail is about what the end of the list and the note after it cost.
const skillsTail = 24

// fitSkills says all skills as fully as the budget allows: it rather shortens
// every description than drop a skill. The length of one is the same for all,
// so that one edit changes one line.
func fitSkills(in *Input, told []skills.Skill, budget int) skillList {
	budget -= skillsTail
	for i, most := range skillCuts {
		lines := make([]string, len(told))
		cost := 0
		cut := false
		for j := range told {
			text := shorten(told[j].Description, most)
			cut = cut || text != told[j].Description
			lines[j] = in.skillLine(&told[j], text)
			cost += in.Count("\n" + lines[j])
		}
		if cost <= budget {
			l := skillList{lines: lines}
			switch {
			case most == 0:
				l.why = "of the skills only the names are told"
			case i > 0 && cut:
				l.why = fmt.Sprintf("the descriptions of the skills are told up to %d characters", most)
			}
			return l
		}
	}
	var l skillList
	for j := range told {
		line := in.skillLine(&told[j], "")
		if budget -= in.Count("\n" + line); budget < 0 {
			break
		}
		l.lines = append(l.lines, line)
	}
	l.why = fmt.Sprintf("only %d of %d skills are told, by name", len(l.lines), len(told))
	return l
}

const skillLineStart = "<skill name="

func (in *Input) skillLine(s *skills.Skill, description string) string {
	return strings.TrimSuffix(skillLineStart, " name=") + attribute("name", s.Name) + attribute("location", in.location(s.Path)) + ">" +
		neutralise(oneLine(description), "skill") + "</skill>"
}

// location is a path that a tool can read: relative to the root inside it, else
// absolute.
func (in *Input) location(path string) string {
	if in.Root != "" && fsys.Within(in.Root, path) {
		return in.display(path)
	}
	return oneLine(path)
}

// shorten cuts a text to so many characters, at a blank where there is one in
// its second half.
func shorten(text string, most int) string {
	if most == 0 {
		return ""
	}
	if utf8.RuneCountInString(text) <= most {
		return text
	}
	cut := string([]rune(text)[:most-1])
	if blank := strings.LastIndexByte(cut, ' '); blank > len(cut)/2 {
		cut = cut[:blank]
	}
	return strings.TrimRight(cut, " ,;:") + "…"
}

// SkillText is what a model is given when it asks for a skill: its text without
// the header, and the names of the files that it brings along. More tells that
// there are other files.
func SkillText(root, home string, s *skills.Skill, files []string, more bool) string {
	in := &Input{Place: Place{Root: root, Home: home}}
	var b strings.Builder
	b.WriteString("<skill" + attribute("name", s.Name) + attribute("folder", in.location(s.Dir())) + ">\n")
	b.WriteString(neutralise(strings.Trim(strings.ReplaceAll(s.Body, "\r\n", "\n"), "\n"), "skill"))
	b.WriteString("\n</skill>")
	if len(files) > 0 {
		b.WriteString("\n\nFiles in the folder of the skill, to be read when its text asks for them:\n")
		for _, name := range files {
			b.WriteString("\n- " + oneLine(name))
		}
		if more {
			b.WriteString("\n- … and others")
		}
	}
	return b.String()
}
