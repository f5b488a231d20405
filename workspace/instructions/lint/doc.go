// Package lint finds what is wrong with the instruction files of a workspace:
// files that a tool never reads, headers that it does not read as meant, imports
// that lead nowhere, limits that cut a text without a word.
//
// [Check] finds the instruction files ([Find]), asks for each tool in question
// what it loads in each directory that holds one ([instructions.Resolve]), runs
// the rules over both, and gives what they found, sorted. Tools nobody uses
// here have no say: see [Signs].
//
// A rule is one file: a [Rule] with its code, severity, the source of the fact
// behind it and a short text for people, and a function from [Input] to
// diagnostics. To add one, write its file, add it to the table in rules.go, and
// give it testdata/<code>.txtar with examples that show the fault and some that
// do not; a test holds that every rule has both. What the engine, the readers of
// headers and those of patterns tell by themselves needs no function: a row in
// from_engine.go, from_headers.go or from_globs.go takes it over, and a test
// holds that none is forgotten.
//
// Severity follows the evidence. What was read in a tool's source may be an
// error, what its documentation says a warning, what is only reported is told
// for information; evidence.go says how well each tool is known.
package lint
