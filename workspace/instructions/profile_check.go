package instructions

import (
	"fmt"
	"slices"
	"strings"
)

// check refuses values that the engine does not know.
func (p *Profile) check() error {
	if p.Name == "" || p.Title == "" {
		return fmt.Errorf("want name and title")
	}
	if p.Rule.Source == "" || p.Rule.Checked == "" {
		return fmt.Errorf("%s: want rule.source and rule.checked", p.Name)
	}
	type choice struct {
		what, value string
		known       []string
	}
	choices := []choice{
		{"same", p.Same, []string{"", "path", "real-path", "content"}},
		{"comments", p.Comments, []string{"", "keep", "strip-blocks"}},
		{"skill_names", p.SkillNames, []string{"", "first", "last"}},
		{"imports.dialect", p.Imports.Dialect, []string{"", "none", "claude", "gemini", "goose", "codecompanion"}},
		{"imports.confine", p.Imports.Confine, []string{"", "root", "approval"}},
		{"imports.failure", p.Imports.Failure, []string{"", "keep", "comment"}},
		{"imports.place", p.Imports.Place, []string{"", "after", "inline"}},
	}
	for i, s := range p.Steps {
		at := fmt.Sprintf("step[%d].", i)
		parts := 0
		choices = append(choices, choice{at + "blank", s.Blank, []string{"", "white-space", "empty", "never"}},
			choice{at + "directory", s.Directory, []string{"", "listed"}})
		if f := s.Files; f != nil {
			parts++
			choices = append(choices, choice{at + "files.base", f.Base, []string{"", "root", "cwd"}},
				choice{at + "files.choice", f.Choice, []string{"", "all", "first", "first-non-blank"}})
		}
		if w := s.Walk; w != nil {
			parts++
			choices = append(choices,
				choice{at + "walk.from", w.From, []string{"marker", "root", "home", "home-or-root", "filesystem", "cwd"}},
				choice{at + "walk.to", w.To, []string{"", "cwd", "target", "root"}},
				choice{at + "walk.no_marker", w.NoMarker, []string{"", "cwd", "root", "filesystem"}},
				choice{at + "walk.choice", w.Choice, []string{"", "all", "first", "first-non-blank", "first-name"}},
				choice{at + "walk.below_choice", w.BelowChoice, []string{"", "all", "first", "first-non-blank"}},
				choice{at + "walk.order", w.Order, []string{"", "outermost", "nearest", "sorted"}},
				choice{at + "walk.below_order", w.BelowOrder, []string{"", "outermost", "nearest"}},
				choice{at + "walk.below", w.Below, []string{"", "out-of-scope", "on-read", "listed", "sent"}})
		}
		if r := s.Rules; r != nil {
			parts++
			choices = append(choices,
				choice{at + "rules.at", r.At, []string{"", "root", "cwd", "home", "chain", "cwd-chain", "filesystem-chain", "places"}},
				choice{at + "rules.below", r.Below, []string{"", "on-read", "sent"}},
				choice{at + "rules.reader", r.Reader, []string{"none", "yaml", "vscode", "cursor", "continue"}},
				choice{at + "rules.base", r.Base, []string{"", "root", "dir"}},
				choice{at + "rules.absent", r.Absent, []string{"", "always", "manual", "model-decides", "none"}},
				choice{at + "rules.wrong_type", r.WrongType, []string{"", "always", "never", "absent"}},
				choice{at + "rules.broken", r.Broken, []string{"", "always", "never"}},
				choice{at + "rules.fires", r.Fires, []string{"", "launch", "read"}},
				choice{at + "rules.order", r.Order, []string{"", "path", "name"}})
			if r.Skill != nil {
				choices = append(choices, choice{at + "rules.skill.folder", r.Skill.Folder, []string{"", "same", "same-fold"}},
					choice{at + "rules.skill.broken", r.Skill.Broken, []string{"", "kept", "lines"}})
			}
		}
		if s.Configured {
			parts++
		}
		if l := s.Listed; l != nil {
			parts++
			if !strings.HasPrefix(l.Base, "~") && !strings.HasPrefix(l.Base, "$") {
				choices = append(choices, choice{at + "listed.base", l.Base, []string{"", "root", "cwd", "up"}})
			}
		}
		if parts != 1 {
			return fmt.Errorf("%s: step[%d]: want exactly one of files, walk, rules, listed", p.Name, i)
		}
	}
	for i, f := range p.Settings {
		choices = append(choices, choice{fmt.Sprintf("settings[%d].at", i), f.At, []string{"", "chain"}},
			choice{fmt.Sprintf("settings[%d].format", i), f.Format, []string{"toml", "json", "yaml"}})
	}
	for i, n := range p.Never {
		if len(n.Names) == 0 || n.Why == "" {
			return fmt.Errorf("%s: never[%d]: want names and why", p.Name, i)
		}
	}
	for _, c := range choices {
		if !slices.Contains(c.known, c.value) {
			return fmt.Errorf("%s: %s is %q; want one of %q", p.Name, c.what, c.value, c.known)
		}
	}
	return nil
}
