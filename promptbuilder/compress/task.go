package compress

import (
	"slices"
	"strings"
	"unicode"
)

// Class is a kind of task.
type Class string

// The classes. Unknown is the answer when the words of a task speak for none of them, or for several alike.
const (
	Unknown        Class = "unknown"
	Diagnostic     Class = "diagnostic"
	Fix            Class = "fix"
	Implementation Class = "implementation"
	Exploration    Class = "exploration"
	Refactor       Class = "refactor"
)

// class is what is known of a class: the share of its context that a task of it needs, and the words that speak for
// it. The shares are gptme's (gptme/context/task_analyzer.py, June 2026).
type class struct {
	name           Class
	least, usual   float64
	most           float64
	words          []string
	wanted         []string // words that matter in the context of such a task
	fewFiles, many float64
}

var classes = []class{
	{Diagnostic, .10, .12, .15,
		[]string{"debug", "investigate", "why", "error", "errors", "failing", "fails", "fail", "crash", "crashes", "problem", "issue", "trace", "diagnose"},
		[]string{"error", "errors", "exception", "traceback", "stack", "debug", "log", "panic", "failed", "warning"}, .2, 0},
	{Fix, .15, .17, .20,
		[]string{"fix", "fixes", "resolve", "correct", "repair", "patch", "bug", "bugs", "regression", "broken"},
		[]string{"fix", "bug", "patch", "correct", "resolve", "repair", "expected", "actual", "regression"}, .3, 0},
	{Implementation, .30, .35, .50,
		[]string{"implement", "create", "build", "add", "feature", "new", "write", "support"},
		[]string{"design", "architecture", "interface", "pattern", "structure", "component", "api", "schema"}, 0, .2},
	{Exploration, .20, .25, .30,
		[]string{"explore", "research", "investigate", "options", "compare", "alternatives", "understand", "explain", "how", "where"},
		[]string{"explore", "investigate", "research", "understand", "analyze", "compare", "because"}, 0, 0},
	{Refactor, .25, .30, .35,
		[]string{"refactor", "restructure", "reorganize", "improve", "cleanup", "simplify", "rename", "split", "extract", "move"},
		[]string{"structure", "module", "interface", "dependency", "duplicate", "coupling"}, 0, .3},
}

// unknownShare is what a task of no clear class gets: the share that none of the classes would call too little, save
// implementation.
const unknownShare = .25

// Facts are what an editor knows of a task, in place of guesses from its words.
type Facts struct {
	// Changed is how many files are changed or about to be; New how many of them are new.
	Changed, New int
	// Errors is how many errors the diagnostics of these files name.
	Errors int
	// ImportedBy is how many files import one of them.
	ImportedBy int
}

// Task is how a task is classed.
type Task struct {
	Class Class
	// Confidence from 0 to 1: how far the class is ahead of the next one.
	Confidence float64
	// Share of its context that a task like this needs, from 0 to 1.
	Share float64
}

// Classify classes a task by the words of its prompt and by facts. It says Unknown when nothing speaks clearly.
func Classify(prompt string, facts Facts) Task {
	words := map[string]bool{}
	for _, word := range strings.FieldsFunc(strings.ToLower(prompt), func(r rune) bool { return !unicode.IsLetter(r) }) {
		words[word] = true
	}
	scores := make([]float64, len(classes))
	for i, c := range classes {
		found := 0
		for _, word := range c.words {
			if words[word] {
				found++
			}
		}
		// Two words are nearly as clear as five.
		scores[i] = min(1, float64(found)*.4)
		switch {
		case facts.Changed > 0 && facts.Changed <= 2 && facts.New == 0:
			scores[i] += c.fewFiles / 2
		case facts.Changed >= 3:
			scores[i] += c.many
		}
		switch {
		case c.name == Diagnostic && facts.Errors > 0, c.name == Implementation && facts.New >= 2, c.name == Refactor && facts.ImportedBy >= 5:
			scores[i] += .3
		}
	}
	best, second := 0, 0.
	for i, score := range scores {
		if score > scores[best] {
			best = i
		}
	}
	for i, score := range scores {
		if i != best {
			second = max(second, score)
		}
	}
	const clear = .15
	if scores[best] < .3 || scores[best]-second < clear {
		return Task{Class: Unknown, Share: unknownShare}
	}
	c := classes[best]
	task := Task{Class: c.name, Confidence: min(1, scores[best]-second), Share: c.usual}
	if c.name == Implementation && facts.Changed >= 3 {
		task.Share = c.most // what is built beside much that exists needs to see it
	}
	return task
}

// ShareOf is the usual share of a class, and whether there is such a class.
func ShareOf(name Class) (float64, bool) {
	if name == Unknown {
		return unknownShare, true
	}
	i := slices.IndexFunc(classes, func(c class) bool { return c.name == name })
	if i < 0 {
		return 0, false
	}
	return classes[i].usual, true
}

// wantedBy are the words that matter in the context of a task of the class.
func wantedBy(name Class) []string {
	for _, c := range classes {
		if c.name == name {
			return c.wanted
		}
	}
	return nil
}
