// Package earlier reads the conversations that other tools keep on this machine,
// as far as it takes to recognise one: what was asked first and last, and how
// the last answer began.
//
// It reads only; it never locks, mends or writes what belongs to another tool.
// It looks at a bounded part of the newest conversations, and leaves out what it
// cannot make sense of. To add a tool, write a file with a function like [Gptme]
// and add it to [Read].
package earlier
