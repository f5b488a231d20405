package commands

import (
	"context"
	"fmt"

	"foreword/workspace"
	"foreword/workspace/fsys"
	"foreword/workspace/instructions"
	"foreword/workspace/instructions/lint"
	"foreword/workspace/skills"
)

// ListSkillsParams says for which place and whom skills are wanted.
type ListSkillsParams struct {
	// URI of the file or folder that the conversation is about; the first workspace folder by default.
	URI string `json:"uri,omitempty"`
	// Profile whose folders of skills are looked into.
	Profile string `json:"profile,omitempty"`
	// Agent whose permissions count; build by default.
	Agent string `json:"agent,omitempty"`
	// Model whose tokens are counted.
	Model string `json:"model,omitempty"`
}

// ListSkillsResult is every skill that was found, whatever became of it.
type ListSkillsResult struct {
	Head
	// Skills sorted by name; of one name, that which counts comes first.
	Skills []ListedSkill `json:"skills"`
	// Counter is exact or estimate.
	Counter string `json:"counter" enum:"exact,estimate"`
}

// ListedSkill is a skill and what became of it.
type ListedSkill struct {
	// Name of its header, or of its folder where the header has none.
	Name string `json:"name"`
	// Description is what the model is told of it; empty where it has none.
	Description string `json:"description"`
	// Location is the URI of its SKILL.md.
	Location string `json:"location"`
	// Path of its SKILL.md relative to the root, or from ~/, or absolute.
	Path string `json:"path"`
	// State is model-decides where the model is told of the skill; excluded also where the agent is not permitted it.
	State string `json:"state" enum:"model-decides,manual,shadowed,out-of-scope,excluded,needs-trust,needs-setting,not-read-by-tool,unreadable,blank"`
	// Why names the evidence in one sentence.
	Why string `json:"why"`
	// Personal marks the user's own skill.
	Personal bool `json:"personal,omitempty"`
	// SameAs is the path of the skill that counts in its place.
	SameAs string `json:"sameAs,omitempty"`
	// Tokens of its text, which is sent when the model asks for it; 0 where it cannot be read.
	Tokens int `json:"tokens"`
	// Dirty tells that the text is an editor's, not yet saved.
	Dirty bool `json:"dirty,omitempty"`
	// Problems are what the specification has against its header.
	Problems []SkillProblem `json:"problems"`
}

// SkillProblem is something that is wrong with the header of a skill.
type SkillProblem struct {
	// Code is the stable name; docs/diagnostics.md explains it.
	Code string `json:"code"`
	// Severity is how much it matters.
	Severity string `json:"severity" enum:"error,warning,info,hint"`
	// Message says what to mend.
	Message string `json:"message"`
	// Range in the SKILL.md.
	Range Range `json:"range"`
}

// ListSkills lists the skills that hold at a place.
func (s *Service) ListSkills(ctx context.Context, params ListSkillsParams) (*ListSkillsResult, error) {
	snap := s.snapshot(ctx)
	p, found, warnings, err := s.skills(ctx, snap, params.URI, params.Profile)
	if err != nil {
		return nil, err
	}
	agent, unknown := s.agent(snap, p, params.Agent)
	warnings = append(warnings, unknown...)
	counter, count := s.counter(p.model(params.Model))
	r := &ListSkillsResult{Head: head(), Skills: make([]ListedSkill, 0, len(found)), Counter: counter.Kind()}
	r.Warnings = append(r.Warnings, warnings...)
	for i := range found {
		skill := &found[i]
		listed := ListedSkill{
			Name: skill.Name, Description: skill.Description, Location: fileURI(skill.Path), Path: p.display(snap, skill.Path),
			State: string(skill.State), Why: skill.Why, Personal: skill.Personal, Tokens: count(skill.Body), Problems: problemsOf(skill),
		}
		if skill.SameAs != "" {
			listed.SameAs = p.display(snap, skill.SameAs)
		}
		if skill.File != nil {
			listed.Dirty = skill.File.Dirty
		}
		if skill.Usable() && !agent.Allowed("skill", skill.Name) {
			listed.State, listed.Why = string(instructions.Excluded), fmt.Sprintf("the agent %s is not permitted the skill", agent.Name)
		}
		if skill.State == instructions.Shadowed && skill.File != nil && skill.SameAs != "" && !sameFile(found, skill) {
			r.Warnings = append(r.Warnings, Warning{Code: "skill-name-taken", URI: listed.Location, Message: fmt.Sprintf(
				"the skill %q in %s is hidden: %s", skill.Name, listed.Path, skill.Why)})
		}
		r.Skills = append(r.Skills, listed)
	}
	return r, nil
}

// sameFile tells whether what hides a skill is the same file by another name,
// which loses nothing.
func sameFile(found []skills.Skill, hidden *skills.Skill) bool {
	for i := range found {
		if other := &found[i]; other.Path == hidden.SameAs {
			return other.File != nil && other.File.Hash == hidden.File.Hash
		}
	}
	return false
}

// skills finds the skills of a place, by the rules of a profile.
func (s *Service) skills(ctx context.Context, snap *workspace.Snapshot, document, profileName string) (*place, []skills.Skill, []Warning, error) {
	p, err := s.locate(snap, document, "")
	if err != nil {
		return nil, nil, nil, err
	}
	profile, err := p.profileNamed(profileName)
	if err != nil {
		return nil, nil, nil, err
	}
	d, err := s.discover(ctx, snap, p, profile)
	if err != nil {
		return nil, nil, nil, err
	}
	return p, skills.Of(d), configWarnings(p.problems), nil
}

func problemsOf(skill *skills.Skill) []SkillProblem {
	problems := make([]SkillProblem, 0, len(skill.Faults))
	if skill.File == nil {
		return problems
	}
	mapper := workspace.NewMapper(skill.File.Text)
	for _, f := range skill.Faults {
		severity := lint.Warning
		if rule, ok := lint.Lookup(f.Code); ok {
			severity = rule.Severity
		}
		problems = append(problems, SkillProblem{Code: f.Code, Severity: severity.String(), Message: f.Message, Range: rangeOf(mapper, f.Place)})
	}
	return problems
}

// skillFiles is what may be read of a skill's folder: all of it for the user's
// own, else what lies in the repository.
func (p *place) skillFiles(snap *workspace.Snapshot, skill *skills.Skill) fsys.FS {
	if skill.Personal {
		return snap.FS()
	}
	return p.files(snap)
}
