package lsp

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"sync"
	"testing"
)

// rawClient writes bytes as it likes and reads whole messages.
type rawClient struct {
	t      testing.TB
	pipe   net.Conn
	in     *bufio.Reader
	log    *lockedBuffer
	exited chan int
}

func startRaw(t testing.TB, options Options) *rawClient {
	ours, theirs := net.Pipe()
	c := &rawClient{t: t, pipe: ours, in: bufio.NewReader(ours), log: new(lockedBuffer), exited: make(chan int, 1)}
	options.Log = c.log
	if options.Home == "" {
		options.Home, options.TempDir = t.TempDir(), t.TempDir()
	}
	go func() { c.exited <- Run(context.Background(), theirs, options) }()
	t.Cleanup(func() { ours.Close(); <-c.exited })
	return c
}

// send writes without waiting: the server may be writing as well.
func (c *rawClient) send(bytes string) *sync.WaitGroup {
	var sent sync.WaitGroup
	sent.Go(func() { _, _ = io.WriteString(c.pipe, bytes) })
	return &sent
}

// answer reads messages until one has this id, as JSON text.
func (c *rawClient) answer(id string) map[string]json.RawMessage {
	c.t.Helper()
	for {
		message, err := c.read()
		if err != nil {
			c.t.Fatalf("no answer to %s: %v\nlog:\n%s", id, err, c.log)
		}
		if _, isRequest := message["method"]; !isRequest && string(message["id"]) == id {
			return message
		}
	}
}

// nextAnswer reads the next answer, whichever request it is for.
func (c *rawClient) nextAnswer() map[string]json.RawMessage {
	c.t.Helper()
	for {
		message, err := c.read()
		if err != nil {
			c.t.Fatalf("no answer: %v\nlog:\n%s", err, c.log)
		}
		if message["method"] == nil {
			return message
		}
	}
}

func (c *rawClient) read() (map[string]json.RawMessage, error) {
	length, err := readHeader(c.in)
	if err != nil {
		return nil, err
	}
	body := make([]byte, length)
	if _, err := io.ReadFull(c.in, body); err != nil {
		return nil, err
	}
	var message map[string]json.RawMessage
	return message, json.Unmarshal(body, &message)
}

func (c *rawClient) code() int {
	code := <-c.exited
	c.exited <- code
	return code
}

func request(id any, method, params string) string {
	return frame(fmt.Sprintf(`{"jsonrpc":"2.0","id":%v,"method":%q,"params":%s}`, id, method, params))
}

func note(method, params string) string {
	return frame(fmt.Sprintf(`{"jsonrpc":"2.0","method":%q,"params":%s}`, method, params))
}

const hello = `{"processId":null,"rootUri":null,"capabilities":{}}`

func frame(body string) string { return fmt.Sprintf("Content-Length: %d\r\n\r\n%s", len(body), body) }
