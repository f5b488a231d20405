package instructions

import (
	"fmt"
	"path/filepath"
	"strings"

	"foreword/workspace/instructions/frontmatter"
)

// skill is a skill that the model is told of, until another one of its name
// takes its place.
type skill struct {
	name  string
	entry int // index
}

// decideSkill says whether the tool tells the model of a skill.
func (r *resolver) decideSkill(want *SkillRule, c *candidate, holder string, d frontmatter.Document) {
	c.mode, c.state = "model-decides", OutOfScope // until the checks are passed
	folder := filepath.Base(filepath.Dir(c.path))
	text := func(key string) string {
		f, ok := d.Field(key)
		if !ok || f.Kind == frontmatter.List || f.Kind == frontmatter.Map {
			return ""
		}
		return strings.TrimSpace(f.Text)
	}
	name := text("name")
	switch {
	case want.Depth > 0 && depth(filepath.Dir(c.path))-depth(skillFolder(c.path, holder)) > want.Depth:
		c.why = fmt.Sprintf("%s looks for skills no more than %d folders deep", r.profile.Title, want.Depth)
	case broken(d) && want.Broken != "kept":
		c.why = fmt.Sprintf("its header cannot be read, so %s leaves the skill out", r.profile.Title)
	case want.Described && !broken(d) && text("description") == "":
		c.why = fmt.Sprintf("it has no description, so %s leaves the skill out", r.profile.Title)
	case want.Folder == "same" && name != folder, want.Folder == "same-fold" && !strings.EqualFold(name, folder):
		c.why = fmt.Sprintf("its name is %q and its folder %q; %s leaves out a skill whose two names differ", printable(name), printable(folder), r.profile.Title)
	default:
		c.state = ModelDecides
		c.why = "a skill: the model is told its name and description, and may ask for it"
		if c.skill = name; name == "" {
			c.skill = folder
		}
	}
}

// skillFolder is the folder of skills in which a skill lies: the directory that
// is called skills, or the holder.
func skillFolder(path, holder string) string {
	for dir := filepath.Dir(path); dir != filepath.Dir(dir); dir = filepath.Dir(dir) {
		if name := filepath.Base(dir); name == "skills" || strings.HasPrefix(name, "skills-") {
			return dir
		}
	}
	return holder
}

// settleSkills lets one of several skills of the same name count, where the
// tool does.
func (r *resolver) settleSkills() {
	if r.profile.SkillNames == "" {
		return
	}
	chosen := map[string]int{}
	for _, s := range r.skills {
		other, taken := chosen[s.name]
		loser, winner := s.entry, other
		switch {
		case !taken:
			chosen[s.name] = s.entry
			continue
		case r.profile.SkillNames == "last":
			chosen[s.name] = s.entry
			loser, winner = other, s.entry
		}
		e := &r.entries[loser]
		e.State, e.SameAs = Shadowed, r.entries[winner].Path
		e.Why = fmt.Sprintf("%s has the same name, and %s takes the %s that it finds", r.display(e.SameAs), r.profile.Title, r.profile.SkillNames)
	}
}
