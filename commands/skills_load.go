package commands

import (
	"context"
	"fmt"
	"path/filepath"

	"foreword/promptbuilder/sources"
	"foreword/workspace/ignore"
	"foreword/workspace/skills"
)

// LoadSkillParams names a skill.
type LoadSkillParams struct {
	// Name of the skill, as the model was told it.
	Name string `json:"name"`
	// URI of the file or folder that the conversation is about; the first workspace folder by default.
	URI string `json:"uri,omitempty"`
	// Profile whose folders of skills are looked into.
	Profile string `json:"profile,omitempty"`
	// Agent whose permissions count; build by default.
	Agent string `json:"agent,omitempty"`
	// Model whose tokens are counted.
	Model string `json:"model,omitempty"`
	// Session of the panel: loading a skill of the workspace is a read of its file, which the session remembers.
	Session string `json:"session,omitempty"`
	// Message is the id of the message that carries the text: the result of the tool.
	Message string `json:"message,omitempty"`
}

// LoadSkillResult is a skill with its text.
type LoadSkillResult struct {
	Head
	// Name of the skill.
	Name string `json:"name"`
	// Description of the skill.
	Description string `json:"description"`
	// Location is the URI of its SKILL.md.
	Location string `json:"location"`
	// Folder is the URI of the folder that its text is relative to.
	Folder string `json:"folder"`
	// Hash is the SHA-256 of the SKILL.md, in hex.
	Hash string `json:"hash"`
	// Body is its text without the header.
	Body string `json:"body"`
	// Text is what to give to the model: the body in a frame, and the names of the files.
	Text string `json:"text"`
	// Tokens of Text.
	Tokens int `json:"tokens"`
	// Files are those that the skill brings along, relative to its folder.
	Files []SkillFile `json:"files"`
	// More tells that there are other files.
	More bool `json:"more,omitempty"`
	// AllowedTools are the tools that the skill expects to be allowed; foreword allows nothing because of it.
	AllowedTools []string `json:"allowedTools,omitempty"`
	// License of the skill, as its header says it.
	License string `json:"license,omitempty"`
	// Compatibility is what the skill needs, as its header says it.
	Compatibility string `json:"compatibility,omitempty"`
	// Problems are what the specification has against its header.
	Problems []SkillProblem `json:"problems"`
	// Injections are the instruction files of its folder that the session was not told yet, to stand after Text.
	Injections []Injection `json:"injections,omitempty"`
}

// SkillFile is a file that a skill brings along.
type SkillFile struct {
	// Path relative to the folder of the skill, with slashes.
	Path string `json:"path"`
	// URI of the file.
	URI string `json:"uri"`
}

// LoadSkill gives the text of a skill and the names of its files.
func (s *Service) LoadSkill(ctx context.Context, params LoadSkillParams) (*LoadSkillResult, error) {
	snap := s.snapshot(ctx)
	p, found, warnings, err := s.skills(ctx, snap, params.URI, params.Profile)
	if err != nil {
		return nil, err
	}
	agent, unknown := s.agent(snap, p, params.Agent)
	warnings = append(warnings, unknown...)
	skill, ok := skills.Named(found, params.Name)
	switch {
	case !ok:
		return nil, unknownSkill(found, params.Name)
	case !agent.Allowed("skill", skill.Name):
		return nil, failf(CodeInvalidParams, "name: the agent %s is not permitted the skill %q", agent.Name, skill.Name)
	}
	names, more, err := skills.Files(ctx, p.skillFiles(snap, skill), skill.Dir(), ignore.Secret)
	if err != nil {
		return nil, err
	}
	_, count := s.counter(p.model(params.Model))
	r := &LoadSkillResult{
		Head: head(), Name: skill.Name, Description: skill.Description, Location: fileURI(skill.Path), Folder: fileURI(skill.Dir()),
		Hash: skill.File.Hash.String(), Body: skill.Body, Files: make([]SkillFile, 0, len(names)), More: more, AllowedTools: skill.AllowedTools,
		License: skill.License, Compatibility: skill.Compatibility, Problems: problemsOf(skill),
		Text: sources.SkillText(p.root, snap.Home(), skill, names, more),
	}
	r.Warnings = append(r.Warnings, warnings...)
	r.Tokens = count(r.Text)
	for _, name := range names {
		r.Files = append(r.Files, SkillFile{Path: name, URI: fileURI(filepath.Join(skill.Dir(), filepath.FromSlash(name)))})
	}
	if params.Session != "" && !skill.Personal {
		touched, err := s.TouchContext(ctx, TouchContextParams{Session: params.Session, Message: params.Message, URIs: []string{r.Location}, Kind: "read", Model: params.Model})
		if err != nil {
			return nil, err
		}
		r.Injections = touched.Injections
		r.Warnings = append(r.Warnings, touched.Warnings...)
	}
	return r, nil
}

// unknownSkill says why there is no skill of a name: it is kept back, or was
// meant to be another.
func unknownSkill(found []skills.Skill, name string) error {
	var known []string
	for i := range found {
		skill := &found[i]
		if skill.Name == name {
			return failf(CodeInvalidParams, "name: the skill %q cannot be used (%s): %s", name, skill.State, skill.Why)
		}
		if skill.Usable() {
			known = append(known, skill.Name)
		}
	}
	if near, ok := nearest(name, known); ok {
		return failf(CodeInvalidParams, "name: there is no skill %q; did you mean %q?", name, near)
	}
	if len(known) == 0 {
		return failf(CodeInvalidParams, "name: there is no skill %q, and no other; %s", name, "foreword skills lists what was found")
	}
	return failf(CodeInvalidParams, "name: there is no skill %q; there are %s", name, listNames(known))
}

// listNames lists the first names.
func listNames(names []string) string {
	const shown = 20
	text := ""
	for i, name := range names {
		if i == shown {
			return fmt.Sprintf("%s and %d others", text, len(names)-shown)
		}
		if i > 0 {
			text += ", "
		}
		text += name
	}
	return text
}
