package instructions

import (
	"foreword/workspace/fsys"
)

// State is what became of an instruction file for one target.
type State string

// The states that discovery can give.
const (
	Sent          State = "sent"
	OnRead        State = "on-read"
	Shadowed      State = "shadowed"
	Blank         State = "blank"
	Excluded      State = "excluded"
	NeedsTrust    State = "needs-trust"
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
	KindZed      Kind = "zed"
	KindOther    Kind = "other"
)

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
	// Scope is the directory whose files the entry reaches; empty for the
	// user's own file, which reaches every file.
	Scope string
	// Personal marks the user's own file.
	Personal bool
	// SameAs is the path of the entry that says the same already.
	SameAs string
	// File is what was read; nil where nothing could be.
	File *fsys.File
	// Size in bytes, known even where nothing was read.
	Size int64
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
}

// Discovery is the answer for one target.
type Discovery struct {
	// Root is the directory in which the walk began.
	Root string
	// Dir is the directory in which it ended.
	Dir string
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
