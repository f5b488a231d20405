package commands

import (
	"context"
	"fmt"
	"strings"

	"foreword/promptbuilder/epoch"
	"foreword/promptbuilder/sources"
	"foreword/workspace"
	"foreword/workspace/instructions"
)

// ExplainInstructionsParams asks which instruction files apply to a file.
type ExplainInstructionsParams struct {
	// URI of the file or folder.
	URI string `json:"uri"`
	// Cwd is the URI of the directory in which the tool is started; the root by default.
	Cwd string `json:"cwd,omitempty"`
	// Profile is whose loading rules are followed; foreword by default.
	Profile string `json:"profile,omitempty"`
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
	// Profile that was followed.
	Profile string `json:"profile"`
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
	if err := knownProfile(params.Profile); err != nil {
		return nil, err
	}
	p, err := s.locate(snap, params.URI, params.Cwd)
	if err != nil {
		return nil, err
	}
	d, err := s.discover(ctx, snap, p, p.dir)
	if err != nil {
		return nil, err
	}
	r := &ExplainInstructionsResult{Head: head(), Target: p.uri, Profile: "foreword", Root: optionalURI(p.root), Entries: []Instruction{}}
	r.Warnings = append(append(r.Warnings, s.discoveryWarnings(d)...), configWarnings(p.problems)...)
	_, count := s.counter(p.config.Model)
	for _, e := range d.Entries {
		entry := p.instruction(snap, e, count)
		if e.Sent && params.Session != "" && s.ledger.Stands(params.Session, e.RealPath, e.File.Hash) == epoch.AlreadyTold {
			entry.Why += "; this session was told it already"
		}
		r.Entries = append(r.Entries, entry)
	}
	r.Text = instructionText(ctx, snap, p, d)
	r.Tokens = count(r.Text)
	shown := params
	shown.Show = false
	r.Document = documentURI(explainScheme, p.target, ".instructions.md", shown)
	r.Markdown = explainMarkdown(p, snap, r)
	return r, nil
}

func (p *place) instruction(snap *workspace.Snapshot, e instructions.Entry, count func(string) int) Instruction {
	out := Instruction{
		URI: fileURI(e.Path), Path: p.display(snap, e.Path), Sent: e.Sent, State: string(e.State), Order: e.Order, Why: e.Why,
		Rule: Rule{Tool: e.Rule.Tool, Versions: e.Rule.Versions, Source: e.Rule.Source, Checked: e.Rule.Checked},
		Kind: string(e.Kind), Mode: "always", Bytes: int(e.Size), Tokens: count(e.Text()),
	}
	if !e.Personal {
		out.Scope = p.display(snap, e.Scope)
	} else {
		out.Scope = "~"
	}
	if e.File != nil {
		out.Dirty = e.File.Dirty
	}
	if e.RealPath != "" && e.RealPath != e.Path {
		out.Target = p.display(snap, e.RealPath)
	}
	if e.SameAs != "" {
		out.SameAs = p.display(snap, e.SameAs)
	}
	return out
}

// instructionText is what the sources of the instruction files say in full.
func instructionText(ctx context.Context, snap *workspace.Snapshot, p *place, d *instructions.Discovery) string {
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
	switch sent {
	case 0:
		out.WriteString("No instruction file applies.\n\n")
	default:
		fmt.Fprintf(&out, "%s, %s, told to the model in this order. Where two disagree, the later one holds.\n\n", count(sent, "file"), count(r.Tokens, "token"))
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
