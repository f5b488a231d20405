package lsp

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"

	"go.lsp.dev/jsonrpc2"
)

const (
	// maxFrame is the largest message that is read, in bytes. A document of
	// 1 MiB, the largest that is ever a source, is well below it even when
	// every byte is escaped; a header that promises more is a mistake, and
	// would otherwise only be noticed when memory runs out.
	maxFrame = 128 << 20
	// keptBuffer is the size up to which the body buffer is used again, in
	// bytes; one large message should not hold its memory for the session.
	keptBuffer = 1 << 20
	// maxHeader bounds the header block of a message, in bytes. The protocol
	// knows two fields; input without a line end is no header.
	maxHeader = 4 << 10
)

// frames stands between the connection and jsonrpc2, whose reader ends the
// connection at the first message that it does not understand. It hands on
// whole messages that are well formed, answers the others itself, and ends the
// stream in a defined way where the next message can no longer be found.
//
// Read is called by one goroutine, Write by any.
type frames struct {
	rwc io.ReadWriteCloser
	in  *bufio.Reader
	// body holds one message; rest is what of it, header included, was not
	// handed on yet. Both belong to the reading goroutine.
	body, rest []byte
	header     []byte

	out *outbox

	ended atomic.Bool // set by end: nothing more is read
	// failed is the reason for which the stream ended early; written by the
	// reading goroutine, read when the connection is done.
	failed error
	// stopped is called once when reading has come to its end.
	stopped func()
	log     *logger
}

func newFrames(rwc io.ReadWriteCloser, log *logger, stopped func()) *frames {
	return &frames{rwc: rwc, in: bufio.NewReader(rwc), out: newOutbox(rwc), log: log, stopped: sync.OnceFunc(stopped)}
}

// end makes the next Read report the end of the stream without touching the
// connection, on which a client that has said exit may never send again.
func (f *frames) end() { f.ended.Store(true) }

func (f *frames) Read(p []byte) (int, error) {
	for len(f.rest) == 0 {
		if f.ended.Load() {
			f.stopped()
			return 0, io.EOF
		}
		if err := f.next(); err != nil {
			f.fail(err)
			return 0, io.EOF
		}
		if refusal := check(f.body); refusal != nil {
			f.refuse(refusal)
			continue
		}
		f.header = fmt.Appendf(f.header[:0], "Content-Length: %d\r\n\r\n", len(f.body))
		f.rest = f.header
		if n := copy(p, f.rest); n < len(f.rest) {
			f.rest = append(bytes.Clone(f.rest[n:]), f.body...)
			return n, nil
		} else {
			f.rest = f.body
			return n, nil
		}
	}
	n := copy(p, f.rest)
	f.rest = f.rest[n:]
	return n, nil
}

// Write takes one message, as jsonrpc2 writes them.
func (f *frames) Write(p []byte) (int, error) { return f.out.Write(p) }

// Close is called by jsonrpc2 when reading has ended. What is pending still
// goes out; Run closes the connection.
func (f *frames) Close() error {
	f.end()
	return nil
}

// next reads one message into f.body.
func (f *frames) next() error {
	length, err := readHeader(f.in)
	if err != nil {
		return err
	}
	if cap(f.body) > keptBuffer {
		f.body = nil
	}
	// The buffer grows with what really arrives, never with what is promised.
	buffer := bytes.NewBuffer(f.body[:0])
	if _, err := io.CopyN(buffer, f.in, int64(length)); err != nil {
		return errors.Join(io.ErrUnexpectedEOF, fmt.Errorf("message of %d bytes ended after %d", length, buffer.Len()))
	}
	f.body = buffer.Bytes()
	return nil
}

// fail ends the stream, and says why unless the other side just hung up.
func (f *frames) fail(err error) {
	defer f.stopped()
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrClosedPipe) || f.ended.Load() {
		return
	}
	f.failed = err
	f.log.errorf("reading from the client: %v; the connection ends here", err)
	if errors.Is(err, errHeader) {
		f.refuse(jsonrpc2.NewError(jsonrpc2.ParseError, err.Error()))
	}
}

