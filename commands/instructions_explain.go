package commands

import (
	"context"
	"fmt"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync"

	"foreword/promptbuilder/epoch"
	"foreword/promptbuilder/sources"
	"foreword/workspace"
	"foreword/workspace/fsys"
	"foreword/workspace/instructions"
)

// ExplainInstructionsParams asks which instruction files apply to a file.
type ExplainInstructionsParams struct {
	// URI of the file or folder.
	URI string `json:"uri"`
	// Cwd is the URI of the directory in which the tool is started; the root by default.
	Cwd string `json:"cwd,omitempty"`
	// Profile whose loading rules are followed; foreword by default, * for all.
	Profile string `json:"profile,omitempty"`
	// Profiles to compare, in place of profile; * stands for all of them.
	Profiles []string `json:"profiles,omitempty"`
	// Event is what happened last: launch (the default), or read, open, attach, edit or list with a file URI, such as read:file:///w/a.go.
	Event string `json:"event,omitempty"`
	// ToolVersion is the version of the tool; the newest that the profile knows by default.
	ToolVersion string `json:"toolVersion,omitempty"`
	// ToolSettings are the tool's own settings, dotted or nested, in place of what stands in its files.
	ToolSettings map[string]any `json:"toolSettings,omitempty"`
	// Session whose reads count; files told to it already are marked.
	Session string `json:"session,omitempty"`
	// Show asks the server to open the answer as a document (language server only).
	Show bool `json:"show,omitempty"`
}

// ExplainInstructionsResult is the answer for one file.
type ExplainInstructionsResult struct {
	Head
	// Target is the URI that was asked about.
	Target string `json:"target"`
	// Profile that was followed; the first where several were asked for.
	Profile string `json:"profile"`
	// Profiles holds the answer of each, where several were asked for.
	Profiles []ProfileInstructions `json:"profiles,omitempty"`
	// Root is the URI of the directory in which the walk began.
	Root string `json:"root"`
	// Entries lists the files that are sent, in order, then the others.
	Entries []Instruction `json:"entries"`
	// Tokens is the count of Text.
	Tokens int `json:"tokens"`
	// Text is all that the model is sent of instruction files.
	Text string `json:"text"`
	// Document is the URI under which the language server serves the answer as Markdown.
	Document string `json:"document"`
	// Markdown is that document.
	Markdown string `json:"markdown"`
}

// ProfileInstructions is the answer of one profile.
type ProfileInstructions struct {
	// Profile is its name.
	Profile string `json:"profile"`
	// Title is the tool's own name.
	Title string `json:"title"`
	// Entries lists the files that are sent, in order, then the others.
	Entries []Instruction `json:"entries"`
	// Tokens is the count of Text.
	Tokens int `json:"tokens"`
	// Text is all that the model is sent of instruction files.
	Text string `json:"text"`
}

// Instruction is what became of one instruction file for one target.
type Instruction struct {
	// URI of the file.
	URI string `json:"uri"`
	// Path relative to the root, or from ~/, or absolute.
	Path string `json:"path"`
	// Sent tells whether the model gets it now.
	Sent bool `json:"sent"`
	// State is what became of it.
	State string `json:"state" enum:"sent,truncated,on-read,listed,model-decides,manual,shadowed,out-of-scope,blank,excluded,needs-trust,needs-approval,needs-setting,not-read-by-tool,unreadable"`
	// Order counts from 1 among the sent; 0 for the others.
	Order int `json:"order"`
	// Why names the evidence in one sentence.
	Why string `json:"why"`
	// Rule is the loading rule that decided.
	Rule Rule `json:"rule"`
	// Kind of file.
	Kind string `json:"kind" enum:"agents,claude,gemini,copilot,cursor,windsurf,cline,roo,continue,zed,rule,skill,import,config,url,other"`
	// Mode is how the file asks to be loaded.
	Mode string `json:"mode,omitempty" enum:"always,auto-attached,model-decides,manual"`
	// Scope is the directory whose files it reaches, as Path is given.
	Scope string `json:"scope"`
	// Bytes that are sent of it, or its size where it is not sent.
	Bytes int `json:"bytes"`
	// Truncated tells that a part of it was cut.
	Truncated bool `json:"truncated"`
	// Tokens of what is sent, or of the whole where it is not.
	Tokens int `json:"tokens"`
	// Dirty tells that the text is an editor's, not yet saved.
	Dirty bool `json:"dirty,omitempty"`
	// Target is the path that a symbolic link leads to.
	Target string `json:"target,omitempty"`
	// SameAs is the path of the entry that says the same already.
	SameAs string `json:"sameAs,omitempty"`
	// ImportedBy is the path of the file that pulls this one in.
	ImportedBy string `json:"importedBy,omitempty"`
	// Cut is where the tool stops reading, where it does.
	Cut *CutPlace `json:"cut,omitempty"`
}

