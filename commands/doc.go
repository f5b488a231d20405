// Package commands is what a client can ask foreword for.
//
// Every command has one parameter struct, one result struct and one file. The
// table in table.go maps names to functions; the language server, the command
// line, the reference in docs/commands.md, the JSON Schemas and the types of
// both editors all come from it.
//
// To add a command: write its file with its two structs and a method of
// [Service], add one line to the table, run go generate ./... and give it a
// test. The package knows no LSP types: positions are its own, and documents
// are named by URI.
package commands

//go:generate go run ./internal/generate
