package commands

import (
	"crypto/sha256"
	"encoding/hex"
	"path/filepath"
	"strings"
	"unicode"

	"foreword/promptbuilder/agents"
	"foreword/promptbuilder/history"
	"foreword/promptbuilder/sources"
)

// reminderState is what reminders depend on in a turn with these messages.
func (b *built) reminderState(session string, messages []history.Message) sources.ReminderState {
	agent := b.input.Agent
	now := sources.ReminderState{Agent: agent.Name, Mode: b.input.Mode, ReadOnly: !agent.Allowed("edit", "*"), MaxSteps: agent.Steps, Step: 1, Texts: b.input.Texts}
	for i := len(messages) - 1; i >= 0 && messages[i].Role != history.RoleUser; i-- {
		if messages[i].Role == history.RoleAssistant {
			now.Step++
		}
	}
	if p := b.place; p.config.PlanFile && p.root != "" && session != "" {
		now.PlanFile = agents.PlanFolder + "/" + fileName(session) + ".md"
		_, err := p.files(b.snapshot).Lstat(filepath.Join(p.root, filepath.FromSlash(now.PlanFile)))
		now.PlanFileExists = err == nil
	}
	return now
}

// fileName makes a session's name one that every file system takes.
func fileName(session string) string {
	const longest = 60
	name := strings.Map(func(r rune) rune {
		if r < unicode.MaxASCII && (unicode.IsLetter(r) || unicode.IsDigit(r)) {
			return r
		}
		return '-'
	}, session)
	name = strings.Trim(name[max(0, len(name)-longest):], "-")
	if name != session { // two names must not become one file
		sum := sha256.Sum256([]byte(session))
		name = strings.TrimPrefix(name+"-"+hex.EncodeToString(sum[:4]), "-")
	}
	return name
}
