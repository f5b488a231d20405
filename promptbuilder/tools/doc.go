// Package tools are the tools that a chat panel offers to its model by which the
// model looks round in a workspace: read, list, glob, grep, diagnostics, diff.
// None of them changes anything.
//
// A tool gets its arguments as the model wrote them and a [Place], which says
// what may be looked at: the same files that may be a source of a prompt, so
// nothing secret, ignored or outside, under whatever name. What it answers is
// bounded and says how to get the rest. A wrong call is answered with a
// [Refusal], a sentence for the model.
//
// To add a tool, write a file with its description, its parameters and its
// function, and add it to [All].
package tools
