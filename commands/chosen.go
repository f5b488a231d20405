package commands

import (
	"strings"

	"foreword/promptbuilder/history"
	"foreword/promptbuilder/sources"
	"foreword/workspace"
)

// chosen is what the settings of a place name beside instruction files.
func (s *Service) chosen(snap *workspace.Snapshot, p *place) sources.Chosen {
	c := sources.Chosen{
		Files: p.config.Context.Files, References: p.config.References, AgentFolder: p.config.AgentFolder,
		Tokens: p.config.Context.Tokens, Texts: p.files(snap),
	}
	if c.AgentFolder == "" || c.AgentFolder == p.root {
		return c
	}
	// The user chose the folder, so what its own settings name is the user's.
	for _, named := range s.configFor(snap, c.AgentFolder, true).config.Context.Files {
		if named.Base == c.AgentFolder && !named.User {
			named.User = true
			c.AgentFiles = append(c.AgentFiles, named)
		}
	}
	return c
}

// newestUserText is the text of the newest message of the user's; a message
// that only carries results of tools is none.
func newestUserText(messages []history.Message) string {
	for i := len(messages) - 1; i >= 0; i-- {
		m := &messages[i]
		if m.Role != history.RoleUser {
			continue
		}
		texts := []string{m.Content.Text}
		for _, part := range m.Content.Parts {
			if part.Type == history.PartText {
				texts = append(texts, part.Text)
			}
		}
		if text := strings.TrimSpace(strings.Join(texts, "\n")); text != "" {
			return text
		}
	}
	return ""
}
