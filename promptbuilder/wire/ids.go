package wire

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strconv"

	"foreword/promptbuilder/history"
)

// atMost accepts ids of up to n bytes: OpenAI refuses longer ids of tool calls (40 bytes in chat, 64 in
// responses).
func atMost(n int) func(string) bool {
	return func(id string) bool { return id != "" && len(id) <= n }
}

// anthropicID accepts what Anthropic's pattern ^[a-zA-Z0-9_-]+$ accepts.
func anthropicID(id string) bool {
	for i := range len(id) {
		c := id[i]
		if !(c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_' || c == '-') {
			return false
		}
	}
	return id != "" && len(id) <= 64
}

// ids are the ids of calls in a piece of a conversation.
type ids struct {
	// given are all of them, made those of them that did not come with their calls.
	given, made map[string]bool
	// clash tells that a call came with an id that was made for one before it.
	clash bool
}

// setIDs gives every call an id that the provider takes and that no other call has, and every result the id
// and the name of its call. Ids that are right already stay, so nothing changes in a provider's own history.
func (c *conversation) setIDs() {
	c.ids = ids{given: map[string]bool{}, made: map[string]bool{}}
	used := map[string]bool{}
	for _, e := range c.entries {
		for _, part := range e.parts {
			if part.Type == history.PartToolUse && c.validID(part.ID) {
				used[part.ID] = true
				// A made one that stands before would be another, had this been known.
				c.ids.clash = c.ids.clash || c.before.ids.made[part.ID]
			}
		}
	}
	taken := func(id string) bool { return used[id] || c.before.ids.given[id] }
	var calls []call
	for i := range c.entries {
		e := &c.entries[i]
		switch e.role {
		case history.RoleAssistant:
			calls = calls[:0]
			parts := e.parts
			e.parts = append([]history.Part(nil), parts...)
			for k, part := range parts {
				if part.Type != history.PartToolUse {
					continue
				}
				id := part.ID
				if !c.validID(id) || c.ids.given[id] || c.before.ids.given[id] {
					id = freeID(part, taken)
					c.ids.made[id] = true
				}
				c.ids.given[id], used[id] = true, true
				calls = append(calls, call{was: part.ID, id: id, name: part.Name})
				e.parts[k].ID = id
			}
		case history.RoleTool:
			e.parts = inOrder(calls, e.parts)
		}
	}
}

// call is a call that waits for its result; was is the id that it came with.
type call struct {
	was, id, name string
	answered      bool
}

// inOrder are the results in the order of their calls, with the ids and names of the calls: providers that send
// no ids, and chat templates that drop them, know a result by its place. Repair has seen to it that there is one
// result for every call, and a call for every result.
func inOrder(calls []call, results []history.Part) []history.Part {
	byID := make(map[string][]int, len(calls))
	for k, call := range calls {
		byID[call.was] = append(byID[call.was], k)
	}
	ordered := make([]history.Part, len(calls))
	place := func(k int, result history.Part) {
		calls[k].answered = true
		result.ID, result.Name = calls[k].id, calls[k].name
		ordered[k] = result
	}
	var byPlace []history.Part
	for _, result := range results {
		same := byID[result.ID]
		if result.ID == "" || len(same) == 0 {
			byPlace = append(byPlace, result)
			continue
		}
		byID[result.ID] = same[1:]
		place(same[0], result)
	}
	for _, result := range byPlace {
		named := slices.IndexFunc(calls, func(c call) bool { return !c.answered && (result.Name == "" || c.name == result.Name) })
		if named < 0 {
			named = slices.IndexFunc(calls, func(c call) bool { return !c.answered })
		}
		if named >= 0 {
			place(named, result)
		}
	}
	return ordered
}

func (c *conversation) validID(id string) bool {
	if c.callID == nil {
		return id != ""
	}
	return c.callID(id)
}

// freeID makes an id from what the call says, so that it stays the same while the history grows.
func freeID(part history.Part, taken func(id string) bool) string {
	for n := 0; ; n++ {
		sum := sha256.Sum256([]byte(part.ID + "\x00" + part.Name + "\x00" + part.Arguments + "\x00" + strconv.Itoa(n)))
		if id := "call_" + hex.EncodeToString(sum[:12]); !taken(id) {
			return id
		}
	}
}
