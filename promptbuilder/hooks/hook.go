// Package hooks lets others see a prompt before it is sent, and change it.
//
// A [Hook] is a program that the configuration names, a callback that an editor registered, or anything in Go with
// two methods. It is called at one of three moments: with the sections of the system text and the messages
// ([System]), with the messages of the request ([Messages]), and before a history is summed up ([Compacting]). It answers with
// what to add, edit and take out, and each change becomes one more observation of a source, with the hook as the
// origin of the lines that it wrote: what holds for sources holds for it, also in later turns.
//
// Hooks run one after another, in the order of the [Set], each on what the ones before it made. One that fails, hangs or
// answers nonsense costs its own changes only, and a warning says so. It is no guard: without its answer the prompt is
// sent as it is.
package hooks

import (
	"context"
	"time"

	"foreword/promptbuilder/history"
)

// Event is a moment at which hooks run.
type Event string

// The events.
const (
	// System is when the sections of the system text are known, before they are sent.
	System Event = "system"
	// Messages is when the messages of a request are known, before they are fitted into the window.
	Messages Event = "messages"
	// Compacting is before a history is handed out to be summed up.
	Compacting Event = "compacting"
)

// Hook sees a prompt and may change it.
type Hook interface {
	// About says what the hook is. It answers the same each time.
	About() About
	// Call answers one event. It must honour the deadline of the context.
	Call(ctx context.Context, in Input) (Output, error)
}

// About says what a hook is.
type About struct {
	// Name is unique in a set: small letters, digits and ._-
	Name string
	// At lists the events that it wants.
	At []Event
	// Stable tells that the same prompt gets the same answer in every turn. Only such a hook may touch what stands
	// before the cache boundary.
	Stable bool
	// Timeout is how long a call may take; [DefaultTimeout] when zero.
	Timeout time.Duration
	// From is where it was declared, for people.
	From string
}

// DefaultTimeout is how long a hook may take: a prompt waits for all of them, one after another.
const DefaultTimeout = 10 * time.Second

// Version of the JSON that hooks read and write.
const Version = 1

// Input is what a hook sees: the JSON object that a program reads on its standard input.
type Input struct {
	// Version of the format.
	Version int `json:"version"`
	// Event that is answered.
	Event Event `json:"event"`
	// Hook is the name of the hook that is asked.
	Hook string `json:"hook"`
	Request
	// Sections of the system text, in the order in which they are sent; at system.
	Sections []Section `json:"sections,omitempty"`
	// Messages of the conversation; at system those that are known then, at messages those of the request, at compacting those
	// that are summed up.
	Messages []history.Message `json:"messages,omitempty"`
	// PreviousSummary is that of an earlier compaction; at compacting.
	PreviousSummary string `json:"previousSummary,omitempty"`
}

// Request is what the prompt is for.
type Request struct {
	// Root of the repository or workspace folder, absolute.
	Root string `json:"root,omitempty"`
	// Target is the file or folder in focus, absolute.
	Target string `json:"target,omitempty"`
	// Session of the panel.
	Session string `json:"session,omitempty"`
	// Model and Provider as the request names them.
	Model    string `json:"model,omitempty"`
	Provider string `json:"provider,omitempty"`
	// Agent and Mode of the request.
	Agent string `json:"agent,omitempty"`
	Mode  string `json:"mode,omitempty"`
}

// Section is the text of one source.
type Section struct {
	// Key names the source.
	Key string `json:"key"`
	// Layer is core, cacheable or dynamic.
	Layer string `json:"layer"`
	// Title is a short heading.
	Title string `json:"title"`
	// Text is what the model is to be told.
	Text string `json:"text"`
}

// Output is what a hook answers: the JSON object that a program prints. Every field may be missing; an empty answer
// changes nothing.
type Output struct {
	// Add are sections of the hook's own; at system.
	Add []Addition `json:"add,omitempty"`
	// Edit gives sections another text; at system.
	Edit []Edit `json:"edit,omitempty"`
	// Remove lists the keys of sections that are not to be sent; at system.
	Remove []string `json:"remove,omitempty"`
	// AddMessages are put into the request; at messages.
	AddMessages []MessageAddition `json:"addMessages,omitempty"`
	// EditMessages give messages another content; at messages.
	EditMessages []MessageEdit `json:"editMessages,omitempty"`
	// RemoveMessages lists the indexes of messages that are not to be sent; at messages.
	RemoveMessages []int `json:"removeMessages,omitempty"`
	// Context are texts that the summary must take into account; at compacting.
	Context []string `json:"context,omitempty"`
	// Prompt takes the place of the whole request for a summary; at compacting.
	Prompt string `json:"prompt,omitempty"`
	// Warnings are for the user.
	Warnings []string `json:"warnings,omitempty"`
}

// Addition is a section of a hook's own.
type Addition struct {
	// Key is the hook's own name for it: letters, digits and ._/-; in the prompt it stands as hook/<hook>/<key>.
	Key string `json:"key"`
	// Title is a short heading; the name of the hook by default.
	Title string `json:"title,omitempty"`
	// Layer is dynamic by default; core and cacheable are for stable hooks.
	Layer string `json:"layer,omitempty" enum:"core,cacheable,dynamic"`
	// Text in full.
	Text string `json:"text"`
	// Update and Removal are what the model is told when the text changed and when it is gone; empty for the
	// usual words. {text} in Update stands for the new text.
	Update  string `json:"update,omitempty"`
	Removal string `json:"removal,omitempty"`
}

// Edit gives a section another text.
type Edit struct {
	// Key of the section.
	Key string `json:"key"`
	// Text that takes the place of the section's whole text.
	Text string `json:"text"`
}

// MessageAddition puts a message into the request.
type MessageAddition struct {
	// Before is the index of the message that it stands before, as the hook was given them; their number stands for the end.
	Before int `json:"before"`
	// Role is user or system.
	Role string `json:"role" enum:"user,system"`
	// Text of the message.
	Text string `json:"text"`
}

// MessageEdit gives a message another content.
type MessageEdit struct {
	// Index of the message, as the hook was given them.
	Index int `json:"index"`
	// Content is a string or a list of parts, in the shape that the message has.
	Content RawContent `json:"content"`
}

// Change is what a hook did, for the report.
type Change struct {
	// Hook is its name, Event when it ran.
	Hook  string
	Event Event
	// Kind is added, edited, removed, or refused where it may not.
	Kind string
	// Key of the section; empty for a message.
	Key string
	// Index of the message as the hook was given them; -1 for a section.
	Index int
	// Why says what was wrong, where it was refused.
	Why string
}

// The kinds of changes.
const (
	Added   = "added"
	Edited  = "edited"
	Removed = "removed"
	Refused = "refused"
)
