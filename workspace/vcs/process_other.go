//go:build !unix

package vcs

import "os/exec"

// ownGroup leaves cmd as it is: where there are no process groups the end of the context ends git itself, and
// the pipes are closed on whatever it started.
func ownGroup(*exec.Cmd) {}
