package lsp

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"
)

// wrongParams are parameters that no message has.
var wrongParams = []string{
	`null`, `{}`, `[]`, `[7]`, `{"textDocument":null}`, `{"textDocument":7}`, `{"textDocument":{"uri":7}}`, `{"textDocument":{"uri":""},"position":"here"}`,
	`{"textDocument":{"uri":"file:///x","version":"one","text":7},"contentChanges":{}}`,
	`{"textDocument":{"uri":"file:///x","version":99999999999},"contentChanges":[]}`,
	`{"textDocument":{"uri":"file:///x","version":2},"contentChanges":[{"text":null}]}`,
	`{"textDocument":{"uri":"file:///x","version":2},"contentChanges":[{"range":{"start":{"line":-1,"character":0},"end":{"line":0,"character":0}},"text":"a"}]}`,
	`{"textDocument":{"uri":"file:///x"},"position":{"line":-1,"character":1e9}}`,
	`{"command":7,"arguments":"x"}`, `{"command":"foreword.prompt.build","arguments":[7]}`, `{"command":"foreword.prompt.build","arguments":[null]}`,
	`{"event":7}`, `{"event":{"added":[{"uri":7}],"removed":null}}`, `{"changes":7}`, `{"changes":[{"uri":7,"type":9}]}`,
	`{"uri":7}`, `{"uri":"no scheme"}`, `{"value":7}`, `{"value":"loud"}`, `{"settings":7}`, `{"token":{}}`, `{"id":{}}`,
	`{"folder":7,"trusted":"yes"}`, `{"folder":"nowhere","trusted":true}`, `{"uri":"file:///x","range":7,"visible":7}`,
	`{"uri":"file:///x","diagnostics":7}`, `{"uri":"file:///x","diagnostics":[{"range":7,"severity":"bad"}]}`, `{"uri":"file:///x","version":1e20,"diagnostics":[null]}`,
}

// Every message that the protocol knows, and our own, gets parameters of every
// wrong kind: a request is answered, with a code that blames the parameters or
// the method where it is not a result, and the server lives on.
func TestWrongParameters(t *testing.T) {
	root := t.TempDir()
	e := startEditor(t, Options{})
	e.initialize(workspaceParams(root, "{}"))
	u := uri.File(filepath.Join(root, "x.go"))
	e.notify("textDocument/didOpen", fmt.Sprintf(`{"textDocument":{"uri":%q,"languageId":"go","version":1,"text":"package x\n"}}`, u))

	messages := []string{methodDidFocus, methodDidChangeDiagnostics, methodDidChangeTrust}
	calls := map[string]bool{}
	for _, message := range protocol.Methods {
		switch {
		case message.Direction == "serverToClient", message.Method == "initialize", message.Method == "shutdown", message.Method == "exit":
			continue
		case message.Kind == "request":
			calls[message.Method] = true
		}
		messages = append(messages, message.Method)
	}
	if len(calls) < 40 {
		t.Fatalf("only %d requests are known", len(calls))
	}
	for _, method := range messages {
		for _, params := range wrongParams {
			if !calls[method] {
				e.notify(method, params)
				continue
			}
			_, err := e.call(method, params)
			var failure *jsonrpc2.Error
			if err != nil && (!errors.As(err, &failure) || failure.Code != -32602 && failure.Code != -32601) {
				t.Errorf("%s %s: %v", method, params, err)
			}
		}
		e.must("workspace/executeCommand", `{"command":"foreword.status","arguments":[{}]}`)
	}
	if log := e.log.String(); strings.Contains(log, "panic") {
		t.Errorf("a handler panicked:\n%s", log)
	}
	if got := e.stop(); got != 0 {
		t.Errorf("exit code %d", got)
	}
}

// No arguments, null and an empty list all stand for an empty object.
func TestArgumentsMayBeLeftOut(t *testing.T) {
	e := startEditor(t, Options{})
	e.initialize(workspaceParams(t.TempDir(), "{}"))
	for _, arguments := range []string{``, `,"arguments":null`, `,"arguments":[]`, `,"arguments":[{}]`} {
		e.must("workspace/executeCommand", `{"command":"foreword.status"`+arguments+`}`)
	}
	e.stop()
}
