package commands

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"foreword/promptbuilder/epoch"
	"foreword/promptbuilder/history"
	"foreword/workspace"
	"foreword/workspace/fsys"
)

// historyFiles reads the files that the messages of a history name, by the rule
// for what a request attaches (docs/context.md), without the exception that the
// user's word makes there: what may not be a source of a prompt (secrets, what
// git or the settings leave out) is not read, since a history holds what was
// named at some time by somebody.
type historyFiles struct {
	root string
	read func(path string) (*fsys.File, error)
	// refused is why a path is not read.
	refused  map[string]string
	warnings []Warning
	warned   map[string]bool
}

func (s *Service) attachmentsOf(ctx context.Context, snap *workspace.Snapshot, p *place, messages []history.Message) *historyFiles {
	h := &historyFiles{root: p.root, read: p.files(snap).ReadFile, warned: map[string]bool{}}
	var paths []string
	for _, m := range messages {
		for _, file := range m.Files {
			if path, err := h.path(file); err == nil {
				paths = append(paths, path)
			}
		}
	}
	if len(paths) > 0 {
		h.refused = s.leftOut(ctx, snap, p, paths)
	}
	return h
}

// path is the absolute path of a file as a message names it.
func (h *historyFiles) path(file string) (string, error) {
	switch {
	case strings.Contains(file, "://"):
		return filePath(file)
	case filepath.IsAbs(file):
		return filepath.Clean(file), nil
	case h.root == "":
		return "", errors.New("it is relative, and there is no workspace folder")
	}
	return filepath.Join(h.root, filepath.FromSlash(file)), nil
}

// attachedFile is a file by its name in a message.
type attachedFile struct{ message, file string }

// sentWith are the files that were sent with the messages of a session, as they
// were then.
func sentWith(told []epoch.Told) map[attachedFile]history.Attachment {
	sent := map[attachedFile]history.Attachment{}
	for _, t := range told {
		if t.How == epoch.AsAttachment {
			sent[attachedFile{t.Anchor, t.Key}] = history.Attachment{Name: t.Path, Text: t.Text}
		}
	}
	return sent
}

// forHistory is how the history package reads the files.
func (h *historyFiles) forHistory(note bool) *history.Attachments {
	return &history.Attachments{Read: h.attachment, NoteModified: note}
}

func (h *historyFiles) attachment(file string, of history.Message) history.Attachment {
	path, err := h.path(file)
	if err != nil {
		return h.refuse(file, err.Error())
	}
	if why := h.refused[path]; why != "" {
		return h.refuse(file, why)
	}
	read, err := h.read(path)
	if err != nil {
		return h.refuse(file, whyUnread(err))
	}
	a := history.Attachment{Name: path, Text: read.Text}
	if rel, ok := relative(h.root, path); ok {
		a.Name = rel
	}
	if sent, err := time.Parse(time.RFC3339, of.Time); err == nil && !read.ModTime.IsZero() {
		a.Modified = read.ModTime.After(sent)
	}
	return a
}

// refuse leaves the file a name, with a warning for each.
func (h *historyFiles) refuse(file, why string) history.Attachment {
	if !h.warned[file] {
		h.warned[file] = true
		w := Warning{Code: "attachment-left-out", Message: fmt.Sprintf("%s is not embedded: %s", file, why)}
		if path, err := h.path(file); err == nil {
			w.URI = fileURI(path)
		}
		h.warnings = append(h.warnings, w)
	}
	return history.Attachment{Refused: true}
}
