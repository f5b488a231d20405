package lsp

import (
	"context"
	"fmt"
	"sync/atomic"
	"time"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"
)

// tracing answers $/setTrace: with it the client is told of every message.
type tracing struct {
	server *server
	value  atomic.Pointer[protocol.TraceValue]
}

// SetTrace is a writer.
func (s *server) SetTrace(_ context.Context, params *protocol.SetTraceParams) error {
	switch params.Value {
	case protocol.TraceValueOff, protocol.TraceValueMessages, protocol.TraceValueVerbose:
		s.trace.set(params.Value)
		return nil
	}
	return invalidParams("trace value %q is none of off, messages, verbose", clip(string(params.Value)))
}

func (t *tracing) set(value protocol.TraceValue) {
	if value != "" {
		t.value.Store(&value)
	}
}

func (t *tracing) get() protocol.TraceValue {
	if value := t.value.Load(); value != nil {
		return *value
	}
	return protocol.TraceValueOff
}

// begin notes the start of a message and returns what notes its end. The
// contents are never traced: they are the user's text.
func (t *tracing) begin(req *jsonrpc2.Request) func(error) {
	if t.get() == protocol.TraceValueOff {
		return func(error) {}
	}
	method, id, start, size := req.Method(), req.ID(), time.Now(), len(req.Params())
	return func(err error) {
		message := method
		if req.IsCall() {
			message = fmt.Sprintf("%s (%v)", method, id)
		}
		outcome := "done"
		if err != nil {
			outcome = err.Error()
		}
		t.send(message, fmt.Sprintf("%d bytes, %v, %s", size, time.Since(start).Round(10*time.Microsecond), outcome))
	}
}

// logf traces a step of the server's own.
func (t *tracing) logf(format string, args ...any) {
	if t.get() != protocol.TraceValueOff {
		t.send(fmt.Sprintf(format, args...), "")
	}
}

func (t *tracing) send(message, verbose string) {
	params := &protocol.LogTraceParams{Message: message}
	if verbose != "" && t.get() == protocol.TraceValueVerbose {
		params.Verbose = &verbose
	}
	_ = t.server.client.LogTrace(t.server.session, params)
}
