package wire

import (
	"slices"
	"strconv"
	"strings"

	"foreword/promptbuilder/history"
)

// placeSystem brings later system messages to where Anthropic takes them: directly behind a message of the user (one
// of results, too), with an answer or nothing behind it, and never two in a row. So those of a run between two answers
// come as one message at its end. Where the user says nothing in such a run they are left for tagSystem.
//
// The rules, which models take them and where they are served: platform.claude.com/docs/en/build-with-claude/mid-conversation-system-messages,
// 2026-11-30.
func (c *conversation) placeSystem() {
	placed := make([]entry, 0, len(c.entries))
	for len(c.entries) > 0 {
		n := slices.IndexFunc(c.entries, func(e entry) bool { return e.role == history.RoleAssistant })
		if n == 0 {
			placed, c.entries = append(placed, c.entries[0]), c.entries[1:]
			continue
		}
		if n < 0 {
			n = len(c.entries)
		}
		placed, c.entries = append(placed, c.systemLast(c.entries[:n])...), c.entries[n:]
	}
	c.entries = placed
}

// systemLast is a run without answers in which the system messages are one, the last.
func (c *conversation) systemLast(run []entry) []entry {
	if !slices.ContainsFunc(run, func(e entry) bool { return e.role != history.RoleSystem && !e.blank() }) {
		return run
	}
	var rest []entry
	system := entry{role: history.RoleSystem}
	for _, e := range run {
		switch {
		case e.role != history.RoleSystem:
			rest = append(rest, e)
			continue
		case e.blank():
			c.note("messages[%d] is empty and is left out", e.index)
			continue
		case len(system.parts) == 0:
			system.index = e.index
		}
		system.parts = append(system.parts, e.parts...)
		system.passing = system.passing || e.passing
	}
	if len(system.parts) == 0 {
		return rest
	}
	return append(rest, system)
}

// SystemBehindUser says whether the system messages of a request stand behind what the user says next, so that they move
// where the user speaks again before an answer.
func SystemBehindUser(wire, provider, model string) bool {
	return wire == Anthropic && takesLaterSystem(provider, model)
}

// takesLaterSystem says whether a model of Anthropic's takes system messages behind the first message: Opus does from
// 4.8 on, Fable and Mythos from 5, Sonnet and Haiku from 5.5. Only Anthropic's own API does; on Bedrock, Vertex and Foundry the
// request is refused, and elsewhere it is not known who serves the model.
func takesLaterSystem(provider, model string) bool {
	if !strings.EqualFold(provider, "anthropic") {
		return false
	}
	name, ok := strings.CutPrefix(strings.TrimPrefix(strings.ToLower(model), "anthropic/"), "claude-")
	if !ok {
		return false
	}
	words := strings.FieldsFunc(name, func(r rune) bool { return r == '-' || r == '.' })
	if len(words) < 2 {
		return false
	}
	from, ok := map[string][2]int{"opus": {4, 8}, "fable": {5, 0}, "mythos": {5, 0}, "sonnet": {5, 5}, "haiku": {5, 5}}[words[0]]
	if !ok {
		return false
	}
	version := [2]int{}
	for i := range version {
		if i+1 < len(words) && len(words[i+1]) <= 2 { // longer ones are dates
			n, err := strconv.Atoi(words[i+1])
			if err != nil {
				break
			}
			version[i] = n
		}
	}
	return slices.Compare(version[:], from[:]) >= 0
}
