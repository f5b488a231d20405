package instructions

import (
	"foreword/workspace/fsys"
)

// State is what became of an instruction file for one target.
type State string

// The states.
const (
	// Sent: the model gets all of it.
	Sent State = "sent"
	// Truncated: the model gets its beginning.
	Truncated State = "truncated"
	// OnRead: it is sent once a file in its scope is read.
	OnRead State = "on-read"
	// Listed: the model is told that it is there, and may read it.
	Listed State = "listed"
	// ModelDecides: the model is told its description, and may ask for it.
	ModelDecides State = "model-decides"
	// Manual: the user must name it.
	Manual State = "manual"
	// OutOfScope: it holds for other files.
	OutOfScope    State = "out-of-scope"
	Shadowed      State = "shadowed"
	Blank         State = "blank"
	Excluded      State = "excluded"
	NeedsTrust    State = "needs-trust"
	NeedsApproval State = "needs-approval"
	NeedsSetting  State = "needs-setting"
	NotReadByTool State = "not-read-by-tool"
	Unreadable    State = "unreadable"
)

// Kind says for which tool's convention a file is named.
type Kind string

// The kinds of files that the walk knows by name.
const (
	KindAgents   Kind = "agents"
	KindClaude   Kind = "claude"
	KindGemini   Kind = "gemini"
	KindCopilot  Kind = "copilot"
	KindCursor   Kind = "cursor"
	KindWindsurf Kind = "windsurf"
	KindCline    Kind = "cline"
	KindRoo      Kind = "roo"
	KindContinue Kind = "continue"
	KindZed      Kind = "zed"
	KindRule     Kind = "rule"
	KindSkill    Kind = "skill"
	KindImport   Kind = "import"
	KindConfig   Kind = "config"
	KindURL      Kind = "url"
	KindOther    Kind = "other"
)

// WrittenFor names the one other tool that a file is written for, going by its
// name; empty where it speaks to any tool.
func (k Kind) WrittenFor() string {
	switch k {
	case KindAgents, KindOther, KindImport, KindRule, KindSkill, KindConfig, KindURL:
		return ""
	}
	return string(k)
}

// Rule is the loading rule that decided about an entry.
type Rule struct {
	Tool, Versions, Source, Checked string
}

// Entry is one instruction file that was found.
type Entry struct {
	// Path as it was found, absolute.
	Path string
	// RealPath has all links resolved; equal to Path where there are none.
	RealPath string
	// Kind by name.
	Kind Kind
	// State, and whether the model gets the file now.
	State State
	Sent  bool
	// Order counts from 1 among the sent, 0 for the others.
	Order int
	// Why names the evidence in one sentence.
	Why string
	// Rule that decided.
	Rule Rule
	// Step is the ID of the profile's step that found it; empty for what is
	// imported or only mentioned.
	Step string
	// Mode is how the file asks to be loaded: always, auto-attached,
	// model-decides or manual.
	Mode string
	// Body is what is sent of the file's text.
	Body string
	// BodyLine is the 0-based line of the file at which Body begins.
	BodyLine int
	// Whole tells that each line of Body is a line of the file; where it is
	// false, comments were taken out or imports put in.
	Whole bool
	// Bytes of the file that are sent, or all of it where it is not sent.
	Bytes int64
	// Cut is where a cap ends the file; nil where it does not.
	Cut *Cut
	// ImportedBy is the path of the file that pulls this one in. Inline tells
	// that its text stands inside that file's Body.
	ImportedBy string
	Inline     bool
	// Scope is the directory whose files the entry reaches; empty for the
	// user's own file, which reaches every file.
	Scope string
	// Patterns are those of a rule that holds only for the files that match one
	// of them, as its header writes them; PatternBase is the directory that they
	// begin at. None where every file in Scope is reached.
	Patterns    []string
	PatternBase string
	// Personal marks the user's own file.
	Personal bool
	// SameAs is the path of the entry that says the same already.
	SameAs string
	// File is what was read; nil where nothing could be.
	File *fsys.File
	// Size in bytes, known even where nothing was read.
	Size int64
}

// Cut is the place at which a tool stops reading a file.
type Cut struct {
	// Byte is an offset in the file, Line the 0-based line that it falls in.
	Byte, Line int
}

// Text is the file's text, or empty where it could not be read.
func (e *Entry) Text() string {
	if e.File == nil {
		return ""
	}
	return e.File.Text
}

// Warning is something about an instruction file that its owner should mend.
type Warning struct {
	Code, Path, Message string
	// Place in the file; nil where the whole file is meant.
	Place *Place
}

// Place is a stretch of one line: 0-based line, columns in bytes.
type Place struct {
	Line, Column, EndColumn int
}

// Discovery is the answer for one target.
type Discovery struct {
	// Profile whose rules were followed.
	Profile string
	// Version of the tool that was asked about.
	Version string
	// Root is the root of the repository, or the workspace folder.
	Root string
	// Dir is the directory of the target.
	Dir string
	// NearestFirst tells that the nearest file comes first, not last.
	NearestFirst bool
	// Entries lists the sent files in their order, then the others from the
	// outermost directory to the nearest.
	Entries []Entry
	// Warnings in the order of the walk.
	Warnings []Warning
}

// Sent lists the entries that the model gets, in order.
func (d *Discovery) Sent() []Entry {
	n := 0
	for n < len(d.Entries) && d.Entries[n].Sent {
		n++
	}
	return d.Entries[:n]
}

// LeftOut lists the entries that the model does not get.
func (d *Discovery) LeftOut() []Entry { return d.Entries[len(d.Sent()):] }
