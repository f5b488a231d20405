package commands

import (
	"fmt"
	"strings"
	"testing"
)

// A turn of a session has only the texts counted that came with it, whether the conversation fits or is trimmed: what is
// counted is remembered by its text, so each count makes the memory larger.
func TestATurnCountsOnlyItsNewTexts(t *testing.T) {
	for name, window := range map[string]int{"fits": 200_000, "trimmed": 9_000} {
		s := newRepo(t, small).open()
		text := func(id string) string { return strings.Repeat("words of "+id+", each said once; ", 12) }
		var list []message
		for i := range 60 {
			list = append(list, user(fmt.Sprint("u", i), text(fmt.Sprint("u", i))), says(fmt.Sprint("a", i), text(fmt.Sprint("a", i))))
		}
		list = append(list, user("u", text("u")))
		params := map[string]any{"session": "s", "model": "claude-sonnet-4-5", "wire": "anthropic", "window": window, "reserve": 500, "append": list}
		first := turn(t, s, params)
		if trimmed := len(first.History.Report.Actions) > 0; trimmed != (name == "trimmed") {
			t.Fatalf("%s: %d actions", name, len(first.History.Report.Actions))
		}
		for n := range 5 {
			before := s.counts.Len()
			params["append"] = []message{says(fmt.Sprint("b", n), text(fmt.Sprint("b", n))), user(fmt.Sprint("v", n), text(fmt.Sprint("v", n)))}
			turn(t, s, params)
			if counted := s.counts.Len() - before; counted > 3 {
				t.Errorf("%s: turn %d with two new messages counted %d texts", name, n+2, counted)
			}
		}
	}
}
