package history

import (
	"fmt"
	"strconv"
)

// Restore rebuilds the messages that Prepare was given from what it returned.
func Restore(prepared []Message, r Report) ([]Message, error) {
	made := map[int]int{}
	changed := map[int]Action{}
	whole := map[int]bool{}
	gone := 0
	for _, action := range r.Actions {
		if action.Kind == KindSynthesised {
			made[action.Index]++
			gone--
			continue
		}
		if len(action.Restore) > 0 {
			changed[action.Index] = action
		}
		if action.removes() {
			whole[action.Index] = true
			gone++
		}
	}
	n := len(prepared) + gone
	next := 0
	take := func(i int) error {
		if next == len(prepared) {
			return fmt.Errorf("restore: messages[%d] is missing; the report belongs to another history", i)
		}
		next++
		return nil
	}
	original := make([]Message, 0, max(n, 0))
	for i := range n + 1 {
		for range made[i] {
			if err := take(i); err != nil {
				return nil, err
			}
		}
		if i == n {
			break
		}
		if !whole[i] {
			if err := take(i); err != nil {
				return nil, err
			}
		}
		action, ok := changed[i]
		if !ok {
			if whole[i] {
				return nil, fmt.Errorf("restore: the report does not hold messages[%d]", i)
			}
			original = append(original, prepared[next-1])
			continue
		}
		if err := checkJSON(action.Restore); err != nil {
			return nil, fmt.Errorf("restore: messages[%d]: not valid JSON: %w", i, err)
		}
		var message Message
		if err := parseMessage(action.Restore, indexed("messages", i), &message); err != nil {
			return nil, fmt.Errorf("restore: %w", err)
		}
		original = append(original, message)
	}
	if next != len(prepared) {
		return nil, fmt.Errorf("restore: %d messages are left over; the report belongs to another history", len(prepared)-next)
	}
	return original, nil
}

func indexed(path string, i int) string { return path + "[" + strconv.Itoa(i) + "]" }

// removes says whether the message of the action is not in the result any more.
func (a Action) removes() bool {
	switch a.Kind {
	case KindDropped:
		return a.Block == nil
	case KindMerged:
		return a.Reason == ReasonJoined
	}
	return a.Kind == KindPruned
}
