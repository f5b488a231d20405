package lsp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"

	"foreword/commands"
)

// requestFailed is the code of a request that was right and could not be done.
const requestFailed = jsonrpc2.Code(protocol.LSPErrorCodesRequestFailed)

var (
	errNotInitialized = jsonrpc2.NewError(jsonrpc2.ServerNotInitialized, "initialize has not been sent")
	errInitialized    = jsonrpc2.NewError(jsonrpc2.InvalidRequest, "initialize was already sent")
	errShutDown       = jsonrpc2.NewError(jsonrpc2.InvalidRequest, "the server is shut down; only exit may follow")
	errCancelled      = jsonrpc2.NewError(protocol.CodeRequestCancelled, "request cancelled")
)

func invalidParams(format string, args ...any) *jsonrpc2.Error {
	return &jsonrpc2.Error{
		Code:    jsonrpc2.InvalidParams,
		Message: fmt.Sprintf(format, args...),
		Data:    errorData(commands.CodeInvalidParams, nil),
	}
}

// coded gives an error the code that a client understands; an error without
// one would go out as code 0.
func coded(ctx context.Context, err error) error {
	if err == nil {
		return nil
	}
	var command *commands.Error
	if errors.As(err, &command) {
		return commandError(command)
	}
	var wire *jsonrpc2.Error
	if errors.As(err, &wire) {
		if wire.Code == jsonrpc2.ParseError {
			// Broken frames never come this far: it was the parameters.
			return invalidParams("invalid parameters: %s", strings.TrimPrefix(err.Error(), wire.Message+": "))
		}
		if wire.Code != 0 {
			return err
		}
	}
	if ctx.Err() != nil {
		return errCancelled
	}
	return &jsonrpc2.Error{Code: requestFailed, Message: err.Error(), Data: errorData(commands.CodeFailed, nil)}
}

func commandError(err *commands.Error) *jsonrpc2.Error {
	out := &jsonrpc2.Error{Code: requestFailed, Message: err.Message, Data: errorData(err.Code, err.Data)}
	switch err.Code {
	case commands.CodeInvalidParams:
		out.Code = jsonrpc2.InvalidParams
	case commands.CodeCancelled:
		out.Code = protocol.CodeRequestCancelled
	}
	return out
}

// errorData is the data member of a response error: the stable code, and what
// else the command has to show.
func errorData(code commands.Code, detail any) jsonrpc2.RawMessage {
	data, err := json.Marshal(struct {
		Code   commands.Code `json:"code"`
		Detail any           `json:"detail,omitempty"`
	}{code, detail})
	if err != nil {
		data, _ = json.Marshal(map[string]commands.Code{"code": code})
	}
	return data
}

// has tells whether a command failed with this code.
func has(err error, code commands.Code) bool {
	var command *commands.Error
	return errors.As(err, &command) && command.Code == code
}
