package instructions

import (
	"fmt"
	"path/filepath"
	"strings"

	"foreword/workspace/fsys"
	"foreword/workspace/instructions/frontmatter"
)

// SkillFile is the exact name of a skill's file; the folder that holds it is
// the skill.
const SkillFile = "SKILL.md"

// SkillHeader reads the header of a skill. One that is no YAML is read again
// line by line, as far as that goes, which byLines tells: nearly always it is
// a colon in a description without quotes, and its author meant what it says.
func SkillHeader(file *fsys.File) (header frontmatter.Document, byLines bool) {
	header = headers.read(frontmatter.YAML, file)
	if !broken(header) {
		return header, false
	}
	lines := headers.read(frontmatter.Cursor, file)
	lines.Fields = plainFields(lines.Fields)
	return lines, true
}

// plainFields takes the quotes off what stands in quotes, and drops what goes
// on over more lines.
func plainFields(fields []frontmatter.Field) []frontmatter.Field {
	var plain []frontmatter.Field
	for _, f := range fields {
		text := strings.TrimSpace(f.Text)
		if n := len(text); n > 1 && (text[0] == '"' || text[0] == '\'') && text[n-1] == text[0] {
			text = text[1 : n-1]
		}
		if f.Kind != frontmatter.String || text == "" || strings.ContainsRune("|>[{&*!", rune(text[0])) {
			continue
		}
		f.Text = text
		plain = append(plain, f)
	}
	return plain
}

// skill is a skill that the model is told of, until another one of its name
// takes its place.
type skill struct {
	name  string
	entry int // index
}

// decideSkill says whether the tool tells the model of a skill.
func (r *resolver) decideSkill(want *SkillRule, c *candidate, holder string, file *fsys.File, d frontmatter.Document) {
	c.mode, c.state = "model-decides", OutOfScope // until the checks are passed
	byLines := false
	if want.Broken == "lines" {
		d, byLines = SkillHeader(file)
	}
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
	case broken(d) && want.Broken == "":
		c.why = fmt.Sprintf("its header cannot be read, so %s leaves the skill out", r.profile.Title)
	case want.Described && !broken(d) && text("description") == "":
		c.why = fmt.Sprintf("it has no description, so %s leaves the skill out", r.profile.Title)
	case want.Folder == "same" && name != folder, want.Folder == "same-fold" && !strings.EqualFold(name, folder):
		c.why = fmt.Sprintf("its name is %q and its folder %q; %s leaves out a skill whose two names differ", printable(name), printable(folder), r.profile.Title)
	default:
		c.state = ModelDecides
		c.why = "a skill: the model is told its name and description, and may ask for it"
		if byLines {
			c.why += "; its header is no YAML and was read line by line"
		}
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
// tool does, and a skill that is reached by two names only once.
func (r *resolver) settleSkills() {
	if r.profile.Same != "path" && r.profile.Same != "" {
		r.skillsOnce()
	}
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

// skillsOnce drops the links to a skill that is told already. The name that is
// no link counts, else the one that would count among skills of one name.
func (r *resolver) skillsOnce() {
	chosen := map[string]int{} // real path → place in r.skills
	for i, s := range r.skills {
		e := &r.entries[s.entry]
		other, taken := chosen[e.RealPath]
		if !taken || e.Path == e.RealPath || r.profile.SkillNames == "last" && r.entries[r.skills[other].entry].Path != e.RealPath {
			chosen[e.RealPath] = i
		}
	}
	kept := make([]skill, 0, len(r.skills))
	for i, s := range r.skills {
		e := &r.entries[s.entry]
		if at := chosen[e.RealPath]; at != i {
			e.State, e.SameAs = Shadowed, r.entries[r.skills[at].entry].Path
			e.Why = fmt.Sprintf("the same file as %s, reached by a link", r.display(e.SameAs))
			continue
		}
		kept = append(kept, s)
	}
	r.skills = kept
}
