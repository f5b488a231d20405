package lsp

import (
	"context"
	"fmt"
	"path"
	"path/filepath"
	"strconv"
	"strings"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"foreword/commands"
	"foreword/workspace"
	"foreword/workspace/config"
	"foreword/workspace/vcs"
)

// Hover is a reader: on the first line of any file it tells the instructions
// that apply there, and in an instruction file also what it reaches.
func (s *server) Hover(ctx context.Context, params *protocol.HoverParams) (*protocol.Hover, error) {
	ctx, snapshot := s.read(ctx)
	document := params.TextDocument.URI
	file := workspace.PathOf(document)
	if file == "" || params.Position.Line != 0 {
		return nil, nil
	}
	isInstruction := s.service.IsInstructionFile(string(document))
	if !isInstruction && !s.settings(snapshot, file).Hover.Sources {
		return nil, nil
	}
	return withProgress(ctx, s, params.WorkDoneToken, "Finding instructions", func(ctx context.Context) (*protocol.Hover, error) {
		ctx = commands.WithoutWaiting(ctx)
		m := &markup{markdown: s.can.markdown}
		if isInstruction {
			reach, err := s.reach(ctx, document)
			if err != nil {
				return nil, err
			}
			if reach != nil {
				writeReach(m, reach)
			}
		}
		explained, err := s.service.ExplainInstructions(ctx, commands.ExplainInstructionsParams{URI: string(document)})
		if err != nil {
			if has(err, commands.CodeNotInWorkspace) {
				return nil, nil // a file of another project has no hover
			}
			return nil, err
		}
		writeInstructions(m, explained, s.folderName(snapshot, explained))
		return &protocol.Hover{Contents: m.content(), Range: new(firstLine(snapshot, document))}, nil
	})
}

// reach is what an instruction file reaches; nil where no rule of the profile
// says, as for another tool's file or one outside the workspace.
func (s *server) reach(ctx context.Context, document uri.URI) (*commands.Reach, error) {
	reach, err := s.service.Reach(ctx, string(document))
	if has(err, commands.CodeNotInWorkspace) || has(err, commands.CodeUnreadable) {
		return nil, nil
	}
	return reach, err
}

// settings are the settings that hold for a file: those of the root at which
// its walk begins.
func (s *server) settings(snapshot *workspace.Snapshot, path string) config.Config {
	root, inRepository := vcs.Root(snapshot.FS(), filepath.Dir(path), snapshot.Home())
	if folder, ok := snapshot.FolderOf(path); ok && !inRepository {
		root = folder.Path
	}
	type key struct{ root string }
	return snapshot.MemoDisk(key{root}, func() any {
		settings, _ := config.Load(snapshot.FS(), snapshot.Home(), snapshot.Env, root, snapshot.EditorConfig(), snapshot.Trusted(root))
		return settings
	}).(config.Config)
}

// isToldSkill tells whether an entry is a skill that the model is told of: it
// is not sent, and yet not left out.
func isToldSkill(kind, state string) bool { return kind == "skill" && state == "model-decides" }

// writeReach says what an instruction file is for.
func writeReach(m *markup, reach *commands.Reach) {
	if reach.Kind == "skill" {
		m.bold("Skill")
		m.raw(" · " + tokenCount(reach.Tokens))
		if len(reach.Tools) > 0 {
			m.raw(" · known to ")
			m.text(strings.Join(reach.Tools, ", "))
		}
		m.raw(" · ")
		m.text(reach.Why)
		m.raw("\n\n")
		return
	}
	m.bold("Instruction file")
	m.raw(" · " + appliesTo(reach))
	if !reach.Everywhere && reach.Scope != "" && reach.Scope != "." {
		m.raw(" under ")
		m.code(reach.Scope)
	}
	m.raw(" · " + tokenCount(reach.Tokens))
	if len(reach.Tools) > 0 {
		m.raw(" · sent by ")
		m.text(strings.Join(reach.Tools, ", "))
	}
	if reach.State != "sent" {
		m.raw(" · ")
		m.text(reach.State)
		m.raw(" · ")
		m.text(reach.Why)
	}
	m.raw("\n\n")
}

