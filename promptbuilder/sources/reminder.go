package sources

import (
	"strings"

	"foreword/promptbuilder/templates"
)

// ReminderState is what a reminder depends on. A session remembers the state of
// each turn, and whether a reminder was said with it.
type ReminderState struct {
	// Agent and Mode of the turn; build where empty.
	Agent string `json:"agent,omitempty"`
	Mode  string `json:"mode,omitempty"`
	// ReadOnly agents may not change files whatever the mode is.
	ReadOnly bool `json:"readOnly,omitempty"`
	// PlanFile is where the plan is written, as the model is told it; empty where
	// the plan is said in the conversation. PlanFileExists tells that it is there.
	PlanFile       string `json:"planFile,omitempty"`
	PlanFileExists bool   `json:"planFileExists,omitempty"`
	// Step is the number of this request in the run that the newest user message
	// began, from 1; MaxSteps is how many the agent may take, 0 for any number.
	Step     int `json:"step,omitempty"`
	MaxSteps int `json:"maxSteps,omitempty"`

	// Lost tells of a state before: the message that carries its reminder is in
	// the history no more (compacted, trimmed, cut off).
	Lost bool `json:"-"`
	// Planned tells of a state now: an assistant message of the plan agent is
	// still in the history. Only compat opencode asks.
	Planned bool `json:"-"`
	// Texts is the wording; the zero value is foreword's own.
	Texts templates.Set `json:"-"`
}

// Keys of reminders. A session remembers the key that it said with a message,
// and says the same bytes there as long as the message is in the history.
const (
	ReminderPlan  = "plan"
	ReminderBuild = "build"
)

// Reminder gives the text that belongs at the end of the newest user message,
// and its key; both are empty where there is nothing to say. Before is the
// state of the turn that this one continues, the zero state at the beginning.
//
// A reminder is a transition: it is said when plan mode begins, when it ends,
// and again when what said it is lost. It is said once, so the session keeps it
// with its message.
//
// In compat opencode without a plan file the text is said in every step and
// kept by nobody: it belongs to this request only. With one, opencode too says
// transitions and keeps them, but forgets a plan that was compacted. In compat
// gptme, which has no plan mode, there is no reminder.
func Reminder(before, now ReminderState, compat string) (text, key string) {
	switch {
	case compat == "gptme":
	case compat == "opencode" && now.PlanFile == "":
		switch {
		case now.Agent == "plan":
			key = ReminderPlan
		case now.agent() == "build" && now.Planned:
			key = ReminderBuild
		}
	case compat == "opencode":
		// Of the agents alone; after a compaction the agent before is "compaction".
		was := before.Agent == "plan" && !before.Lost
		key = turned(was, now.Agent == "plan", false)
	default:
		if now.ReadOnly && !now.planning() {
			return "", "" // that the plan mode is off is no leave to change files
		}
		key = turned(before.planning(), now.planning(), before.Lost || before.PlanFile != now.PlanFile)
	}
	switch key {
	case ReminderPlan:
		text = now.planText()
	case ReminderBuild:
		text = now.buildText()
	}
	if text == "" {
		return "", ""
	}
	return "<system-reminder>\n" + neutralise(text, "system-reminder") + "\n</system-reminder>", key
}

// Kept tells whether the session keeps a reminder with its message on later
// turns; where it does not, it is said for one request only.
func (now ReminderState) Kept(compat string) bool { return compat != "opencode" || now.PlanFile != "" }

func turned(was, is, again bool) string {
	switch {
	case is && (!was || again):
		return ReminderPlan
	case was && !is:
		return ReminderBuild
	}
	return ""
}

func (s ReminderState) planning() bool { return s.Mode == "plan" || s.Agent == "plan" }

func (s ReminderState) agent() string {
	if s.Agent == "" {
		return "build"
	}
	return s.Agent
}

func (s ReminderState) planText() string {
	if s.PlanFile == "" {
		return s.Texts.Get(templates.Plan).Text
	}
	state := "It is not there yet; create it."
	if s.PlanFileExists {
		state = "It is there already: read it, and change it where it no longer fits, rather than begin anew."
	}
	return strings.NewReplacer("{{plan_file}}", oneLine(s.PlanFile), "{{plan_file_state}}", state).Replace(s.Texts.Get(templates.PlanFile).Text)
}

func (s ReminderState) buildText() string {
	text := s.Texts.Get(templates.BuildSwitch).Text
	if s.PlanFile != "" && s.PlanFileExists {
		if more := s.Texts.Get(templates.BuildSwitchFile).Text; more != "" {
			text += " " + strings.ReplaceAll(more, "{{plan_file}}", oneLine(s.PlanFile))
		}
	}
	return text
}

// MaxSteps gives the text of the last assistant message of a request whose
// agent may take no further step; empty where it may.
func MaxSteps(now ReminderState) string {
	if now.MaxSteps <= 0 || now.Step < now.MaxSteps {
		return ""
	}
	return now.Texts.Get(templates.MaxSteps).Text
}
