package sources

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"foreword/workspace/fsys"
)

// Layer is how fast a source changes, which decides its place in the prompt.
type Layer string

// The layers, most stable first. The cache boundary stands before Dynamic.
const (
	Core      Layer = "core"
	Cacheable Layer = "cacheable"
	Dynamic   Layer = "dynamic"
)

// Layers lists the layers in the order of the prompt.
var Layers = []Layer{Core, Cacheable, Dynamic}

// ByLayer compares two sources by the place of their layers in the prompt.
func ByLayer(a, b Source) int {
	return cmp.Compare(slices.Index(Layers, a.Layer), slices.Index(Layers, b.Layer))
}

// Source is one named, independently refreshed ingredient of the prompt.
type Source struct {
	// Key is unique in a prompt: core/<name> for what foreword itself says,
	// instructions/<path> for an instruction file.
	Key string
	// Group is the name under which selective context includes the source.
	Group string
	// Layer is its place.
	Layer Layer
	// Essential sources speak in selective context without being named, as all of
	// the core layer do.
	Essential bool
	// Once tells that the source speaks when an epoch begins. Later in a session it
	// is Unasked, see Input.Continues, and what it would say waits for the next.
	Once bool
	// Title is a short heading for people.
	Title string
	// Deadline is how long Observe may take; zero for the usual time.
	Deadline time.Duration
	// Observe gives the present value. It must honour the context's deadline.
	Observe func(context.Context) Observation
	// Arrival says a value that comes up later in a session, where the order of
	// the prompt no longer tells its place; nil for the bare text.
	Arrival func(text string) string
	// Update says how the value changed; nil for the usual wording.
	Update func(before, after string) string
	// Removal says that the value is gone; nil for the usual wording.
	Removal func(before string) string
}

// Observation is what a source found when it looked.
type Observation struct {
	// Status tells whether there is a value.
	Status Status
	// Text is the value said in full, without a line end at its end.
	Text string
	// Origins say where the lines of Text came from.
	Origins []Origin
	// Why says in one sentence why the source is in, or why it has no value.
	Why string
	// State names, where there is no value, what the user can do about it, such
	// as needs-approval; empty for the usual word of Status.
	State string
	// Skipped lists what belongs to the source and was left out of Text.
	Skipped []Skipped
	// Permanent tells that an unavailable value will not come back by itself.
	Permanent bool
	// Warnings for the user.
	Warnings []Warning
}

// Observed is a source and what it found.
type Observed struct {
	Source
	Observation
}

// Skipped is one thing that a source left out.
type Skipped struct {
	// Path of the file, or Name of a document that is none.
	Path, Name string
	// Why in a few words.
	Why string
}

// Status tells apart a value, no value, and a value that could not be had.
type Status uint8

// The outcomes of looking, and that nobody looked: what was said before of a
// source that a request does not ask for stands.
const (
	Absent Status = iota
	Present
	Unavailable
	Unasked
)

// Origin is where lines of a text came from.
type Origin struct {
	// Path of the file, absolute; empty for what foreword wrote or observed.
	Path string
	// Name says what foreword observed, where Path is empty.
	Name string
	// Hash of the whole file, zero where Path is empty.
	Hash fsys.Hash
	// Dirty tells that the text is a buffer's, not yet saved.
	Dirty bool
	// FromLine and ToLine are [from, to) in 0-based lines of the section's text.
	FromLine, ToLine int
	// FileFrom and FileTo are the same stretch in lines of the file.
	FileFrom, FileTo int
}

// Warning is something that went wrong beside the value.
type Warning struct {
	Code, Path, Message string
}

// Lasting tells of a key that only a request brings which asks for it: a later
// request that does not ask again takes nothing back.
func Lasting(key string) bool { return strings.HasPrefix(key, attachmentKey) }

// SayUpdate is what the model is told when the source's value changed.
func (s Source) SayUpdate(before, after string) string {
	if s.Update != nil {
		return s.Update(before, after)
	}
	return fmt.Sprintf("%s changed. It replaces what was said before:\n\n%s", s.Title, after)
}

// SayRemoval is what the model is told when the value is gone.
func (s Source) SayRemoval(before string) string {
	if s.Removal != nil {
		return s.Removal(before)
	}
	return fmt.Sprintf("%s no longer holds; disregard what was said about it before.", s.Title)
}

// own makes the single origin of a text that foreword itself wrote.
func own(name, text string) []Origin {
	return []Origin{{Name: name, ToLine: lineCount(text)}}
}

// say makes the observation of a text that foreword itself wrote.
func say(name, text, why string) Observation {
	return Observation{Status: Present, Text: text, Origins: own(name, text), Why: why}
}

// none makes the observation of a source that has nothing to say.
func none(why string) Observation { return Observation{Status: Absent, Why: why} }

// lineCount counts lines; a line end at the end of a text begins one more.
func lineCount(text string) int { return strings.Count(text, "\n") + 1 }

// fileLines counts the lines of a file, whose last line has a line end too.
func fileLines(text string) int { return lineCount(strings.TrimSuffix(text, "\n")) }