// folderName is the name of the workspace folder in which the walk began, where
// there are several to tell apart.
func (s *server) folderName(snapshot *workspace.Snapshot, explained *commands.ExplainInstructionsResult) string {
	if len(snapshot.Folders()) < 2 {
		return ""
	}
	folder, _ := snapshot.FolderOf(workspace.PathOf(uri.URI(explained.Root)))
	return folder.Name
}

// writeInstructions lists what is sent, in order, and what is not, each with
// the reason. The paths are those of a workspace folder, named where there are
// several.
func writeInstructions(m *markup, explained *commands.ExplainInstructionsResult, folder string) {
	var sent, skills, left []commands.Instruction
	for _, entry := range explained.Entries {
		switch {
		case entry.Sent:
			sent = append(sent, entry)
		case isToldSkill(entry.Kind, entry.State):
			skills = append(skills, entry)
		default:
			left = append(left, entry)
		}
	}
	switch len(sent) {
	case 0:
		m.bold("No instruction file applies here")
	case 1:
		m.bold("1 instruction file applies here")
	default:
		m.bold(fmt.Sprintf("%d instruction files apply here", len(sent)))
	}
	if len(sent) > 0 {
		m.raw(" · " + tokenCount(explained.Tokens))
	}
	if folder != "" {
		m.raw(" · folder ")
		m.code(folder)
	}
	m.raw("\n")
	for i, entry := range sent {
		if i == 0 {
			m.raw("\n")
		}
		m.raw(strconv.Itoa(i+1) + ". ")
		writeEntry(m, entry)
	}
	for i, entry := range skills {
		if i == 0 {
			m.raw("\n")
			m.bold("Skills that the model may ask for")
			m.raw(": ")
		} else {
			m.raw(", ")
		}
		m.link(path.Base(path.Dir(entry.Path)), entry.URI)
	}
	if len(skills) > 0 {
		m.raw("\n")
	}
	for i, entry := range left {
		if i == 0 {
			m.raw("\n")
			m.bold("Left out")
			m.raw("\n\n")
		}
		m.raw("- ")
		writeEntry(m, entry)
	}
	for _, warning := range explained.Warnings {
		m.raw("\n")
		m.bold("Warning")
		m.raw(": ")
		m.text(warning.Message)
		m.raw("\n")
	}
}

func writeEntry(m *markup, entry commands.Instruction) {
	m.link(entry.Path, entry.URI)
	if !entry.Sent {
		m.raw(" · ")
		m.text(entry.State)
	}
	if entry.Sent || entry.Tokens > 0 {
		m.raw(" · " + tokenCount(entry.Tokens))
	}
	if entry.Truncated {
		m.raw(" · cut")
	}
	if entry.Dirty {
		m.raw(" · unsaved")
	}
	m.raw(" · ")
	m.text(entry.Why)
	m.raw("\n")
}

// appliesTo is the number of files that an instruction file reaches.
func appliesTo(reach *commands.Reach) string {
	switch {
	case reach.Everywhere:
		return "applies to every project"
	case reach.Pending:
		return "its files are being counted"
	case reach.Truncated:
		return fmt.Sprintf("applies to more than %d files", reach.Files)
	case reach.Files == 1:
		return "applies to 1 file"
	}
	return fmt.Sprintf("applies to %d files", reach.Files)
}

func tokenCount(n int) string {
	if n == 1 {
		return "1 token"
	}
	return fmt.Sprintf("%d tokens", n)
}

// baseName is the last part of a document's path, for titles.
func baseName(u uri.URI) string {
	path := u.Path()
	return path[strings.LastIndexByte(path, '/')+1:]
}
