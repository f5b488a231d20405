package lsp

import (
	"context"
	"encoding/json"
	"fmt"
	"runtime/debug"
	"sync"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"
)

// handler is the chain through which every message of the client goes.
//
// protocol.NewServer and protocol.Handlers are not used: they start handlers in
// no particular order and close the connection at the first error of a
// notification.
func (s *server) handler() jsonrpc2.Handler {
	queued := cancellable(ordered(s.guard(s.dispatch)))
	return func(ctx context.Context, req *jsonrpc2.Request) (any, error) {
		// This runs on the read loop, in the order of the wire.
		if err := s.life.admit(req.Method(), req.IsCall()); err != nil {
			return s.refused(req, err)
		}
		switch req.Method() {
		case protocol.MethodShutdown:
			// Answered here, before exit is read; a queued answer could be
			// lost. No context may be derived: this request is not detached.
			s.shown.remove() // some clients kill the server once it has answered
			return nil, nil
		case protocol.MethodExit:
			s.frames.end()
			return nil, nil
		}
		result, err := queued(ctx, req)
		if err != nil && !req.IsCall() {
			// Only CancelHandler itself gets here; the guard has taken the rest.
			return s.refused(req, err)
		}
		return result, err
	}
}

// cancellable answers $/cancelRequest. The handler must call jsonrpc2.Async for
// every message, as ordered does.
func cancellable(h jsonrpc2.Handler) jsonrpc2.Handler { return protocol.CancelHandler(h) }

// refused gives a call its error; a notification's goes to the log, because an
// error returned for it would end the connection.
func (s *server) refused(req *jsonrpc2.Request, err error) (any, error) {
	if req.IsCall() {
		return nil, err
	}
	s.log.warnf("%s ignored: %v", req.Method(), err)
	return nil, nil
}

// releaseKey finds the function that lets the next message start.
type releaseKey struct{}

// release lets the next message start while the caller goes on. Only a reader
// calls it, once it has its snapshot.
func release(ctx context.Context) {
	if done, ok := ctx.Value(releaseKey{}).(func()); ok {
		done()
	}
}

// ordered runs handlers one after another in the order of the wire. A handler
// that calls release lets the next one start.
func ordered(h jsonrpc2.Handler) jsonrpc2.Handler {
	turn := make(chan struct{})
	close(turn)
	return func(ctx context.Context, req *jsonrpc2.Request) (any, error) {
		mine, next := turn, make(chan struct{})
		turn = next
		done := sync.OnceFunc(func() { close(next) })
		defer done()
		// Async must be called for every message: jsonrpc2 v1.0.1 reuses a
		// request's context when its handler returned without it, and a
		// context derived from it then crashes the process.
		jsonrpc2.Async(ctx)
		<-mine
		return h(context.WithValue(ctx, releaseKey{}, done), req)
	}
}

// guard makes sure that no handler can end the server: a panic becomes an
// internal error with its stack in the log, an error of a notification goes to
// the log, and every error gets a code. A request ends with the session.
func (s *server) guard(h jsonrpc2.Handler) jsonrpc2.Handler {
	return func(ctx context.Context, req *jsonrpc2.Request) (result any, err error) {
		ctx, cancel := context.WithCancel(ctx)
		defer cancel()
		defer context.AfterFunc(s.session, cancel)()
		traced := s.trace.begin(req)

		defer func() {
			if r := recover(); r != nil {
				s.log.errorf("panic in %s: %v\n%s", req.Method(), r, debug.Stack())
				result, err = nil, jsonrpc2.NewError(jsonrpc2.InternalError,
					fmt.Sprintf("internal error in %s; the server's log has the details", req.Method()))
			}
			err = coded(ctx, err)
			traced(err)
			if err != nil && !req.IsCall() {
				s.log.warnf("%s ignored: %v", req.Method(), err)
				result, err = nil, nil
			}
		}()
		return h(ctx, req)
	}
}

// codec encodes payloads with the protocol's own encoder, which knows its
// unions, and passes raw JSON through.
type codec struct{}

var _ jsonrpc2.Codec = codec{}

func (codec) Marshal(v any) ([]byte, error) {
	switch raw := v.(type) {
	case jsonrpc2.RawMessage:
		return rawOrNull(raw), nil
	case json.RawMessage:
		return rawOrNull(raw), nil
	case protocol.LSPAny: // the result of a command, which was encoded as such
		return rawOrNull(raw), nil
	}
	return protocol.Marshal(v)
}

func (codec) Unmarshal(data []byte, v any) error {
	switch raw := v.(type) {
	case *jsonrpc2.RawMessage:
		*raw = append(jsonrpc2.RawMessage{}, data...)
		return nil
	case *json.RawMessage:
		*raw = append(json.RawMessage{}, data...)
		return nil
	}
	return protocol.Unmarshal(data, v)
}

func rawOrNull(raw []byte) []byte {
	if len(raw) == 0 {
		return []byte("null")
	}
	return raw
}

// workers bounds how many expensive requests run at once; the others wait.
type workers chan struct{}

// enter waits for a place and returns the function that gives it back.
func (w workers) enter(ctx context.Context) (leave func(), err error) {
	select {
	case w <- struct{}{}:
		return func() { <-w }, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// lane makes requests that change what the server remembers run one after
// another in the order of the wire, beside the readers.
type lane struct {
	last chan struct{} // closed when the newest entrant is done; used by the queue only
}

func newLane() *lane {
	free := make(chan struct{})
	close(free)
	return &lane{last: free}
}

// join takes the next place. It is called before release, so in order. The
// caller waits for its turn and must leave, whatever happens.
func (l *lane) join() (turn <-chan struct{}, leave func()) {
	before, mine := l.last, make(chan struct{})
	l.last = mine
	return before, func() { close(mine) }
}
