package wire

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"foreword/promptbuilder/history"
)

// Texts that stand where a provider has no place for what is meant.
const (
	// updateTag surrounds a system message in a provider that has system text only at the beginning.
	updateTag = "system-update"
	// leftOut is the first user message where a provider wants one and the history begins later.
	leftOut = "(The beginning of this conversation was left out.)"
	// goOn is the last user message where a provider wants one and the history ends with an answer.
	goOn = "(Go on.)"
)

// conversation is a request in the form that all wires share.
type conversation struct {
	Request
	abilities
	// before is what was rendered already: the entries are those of the messages that follow.
	before *beginning
	// lead are the system messages with which the history begins.
	lead    []string
	entries []entry
	// begun tells that there was an entry, even one that is left out.
	begun bool
	ids   ids
	// step is what is being done; notes are sorted by it, noted tells which there are.
	step  step
	notes notes
	noted map[noted]bool
}

// entry is a message in the shared form: of role tool it holds all results of one assistant message and
// nothing else; messages of the other roles hold no results.
type entry struct {
	role  string
	parts []history.Part
	// model that wrote it, "" when nobody said.
	model string
	// index in Request.Messages, for the notes.
	index int
	// passing entries are gone in a later turn (ephemeral messages), so nothing after them is stable.
	passing bool
}

// step is a part of the work of rendering: what is noticed in one of them is told together.
type step uint8

const (
	stepRepair step = iota
	stepAdd
	stepFilter
	stepMedia
	stepSystem
	stepBegin
	stepOutline
	stepMessages
	stepSeal
	steps
)

// notes are downgrades by the step in which they were noticed.
type notes [steps][]string

type noted struct {
	step step
	text string
}

// note says a downgrade, once.
func (c *conversation) note(format string, arguments ...any) {
	note := noted{c.step, fmt.Sprintf(format, arguments...)}
	if c.noted[note] || c.before.noted[note] {
		return
	}
	if c.noted == nil {
		c.noted = map[noted]bool{}
	}
	c.noted[note] = true
	c.notes[c.step] = append(c.notes[c.step], note.text)
}

// downgrades are the notes of what was rendered before and now, each once.
func (c *conversation) downgrades() []string {
	all := []string{}
	said := map[string]bool{}
	for step := range steps {
		for _, text := range slices.Concat(c.before.notes[step], c.notes[step]) {
			if !said[text] {
				said[text] = true
				all = append(all, text)
			}
		}
	}
	return all
}

// newConversation brings the messages that follow what was rendered before into the shared form.
func newConversation(request Request, a abilities, before *beginning) (*conversation, error) {
	skip := len(before.messages)
	request.Messages = request.Messages[skip:]
	c := &conversation{Request: request, abilities: a, before: before, lead: slices.Clip(before.lead), begun: before.begun}
	messages, actions, err := history.Repair(request.Messages)
	if err != nil {
		return nil, err
	}
	for _, action := range actions {
		switch {
		case action.Kind == history.KindSynthesised && action.Reason == history.ReasonOrphanCall:
			c.note("messages[%d]: a tool call without a result is answered with Cancelled", skip+action.Index-1)
		case action.Kind == history.KindSynthesised:
			c.note("messages[%d]: a pinned tool result without a call is sent with a call made up for it", skip+action.Index)
		default:
			c.note("messages[%d]: a tool result that no call asked for is left out", skip+action.Index)
		}
	}
	c.step = stepAdd
	from := origins(len(request.Messages), actions)
	for i, message := range messages {
		if message.IsSystem() && !message.InPlace && !c.begun {
			c.lead = append(c.lead, message.Content.PlainText())
			continue
		}
		c.begun = true
		c.add(message, skip+from[i])
	}
	c.resultsAfterCalls()
	c.setIDs()
	c.step = stepFilter
	for i := range c.entries {
		if c.entries[i].role != history.RoleTool {
			c.leaveOutForeign(&c.entries[i])
		}
	}
	c.step = stepMedia
	if !a.resultMedia {
		c.moveResultMedia()
	}
	c.step = stepSystem
	if a.laterSystem == systemBehindUser {
		c.placeSystem()
	}
	if a.laterSystem != systemAnywhere {
		c.tagSystem()
	}
	c.step = stepBegin
	if a.userFirst {
		c.beginWithUser()
	}
	return c, nil
}

