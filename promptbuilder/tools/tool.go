package tools

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
)

// Tool is one tool. Its permission is what an agent's rules call it.
type Tool struct {
	Name        string
	Description string
	// Parameters is the JSON Schema of the arguments.
	Parameters json.RawMessage
	// Permission under which rules allow or deny it.
	Permission string
	// Shows tells that it shows texts of files under a permission other than read,
	// so that each of them needs read, too.
	Shows bool

	run func(context.Context, *Place, json.RawMessage) (*Answer, error)
}

// All are the tools in the order in which they are offered.
func All() []Tool {
	return []Tool{readTool(), listTool(), globTool(), grepTool(), diagnosticsTool(), diffTool()}
}

// Lookup finds a tool by its name.
func Lookup(name string) (Tool, bool) {
	for _, t := range All() {
		if t.Name == name {
			return t, true
		}
	}
	return Tool{}, false
}

// Names are the names of all tools, in their order.
func Names() []string {
	var names []string
	for _, t := range All() {
		names = append(names, t.Name)
	}
	return names
}

// Answer is what a tool found.
type Answer struct {
	// Title says in a few words what was done, for a transcript.
	Title string
	// Text is what the model reads.
	Text string
	// Read are the files whose text is in the answer, absolute, in the order in
	// which they stand there.
	Read []string
	// Cut says what is missing in Text and how to get it; empty for nothing.
	Cut string
}

// Refusal is why a tool did not do what the model asked, and what to do instead.
type Refusal struct{ Reason string }

func (r *Refusal) Error() string { return r.Reason }

func refuse(format string, a ...any) error { return &Refusal{fmt.Sprintf(format, a...)} }

// Call runs the tool. An error that is no [Refusal] is that of ctx, or one of the
// machine that the model cannot help.
func (t Tool) Call(ctx context.Context, place *Place, arguments json.RawMessage) (*Answer, error) {
	answer, err := t.run(ctx, place, arguments)
	if err != nil {
		return nil, err
	}
	answer.Title = cutTo(oneLine(answer.Title), maxTitle)
	if answer.Cut != "" {
		answer.Text = strings.TrimSuffix(answer.Text, "\n") + "\n\n(" + answer.Cut + ")"
	}
	return answer, ctx.Err()
}

// maxTitle is about what a line of a panel shows, in characters.
const maxTitle = 120

// cutTo shortens a text to a number of characters.
func cutTo(text string, most int) string {
	n := 0
	for at := range text {
		if n == most {
			return text[:at] + "…"
		}
		n++
	}
	return text
}
