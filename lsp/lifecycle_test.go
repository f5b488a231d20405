package lsp

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strings"
	"testing"
	"time"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"foreword/commands"
	"foreword/workspace"
)

// workspaceParams are the parameters of initialize for one folder.
func workspaceParams(folder string, capabilities string) string {
	return fmt.Sprintf(`{"processId":null,"rootUri":null,"capabilities":%s,"workspaceFolders":[{"uri":%q,"name":"w"}]}`, capabilities, uri.File(folder))
}

func code(t *testing.T, err error) jsonrpc2.Code {
	t.Helper()
	var wire *jsonrpc2.Error
	if !errors.As(err, &wire) {
		t.Fatalf("error %v has no code", err)
	}
	return wire.Code
}

func TestLifecycleIsEnforced(t *testing.T) {
	e := startEditor(t, Options{})
	hover := `{"textDocument":{"uri":"file:///x"},"position":{"line":0,"character":0}}`
	if _, err := e.call("textDocument/hover", hover); code(t, err) != -32002 {
		t.Errorf("hover before initialize: %v", err)
	}
	// Dropped, and the connection lives on.
	e.notify("textDocument/didSave", `{"textDocument":{"uri":"file:///x"}}`)
	e.initialize(workspaceParams(t.TempDir(), "{}"))
	if _, err := e.call("initialize", workspaceParams(t.TempDir(), "{}")); code(t, err) != -32600 {
		t.Errorf("second initialize: %v", err)
	}
	e.must("shutdown", nil)
	if _, err := e.call("textDocument/hover", hover); code(t, err) != -32600 {
		t.Errorf("hover after shutdown: %v", err)
	}
	if _, err := e.call("shutdown", nil); code(t, err) != -32600 {
		t.Errorf("second shutdown: %v", err)
	}
	e.notify("exit", nil)
	if got := <-e.exited; got != 0 {
		t.Errorf("exit code %d after shutdown", got)
	}
	e.exited <- 0
}

func TestExitCodes(t *testing.T) {
	for _, test := range []struct {
		name string
		end  func(*editor)
		want int
	}{
		{"exit without initialize", func(e *editor) { e.notify("exit", nil) }, 1},
		{"exit without shutdown", func(e *editor) { e.initialize(workspaceParams(t.TempDir(), "{}")); e.notify("exit", nil) }, 1},
		{"client hangs up", func(e *editor) { e.initialize(workspaceParams(t.TempDir(), "{}")); e.pipe.Close() }, 1},
		{"client hangs up after shutdown", func(e *editor) {
			e.initialize(workspaceParams(t.TempDir(), "{}"))
			e.must("shutdown", nil)
			e.pipe.Close()
		}, 0},
	} {
		t.Run(test.name, func(t *testing.T) {
			e := startEditor(t, Options{})
			test.end(e)
			got := <-e.exited
			e.exited <- got
			if got != test.want {
				t.Errorf("exit code %d, want %d", got, test.want)
			}
		})
	}
}

func TestServerEndsWithTheProcessOfItsClient(t *testing.T) {
	client := exec.Command("sleep", "600")
	if err := client.Start(); err != nil {
		t.Fatal(err)
	}
	e := startEditor(t, Options{ClientPoll: time.Millisecond})
	e.initialize(fmt.Sprintf(`{"processId":%d,"rootUri":null,"capabilities":{}}`, client.Process.Pid))
	e.must("workspace/executeCommand", `{"command":"foreword.status"}`)
	if err := client.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = client.Wait()
	got := <-e.exited
	e.exited <- got
	if got != 1 {
		t.Errorf("exit code %d", got)
	}
}

func TestClientInAnotherContainerDoesNotEndTheServer(t *testing.T) {
	gone := exec.Command("true")
	if err := gone.Run(); err != nil {
		t.Fatal(err)
	}
	e := startEditor(t, Options{ClientPoll: time.Millisecond})
	e.initialize(fmt.Sprintf(`{"processId":%d,"rootUri":null,"capabilities":{}}`, gone.Process.Pid))
	for range 20 {
		e.must("workspace/executeCommand", `{"command":"foreword.status"}`)
		time.Sleep(time.Millisecond)
	}
	if got := e.stop(); got != 0 {
		t.Errorf("exit code %d", got)
	}
}

