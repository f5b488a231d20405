package lsp

import (
	"context"
	"strings"

	"go.lsp.dev/protocol"

	"foreword/commands"
	"foreword/workspace"
)

const (
	// actionKind is the kind of our actions in a general menu.
	actionKind protocol.CodeActionKind = "foreword"
	// sourceActionKind is their kind where actions on the whole file are asked
	// for. VS Code shows the kinds below source in a menu of their own only.
	sourceActionKind protocol.CodeActionKind = "source.foreword"
)

// The commands of our own clients; they show a virtual document beside the
// text, which the protocol has no word for.
const (
	clientShowPreview = "foreword.client.showPreview"
	clientShowExplain = "foreword.client.showExplain"
)

// fileAction is an action on a whole file, offered as a code action.
type fileAction struct {
	title         string
	name          string // last part of the kind
	command       string // of the server
	clientCommand string
}

var (
	previewAction = fileAction{"Preview the prompt for this file", "preview", "foreword.prompt.preview", clientShowPreview}
	explainAction = fileAction{"Explain instructions for this file", "explain", "foreword.instructions.explain", clientShowExplain}
)

// CodeAction is a reader.
func (s *server) CodeAction(ctx context.Context, params *protocol.CodeActionParams) ([]protocol.CommandOrCodeAction, error) {
	s.read(ctx)
	actions := []protocol.CommandOrCodeAction{}
	if workspace.PathOf(params.TextDocument.URI) == "" {
		return actions, nil
	}
	only := params.Context.Only
	if only == nil && params.Context.TriggerKind == protocol.CodeActionTriggerKindAutomatic {
		// The client looks for something to mend here; these would light the
		// bulb on every line of every file.
		return actions, nil
	}
	for _, action := range []fileAction{previewAction, explainAction} {
		kind, wanted := action.kind(only)
		if !wanted {
			continue
		}
		command := s.show(action, params.TextDocument.URI.String())
		if !s.can.codeActionLiterals {
			actions = append(actions, &command)
			continue
		}
		actions = append(actions, &protocol.CodeAction{Title: action.title, Kind: &kind, Command: command})
	}
	return actions, nil
}

// kind picks the kind under which an action is wanted.
func (a fileAction) kind(only []protocol.CodeActionKind) (protocol.CodeActionKind, bool) {
	general, source := actionKind+"."+protocol.CodeActionKind(a.name), sourceActionKind+"."+protocol.CodeActionKind(a.name)
	if len(only) == 0 {
		return general, true
	}
	for _, asked := range only {
		for _, kind := range []protocol.CodeActionKind{general, source} {
			if includes(asked, kind) {
				return kind, true
			}
		}
	}
	return "", false
}

// includes tells whether kind is asked for: the same, or below it.
func includes(asked, kind protocol.CodeActionKind) bool {
	return asked == "" || asked == kind || strings.HasPrefix(string(kind), string(asked)+".")
}

// show is the command that shows the answer for a document: the client's own
// where it has one, else ours, which opens a document in the client.
func (s *server) show(action fileAction, document string) protocol.Command {
	if s.can.knows(action.clientCommand) {
		return command(action.title, action.clientCommand, commands.DidFocusParams{URI: document})
	}
	return command(action.title, action.command, struct {
		URI  string `json:"uri"`
		Show bool   `json:"show"`
	}{document, true})
}
