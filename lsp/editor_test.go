package lsp

import (
	"context"
	"encoding/json"
	"net"
	"slices"
	"sync"
	"testing"
	"time"

	"go.lsp.dev/jsonrpc2"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// editor is a client in a test: it speaks to a server over a pipe, answers what
// the server asks, and remembers all that it was sent.
type editor struct {
	t      testing.TB
	pipe   net.Conn
	conn   jsonrpc2.Conn
	log    *lockedBuffer
	exited chan int

	mu       sync.Mutex // guards the rest
	arrived  *sync.Cond
	received []message
	settings json.RawMessage // the answer to workspace/configuration
	answer   func(method string, params json.RawMessage) (any, error)
}

// message is something that the server sent on its own account.
type message struct {
	method string
	params json.RawMessage
}

// startEditor starts a server and a client for it; initialize is not sent.
func startEditor(t testing.TB, options Options) *editor {
	ours, theirs := net.Pipe()
	e := &editor{t: t, pipe: ours, exited: make(chan int, 1), log: new(lockedBuffer)}
	e.arrived = sync.NewCond(&e.mu)
	options.Log = e.log
	if options.Home == "" {
		options.Home = t.TempDir()
	}
	if options.Now == nil {
		options.Now = func() time.Time { return time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC) }
	}
	if options.TempDir == "" {
		options.TempDir = t.TempDir()
	}
	go func() { e.exited <- Run(context.Background(), theirs, options) }()

	e.conn = jsonrpc2.NewConn(jsonrpc2.NewStream(ours))
	e.conn.Go(context.Background(), e.handle)
	t.Cleanup(func() {
		_ = ours.Close()
		<-e.conn.Done()
		select {
		case code := <-e.exited:
			e.exited <- code
		case <-time.After(20 * time.Second):
			t.Errorf("server does not end after its client hung up; its log:\n%s", e.log)
		}
	})
	return e
}

func (e *editor) handle(_ context.Context, req *jsonrpc2.Request) (any, error) {
	req = req.Clone()
	params := json.RawMessage(req.Params())
	e.mu.Lock()
	e.received = append(e.received, message{req.Method(), params})
	e.arrived.Broadcast()
	answer, settings := e.answer, e.settings
	e.mu.Unlock()
	if !req.IsCall() {
		return nil, nil
	}
	if answer != nil {
		if result, err := answer(req.Method(), params); result != nil || err != nil {
			return result, err
		}
	}
	switch req.Method() {
	case "workspace/configuration":
		if settings == nil {
			settings = json.RawMessage("null")
		}
		return []json.RawMessage{settings}, nil
	case "window/showDocument":
		return json.RawMessage(`{"success":true}`), nil
	case "client/registerCapability", "window/workDoneProgress/create",
		"workspace/codeLens/refresh", "workspace/textDocumentContent/refresh":
		return json.RawMessage("null"), nil
	}
	return nil, jsonrpc2.Errorf(jsonrpc2.MethodNotFound, "unexpected request %s", req.Method())
}

// await waits until the server has sent a message that matches, and takes it.
func (e *editor) await(method string, matches func(json.RawMessage) bool) json.RawMessage {
	e.t.Helper()
	// The bound only turns a hang into a message; nothing is measured by it.
	stop := time.AfterFunc(30*time.Second, func() { e.mu.Lock(); e.arrived.Broadcast(); e.mu.Unlock() })
	defer stop.Stop()
	begun := time.Now()
	e.mu.Lock()
	defer e.mu.Unlock()
	for {
		for i, m := range e.received {
			if m.method == method && (matches == nil || matches(m.params)) {
				e.received = slices.Delete(e.received, i, i+1)
				return m.params
			}
		}
		if time.Since(begun) > 30*time.Second {
			e.t.Fatalf("the server never sent %s; it sent %v\nlog:\n%s", method, e.received, e.log)
		}
		e.arrived.Wait()
	}
}

func (m message) String() string { return m.method + " " + string(m.params) }

// call sends a request and waits for its answer. Params are JSON text, or
// anything that encodes to it.
func (e *editor) call(method string, params any) (json.RawMessage, error) {
	var result json.RawMessage
	_, err := e.conn.Call(context.Background(), method, rawJSON(params), &result)
	return result, err
}

// must is call for a request that succeeds.
func (e *editor) must(method string, params any) json.RawMessage {
	e.t.Helper()
	result, err := e.call(method, params)
	if err != nil {
		e.t.Fatalf("%s: %v\nlog:\n%s", method, err, e.log)
	}
	return result
}

func (e *editor) notify(method string, params any) {
	e.t.Helper()
	if err := e.conn.Notify(context.Background(), method, rawJSON(params)); err != nil {
		e.t.Fatalf("%s: %v", method, err)
	}
}

// initialize opens a session; params is the whole of the request's parameters.
func (e *editor) initialize(params any) json.RawMessage {
	e.t.Helper()
	result := e.must("initialize", params)
	e.notify("initialized", "{}")
	return result
}

// stop ends the session as an editor does and returns the exit code.
func (e *editor) stop() int {
	e.t.Helper()
	e.must("shutdown", nil)
	e.notify("exit", nil)
	code := <-e.exited
	e.exited <- code
	return code
}

func rawJSON(v any) any {
	switch v := v.(type) {
	case nil:
		return nil
	case string:
		return json.RawMessage(v)
	case json.RawMessage:
		return v
	}
	raw, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return json.RawMessage(raw)
}

// lockedBuffer is a log that is written and read at once.
type lockedBuffer struct {
	mu   sync.Mutex
	text []byte
}

func (b *lockedBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.text = append(b.text, p...)
	return len(p), nil
}

func (b *lockedBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return string(b.text)
}
