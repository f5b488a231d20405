// Package store is the durable memory of sessions: one SQLite file in the
// user's state folder that all servers of a user share.
//
// It keeps rows and knows nothing of what they mean: what was told, and what
// follows from it, is the epoch package's business. What it promises:
//
//   - [Store.Write] takes a whole [Change] or nothing of it, and only if the
//     session still is at the revision that the change was made from. Of two
//     servers that write to one session from the same revision, one wins and the
//     other gets a [*Conflict].
//   - A process that is killed at any moment leaves the state before or after a
//     change, never one between.
//   - A number of a turn is never used twice.
//   - A row that cannot be read costs itself only ([BadRow]).
//   - What is wrong with the file is a value ([*Degraded]) on which the caller can
//     go on without it. A broken file is moved aside, never overwritten; a file
//     of a newer foreword is not touched.
//
// To change the tables, add a step at the end of migrations in schema.go; never
// change one that was released.
//
// The driver is github.com/ncruces/go-sqlite3: SQLite translated to Go, without
// cgo. Only this package knows it.
package store
