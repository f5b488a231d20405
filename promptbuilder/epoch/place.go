package epoch

import (
	"fmt"
	"strings"

	"foreword/promptbuilder/history"
)

// Place puts what a session was told into its messages: updates before the
// messages that anchor them, injections and reminders at their end. The
// messages given are not changed.
func Place(messages []history.Message, told []Told) ([]history.Message, error) {
	if len(told) == 0 {
		return messages, nil
	}
	at := make(map[string][]int, len(told))
	for i, t := range told {
		if t.Anchor != "" && t.How != AsAttachment {
			at[t.Anchor] = append(at[t.Anchor], i)
		}
	}
	placed := make([]history.Message, 0, len(messages)+len(told))
	for i, m := range messages {
		mine, ok := at[m.ID]
		if !ok {
			placed = append(placed, m)
			continue
		}
		var before, after []string
		for _, j := range mine {
			t := told[j]
			if t.How == AsUpdate {
				if t.After {
					after = append(after, t.Text)
				} else {
					before = append(before, t.Text)
				}
				continue
			}
			var err error
			if m, err = m.AppendText(t.Text); err != nil {
				return nil, fmt.Errorf("messages[%d]: cannot add what was told with it: %w", i, err)
			}
		}
		placed = appendUpdate(placed, before, m.ID)
		placed = append(placed, m)
		placed = appendUpdate(placed, after, m.ID)
	}
	return placed, nil
}

// appendUpdate adds the message that holds the updates of one anchor.
func appendUpdate(placed []history.Message, texts []string, anchor string) []history.Message {
	if len(texts) == 0 {
		return placed
	}
	return append(placed, history.Message{
		ID: updatePrefix + anchor, Role: history.RoleSystem, Content: history.Text(strings.Join(texts, between)), Pinned: true, InPlace: true,
	})
}

// updatePrefix stands before the id of an anchor in the id of the message that
// holds its updates.
const updatePrefix = "#update."

// Carried tells whether a message still holds what was told with it.
func Carried(m history.Message, t Told) bool {
	return t.How == AsUpdate || strings.Contains(m.Content.PlainText(), t.Text)
}
