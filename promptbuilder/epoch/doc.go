// Package epoch remembers what each session was told.
//
// A [Ledger] holds the sessions of one process: their turns with the messages
// that the panel sent, and the claims, which are the marks that a session was
// told an instruction file with a given content. A claim is taken and looked up
// in one step, so two reads at the same moment never both get the same file.
package epoch
