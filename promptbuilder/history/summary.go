package history

import (
	"fmt"
	"slices"
	"strings"

	"foreword/promptbuilder/compress"
)

// SummaryRequest is what a model is asked in order to sum up.
type SummaryRequest struct {
	// System says how to sum up.
	System string
	// User is the conversation to sum up, and what the summary must have.
	User string
	// Tokens that both cost.
	Tokens int
	// Cut says that not all of the conversation fits; what is left out is said in its place.
	Cut bool
}

// NewSummaryRequest is the request for a summary of the messages before the tail. It fits a budget, because it is made
// when there is little room left: tool results are shown in part, and what still does not fit is shortened from the
// oldest on. When not even that helps, the error is a *BudgetError: sum up without a model then.
func NewSummaryRequest(messages []Message, selection Selection, c Compaction, budget int) (SummaryRequest, error) {
	head := messages[:selection.TailFrom]
	previous := c.PreviousSummary
	var entries []string
	for _, m := range head {
		switch {
		case isSummary(m):
			if c.PreviousSummary == "" {
				previous = strings.TrimPrefix(m.Content.PlainText(), summaryLabel)
			}
		case m.IsSystem():
			// Rules stay out of the summary; they stand before it anyway.
		default:
			entries = append(entries, entriesOf(m)...)
		}
	}
	request := SummaryRequest{System: c.Template}
	frame := c.frame(previous)
	fixed := countText(request.System, c.Options) + countText(frame[0], c.Options) + countText(frame[1], c.Options) + 2*c.PerMessage
	room := budget - fixed
	const least = 64 // an account of less than that is none
	if room < least {
		return request, &BudgetError{Need: fixed + least, Budget: budget, Help: "sum up without a model, or take a model with a larger window"}
	}
	kept := len(entries)
	for spent := 0; kept > 0; kept-- {
		if spent += countText(entries[kept-1], c.Options) + 1; spent > room {
			break
		}
	}
	said := strings.Join(entries[kept:], "\n")
	if kept > 0 {
		request.Cut = true
		said = fmt.Sprintf("[... %s left out ...]\n", amount(kept, "message")) + said
	}
	request.User = frame[0] + said + frame[1]
	request.Tokens = countText(request.System, c.Options) + countText(request.User, c.Options) + 2*c.PerMessage
	return request, nil
}

// frame is what stands before and after the conversation.
func (c Compaction) frame(previous string) [2]string {
	headings := c.Headings
	if headings == nil {
		headings = summaryHeadings
	}
	var after strings.Builder
	after.WriteString("\n</conversation>\n\n")
	if previous != "" {
		after.WriteString("An earlier account, to be brought up to date:\n\n<account>\n" + strings.ReplaceAll(previous, "</account>", "< /account>") + "\n</account>\n\n")
	}
	after.WriteString("Give the account under these headings, in this order:\n")
	for _, heading := range headings {
		after.WriteString("\n## " + heading)
	}
	after.WriteString("\n")
	return [2]string{"<conversation>\n", after.String()}
}

// entriesOf shows a message to whoever sums up: what was said, what was called, and the beginning and end of what came
// back; media as names, thinking not at all.
func entriesOf(m Message) []string {
	var entries []string
	add := func(who, text string) {
		if strings.TrimSpace(text) != "" {
			entries = append(entries, who+": "+strings.ReplaceAll(text, "</conversation>", "< /conversation>"))
		}
	}
	for _, block := range m.Blocks() {
		switch block.Type {
		case PartText:
			add(m.Role, block.Text)
		case PartToolUse:
			add(m.Role+" calls "+block.Name, block.Arguments)
		case PartToolResult:
			text := block.Output.PlainText()
			if cut, ok := headTail(text, resultBytes); ok {
				text = cut.apply(text)
			}
			who := "result"
			if block.IsError {
				who = "error"
			}
			add(who, text)
		case PartImage, PartFile:
			add(m.Role, attachedName(block))
		}
	}
	return entries
}

