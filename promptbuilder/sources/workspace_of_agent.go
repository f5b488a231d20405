package sources

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"

	"foreword/workspace/fsys"
	"foreword/workspace/ignore"
)

const agentFolderHeading = "# Your own folder\n\n" +
	"The folder %s is your own, beside the project: it keeps what you should know from one conversation to the next. It holds:\n"

// agentNames bounds the list of the folder: its top tells what there is.
const agentNames = 100

// workspaceOfAgent lists the assistant's own folder, and says the files that
// its settings name, one source per file.
func workspaceOfAgent(in *Input) []Source {
	if in.Chosen.AgentFolder == "" {
		return nil
	}
	all := []Source{{
		Key: "core/agent-folder", Group: "agent-folder", Layer: Cacheable, Title: "The assistant's own folder",
		Observe: func(ctx context.Context) Observation { return in.observeAgentFolder(ctx) },
		Update:  sayDiff("The list of your own folder"),
		Removal: func(string) string { return "You have no folder of your own any more." },
	}}
	for i := range in.Chosen.files {
		f := &in.Chosen.files[i]
		if !f.ofAgent {
			continue
		}
		rel, err := filepath.Rel(in.Chosen.AgentFolder, f.path)
		if err != nil || strings.HasPrefix(rel, "..") {
			rel = in.display(f.path)
		}
		s := in.chosenSource(f, "agent/"+oneLine(filepath.ToSlash(rel)))
		s.Group = "agent-folder"
		all = append(all, s)
	}
	return all
}

func (in *Input) observeAgentFolder(ctx context.Context) Observation {
	folder := in.Chosen.AgentFolder
	if !in.hasAgentFolder() {
		return none("the assistant's own folder is the workspace")
	}
	entries, err := in.Own.UserFiles.ReadDir(folder)
	if err != nil {
		return Observation{Status: Unavailable, Why: fmt.Sprintf("cannot list the setting agent.folder: %v", err)}
	}
	var b strings.Builder
	fmt.Fprintf(&b, agentFolderHeading, in.location(folder))
	shown, rest := 0, 0
	for _, e := range entries {
		if err := ctx.Err(); err != nil {
			return Observation{Status: Unavailable, Why: err.Error()}
		}
		path := filepath.Join(folder, e.Name)
		if _, secret := ignore.Secret(path); secret || strings.HasPrefix(e.Name, ".") || e.Kind == fsys.KindOther {
			continue
		}
		if shown == agentNames {
			rest++
			continue
		}
		shown++
		b.WriteString("\n- " + oneLine(e.Name))
		if e.Kind == fsys.KindDir {
			b.WriteString("/")
			if below, err := in.Own.UserFiles.ReadDir(path); err == nil {
				fmt.Fprintf(&b, " (%d)", len(below))
			}
		}
	}
	if shown == 0 {
		b.WriteString("\n- nothing yet")
	}
	if rest > 0 {
		fmt.Fprintf(&b, "\n- … and %d more", rest)
	}
	return say("agent-folder", b.String(), "the setting agent.folder names it")
}
