// Package epoch remembers what each session was told, and works out what it is
// to be told next.
//
// The algebra has no state. [Observe] looks at sources, all at once; each says
// that it has a value, has none, or could not be had. [Initialize] says them all
// in full and makes a [Generation], which does not change while its epoch lasts.
// [Reconcile] compares a later observation with the [Snapshot] of what the
// session was last told and says only what changed; [Replace] begins a new
// epoch on purpose. [AlgebraOf] gives the same three by opencode's rules. To
// change what counts as a change, see [Normalise].
//
// A [Ledger] holds the sessions: their turns with the messages that the panel
// sent, the epochs, and what was told in which message. What is told is taken
// and looked up in one step, so two reads at the same moment never both get the
// same file.
package epoch
