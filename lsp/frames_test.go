package lsp

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"strings"
	"sync"
	"testing"
)

// Bytes that are no message are refused and named in the log; the server goes
// on where the next message can be found, and ends with a code where it cannot.
func TestBrokenFrames(t *testing.T) {
	const probe = "probe"
	for name, test := range map[string]struct {
		bytes string
		code  string // of the answer with id null; empty for none
		ends  bool
	}{
		"no number":                {"Content-Length: many\r\n\r\n{}", "-32700", true},
		"negative":                 {"Content-Length: -5\r\n\r\n{}", "-32700", true},
		"plus sign":                {"Content-Length: +5\r\n\r\n{}", "-32700", true},
		"zero":                     {"Content-Length: 0\r\n\r\n", "-32700", true},
		"too large":                {"Content-Length: 999999999999\r\n\r\n{}", "-32700", true},
		"larger than int64":        {"Content-Length: 99999999999999999999999\r\n\r\n{}", "-32700", true},
		"no length":                {"Content-Type: text\r\n\r\n{}", "-32700", true},
		"no header":                {"{\"jsonrpc\":\"2.0\"}\r\n\r\n", "-32700", true},
		"endless line":             {strings.Repeat("x", 10_000), "-32700", true},
		"endless fields":           {strings.Repeat("X: y\r\n", 2_000), "-32700", true},
		"too short for its body":   {"Content-Length: 10\r\n\r\n" + `{"jsonrpc":"2.0"}`, "-32700", true},
		"broken JSON":              {frame(`{"jsonrpc":"2.0","id":7,`), "-32700", false},
		"not JSON":                 {frame(`hello`), "-32700", false},
		"two objects":              {frame(`{"jsonrpc":"2.0","method":"x"} {}`), "-32700", false},
		"a number":                 {frame(`7`), "-32700", false},
		"empty object":             {frame(`{}`), "-32600", false},
		"no version":               {frame(`{"id":7,"method":"shutdown"}`), "-32600", false},
		"other version":            {frame(`{"jsonrpc":"1.0","id":7,"method":"shutdown"}`), "-32600", false},
		"fractional id":            {frame(`{"jsonrpc":"2.0","id":1.5,"method":"shutdown"}`), "-32600", false},
		"large id":                 {frame(`{"jsonrpc":"2.0","id":92233720368547758070,"method":"shutdown"}`), "-32600", false},
		"object id":                {frame(`{"jsonrpc":"2.0","id":{},"method":"shutdown"}`), "-32600", false},
		"method is a number":       {frame(`{"jsonrpc":"2.0","id":7,"method":1}`), "-32600", false},
		"bad escape in the method": {frame(`{"jsonrpc":"2.0","id":7,"method":"\uZZZZ"}`), "-32600", false},
		"broken batch":             {frame(`[{"jsonrpc":"2.0","method":"x"}`), "-32700", false},
		"empty batch":              {frame(`[]`), "-32600", false},
		"response to nothing":      {frame(`{"jsonrpc":"2.0","id":4711,"result":null}`), "", false},
		"error without an id":      {frame(`{"jsonrpc":"2.0","id":null,"error":{"code":-1,"message":"m"}}`), "", false},
		"cancel without an id":     {note("$/cancelRequest", `{}`), "", false},
		"cancel with a bad id":     {note("$/cancelRequest", `{"id":1.5}`), "", false},
		"cancel of nothing":        {note("$/cancelRequest", `{"id":4711}`), "", false},
		"unknown notification":     {note("$/whatever", `{}`), "", false},
		"null id is no call":       {frame(`{"jsonrpc":"2.0","id":null,"method":"textDocument/hover","params":{}}`), "", false},
		"bare line feeds":          {strings.ReplaceAll(note("$/x", "{}"), "\r\n", "\n"), "", false},
		"other header fields":      {"Content-Type: application/vscode-jsonrpc; charset=utf-8\r\ncontent-length: 38\r\n\r\n" + `{"jsonrpc":"2.0","method":"$/x","a":1}`, "", false},
	} {
		t.Run(name, func(t *testing.T) {
			c := startRaw(t, Options{})
			sent := c.send(request(1, "initialize", hello))
			c.answer("1")
			sent.Wait()
			sent = c.send(test.bytes + request(fmt.Sprintf("%q", probe), "workspace/executeCommand", `{"command":"foreword.tokens.count","arguments":[{"text":"a"}]}`))
			if test.code != "" {
				var refusal struct{ Code json.Number }
				if err := json.Unmarshal(c.answer("null")["error"], &refusal); err != nil {
					t.Fatal(err)
				}
				if string(refusal.Code) != test.code {
					t.Errorf("code %s, want %s", refusal.Code, test.code)
				}
			}
			if !test.ends {
				if answer := c.answer(`"probe"`); answer["error"] != nil {
					t.Errorf("the request after it: %s", answer["error"])
				}
				sent.Wait()
				return
			}
			for {
				message, err := c.read()
				if err != nil {
					break
				}
				if string(message["id"]) != "null" {
					t.Errorf("the server goes on after a stream it cannot follow: %s", message)
				}
			}
			if got := c.code(); got != 1 {
				t.Errorf("exit code %d", got)
			}
			if !strings.Contains(c.log.String(), "error:") {
				t.Errorf("nothing in the log: %s", c.log)
			}
		})
	}
}

// A promised megabyte that never comes must cost nothing and end with the
// connection.
func TestTruncatedMessage(t *testing.T) {
	c := startRaw(t, Options{})
	c.send("Content-Length: 100000000\r\n\r\n{").Wait()
	c.pipe.Close()
	if got := c.code(); got != 1 {
		t.Errorf("exit code %d", got)
	}
}

// FuzzFrames feeds arbitrary bytes to a server: it must neither crash nor hang.
func FuzzFrames(f *testing.F) {
	start := request(1, "initialize", hello) + note("initialized", "{}")
	f.Add([]byte(start + note("textDocument/didOpen", `{"textDocument":{"uri":"file:///w/a","languageId":"x","version":1,"text":"a\nb"}}`) +
		note("textDocument/didChange", `{"textDocument":{"uri":"file:///w/a","version":2},"contentChanges":[{"range":{"start":{"line":0,"character":0},"end":{"line":0,"character":1}},"text":"z"}]}`)))
	f.Add([]byte(start + request(2, "textDocument/hover", `{"textDocument":{"uri":"file:///w/a"},"position":{"line":0,"character":0}}`)))
	f.Add([]byte(start + frame(`[{"jsonrpc":"2.0","id":3,"method":"shutdown"},{"jsonrpc":"2.0","method":"exit"}]`)))
	f.Add([]byte("Content-Length: 3\r\n\r\nabc" + start))
	f.Add([]byte(frame(`{"jsonrpc":"2.0","id":null,"error":{"code":1.5}}`)))
	f.Add([]byte(note("exit", "null")))
	home := f.TempDir()
	f.Fuzz(func(t *testing.T, data []byte) {
		ours, theirs := net.Pipe()
		exited := make(chan int, 1)
		go func() { exited <- Run(context.Background(), theirs, Options{Home: home, TempDir: home}) }()
		var reading sync.WaitGroup
		reading.Go(func() { _, _ = io.Copy(io.Discard, ours) })
		_, _ = ours.Write(data)
		_ = ours.Close()
		<-exited
		reading.Wait()
	})
}
