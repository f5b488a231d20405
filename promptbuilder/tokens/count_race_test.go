//go:build race

package tokens

// bulkEdits is how many edits a document is tried with: fewer under the race
// detector, since each is held against a full count.
const bulkEdits = 100
