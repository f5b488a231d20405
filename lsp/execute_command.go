package lsp

import (
	"context"
	"encoding/json"

	"go.lsp.dev/protocol"

	"foreword/commands"
	"foreword/workspace"
)

// ExecuteCommand is a reader; commands that change what is remembered run one
// after another, in the order of the wire.
func (s *server) ExecuteCommand(ctx context.Context, params *protocol.ExecuteCommandParams) (protocol.LSPAny, error) {
	command, ok := commands.Lookup(params.Command)
	if !ok {
		return nil, invalidParams("unknown command %q; the server's capabilities list those that there are", clip(params.Command))
	}
	if len(params.Arguments) > 1 {
		return nil, invalidParams("%s takes one object as its only argument, not %d arguments", command.Name, len(params.Arguments))
	}
	argument := json.RawMessage("{}")
	if len(params.Arguments) == 1 {
		argument = json.RawMessage(params.Arguments[0])
	}
	var turn <-chan struct{}
	if command.Writes {
		before, leave := s.writes.join()
		defer leave()
		turn = before
	}
	ctx, _ = s.read(ctx)
	if turn != nil {
		<-turn // those before it end when they are cancelled
	}
	result, err := withProgress(ctx, s, params.WorkDoneToken, command.Summary, func(ctx context.Context) (any, error) {
		return command.Call(ctx, s.service, argument)
	})
	if err != nil {
		return nil, err
	}
	s.watchTarget(argument)
	if command.Name == "foreword.trust" || command.Name == "foreword.trust.commands" {
		s.notices.changed("the list of trusted folders changed")
		s.announce()
	}
	if wantsShow(argument) {
		if err := s.showResult(ctx, result); err != nil {
			return nil, err
		}
	}
	return commands.Encode(result)
}

// watchTarget looks after the files on which an answer rests, also where the
// document that it is about is not open.
func (s *server) watchTarget(argument json.RawMessage) {
	var about struct{ URI string }
	if json.Unmarshal(argument, &about) != nil || about.URI == "" {
		return
	}
	if u, err := parseURI(about.URI); err == nil {
		if path := workspace.PathOf(u); path != "" {
			s.disk.watch(path)
		}
	}
}

// command is a protocol command with one argument object.
func command(title, name string, argument any) protocol.Command {
	// The arguments are our own structs of strings and booleans.
	raw, _ := commands.Encode(argument)
	return protocol.Command{Title: title, Command: name, Arguments: []protocol.LSPAny{raw}}
}

// wantsShow reads the one field that is for the language server; the command
// itself has checked the rest.
func wantsShow(argument json.RawMessage) bool {
	var asked struct {
		Show bool `json:"show"`
	}
	return json.Unmarshal(argument, &asked) == nil && asked.Show
}
