package lsp

import (
	"encoding/json"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"go.lsp.dev/uri"
)

// slowEditor is a client of a server whose next command takes until proceed is
// called.
func slowEditor(t *testing.T, capabilities, options string) (e *editor, command string, slow *atomic.Bool, proceed chan struct{}) {
	slow, proceed = new(atomic.Bool), make(chan struct{})
	root := t.TempDir()
	e = startEditor(t, Options{
		ProgressDelay: time.Nanosecond,
		// Only a prompt asks for the time.
		Now: func() time.Time {
			if slow.CompareAndSwap(true, false) {
				<-proceed
			}
			return time.Unix(0, 0)
		},
	})
	e.initialize(fmt.Sprintf(`{"processId":null,"rootUri":%q,"capabilities":%s,"initializationOptions":%s}`, uri.File(root), capabilities, options))
	return e, fmt.Sprintf(`"command":"foreword.prompt.build","arguments":[{"uri":"%s/x.go"}]`, uri.File(root)), slow, proceed
}

func (e *editor) awaitProgress(kind string) (token string) {
	e.t.Helper()
	raw := e.await("$/progress", func(raw json.RawMessage) bool { return strings.Contains(string(raw), `"kind":"`+kind+`"`) })
	var params struct{ Token json.RawMessage }
	if err := json.Unmarshal(raw, &params); err != nil {
		e.t.Fatal(err)
	}
	return string(params.Token)
}

func TestProgressUnderTheTokenOfTheRequest(t *testing.T) {
	e, command, slow, proceed := slowEditor(t, "{}", "{}")
	slow.Store(true)
	answered := make(chan error, 1)
	go func() {
		_, err := e.call("workspace/executeCommand", `{`+command+`,"workDoneToken":"mine"}`)
		answered <- err
	}()
	if token := e.awaitProgress("begin"); token != `"mine"` {
		t.Errorf("begin has token %s", token)
	}
	close(proceed)
	if token := e.awaitProgress("end"); token != `"mine"` {
		t.Errorf("end has token %s", token)
	}
	if err := <-answered; err != nil {
		t.Error(err)
	}
	e.stop()
}

func TestProgressOfTheServersOwn(t *testing.T) {
	e, command, slow, proceed := slowEditor(t, `{"window":{"workDoneProgress":true}}`, `{"notifications":["foreword/status"]}`)
	slow.Store(true)
	answered := make(chan error, 1)
	go func() {
		_, err := e.call("workspace/executeCommand", `{`+command+`}`)
		answered <- err
	}()
	e.await("window/workDoneProgress/create", nil)
	token := e.awaitProgress("begin")
	e.await("foreword/status", func(raw json.RawMessage) bool { return strings.Contains(string(raw), `"busy":true`) })
	// The user presses cancel.
	e.notify("window/workDoneProgress/cancel", fmt.Sprintf(`{"token":%s}`, token))
	// When this is answered, the cancel has been handled.
	e.must("textDocument/codeAction", `{"textDocument":{"uri":"untitled:x"},"range":{"start":{"line":0,"character":0},"end":{"line":0,"character":0}},"context":{"diagnostics":[]}}`)
	close(proceed)
	if err := <-answered; code(t, err) != -32800 {
		t.Errorf("answer to a request that the user cancelled: %v", err)
	}
	if end := e.awaitProgress("end"); end != token {
		t.Errorf("end has token %s, begin had %s", end, token)
	}
	e.await("foreword/status", func(raw json.RawMessage) bool { return strings.Contains(string(raw), `"busy":false`) })
	e.stop()
}

func TestTrace(t *testing.T) {
	e := startEditor(t, Options{})
	e.initialize(workspaceParams(t.TempDir(), "{}"))
	count := `{"command":"foreword.tokens.count","arguments":[{"text":"secret"}]}`
	e.must("workspace/executeCommand", count) // not traced
	e.notify("$/setTrace", `{"value":"verbose"}`)
	e.must("workspace/executeCommand", count)
	raw := string(e.await("$/logTrace", nil))
	if !strings.Contains(raw, "workspace/executeCommand") || !strings.Contains(raw, `"verbose"`) {
		t.Errorf("trace %s", raw)
	}
	if strings.Contains(raw, "secret") {
		t.Errorf("the trace tells the contents: %s", raw)
	}
	e.notify("$/setTrace", `{"value":"messages"}`)
	e.await("$/logTrace", nil) // of setTrace itself, begun under the old value
	e.must("workspace/executeCommand", count)
	if raw := string(e.await("$/logTrace", nil)); strings.Contains(raw, `"verbose"`) {
		t.Errorf("trace %s", raw)
	}
	e.notify("$/setTrace", `{"value":"loud"}`)
	e.await("window/logMessage", func(raw json.RawMessage) bool { return strings.Contains(string(raw), "loud") })
	e.stop()
}