func TestInitializeTakesAnyCapabilities(t *testing.T) {
	for name, test := range map[string]struct {
		params   string
		encoding string
	}{
		"nothing at all":       {`{"processId":null,"rootUri":null,"capabilities":{}}`, "utf-16"},
		"empty general":        {`{"processId":null,"rootUri":null,"capabilities":{"general":{}}}`, "utf-16"},
		"utf-8 is liked best":  {`{"processId":null,"rootUri":null,"capabilities":{"general":{"positionEncodings":["utf-32","utf-16","utf-8"]}}}`, "utf-8"},
		"utf-16 before utf-32": {`{"processId":null,"rootUri":null,"capabilities":{"general":{"positionEncodings":["utf-32","utf-16"]}}}`, "utf-16"},
		"utf-32 where alone":   {`{"processId":null,"rootUri":null,"capabilities":{"general":{"positionEncodings":["utf-32"]}}}`, "utf-32"},
		"unknown encodings":    {`{"processId":null,"rootUri":null,"capabilities":{"general":{"positionEncodings":["utf-7"]}}}`, "utf-16"},
		"nulls":                {`{"processId":null,"rootUri":null,"capabilities":{"workspace":null,"textDocument":null,"window":null,"general":null},"initializationOptions":null,"workspaceFolders":null}`, "utf-16"},
		"empty rootUri":        {`{"processId":null,"rootUri":"","capabilities":{}}`, "utf-16"},
		"foreign options":      {`{"processId":null,"rootUri":null,"capabilities":{},"initializationOptions":{"commands":7}}`, "utf-16"},
	} {
		t.Run(name, func(t *testing.T) {
			e := startEditor(t, Options{})
			var result struct {
				Capabilities struct{ PositionEncoding string }
			}
			if err := json.Unmarshal(e.initialize(test.params), &result); err != nil {
				t.Fatal(err)
			}
			if got := result.Capabilities.PositionEncoding; got != test.encoding {
				t.Errorf("encoding %s, want %s", got, test.encoding)
			}
			if got := e.stop(); got != 0 {
				t.Errorf("exit code %d", got)
			}
		})
	}
}

func TestInitializeMayBeTriedAgain(t *testing.T) {
	first := true
	e := startEditor(t, Options{Service: func(o commands.Options) (*commands.Service, error) {
		if first {
			first = false
			return nil, io.ErrUnexpectedEOF
		}
		return commands.Open(o)
	}})
	if _, err := e.call("initialize", workspaceParams(t.TempDir(), "{}")); err == nil || !strings.Contains(err.Error(), "cannot open the workspace") {
		t.Fatalf("first initialize: %v", err)
	}
	if _, err := e.call("textDocument/hover", `{"textDocument":{"uri":"file:///x"},"position":{"line":0,"character":0}}`); code(t, err) != -32002 {
		t.Errorf("hover after a failed initialize: %v", err)
	}
	e.initialize(workspaceParams(t.TempDir(), "{}"))
	e.stop()
}

func TestInitialFolders(t *testing.T) {
	for name, test := range map[string]struct {
		params string
		want   []workspace.Folder
	}{
		"folders win":        {`{"processId":null,"rootUri":"file:///a","capabilities":{},"workspaceFolders":[{"uri":"file:///b","name":"bee"}]}`, []workspace.Folder{{Path: "/b", Name: "bee"}}},
		"no folders":         {`{"processId":null,"rootUri":"file:///a","capabilities":{},"workspaceFolders":[]}`, nil},
		"rootUri":            {`{"processId":null,"rootUri":"file:///a%20b/c","capabilities":{}}`, []workspace.Folder{{Path: "/a b/c", Name: "c"}}},
		"rootPath":           {`{"processId":null,"rootUri":null,"rootPath":"/a/","capabilities":{}}`, []workspace.Folder{{Path: "/a", Name: "a"}}},
		"relative rootPath":  {`{"processId":null,"rootUri":null,"rootPath":"a","capabilities":{}}`, nil},
		"folder not on disk": {`{"processId":null,"rootUri":null,"capabilities":{},"workspaceFolders":[{"uri":"vscode-vfs://github/a","name":"a"}]}`, nil},
	} {
		t.Run(name, func(t *testing.T) {
			var params protocol.InitializeParams
			if err := protocol.Unmarshal([]byte(test.params), &params); err != nil {
				t.Fatal(err)
			}
			if got := initialFolders(&params); fmt.Sprint(got) != fmt.Sprint(test.want) {
				t.Errorf("folders %v, want %v", got, test.want)
			}
		})
	}
}
