// Package skills reads skills: folders with a SKILL.md whose header says what
// it is good for, and whose text the model asks for when it needs it.
//
// Which folders a tool looks into, and which of two skills of one name counts,
// is in the tool's profile (workspace/instructions/profiles); Of takes the
// skills out of what the profile found. Check holds a header against the open
// specification (https://agentskills.io/specification, checked 2026-11-30). A
// fault of the header is told with its place and costs the skill nothing that
// can still be used.
package skills
