package lsp

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"go.lsp.dev/uri"

	"foreword/commands"
	"foreword/workspace/fsys"
)

// gatedDisk is a disk on which listing a folder named gate waits until the gate
// is opened.
type gatedDisk struct {
	fsys.FS
	open    chan struct{}
	arrived chan struct{} // closed when somebody waits
	once    sync.Once
}

func (d *gatedDisk) ReadDir(path string) ([]fsys.Entry, error) {
	if filepath.Base(path) == "gate" {
		d.once.Do(func() { close(d.arrived) })
		<-d.open
	}
	return d.FS.ReadDir(path)
}

// gatedEditor is a client of a server whose workspace, no repository, has twenty
// folders and one that cannot be listed before the gate is opened.
func gatedEditor(t *testing.T, capabilities string) (e *editor, root string, disk *gatedDisk) {
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for i := range 20 {
		dir := filepath.Join(root, fmt.Sprintf("d%02d", i))
		if err := os.MkdirAll(filepath.Join(dir, "inner"), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.MkdirAll(filepath.Join(root, "d19", "gate"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(root, "AGENTS.md"), []byte("Rules.\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	disk = &gatedDisk{FS: fsys.Disk(), open: make(chan struct{}), arrived: make(chan struct{})}
	e = startEditor(t, Options{
		ProgressDelay: time.Nanosecond, Home: t.TempDir(),
		Service: func(o commands.Options) (*commands.Service, error) {
			o.Disk = disk
			return commands.Open(o)
		},
	})
	e.initialize(fmt.Sprintf(`{"processId":null,"rootUri":%q,"capabilities":%s}`, uri.File(root), capabilities))
	return e, root, disk
}

var directories = regexp.MustCompile(`"message":"[0-9]+ of [0-9]+ directories"`)

// A scan tells from inside how far it has come, ends when the user says so, and
// nothing else waits for it.
func TestScanTellsHowFarItHasCome(t *testing.T) {
	e, root, disk := gatedEditor(t, `{"window":{"workDoneProgress":true}}`)
	answered := make(chan error, 1)
	go func() {
		_, err := e.call("workspace/executeCommand", `{"command":"foreword.instructions.check","arguments":[{}]}`)
		answered <- err
	}()
	e.await("window/workDoneProgress/create", nil)
	token := e.awaitProgress("begin")
	<-disk.arrived
	e.await("$/progress", func(raw json.RawMessage) bool {
		return strings.Contains(string(raw), `"kind":"report"`) && directories.Match(raw)
	})
	hover := e.must("textDocument/hover", hoverParams(uri.File(filepath.Join(root, "d00", "x.go"))))
	if !strings.Contains(string(hover), "AGENTS.md") {
		t.Errorf("the hover during a scan: %s", hover)
	}
	e.notify("window/workDoneProgress/cancel", fmt.Sprintf(`{"token":%s}`, token))
	e.must("textDocument/codeAction", `{"textDocument":{"uri":"untitled:x"},"range":{"start":{"line":0,"character":0},"end":{"line":0,"character":0}},"context":{"diagnostics":[]}}`)
	close(disk.open)
	if err := <-answered; code(t, err) != -32800 {
		t.Errorf("answer to a scan that the user cancelled: %v", err)
	}
	e.awaitProgress("end")
	e.stop()
}

// A hover in an instruction file does not wait for its files to be counted; a
// lens does, and the hover after it knows.
func TestHoverDoesNotWaitForACount(t *testing.T) {
	e, root, disk := gatedEditor(t, `{}`)
	agents := uri.File(filepath.Join(root, "AGENTS.md"))
	if hover := string(e.must("textDocument/hover", hoverParams(agents))); !strings.Contains(hover, "its files are being counted") || !strings.Contains(hover, "1 instruction file applies here") {
		t.Errorf("hover before the count: %s", hover)
	}
	close(disk.open)
	lens := string(e.must("textDocument/codeLens", fmt.Sprintf(`{"textDocument":{"uri":%q}}`, agents)))
	if !strings.Contains(lens, "applies to 1 file") {
		t.Errorf("lens: %s", lens)
	}
	if hover := string(e.must("textDocument/hover", hoverParams(agents))); !strings.Contains(hover, "applies to 1 file") {
		t.Errorf("hover after the count: %s", hover)
	}
	e.stop()
}
