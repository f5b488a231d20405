// Package sources holds the ingredients of a prompt, one file each.
//
// A [Source] has a key, a layer and three ways to speak: in full (the text of
// its observation), as a change, and as gone. To add one, write a file with a
// function that returns its sources for an [Input], and add a line to the
// registry in registry.go; the order there is the order in the prompt.
package sources
