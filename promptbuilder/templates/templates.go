// Package templates holds foreword's own prompt texts. Each is a file beside
// this one; its name is what the prompt's origins call it.
package templates

import (
	_ "embed"
	"strings"
)

//go:embed identity.md
var identity string

//go:embed identity_compact.md
var identityCompact string

//go:embed interactive.md
var interactive string

//go:embed unattended.md
var unattended string

//go:embed plan_reminder.md
var planReminder string

// The texts, without the line end that a file has at its end.
var (
	// Identity says who the assistant is.
	Identity = strings.TrimSpace(identity)
	// IdentityCompact is the short form.
	IdentityCompact = strings.TrimSpace(identityCompact)
	// Interactive is how to work when a person can answer.
	Interactive = strings.TrimSpace(interactive)
	// Unattended is how to work when nobody can.
	Unattended = strings.TrimSpace(unattended)
	// PlanReminder stands at the end of the newest user message in plan mode.
	PlanReminder = strings.TrimSpace(planReminder)
)
