package wire

import (
	"encoding/json"
	"slices"

	"foreword/promptbuilder/history"
)

// maxCacheMarks is how many cache_control marks Anthropic takes in one request; one more is an error 400.
const maxCacheMarks = 4

// Which marks stay when there are more than the provider takes: the end of the cacheable system text first,
// then the last stable message, then the caller's own from the newest to the oldest, then the user message
// before the last stable one (what a reminder at the end of the newest message does not touch), then the end of
// the tools, which the mark on the system text covers as long as the system text is the same.
const (
	rankBoundary = iota
	rankLastStable
	rankCaller
	rankBefore
	rankTools
)

// cacheCandidate is a place where a mark is, or could be.
type cacheCandidate struct {
	at   *json.RawMessage
	rank int
	// place in the body, from the front.
	place  int
	caller bool
	// encoded marks stand in messages that were encoded before, so they cannot be taken away.
	encoded bool
}

// setMarks sets our marks and takes away those of the caller that are too many. It says no where a mark would have
// to be set, or taken away, in what was encoded before.
func setMarks(c *conversation, head *anthropicHead, tail *anthropicTail, messages []*anthropicMessage) bool {
	var all []cacheCandidate
	add := func(at *json.RawMessage, rank int) {
		all = append(all, cacheCandidate{at: at, rank: rank, place: len(all), caller: *at != nil})
	}
	if len(tail.Tools) > 0 {
		add(tail.Tools[len(tail.Tools)-1].mark(), rankTools)
	}
	if head.boundary != nil {
		add(head.boundary, rankBoundary)
	}
	for i := range c.before.marks {
		add(&c.before.marks[i], rankCaller)
		all[len(all)-1].encoded = true
	}
	stable, before := lastStable(messages)
	if before == nil && c.before.spoken {
		return false
	}
	for _, message := range messages {
		for _, block := range message.Content {
			switch at := block.mark(); {
			case at == stable:
				add(at, rankLastStable)
			case *at != nil:
				add(at, rankCaller)
			case at == before:
				add(at, rankBefore)
			}
		}
	}
	slices.SortFunc(all, func(x, y cacheCandidate) int {
		if x.rank != y.rank {
			return x.rank - y.rank
		}
		return y.place - x.place
	})
	kept := all[:min(len(all), maxCacheMarks)]
	for _, candidate := range all[len(kept):] {
		if candidate.encoded {
			return false
		}
		if candidate.caller {
			c.note("anthropic takes %d cache marks: the oldest marks of the caller are left out", maxCacheMarks)
		}
		*candidate.at = nil
	}
	// A mark that lasts an hour must not come after one that lasts five minutes, so all last as long as the longest
	// that follows.
	slices.SortFunc(kept, func(x, y cacheCandidate) int { return y.place - x.place })
	mark, hour := json.RawMessage(`{"type":"ephemeral"}`), false
	for _, candidate := range kept {
		switch {
		case !candidate.caller:
			*candidate.at = mark
		case markTTL(*candidate.at) == "1h":
			mark, hour = json.RawMessage(`{"type":"ephemeral","ttl":"1h"}`), true
		case hour && candidate.encoded:
			return false
		case hour:
			*candidate.at = mark
			c.note("anthropic takes no cache mark of an hour after one of five minutes: the caller's earlier marks last an hour, too")
		}
	}
	return true
}

func markTTL(mark json.RawMessage) string {
	var fields struct {
		TTL string `json:"ttl"`
	}
	if json.Unmarshal(mark, &fields) != nil {
		return ""
	}
	return fields.TTL
}

// lastStable are the marks of the ends of the newest two user messages that will stand there in the next turn as
// well: what comes after an ephemeral message will not. They are nil where there are none.
func lastStable(messages []*anthropicMessage) (last, before *json.RawMessage) {
	end := len(messages)
	if passing := slices.IndexFunc(messages, func(m *anthropicMessage) bool { return m.passing }); passing >= 0 {
		end = passing
	}
	for i := end - 1; i >= 0; i-- {
		message := messages[i]
		if message.Role != history.RoleUser {
			continue
		}
		if i+1 < end && messages[i+1].Role == history.RoleSystem {
			message = messages[i+1] // it stands there as long as the message before it does
		}
		mark := message.Content[len(message.Content)-1].mark()
		if last != nil {
			return last, mark
		}
		last = mark
	}
	return last, nil
}
