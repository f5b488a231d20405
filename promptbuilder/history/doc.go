// Package history holds the message model of a conversation and makes a conversation fit a budget.
//
// The model (Message, Content, Part) is the one that clients are promised: messages come in our own shape,
// in OpenAI's chat shape or in Anthropic's, and go back in the shape in which they came. A message that was
// not touched goes back byte for byte, fields that we do not know included.
//
// Prepare does the work in four steps, each in a file of its own:
//
//	cost.go    what every message costs, counted once
//	pair.go    which tool result answers which tool call
//	repair.go  calls without results are completed, results without calls are left out
//	limit.go   the oldest whole turns go until the rest fits
//
// Everything that is done is said in the Report, and Restore undoes it. All functions are pure: they change
// neither their arguments nor anything else, and the same input gives the same bytes.
//
// To add a step of preparation, write one file with a function that works on a plan (prepare.go) and call it
// from Prepare at its place; to accept another provider's messages, add its part types in parts.go.
package history