// beginWithUser leaves blank messages out and sees to it that the user speaks first.
func (c *conversation) beginWithUser() {
	spoken := make([]entry, 0, len(c.entries)+1)
	for _, e := range c.entries {
		if e.blank() {
			c.note("messages[%d] is empty and is left out", e.index)
			continue
		}
		if len(spoken) == 0 && !c.before.spoken && e.role != history.RoleUser {
			spoken = append(spoken, entry{role: history.RoleUser, parts: []history.Part{{Type: history.PartText, Text: leftOut}}})
			c.note("%s wants a user message first: one was put before the history", c.Wire)
		}
		spoken = append(spoken, e)
	}
	c.entries = spoken
}

// blank says whether an entry has nothing but white space.
func (e entry) blank() bool {
	for _, part := range e.parts {
		if part.Type != history.PartText || strings.TrimSpace(part.Text) != "" {
			return false
		}
	}
	return true
}

// origins are the indexes in the request of the messages after repair; a message that repair made has that of
// the message before it.
func origins(n int, actions []history.Action) []int {
	made := map[int]int{}
	dropped := map[int]bool{}
	for _, action := range actions {
		if action.Kind == history.KindSynthesised {
			made[action.Index]++
		} else if action.Block == nil {
			dropped[action.Index] = true
		}
	}
	var from []int
	for i := range n + 1 {
		for range made[i] {
			from = append(from, i-1)
		}
		if i < n && !dropped[i] {
			from = append(from, i)
		}
	}
	return from
}

// add appends a message. Results come first and as an entry of their own.
func (c *conversation) add(message history.Message, index int) {
	e := entry{role: message.Role, model: message.Model, index: index, passing: message.EphemeralTTL != nil}
	if message.IsSystem() {
		e.role = history.RoleSystem
	}
	if len(message.Files) > 0 {
		c.note("messages[%d]: attached files are not in the body unless they were embedded before (%s)", index, strings.Join(message.Files, ", "))
	}
	results := e
	results.role = history.RoleTool
	for _, part := range message.Blocks() {
		switch {
		case part.Type == history.PartToolResult:
			results.parts = append(results.parts, c.toolsOwn(part, index))
		case message.Role != history.RoleAssistant && modelsOwn(part):
			c.note("messages[%d]: a %s block in a message of role %s is left out: only the model makes them", index, part.Type, message.Role)
		default:
			e.parts = append(e.parts, part)
		}
	}
	if len(results.parts) > 0 {
		c.entries = append(c.entries, results)
	}
	if len(e.parts) > 0 || len(results.parts) == 0 {
		if e.role == history.RoleTool { // text beside the results of a message of role tool
			e.role = history.RoleUser
		}
		c.entries = append(c.entries, e)
	}
}

// toolsOwn is a result without what no tool can say.
func (c *conversation) toolsOwn(result history.Part, index int) history.Part {
	foreign := func(part history.Part) bool { return modelsOwn(part) || part.Type == history.PartToolResult }
	if slices.ContainsFunc(result.Output.Parts, foreign) {
		result.Output.Parts = slices.DeleteFunc(slices.Clone(result.Output.Parts), foreign)
		c.note("messages[%d]: calls, results and thinking inside of a tool result are left out", index)
	}
	return result
}

// modelsOwn says whether a part is one that only a model makes.
func modelsOwn(part history.Part) bool {
	return part.Type == history.PartThinking || part.Type == history.PartToolUse
}

// resultsAfterCalls brings all results of an assistant message together directly after it; what stood between them
// follows.
func (c *conversation) resultsAfterCalls() {
	ordered := make([]entry, 0, len(c.entries))
	results := -1 // index in ordered of the results that belong to the calls before
	for _, e := range c.entries {
		switch {
		case e.role == history.RoleTool && results >= 0:
			ordered[results].parts = append(ordered[results].parts, e.parts...)
			ordered[results].passing = ordered[results].passing || e.passing
			continue
		case e.role != history.RoleAssistant:
			ordered = append(ordered, e)
			continue
		}
		results = -1
		ordered = append(ordered, e)
		if hasCalls(e) {
			results = len(ordered)
			ordered = append(ordered, entry{role: history.RoleTool, index: e.index + 1})
		}
	}
	c.entries = ordered
}

func hasCalls(e entry) bool {
	for _, part := range e.parts {
		if part.Type == history.PartToolUse {
			return true
		}
	}
	return false
}