// refuse answers a message whose id nobody can know.
func (f *frames) refuse(refusal *jsonrpc2.Error) {
	f.log.errorf("message refused: %v", refusal)
	body := jsonrpc2.AppendResponse(nil, jsonrpc2.ID{}, nil, refusal)
	frame := append(fmt.Appendf(nil, "Content-Length: %d\r\n\r\n", len(body)), body...)
	// A broken connection shows itself at the next read.
	_, _ = f.Write(frame)
}

// check tells what is wrong with a message, or nil. It accepts exactly what
// jsonrpc2 accepts, by asking its own scanner.
func check(body []byte) *jsonrpc2.Error {
	if trimmed := bytes.TrimLeft(body, " \t\r\n"); len(trimmed) > 0 && trimmed[0] == '[' {
		if _, err := jsonrpc2.ParseRequests(body); err != nil {
			return jsonrpc2.NewError(jsonrpc2.ParseError, "message is not valid JSON")
		}
		return nil
	}
	view, err := jsonrpc2.ScanMessageView(body)
	if err == nil && (view.MethodEscaped || view.ID.StringEscaped() || view.Kind == jsonrpc2.MessageViewResponseError) {
		// The scanner leaves escapes and error objects to the decoder.
		_, err = jsonrpc2.DecodeMessage(body)
	}
	switch {
	case err == nil:
		return nil
	case errors.Is(err, jsonrpc2.ErrParse):
		return jsonrpc2.NewError(jsonrpc2.ParseError, "message is not valid JSON")
	default:
		return jsonrpc2.NewError(jsonrpc2.InvalidRequest, `message is no JSON-RPC 2.0 request or response: it needs "jsonrpc": "2.0", and an id that is an integer or a string`)
	}
}

var errHeader = errors.New("bad message header")

// readHeader reads a header block and returns the length of the body in bytes.
func readHeader(in *bufio.Reader) (int, error) {
	length, consumed := -1, 0
	for {
		line, err := readLine(in, maxHeader-consumed)
		consumed += len(line)
		if err != nil {
			if errors.Is(err, io.EOF) && consumed > 0 {
				err = fmt.Errorf("%w: input ended inside it", errHeader)
			}
			return 0, err
		}
		field := strings.TrimRight(line, "\r\n")
		if field == "" {
			break
		}
		name, value, ok := strings.Cut(field, ":")
		if !ok {
			return 0, fmt.Errorf("%w: %q has no colon", errHeader, clip(field))
		}
		if !strings.EqualFold(strings.TrimSpace(name), "Content-Length") {
			continue
		}
		value = strings.TrimSpace(value)
		length, err = strconv.Atoi(value)
		if err != nil || length <= 0 || value[0] == '+' {
			return 0, fmt.Errorf("%w: Content-Length %q is no positive number", errHeader, clip(value))
		}
		if length > maxFrame {
			return 0, fmt.Errorf("%w: Content-Length %d is more than the %d that are allowed", errHeader, length, maxFrame)
		}
	}
	if length < 0 {
		return 0, fmt.Errorf("%w: no Content-Length", errHeader)
	}
	return length, nil
}

// readLine reads up to a line feed, at most limit bytes.
func readLine(in *bufio.Reader, limit int) (string, error) {
	var line []byte
	for {
		c, err := in.ReadByte()
		if err != nil {
			return string(line), err
		}
		line = append(line, c)
		if c == '\n' {
			return string(line), nil
		}
		if len(line) >= limit {
			return string(line), fmt.Errorf("%w: longer than %d bytes", errHeader, maxHeader)
		}
	}
}

// clip shortens foreign text for a message.
func clip(s string) string {
	const enough = 60 // characters of context that identify the place
	if len(s) <= enough {
		return s
	}
	return strings.ToValidUTF8(s[:enough], "") + "…"
}
