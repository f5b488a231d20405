// Package instructions decides which instruction files (AGENTS.md, CLAUDE.md
// and their kin) a model is told for one file, in which order, and says of
// every other one why it is left out.
//
// [Discover] walks from a root down to the directory of the target and looks
// at nothing beside that path. It reads through an [fsys.FS], so an unsaved
// buffer counts before the disk, and it counts no tokens: who needs counts
// applies a counter to [Entry.Text].
package instructions
