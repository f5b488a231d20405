// Package compress says what a text or a conversation could lose: how a task is classed and how much of its context
// it needs (task.go), which sentences of a text say most (extract.go, sentence.go), how dense and how new each message
// is (density.go), what repeats earlier text (repeat.go), and what was only thought aloud (reasoning.go).
//
// All functions are pure and take text as it is; they count bytes, not tokens. gptme holds the same ideas as gptme
// has them, faults included, for comparison.
//
// To add a task class, add a row to classes in task.go.
package compress
