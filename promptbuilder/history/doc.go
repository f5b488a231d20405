// Package history holds the message model of a conversation and makes a conversation fit a budget.
//
// The model (Message, Content, Part) is the one that clients are promised: messages come in our own shape,
// in OpenAI's chat shape or in Anthropic's, and go back in the shape in which they came. A message that was
// not touched goes back byte for byte, fields that we do not know included.
//
// Prepare does the work in steps, each in a file of its own; a plan (plan.go) says what is going to be done:
//
//	cost.go      what every message costs, counted once and remembered (remember.go)
//	enrich.go    attached files become text, each once in a history
//	pair.go      which tool result answers which tool call
//	repair.go    calls without results are completed, results without calls are left out
//	cut.go       what an earlier turn of the session did is done again, byte for byte
//	prune.go     what is worth keeping for a time only goes; old tool results are cleared
//	reduce.go    the longest texts become shorter, down a ladder (shorten.go, fence.go, elide.go, adaptive.go)
//	limit.go     whole groups are kept from the newest on as long as they fit
//	merge.go     adjacent messages of one role are joined, where a provider refuses them
//
// Without a session nothing more is done than the budget demands. With one (Options.Cut), nothing is taken away until the
// cost passes the high-water mark, and then it goes down to the low-water mark at once, so that the prefix that a
// provider caches breaks rarely.
//
// compact.go and summary.go put a summary in the place of the older messages. compat_gptme.go and compat_opencode.go do
// as these tools do.
//
// Everything that is done is said in the Report, and Restore undoes it. All functions are pure: they change
// neither their arguments nor anything else, and the same input gives the same bytes.
//
// To add a step of preparation, write one file with a function that works on a plan (prepare.go) and call it
// from Prepare at its place; to accept another provider's messages, add its part types in parts.go.
package history