// leaveOutForeign leaves out of a message what this provider does not read: thinking of other models, always
// as a unit, and blocks of another provider's tools.
func (c *conversation) leaveOutForeign(e *entry) {
	keepThinking := true
	for _, part := range e.parts {
		if part.Type != history.PartThinking {
			continue
		}
		stamp := part.Model
		if stamp == "" {
			stamp = e.model
		}
		same := sameModel(stamp, c.Model)
		if c.thinking != nil && c.thinking(part, same, stamp == "") {
			continue
		}
		keepThinking = false
		switch {
		case stamp != "" && !same:
			c.note("thinking of %s is left out: it is of use to that model only", stamp)
		case c.thinking == nil:
			c.note("thinking is left out: %s does not take it back", c.Wire)
		default:
			c.note("thinking is left out: %s takes it back only with its signature and from the same model", c.Wire)
		}
	}
	kept := make([]history.Part, 0, len(e.parts))
	for _, part := range e.parts {
		switch {
		case part.Type == history.PartThinking && !keepThinking:
			continue
		case part.Type == history.PartOpaque && !c.opaque:
			c.note("messages[%d]: a block of another provider's own tools is left out", e.index)
			continue
		}
		kept = append(kept, part)
	}
	e.parts = kept
}

// sameModel compares ids of models without the provider in front of them.
func sameModel(a, b string) bool {
	return a != "" && strings.EqualFold(a[strings.LastIndexByte(a, '/')+1:], b[strings.LastIndexByte(b, '/')+1:])
}

// moveResultMedia moves images and files out of tool results into a user message after them.
func (c *conversation) moveResultMedia() {
	moved := make([]entry, 0, len(c.entries))
	for _, e := range c.entries {
		moved = append(moved, e)
		if e.role != history.RoleTool {
			continue
		}
		var media []history.Part
		for i, result := range e.parts {
			texts := make([]history.Part, 0, len(result.Output.Parts))
			found := false
			for _, part := range result.Output.Parts {
				if part.Type == history.PartImage || part.Type == history.PartFile && part.Text == "" {
					media = append(media, part)
					found = true
				} else {
					texts = append(texts, part)
				}
			}
			if found {
				if len(texts) == 0 {
					texts = []history.Part{{Type: history.PartText, Text: "(The result is in the next message.)"}}
				}
				e.parts[i].Output = history.Content{Parts: texts}
			}
		}
		if len(media) == 0 {
			continue
		}
		c.note("%s takes no images or files in tool results: they follow as a user message", c.Wire)
		moved = append(moved, entry{role: history.RoleUser, parts: media, index: e.index, passing: e.passing})
	}
	c.entries = moved
}

// closesUpdate finds what would close the tag of tagSystem before its time.
var closesUpdate = regexp.MustCompile(`(?i)</(` + updateTag + `)`)

// tagSystem makes later system messages that stand where none may stand user messages with tagged text.
func (c *conversation) tagSystem() {
	told := c.entries[:0]
	behindUser := false
	for _, e := range c.entries {
		if e.role != history.RoleSystem || c.laterSystem == systemBehindUser && behindUser {
			behindUser = e.role != history.RoleAssistant && !e.blank()
			told = append(told, e)
			continue
		}
		if e.blank() {
			c.note("messages[%d] is empty and is left out", e.index)
			continue
		}
		text := closesUpdate.ReplaceAllString(history.Content{Parts: e.parts}.PlainText(), "<&#47;$1")
		e.role = history.RoleUser
		e.parts = []history.Part{{Type: history.PartText, Text: "<" + updateTag + ">\n" + text + "\n</" + updateTag + ">"}}
		if c.laterSystem == systemBehindUser {
			c.note("%s takes system messages only behind one of the user: others are sent as user messages tagged %s", c.Wire, updateTag)
		} else if c.OneSystem && (c.Wire == OpenAIChat || c.Wire == OpenAIResponses) {
			c.note("%s: chat templates of %s may take no system message inside the history: they are sent as user messages tagged %s", c.Wire, c.Model, updateTag)
		} else {
			c.note("%s has no system messages inside the history: they are sent as user messages tagged %s", c.Wire, updateTag)
		}
		told = append(told, e)
	}
	c.entries = told
}

// systemText is the whole system text as one string.
func (c *conversation) systemText() string {
	pieces := make([]string, 0, len(c.System)+len(c.lead))
	for _, block := range c.System {
		pieces = append(pieces, block.Text)
	}
	return joinBlocks(append(pieces, c.lead...))
}
