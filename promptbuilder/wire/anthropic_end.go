package wire

import (
	"slices"
	"strings"

	"foreword/promptbuilder/history"
)

// endWithUser puts a message of the user behind a last answer for models that refuse to continue one. A history ends
// so when an answer was stopped, and when the model is told that it takes no more steps.
func endWithUser(c *conversation) {
	if len(c.entries) == 0 || c.entries[len(c.entries)-1].role != history.RoleAssistant || takesPrefill(c.Model) {
		return
	}
	// It is gone in the next turn, so no cache mark is set on it.
	c.entries = append(c.entries, entry{role: history.RoleUser, parts: []history.Part{{Type: history.PartText, Text: goOn}}, passing: true})
	c.note("%s continues no answer: a user message was put behind the last one", c.Model)
}

// takesPrefill says whether a model continues an answer that the request ends with. Claude does up to 4.5; later ones
// refuse the request ("This model does not support assistant message prefill", anomalyco/opencode#13768, and
// platform.claude.com/docs/en/api/errors, 2026-11-30), and what is not known may.
func takesPrefill(model string) bool {
	model = strings.NewReplacer(".", "-", "@", "-").Replace(strings.ToLower(model))
	at := strings.Index(model, "claude-")
	if at < 0 {
		return false
	}
	words := strings.Split(model[at:], "-")[1:]
	for _, line := range []string{"opus", "sonnet", "haiku"} {
		words = slices.DeleteFunc(words, func(word string) bool { return word == line })
	}
	if len(words) == 0 {
		return false
	}
	switch words[0] {
	case "2", "3", "instant":
		return true
	case "4":
		// A date or nothing behind the 4 is Claude 4 itself.
		return len(words) == 1 || len(words[1]) > 2 || len(words[1]) == 1 && words[1] <= "5"
	}
	return false
}
