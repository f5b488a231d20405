package epoch

import (
	"encoding/json"
	"errors"
	"fmt"

	"foreword/promptbuilder/history"
	"foreword/workspace/fsys"
)

// Errors of the ledger.
var (
	// ErrUnknownSession means that the session has no turn yet, or was forgotten.
	ErrUnknownSession = errors.New("unknown session")
	// ErrUnknownTurn means that the session has no turn of that number.
	ErrUnknownTurn = errors.New("unknown turn")
	// ErrStale means that the session went on while a turn was prepared; it has
	// to be prepared again.
	ErrStale = errors.New("the session went on meanwhile")
)

// ConflictError means that somebody else continued the turn that was to be
// continued.
type ConflictError struct {
	Session string
	// Newest is the newest turn of the session.
	Newest int
}

func (e *ConflictError) Error() string {
	return fmt.Sprintf("session %q went on elsewhere: its newest turn is %d; name the turn to continue as parentTurn", e.Session, e.Newest)
}

// Baseline is the system text of an epoch. It is stored as JSON and given back
// to the one who knows how to read it.
type Baseline interface{ json.Marshaler }

// Epoch is the time for which a session keeps one system text.
type Epoch struct {
	// Number counts from 1 in the session.
	Number int
	// Began is the turn that began it.
	Began int
	// Reason says in a few words why it began.
	Reason string
	// Agent, Model, Root and Target are those of the turn that began it.
	Agent, Model, Root, Target string
	// Baseline is the system text.
	Baseline Baseline
	// Snapshot holds the values that Baseline says.
	Snapshot Snapshot
	// Files are the instruction files that Baseline says.
	Files []File
	// Capabilities are the names of tools and skills that Baseline tells of.
	Capabilities []string
}

// File is an instruction file that a session was told.
type File struct {
	// Key of its source.
	Key string `json:"key"`
	// RealPath is where it lies, links resolved.
	RealPath string `json:"realPath"`
	// Hash of its text.
	Hash fsys.Hash `json:"hash"`
}

// How is in what form something was told.
type How string

// The forms, beside the system text.
const (
	// AsUpdate is a message of its own before the message that anchors it.
	AsUpdate How = "update"
	// AsInjection stands at the end of the message that anchors it.
	AsInjection How = "injection"
	// AsReminder stands there too, but is no value of a source.
	AsReminder How = "reminder"
	// AsAttachment is the text of a file that the panel attached to its message,
	// as it was when the message was sent. The history's preparation puts it
	// there; it holds in every epoch.
	AsAttachment How = "attachment"
)

// isValue tells of a form in which the value of a source is told.
func (h How) isValue() bool { return h == AsUpdate || h == AsInjection }

// Told is one thing that a session was told after the system text. It stands
// at the same place, with the same bytes, in every later turn of its epoch.
type Told struct {
	// Seq orders what was told in a session.
	Seq int64 `json:"seq"`
	// Turn that said it; for what was told between two turns the one before.
	Turn int `json:"turn"`
	// Epoch in which it holds.
	Epoch int `json:"epoch"`
	// Key of the source.
	Key string `json:"key"`
	// Kind is new, update or removal.
	Kind string `json:"kind"`
	How  How    `json:"how"`
	// Layer of the source.
	Layer string `json:"layer,omitempty"`
	// Anchor is the id of the panel's message that it stands with.
	Anchor string `json:"anchor"`
	// After puts an update behind its anchor, not before it: where opencode has it.
	After bool `json:"after,omitempty"`
	// Text is what the model reads.
	Text string `json:"text"`
	// Value is what the source says in full, the value that Text tells; empty
	// for a removal and a reminder.
	Value string `json:"value,omitempty"`
	// Removal is what will be said when the value goes.
	Removal string `json:"removal,omitempty"`
	// File is the instruction file, where it is one.
	File *File `json:"file,omitempty"`
	// Path of that file, as it is shown.
	Path string `json:"path,omitempty"`
	// Why says in one sentence why it was told.
	Why string `json:"why,omitempty"`
	// Tokens of Text.
	Tokens int `json:"tokens,omitempty"`
}

// Touched is a file that came into the conversation.
type Touched struct {
	// Path of the file, absolute.
	Path string `json:"path"`
	// Anchor is the id of the message that brought it.
	Anchor string `json:"anchor"`
	// Kind is read, open, attach or edit.
	Kind string `json:"kind"`

	seq int64
}

// Turn is one request to the model.
type Turn struct {
	// Number counts from 1; a number is never used twice.
	Number int
	// Parent is the turn that this one continues; 0 for the first.
	Parent int
	// Epoch that it belongs to.
	Epoch int
	// At is when it was prepared, in milliseconds since 1970.
	At int64
	// Kept is how many of the parent's messages it keeps, Added what follows.
	Kept  int
	Added []history.Message
	// Request is what was asked for.
	Request Request
	// Cut is where the history was trimmed, as the history package wrote it.
	Cut json.RawMessage
	// Lost lists, by number, what this turn's trimming took the carrier of.
	Lost []int64
	// SentKept is how many messages of the parent's request begin this one,
	// SentAdded what follows.
	SentKept  int
	SentAdded []Sent
	// Prefix and Full are the fingerprints of the system text.
	Prefix, Full string
	// ToolsHash identifies the tools of the request, ToolTokens is their cost.
	ToolsHash  string
	ToolTokens int
	// PrefixTokens, SystemTokens and InputTokens are what was predicted: the
	// text before the boundary, the system text, the whole request.
	PrefixTokens, SystemTokens, InputTokens int
	// CacheTokens is how much of the request the provider has seen before.
	CacheTokens int
	// Broke names the part that breaks the provider's cached prefix, or is empty.
	Broke string
	// UpdateTokens is the cost of all updates of the epoch up to this turn.
	UpdateTokens int
	// Finished tells that the panel reported the usage.
	Finished bool
	// Usage as reported, in tokens.
	Usage Usage
	// Error that the panel reported.
	Error string
	// Gone tells that what was stored of the turn cannot be read: its number is
	// used, but it cannot be continued.
	Gone bool
}

// Request is what a turn was prepared for.
type Request struct {
	Model    string `json:"model,omitempty"`
	Provider string `json:"provider,omitempty"`
	Agent    string `json:"agent,omitempty"`
	Mode     string `json:"mode,omitempty"`
	Wire     string `json:"wire,omitempty"`
	Target   string `json:"target,omitempty"`
}

// Sent identifies a message of a request.
type Sent struct {
	// ID of the message; empty for one that the server made.
	ID string `json:"id,omitempty"`
	// Hash of its text and calls.
	Hash string `json:"hash"`
	// Tokens that it costs.
	Tokens int `json:"tokens"`
}

// Usage is what a provider counted, in tokens.
type Usage struct{ Input, Output, CacheRead, CacheWrite int }
