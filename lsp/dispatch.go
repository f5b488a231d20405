package lsp

import (
	"context"
	"encoding/json"
	"errors"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"

	"foreword/commands"
)

// dispatch finds the handler of a message. The protocol package decodes and
// calls those of the standard; here are the others, and the one whose decoding
// there loses something.
func (s *server) dispatch(ctx context.Context, req *jsonrpc2.Request) (any, error) {
	if s.service == nil && req.Method() != protocol.MethodInitialize {
		return nil, errNotInitialized // initialize was sent, and failed
	}
	switch req.Method() {
	case protocol.MethodTextDocumentDidChange:
		return nil, s.didChange(ctx, req.Params())
	case methodDidFocus:
		return notification(ctx, req, s.didFocus)
	case methodDidChangeDiagnostics:
		return notification(ctx, req, s.didChangeDiagnostics)
	case methodDidChangeTrust:
		return notification(ctx, req, s.didChangeTrust)
	}
	result, err := protocol.ServerHandler(s, nil)(ctx, req)
	if errors.Is(err, jsonrpc2.ErrMethodNotFound) {
		err = jsonrpc2.Errorf(jsonrpc2.MethodNotFound, "method %q is not offered here", clip(req.Method()))
	}
	return result, err
}

// notification decodes and runs a message of our own, as strictly as commands
// are: a misspelt folder must not become all folders.
func notification[P any](ctx context.Context, req *jsonrpc2.Request, run func(context.Context, *P) error) (any, error) {
	var params P
	if err := commands.Decode(json.RawMessage(rawOrNull(req.Params())), &params); err != nil {
		return nil, invalidParams("%v", err)
	}
	return nil, run(ctx, &params)
}

// Request answers what nobody knows.
func (s *server) Request(context.Context, string, any) (any, error) {
	return nil, jsonrpc2.ErrMethodNotFound
}