// CutPlace is the place at which a tool stops reading a file.
type CutPlace struct {
	// Byte is an offset in the file.
	Byte int `json:"byte"`
	// Line is the 0-based line that it falls in.
	Line int `json:"line"`
}

// Rule is where a loading rule comes from.
type Rule struct {
	// Tool whose rule it is.
	Tool string `json:"tool"`
	// Versions of the tool for which it was checked.
	Versions string `json:"versions"`
	// Source is a repository and path, or a page.
	Source string `json:"source"`
	// Checked is the day on which it was checked, YYYY-MM-DD.
	Checked string `json:"checked"`
}

// ExplainInstructions lists the instruction files that could apply to a file,
// with the state of each and the reason for it.
func (s *Service) ExplainInstructions(ctx context.Context, params ExplainInstructionsParams) (*ExplainInstructionsResult, error) {
	snap := s.snapshot(ctx)
	p, err := s.locate(snap, params.URI, params.Cwd)
	if err != nil {
		return nil, err
	}
	names, err := wantedProfiles(params)
	if err != nil {
		return nil, err
	}
	if params.ToolVersion != "" && !versionForm.MatchString(params.ToolVersion) {
		return nil, failf(CodeInvalidParams, "toolVersion: %q is not a version; want for instance 2.1.277", params.ToolVersion)
	}
	event, err := parseEvent(params.Event)
	if err != nil {
		return nil, err
	}
	r := &ExplainInstructionsResult{Head: head(), Target: p.uri, Root: optionalURI(p.root), Entries: []Instruction{}}
	r.Warnings = append(append(r.Warnings, configWarnings(p.problems)...), outOfStep(snap)...)
	asked := question{event: event, version: params.ToolVersion, settings: instructions.Flatten(params.ToolSettings)}
	s.resolveAhead(ctx, snap, p, names, asked)
	for _, name := range names {
		profile, err := p.profileNamed(name)
		if err != nil && len(names) > 1 {
			r.Warnings = append(r.Warnings, Warning{Code: "profile", Message: err.Error()})
			continue
		}
		if err != nil {
			return nil, err
		}
		if mayWait(ctx) && profile.Name == instructions.Own {
			s.awaitAddresses(ctx, p)
		}
		asked.profile = profile
		d, err := s.resolve(ctx, snap, p, asked)
		if err != nil {
			return nil, err
		}
		told := s.explainProfile(ctx, snap, p, profile, d, params.Session)
		if len(names) > 1 {
			r.Profiles = append(r.Profiles, told)
		}
		if r.Profile == "" {
			r.Profile, r.Entries, r.Tokens, r.Text = told.Profile, told.Entries, told.Tokens, told.Text
			r.Warnings = append(r.Warnings, s.discoveryWarnings(d)...)
		}
	}
	shown := params
	shown.Show = false
	r.Document = documentURI(explainScheme, p.target, ".instructions.md", shown)
	if len(r.Profiles) > 0 {
		r.Markdown = matrixMarkdown(p, snap, r)
	} else {
		r.Markdown = explainMarkdown(p, snap, r)
	}
	return r, nil
}

// resolveAhead asks for several profiles at once, so that what is asked one after
// the other afterwards is known.
func (s *Service) resolveAhead(ctx context.Context, snap *workspace.Snapshot, p *place, names []string, asked question) {
	if len(names) < 2 || len(asked.settings) > 0 { // such answers are not kept
		return
	}
	places := make(chan struct{}, runtime.GOMAXPROCS(0))
	var all sync.WaitGroup
	for _, name := range names {
		profile, err := p.profileNamed(name)
		if err != nil {
			continue // told when it is asked for
		}
		q := asked
		q.profile = profile
		places <- struct{}{}
		all.Go(func() {
			defer func() { <-places }()
			_, _ = s.resolve(ctx, snap, p, q) // so is what goes wrong
		})
	}
	all.Wait()
}

var versionForm = regexp.MustCompile(`^v?[0-9]+(\.[0-9]+)*([-+][0-9A-Za-z.-]+)?$`)

// wantedProfiles lists the profiles that were asked for; an empty name is the
// setting's.
func wantedProfiles(params ExplainInstructionsParams) ([]string, error) {
	switch {
	case params.Profile != "" && len(params.Profiles) > 0:
		return nil, failf(CodeInvalidParams, "want either profile or profiles")
	case params.Profile == "*" || slices.Contains(params.Profiles, "*"):
		return instructions.ProfileNames(), nil
	case len(params.Profiles) > 0:
		return params.Profiles, nil
	}
	return []string{params.Profile}, nil
}

