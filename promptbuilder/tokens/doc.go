// Package tokens counts the tokens of a prompt: exactly for the encodings o200k_base, cl100k_base, p50k_base and r50k_base,
// and as an estimate with a stated error for model families whose tokenizer is not public.
//
//	tokens.O200k.Count(text)                       // exact
//	tokens.O200k.CountUpTo(text, 2000)             // stops as soon as the budget is passed
//	tokens.ForModel("claude-opus-4-7").Count(text) // estimate, rounded up
//
// Text is text: what looks like a special token ("<|endoftext|>") counts as the characters it is made of.
// Text that is not valid UTF-8 counts as Valid makes it.
//
// A count takes two steps. The splitter (split.go, split_o200k.go) cuts the text into pieces as the encoding's regular
// expression would, without one: each piece is found by its first runes and a look-ahead. Then each piece is counted
// (piece.go): most are one token, found in a hash table by their own bytes; the others are merged (merge.go)
// by rank, as byte pair encoding defines it. No token ids are made and nothing is allocated.
//
// The tables come from the rank files of tiktoken-go-loader by go generate and are read in place from the binary, so
// that a cold process pays for the pages that it touches only. To add an encoding: name its rank file in
// internal/tablegen, run go generate, and give it a splitter and an entry in vocabularies (vocabulary.go).
//
// Positions and lengths are bytes throughout.
package tokens

//go:generate go run ./internal/gentables -out tables