func attachedName(part Part) string {
	name, kind := "", part.Type
	if part.Media != nil {
		name, kind = part.Media.Name, part.Media.MIME
		if kind == "" {
			kind = part.Type
		}
	}
	if part.Text != "" {
		return part.Text
	}
	return strings.TrimSpace("[attached " + kind + " " + name + "]")
}

// What a summary without a model may be long, in bytes: a fifth of what it stands for, within these.
const (
	leastMechanical = 300
	mostMechanical  = 6_000
	questionBytes   = 300
)

// MechanicalSummary sums up the messages before the tail without a model: what the user asked last, the sentences of
// the answers that say most, and the files that tools were called with. It is poorer than a model's, and always there.
func MechanicalSummary(messages []Message, selection Selection, c Compaction) string {
	var questions, files []string
	var answers strings.Builder
	previous, all := c.PreviousSummary, 0
	seen := map[string]bool{}
	for _, m := range messages[:selection.TailFrom] {
		switch {
		case isSummary(m):
			previous = strings.TrimPrefix(m.Content.PlainText(), summaryLabel)
			continue
		case m.IsSystem():
			continue
		}
		own := ownText(m)
		all += len(m.Content.PlainText())
		switch {
		case m.StartsTurn():
			if question := shortened(strings.Join(strings.Fields(own), " "), questionBytes); question != "" {
				questions = append(questions, "- "+question)
			}
		case m.Role == RoleAssistant:
			answers.WriteString(compress.StripReasoning(own) + "\n\n")
		}
		for _, call := range m.calls() {
			for _, path := range pathsIn(call.Arguments) {
				if !seen[path] {
					seen[path] = true
					files = append(files, "- "+path)
				}
			}
		}
	}
	room := max(leastMechanical, min(mostMechanical, all/5))
	said := strings.TrimSpace(answers.String())
	if most := room / 2; len(said) > most {
		said = shortened(compress.Extract(said, float64(most)/float64(len(said)), compress.Unknown).Text, most)
	}
	var out strings.Builder
	section := func(heading, text string) {
		if text = strings.TrimSpace(text); text != "" {
			fmt.Fprintf(&out, "## %s\n\n%s\n\n", heading, text)
		}
	}
	section("Earlier account", shortened(previous, room))
	section("What was asked", newestLines(questions, room/4))
	section("What was said and done", said)
	section("Files", newestLines(files, room/4))
	return strings.TrimSpace(out.String())
}

// shortened is a text of about size bytes.
func shortened(text string, size int) string {
	if cut, ok := headTail(text, size); ok {
		return cut.apply(text)
	}
	return text
}

// newestLines are the last of the lines that have room in size bytes, and one at least.
func newestLines(lines []string, size int) string {
	from := len(lines)
	for ; from > 0; from-- {
		if size -= len(lines[from-1]) + 1; size < 0 && from < len(lines) {
			break
		}
	}
	return strings.Join(lines[from:], "\n")
}

// ownText is what a message says itself, results of tools left out.
func ownText(m Message) string {
	var all []string
	for _, block := range m.Blocks() {
		if block.Type == PartText {
			all = append(all, block.Text)
		}
	}
	return strings.Join(all, "\n\n")
}

// pathsIn are the arguments of a call that look like paths.
func pathsIn(arguments string) []string {
	if kindOf([]byte(arguments)) != "object" || checkJSON([]byte(arguments)) != nil {
		return nil
	}
	var paths []string
	for _, f := range fieldsOf([]byte(arguments)) {
		if kindOf(f.value) != "string" {
			continue
		}
		text := decodeString(f.value)
		key := strings.ToLower(string(f.key))
		named := strings.Contains(key, "path") || strings.Contains(key, "file") || strings.Contains(key, "uri")
		if named && len(text) < 300 && !strings.ContainsAny(text, "\n\r") && text != "" && !slices.Contains(paths, text) {
			paths = append(paths, text)
		}
	}
	return paths
}
