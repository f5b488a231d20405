package commands

import (
	"context"
	"slices"

	"foreword/workspace/instructions"
	"foreword/workspace/instructions/lint"
)

// ListInstructionsParams says where to look.
type ListInstructionsParams struct {
	// Folder is the URI of a folder; all of the workspace by default.
	Folder string `json:"folder,omitempty"`
	// Profile whose rules decide what is sent; all of them by default.
	Profile string `json:"profile,omitempty"`
	// Model whose tokens are counted.
	Model string `json:"model,omitempty"`
}

// ListInstructionsResult is every instruction file of the workspace.
type ListInstructionsResult struct {
	Head
	// Files sorted by path; then those that the setting instructions.files names, in its order.
	Files []ListedInstruction `json:"files"`
	// Tokens of all of them.
	Tokens int `json:"tokens"`
	// Counter is exact or estimate.
	Counter string `json:"counter" enum:"exact,estimate"`
}

// ListedInstruction is an instruction file, a rule or a skill.
type ListedInstruction struct {
	// URI of the file.
	URI string `json:"uri"`
	// Path relative to the workspace folder.
	Path string `json:"path"`
	// Kind of file.
	Kind string `json:"kind" enum:"agents,claude,gemini,copilot,cursor,windsurf,cline,roo,continue,zed,rule,skill,config,url,other"`
	// Mode is how the file asks to be loaded; empty where no tool reads it.
	Mode string `json:"mode,omitempty" enum:"always,auto-attached,model-decides,manual"`
	// Scope is the directory whose files it can hold for, as Path is given.
	Scope string `json:"scope"`
	// Patterns of its header, where they limit it.
	Patterns []string `json:"patterns,omitempty"`
	// Description of a rule or skill, where it has one.
	Description string `json:"description,omitempty"`
	// Reach is the number of files of the workspace that it holds for.
	Reach int `json:"reach"`
	// Tokens of its text; 0 where it cannot be read.
	Tokens int `json:"tokens"`
	// Bytes of its text.
	Bytes int `json:"bytes"`
	// Tools that send it when they are started in its directory, by profile.
	Tools []string `json:"tools"`
	// State is what becomes of it for a file in its directory, by the first of the profiles that knows it.
	State string `json:"state,omitempty" enum:"sent,truncated,on-read,listed,model-decides,manual,shadowed,out-of-scope,blank,excluded,needs-trust,needs-approval,needs-setting,not-read-by-tool,unreadable"`
	// Why names the evidence for it in one sentence.
	Why string `json:"why,omitempty"`
	// Dirty tells that the text is an editor's, not yet saved.
	Dirty bool `json:"dirty,omitempty"`
}

// ListInstructions lists every instruction file, rule and skill of the
// workspace with what it reaches and what it costs.
func (s *Service) ListInstructions(ctx context.Context, params ListInstructionsParams) (*ListInstructionsResult, error) {
	snap := s.snapshot(ctx)
	tools := []string{params.Profile}
	if params.Profile == "" {
		tools = []string{"*"}
	}
	names, err := toolNames(tools)
	if err != nil {
		return nil, err
	}
	var documents []string
	if params.Folder != "" {
		documents = []string{params.Folder}
	}
	scans, err := s.scansOf(snap, documents)
	if err != nil {
		return nil, err
	}
	r := &ListInstructionsResult{Head: head(), Files: []ListedInstruction{}}
	model := params.Model
	if model == "" && len(scans) > 0 {
		model = s.placeOfDirectory(snap, scans[0].folder, scans[0].folder).config.Model
	}
	counter, count := s.counter(model)
	r.Counter = counter.Kind()
	for _, scan := range scans {
		if p := s.placeOfDirectory(snap, scan.folder, scan.folder); slices.Contains(names, instructions.Own) {
			s.awaitAddresses(ctx, p)
		}
		found, err := s.find(ctx, snap, scan.folder)
		if err != nil {
			return nil, err
		}
		w := s.lintWorkspace(ctx, snap, scan, found, question{})
		w.Tools = names
		in, err := lint.Gather(ctx, w)
		if err != nil {
			return nil, err
		}
		r.Warnings = append(r.Warnings, truncatedWarning(scan, found)...)
		for _, f := range found.Files {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			if !scan.wants(f.Path) {
				continue
			}
			reach := in.Reach(f)
			listed := ListedInstruction{
				URI: fileURI(f.Path), Path: instructions.Display(scan.folder, snap.Home(), f.Path), Kind: string(f.Kind), Mode: reach.Mode,
				Scope: instructions.Display(scan.folder, snap.Home(), f.Dir), Patterns: reach.Patterns, Description: reach.Description,
				Reach: reach.Files, Tokens: count(f.Text), Bytes: len(f.Text), Tools: append([]string{}, reach.Tools...),
				Dirty: f.File != nil && f.File.Dirty,
			}
			state, why := in.State(f)
			listed.State, listed.Why = string(state), why
			r.Tokens += listed.Tokens
			r.Files = append(r.Files, listed)
		}
		if len(scan.only) > 0 && !slices.Contains(scan.only, scan.folder) {
			continue // what the settings name holds for all of the folder
		}
		for _, e := range in.Configured() {
			listed := ListedInstruction{
				URI: fileURI(e.Path), Path: instructions.Display(scan.folder, snap.Home(), e.Path), Kind: string(e.Kind), Mode: e.Mode,
				Scope: instructions.Display(scan.folder, snap.Home(), e.Scope), Reach: len(found.Paths),
				Tokens: count(e.Text()), Bytes: len(e.Text()), Tools: []string{instructions.Own},
				State: string(e.State), Why: e.Why, Dirty: e.File != nil && e.File.Dirty,
			}
			r.Tokens += listed.Tokens
			r.Files = append(r.Files, listed)
		}
	}
	return r, nil
}
