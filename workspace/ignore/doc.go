// Package ignore says which files are not to be a source of a prompt: what git ignores, what holds secrets, and what
// the user's own exclude patterns name.
//
// What git would say is right, so git is asked: Checker collects questions, asks the git binary about all of them
// in one process, and remembers the answers until an ignore file changes. Where there is no git binary, where an
// ignore file has unsaved changes that git cannot see, or where git cannot answer, the rules are read and matched
// here (rules.go) with go-git's matcher, which is wrong about several patterns: pattern.go rewrites those first. A
// differential test holds both against git check-ignore.
package ignore
