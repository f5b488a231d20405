package commands

import (
	"context"
	"errors"
	"fmt"
)

// Code is the stable name of a kind of failure; clients may switch on it.
type Code string

// The codes. InvalidParams becomes -32602 on the wire, Cancelled -32800, all
// others -32803 with the code in data.code.
const (
	CodeInvalidParams    Code = "invalid_params"
	CodeCancelled        Code = "cancelled"
	CodeNotInWorkspace   Code = "not_in_workspace"
	CodeUnreadable       Code = "unreadable"
	CodeNeedsTrust       Code = "needs_trust"
	CodeUnknownSession   Code = "unknown_session"
	CodeUnknownTurn      Code = "unknown_turn"
	CodeConflict         Code = "conflict"
	CodeBlocked          Code = "blocked"
	CodeBudgetImpossible Code = "budget_impossible"
	CodeUnknownProfile   Code = "unknown_profile"
	CodeFailed           Code = "failed"
)

// Error is a failed command, told to the person who must act on it.
type Error struct {
	Code    Code
	Message string
	// Data is what a client may show beside the message, for instance the
	// largest parts of a prompt that cannot fit. It is encoded as JSON.
	Data any
	Err  error
}

func (e *Error) Error() string { return e.Message }

// Unwrap gives the cause.
func (e *Error) Unwrap() error { return e.Err }

func failf(code Code, format string, args ...any) *Error {
	err := fmt.Errorf(format, args...)
	return &Error{Code: code, Message: err.Error(), Err: errors.Unwrap(err)}
}

// asError gives every failure that leaves a command a code.
func asError(ctx context.Context, err error) *Error {
	var known *Error
	if errors.As(err, &known) {
		return known
	}
	if ctx.Err() != nil || errors.Is(err, context.Canceled) {
		return &Error{Code: CodeCancelled, Message: "request cancelled", Err: err}
	}
	return &Error{Code: CodeFailed, Message: err.Error(), Err: err}
}
