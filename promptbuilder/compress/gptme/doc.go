// Package gptme classes tasks, compresses texts, measures density and finds repetitions as gptme does (gptme/gptme,
// gptme/context, commit d27f98d3a of 2026-08-22), its faults included, so that the two can be held side by side.
// Written from a description of what it does; every vector in the tests was made by running gptme.
//
// What differs: zlib sizes are Go's, 3 to 6 bytes more on short texts; and a prompt that gptme would look up as a file
// (which crashes on a name of more than 255 bytes) is not looked up.
package gptme
