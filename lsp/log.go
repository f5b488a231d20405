package lsp

import (
	"context"
	"fmt"
	"io"
	"sync"
	"sync/atomic"

	"go.lsp.dev/protocol"
)

// logQueue is the number of messages that may wait for the client to read
// them. More are counted and dropped: a client that does not read must not
// stop the server.
const logQueue = 256

// logger writes to the server's own log at once, and to the client's through
// window/logMessage from a goroutine of its own, so that nobody who logs ever
// waits for the client.
type logger struct {
	writing sync.Mutex // guards out
	out     io.Writer

	queue   chan *protocol.LogMessageParams
	dropped atomic.Int64
}

func newLogger(out io.Writer) *logger {
	if out == nil {
		out = io.Discard
	}
	return &logger{out: out, queue: make(chan *protocol.LogMessageParams, logQueue)}
}

func (l *logger) errorf(format string, args ...any) { l.log("error", fmt.Sprintf(format, args...)) }
func (l *logger) warnf(format string, args ...any)  { l.log("warning", fmt.Sprintf(format, args...)) }
func (l *logger) infof(format string, args ...any)  { l.log("info", fmt.Sprintf(format, args...)) }

// log takes a message of a level: error, warning, info, log or debug. Debug goes
// to the server's own log only.
func (l *logger) log(level, message string) {
	l.writing.Lock()
	fmt.Fprintf(l.out, "%s: %s\n", level, message)
	l.writing.Unlock()

	kind := protocol.MessageTypeInfo
	switch level {
	case "error":
		kind = protocol.MessageTypeError
	case "warning":
		kind = protocol.MessageTypeWarning
	case "log":
		kind = protocol.MessageTypeLog
	case "debug":
		return
	}
	select {
	case l.queue <- &protocol.LogMessageParams{Type: kind, Message: message}:
	default:
		l.dropped.Add(1)
	}
}

// run sends what is queued to the client until ctx ends.
func (l *logger) run(ctx context.Context, client protocol.Client) {
	for {
		select {
		case <-ctx.Done():
			return
		case message := <-l.queue:
			if client.LogMessage(ctx, message) != nil {
				return
			}
			if n := l.dropped.Swap(0); n > 0 {
				_ = client.LogMessage(ctx, &protocol.LogMessageParams{
					Type: protocol.MessageTypeWarning, Message: fmt.Sprintf("%d log messages were dropped", n),
				})
			}
		}
	}
}
