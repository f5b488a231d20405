package lsp

import (
	"encoding/json"
	"fmt"
	"slices"

	"go.lsp.dev/protocol"

	"foreword/commands"
	"foreword/workspace"
)

// client is what the other side can do and wants, read once from initialize.
type client struct {
	encoding workspace.Encoding
	markdown bool // hovers may be Markdown

	pullsConfiguration bool // workspace/configuration
	registersSettings  bool // didChangeConfiguration can be registered
	watchesFiles       bool // didChangeWatchedFiles can be registered
	watchesOutside     bool // … with a base outside the folders
	codeActionLiterals bool
	refreshesLenses    bool
	showsDocuments     bool // window/showDocument
	documentContent    bool // workspace/textDocumentContent
	createsProgress    bool // window/workDoneProgress/create
	showsDiagnostics   bool // textDocument/publishDiagnostics, and it is none of our own clients, which ask
	commands           []string
	notifications      []string
	requests           []string
	trusted            *commands.TrustedFolders
	settings           map[string]any // of initializationOptions; nil without
}

// clientFrom reads initialize. Every capability is optional, at every level.
// Options that cannot be read are left out, and the error says so: some editors
// put settings of their own there, and none is worth a server that does not
// start.
func clientFrom(params *protocol.InitializeParams) (c client, err error) {
	var options commands.InitializationOptions
	if raw := params.InitializationOptions; len(raw) > 0 && raw.Kind() != 'n' {
		if err = json.Unmarshal(raw, &options); err != nil {
			options, err = commands.InitializationOptions{}, fmt.Errorf("initializationOptions are not used: %w", err)
		}
	}
	c = client{
		encoding:      workspace.UTF16, // mandatory for every client
		commands:      options.Commands,
		notifications: options.Notifications,
		requests:      options.Requests,
		trusted:       options.Trusted,
		settings:      options.Settings,
	}
	if general := params.Capabilities.General; general != nil {
		c.encoding = negotiate(general.PositionEncodings)
	}
	if w := params.Capabilities.Workspace; w != nil {
		c.pullsConfiguration = is(w.Configuration)
		c.registersSettings = w.DidChangeConfiguration != nil && is(w.DidChangeConfiguration.DynamicRegistration)
		if watched := w.DidChangeWatchedFiles; watched != nil {
			c.watchesFiles = is(watched.DynamicRegistration)
			c.watchesOutside = is(watched.RelativePatternSupport)
		}
		c.refreshesLenses = w.CodeLens != nil && is(w.CodeLens.RefreshSupport)
		c.documentContent = w.TextDocumentContent != nil
	}
	if t := params.Capabilities.TextDocument; t != nil {
		c.showsDiagnostics = t.PublishDiagnostics != nil && len(options.Notifications) == 0
		c.markdown = t.Hover != nil && prefersMarkdown(t.Hover.ContentFormat)
		// The struct is not a pointer; a client without literals has no kinds.
		c.codeActionLiterals = t.CodeAction != nil && t.CodeAction.CodeActionLiteralSupport.CodeActionKind.ValueSet != nil
	}
	if w := params.Capabilities.Window; w != nil {
		c.createsProgress = is(w.WorkDoneProgress)
		c.showsDocuments = w.ShowDocument != nil && w.ShowDocument.Support
	}
	return c, err
}

// knows tells whether the client has a command of its own.
func (c client) knows(command string) bool { return slices.Contains(c.commands, command) }

// wants tells whether the client asked for one of our notifications.
func (c client) wants(method string) bool { return slices.Contains(c.notifications, method) }

// answers tells whether the client answers one of our requests.
func (c client) answers(method string) bool { return slices.Contains(c.requests, method) }

// negotiate takes the first of our encodings that the client lists: bytes cost
// us nothing, UTF-16 is what most clients have, UTF-32 needs a scan.
func negotiate(offered []protocol.PositionEncodingKind) workspace.Encoding {
	for _, ours := range []workspace.Encoding{workspace.UTF8, workspace.UTF16, workspace.UTF32} {
		if slices.Contains(offered, protocol.PositionEncodingKind(ours)) {
			return ours
		}
	}
	return workspace.UTF16
}

// prefersMarkdown reads an order of preference; without one, text is safe.
func prefersMarkdown(formats []protocol.MarkupKind) bool {
	return len(formats) > 0 && formats[0] == protocol.MarkupKindMarkdown
}

func is(flag *bool) bool { return flag != nil && *flag }
