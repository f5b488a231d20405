package sources

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"foreword/workspace/instructions"
)

// orderNote tells the model how instruction files stand to each other. It is a
// source of its own so that an edit of one file changes one source.
const orderNote = "# Instructions of the project\n\n" +
	"The files below come from the user and the project, the outermost first and the nearest to the work last. " +
	"Each holds for the files in its scope. Where two of them disagree, the later one holds; what the user says in the conversation holds over all of them."

// nearestNote is orderNote where the settings turn the order round: what lies
// nearer still holds.
const nearestNote = "# Instructions of the project\n\n" +
	"The files below come from the user, then from the project, the nearest to the work first and the outermost last. " +
	"Each holds for the files in its scope. Where two of them disagree, the nearer one holds; what the user says in the conversation holds over all of them."

// placeNote takes back what orderNote says of later files, for one that is told
// late only because it came or changed late.
const placeNote = "that they are told last does not change their place: where a nearer file disagrees, the nearer one still holds."

// Instructions says the instruction files that apply to the target, one
// source per file.
func Instructions(in *Input) []Source {
	sent := in.SentInstructions()
	if len(sent) == 0 {
		return nil
	}
	note := orderNote
	if in.Instructions.NearestFirst {
		note = nearestNote
	}
	all := make([]Source, 0, len(sent)+1)
	all = append(all, Source{
		Key: "core/instructions", Group: "instructions", Layer: Cacheable, Title: "How instructions apply",
		Observe: func(context.Context) Observation {
			return say("instructions", note, "instruction files apply, and their order must be told")
		},
	})
	for _, e := range sent {
		if e.Inline { // its text stands inside another file's
			continue
		}
		all = append(all, InstructionFile(in.Root, in.Home, e))
	}
	return all
}

// SentInstructions are the instruction files that the model gets: those for
// the target, then those that only other files of the session bring in, each
// once.
func (in *Input) SentInstructions() []instructions.Entry {
	if in.Instructions == nil {
		return nil
	}
	sent := in.Instructions.Sent()
	if len(in.Elsewhere) == 0 {
		return sent
	}
	seen := make(map[string]bool, len(sent))
	for _, e := range sent {
		seen[e.RealPath] = true
	}
	all := slices.Clip(sent)
	for _, d := range in.Elsewhere {
		for _, e := range d.Sent() {
			if !seen[e.RealPath] {
				seen[e.RealPath] = true
				all = append(all, e)
			}
		}
	}
	return all
}

// InstructionFile is the source of one instruction file.
func InstructionFile(root, home string, e instructions.Entry) Source {
	path := instructions.Display(root, home, e.Path)
	reach := oneLine(scope(root, home, e))
	return Source{
		Key: "instructions/" + path, Group: "instructions", Layer: Cacheable, Title: "Instructions from " + path,
		Observe: func(context.Context) Observation {
			return instructionText(root, home, path, e)
		},
		Arrival: func(text string) string {
			return fmt.Sprintf("The instructions in %s (for %s) apply from here on; %s\n\n%s", path, reach, placeNote, text)
		},
		Update: func(_, after string) string {
			return fmt.Sprintf("The instructions in %s (for %s) changed. They replace what was said of them before; %s\n\n%s", path, reach, placeNote, after)
		},
		Removal: func(string) string {
			return fmt.Sprintf("The instructions in %s no longer apply; disregard them.", path)
		},
	}
}

func instructionText(root, home, path string, e instructions.Entry) Observation {
	whole := strings.ReplaceAll(e.Body, "\r\n", "\n")
	body := strings.TrimLeft(whole, "\n")
	blank := len(whole) - len(body)
	body = strings.TrimRight(body, "\n")
	open := "<instructions" + attribute("path", path) + attribute("scope", scope(root, home, e)) + writtenFor(e.Kind) + ">\n"
	text := open + neutralise(body, "instructions") + "\n</instructions>"
	lines := lineCount(body)
	from := Origin{Path: e.Path, Hash: e.File.Hash, Dirty: e.File.Dirty, FromLine: 1, ToLine: 1 + lines, FileTo: fileLines(e.Text())}
	if e.Whole {
		from.FileFrom = e.BodyLine + blank
		from.FileTo = from.FileFrom + lines
	}
	return Observation{
		Status: Present, Text: text, Why: e.Why,
		Origins: []Origin{
			{Name: "instructions", FromLine: 0, ToLine: 1}, from, {Name: "instructions", FromLine: 1 + lines, ToLine: 2 + lines},
		},
	}
}

// scope says which files an entry reaches.
func scope(root, home string, e instructions.Entry) string {
	if len(e.Patterns) > 0 {
		return matching(root, home, e)
	}
	if e.Personal {
		return "every project"
	}
	dir := instructions.Display(root, home, e.Scope)
	if dir == "." {
		return "the whole repository"
	}
	return dir + "/"
}

// mostPatterns bounds what a header puts into one attribute; the
// model can read the rest in the file.
const mostPatterns = 20

// matching says which files a rule reaches that names patterns.
func matching(root, home string, e instructions.Entry) string {
	list := strings.Join(e.Patterns[:min(len(e.Patterns), mostPatterns)], ", ")
	if more := len(e.Patterns) - mostPatterns; more > 0 {
		list += fmt.Sprintf(" and %d more", more)
	}
	where := "files"
	switch dir := instructions.Display(root, home, e.PatternBase); {
	case e.Personal:
		where += " of every project"
	case dir != ".":
		where += " in " + dir + "/"
	}
	return where + " that match " + list
}

// writtenFor marks a file that is written for one other tool.
func writtenFor(kind instructions.Kind) string {
	tool := kind.WrittenFor()
	if tool == "" {
		return ""
	}
	return attribute("written-for", tool)
}