func (s *Service) explainProfile(ctx context.Context, snap *workspace.Snapshot, p *place, profile *instructions.Profile, d *instructions.Discovery, session string) ProfileInstructions {
	told := ProfileInstructions{Profile: profile.Name, Title: profile.Title, Entries: []Instruction{}}
	_, count := s.counter(p.config.Model)
	var knows map[string]fsys.Hash
	if session != "" {
		if standing, err := s.ledger.Stand(ctx, session, epoch.Continuation{}); err == nil {
			knows = standing.Files
		}
	}
	for _, e := range d.Entries {
		entry := p.instruction(snap, e, count)
		if hash, told := knows[e.RealPath]; e.Sent && told && hash == e.File.Hash {
			entry.Why += "; this session was told it already"
		}
		told.Entries = append(told.Entries, entry)
	}
	told.Text = instructionText(ctx, snap, p, profile, d)
	told.Tokens = count(told.Text)
	return told
}

func (p *place) instruction(snap *workspace.Snapshot, e instructions.Entry, count func(string) int) Instruction {
	out := Instruction{
		URI: fileURI(e.Path), Path: p.display(snap, e.Path), Sent: e.Sent, State: string(e.State), Order: e.Order, Why: e.Why,
		Rule: Rule{Tool: e.Rule.Tool, Versions: e.Rule.Versions, Source: e.Rule.Source, Checked: e.Rule.Checked},
		Kind: string(e.Kind), Mode: e.Mode, Bytes: int(e.Bytes), Truncated: e.Cut != nil, Tokens: count(e.Text()),
	}
	if !e.Personal {
		out.Scope = p.display(snap, e.Scope)
	} else {
		out.Scope = "~"
	}
	if e.File != nil {
		out.Dirty = e.File.Dirty
	}
	if e.Sent {
		out.Tokens = count(e.Body)
	}
	if e.Cut != nil {
		out.Cut = &CutPlace{Byte: e.Cut.Byte, Line: e.Cut.Line}
	}
	if e.ImportedBy != "" {
		out.ImportedBy = p.display(snap, e.ImportedBy)
	}
	if e.RealPath != "" && e.RealPath != e.Path {
		out.Target = p.display(snap, e.RealPath)
	}
	if e.SameAs != "" {
		out.SameAs = p.display(snap, e.SameAs)
	}
	return out
}

// instructionText is all that the model is sent of instruction files: what the
// prompt's sources say in full, or for another tool what that tool would say.
func instructionText(ctx context.Context, snap *workspace.Snapshot, p *place, profile *instructions.Profile, d *instructions.Discovery) string {
	if profile.Name != instructions.Own {
		return profile.Text(d, snap.Home())
	}
	in := &sources.Input{Place: sources.Place{Root: p.root, Home: snap.Home()}, Facts: sources.Facts{Instructions: d}}
	var parts []string
	for _, source := range sources.Instructions(in) {
		parts = append(parts, source.Observe(ctx).Text)
	}
	return strings.Join(parts, "\n\n")
}

// explainMarkdown writes the answer for a reader.
func explainMarkdown(p *place, snap *workspace.Snapshot, r *ExplainInstructionsResult) string {
	var out strings.Builder
	target := p.display(snap, p.target)
	if target == "." {
		target = p.root
	}
	fmt.Fprintf(&out, "# Instructions for %s\n\n", inlineCode(target))
	sent := 0
	for _, e := range r.Entries {
		if e.Sent {
			sent++
		}
	}
	holds := "later"
	if r.Profile == instructions.Own && p.config.Instructions.NearestFirst {
		holds = "nearer"
	}
	switch sent {
	case 0:
		out.WriteString("No instruction file applies.\n\n")
	default:
		fmt.Fprintf(&out, "%s, %s, told to the model in this order. Where two disagree, the %s one holds.\n\n", count(sent, "file"), count(r.Tokens, "token"), holds)
		out.WriteString("| | file | tokens | why |\n|--:|---|--:|---|\n")
		for _, e := range r.Entries[:sent] {
			note := ""
			if e.Dirty {
				note = " (not saved)"
			}
			fmt.Fprintf(&out, "| %d | [%s](%s)%s | %d | %s |\n", e.Order, tableCell(e.Path), e.URI, note, e.Tokens, tableCell(e.Why))
		}
		out.WriteString("\n")
	}
	if left := r.Entries[sent:]; len(left) > 0 {
		out.WriteString("## Left out\n\n| file | state | why |\n|---|---|---|\n")
		for _, e := range left {
			fmt.Fprintf(&out, "| [%s](%s) | %s | %s |\n", tableCell(e.Path), e.URI, e.State, tableCell(e.Why))
		}
		out.WriteString("\n")
	}
	writeWarnings(&out, r.Warnings)
	if r.Text != "" {
		out.WriteString("## What the model is told\n\n" + sources.Fence("text", r.Text) + "\n")
	}
	return strings.TrimRight(out.String(), "\n") + "\n"
}
