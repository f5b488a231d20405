// Package gptme prepares a log as gptme does: enrich, reduce, prune, limit (gptme/gptme, commit d27f98d3a of
// 2026-08-22, logmanager, util/reduce.py, util/context.py), its faults included, so that the two can be held side by
// side. Written from a description of what it does; every vector in the tests was made by running gptme.
//
// What differs: nothing crashes, at any depth of reduction; and a step of reduction reads only the text that it cuts, so
// that the time does not grow with the square of the log.
package gptme

// Message is gptme's: a role (system, user, assistant), a text, and marks.
type Message struct {
	Role    string
	Content string
	Pinned  bool
	// TTL is for how many answers the message is kept, nil for ever.
	TTL *int
	// CallID ties the result of a tool to its call.
	CallID string
	// Call says that the message calls a tool; nil looks for calls in the text.
	Call *bool
	// From are the messages of the input that it came from: several when they were merged.
	From []int
}

// Count counts the tokens of a text.
type Count func(text string) int

// Prepare reduces, prunes and limits a log for a window. provider anthropic is left a quarter of the window free, the
// others a tenth.
func Prepare(log []Message, window int, provider string, tools []string, count Count) []Message {
	share := .9
	if provider == "anthropic" {
		share = .75
	}
	reduced := Reduce(log, int(float64(window)*share), tools, count)
	pruned, _ := Prune(reduced)
	return Limit(pruned, window, count)
}
