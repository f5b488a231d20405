package lsp

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/uri"
)

// The answer to shutdown must be written before exit ends the connection.
func TestShutdownAndExitInOneWrite(t *testing.T) {
	home := t.TempDir()
	for range 200 {
		c := startRaw(t, Options{Home: home, TempDir: home})
		sent := c.send(request(1, "initialize", hello))
		if answer := c.answer("1"); answer["error"] != nil {
			t.Fatalf("initialize: %s", answer["error"])
		}
		sent.Wait()
		sent = c.send(note("initialized", "{}") + frame(`{"jsonrpc":"2.0","id":2,"method":"shutdown"}`) + frame(`{"jsonrpc":"2.0","method":"exit"}`))
		if answer := c.answer("2"); answer["error"] != nil {
			t.Fatalf("shutdown: %s", answer["error"])
		}
		sent.Wait()
		if got := c.code(); got != 0 {
			t.Fatalf("exit code %d", got)
		}
	}
}

// Each request must see the text that was newest when it was sent: not an
// older one, and not a newer one either.
func TestRequestsSeeTheTextOfTheirTime(t *testing.T) {
	const pairs = 1000
	root := t.TempDir()
	c := startRaw(t, Options{})
	sent := c.send(request(0, "initialize", workspaceParams(root, `{"general":{"positionEncodings":["utf-8"]}}`)))
	c.answer("0")
	sent.Wait()

	u := uri.File(filepath.Join(root, "AGENTS.md"))
	var out strings.Builder
	out.WriteString(note("textDocument/didOpen", fmt.Sprintf(`{"textDocument":{"uri":%q,"languageId":"markdown","version":0,"text":"size "}}`, u)))
	for version := 1; version <= pairs; version++ {
		// Inserted behind what stands there, so a lost or doubled edit shows.
		out.WriteString(note("textDocument/didChange", fmt.Sprintf(
			`{"textDocument":{"uri":%q,"version":%d},"contentChanges":[{"range":{"start":{"line":0,"character":%d},"end":{"line":0,"character":%d}},"text":"x"}]}`,
			u, version, 4+version, 4+version)))
		out.WriteString(request(version, "textDocument/hover", fmt.Sprintf(`{"textDocument":{"uri":%q},"position":{"line":0,"character":0}}`, u)))
	}
	c.send(out.String())
	for range pairs {
		message := c.nextAnswer()
		var version int
		var hover struct{ Range span }
		if json.Unmarshal(message["id"], &version) != nil || json.Unmarshal(message["result"], &hover) != nil {
			t.Fatalf("answer %s: %s", message["id"], message["error"])
		}
		// The range is the first line of the snapshot; the text in the answer
		// is what the command has read.
		if got, want := hover.Range.End.Character, len("size ")+version; got != want {
			t.Errorf("version %d: the line has %d bytes, want %d", version, got, want)
		}
	}

	// The same for what a command answers.
	out.Reset()
	for version := pairs + 1; version <= pairs+100; version++ {
		out.WriteString(note("textDocument/didChange", fmt.Sprintf(
			`{"textDocument":{"uri":%q,"version":%d},"contentChanges":[{"range":{"start":{"line":0,"character":0},"end":{"line":0,"character":0}},"text":"x"}]}`, u, version)))
		out.WriteString(request(version, "workspace/executeCommand", fmt.Sprintf(`{"command":"foreword.tokens.count","arguments":[{"uris":[%q]}]}`, u)))
	}
	c.send(out.String())
	for range 100 {
		message := c.nextAnswer()
		var version int
		var counted struct{ Files []struct{ Bytes int } }
		if json.Unmarshal(message["id"], &version) != nil || json.Unmarshal(message["result"], &counted) != nil || len(counted.Files) != 1 {
			t.Fatalf("answer %s: %s", message["id"], message["error"])
		}
		if got, want := counted.Files[0].Bytes, len("size ")+version; got != want {
			t.Errorf("version %d: the command saw %d bytes, want %d", version, got, want)
		}
	}
}

// A panic answers its own request and nothing else.
func TestPanicInAHandler(t *testing.T) {
	var explode atomic.Bool
	root := t.TempDir()
	e := startEditor(t, Options{Env: func(name string) string {
		if explode.Load() {
			panic("boom")
		}
		return ""
	}})
	e.initialize(workspaceParams(root, "{}"))
	status := `{"command":"foreword.status","arguments":[{"uri":"` + string(uri.File(filepath.Join(root, "x.go"))) + `"}]}`
	e.must("workspace/executeCommand", status)
	explode.Store(true)
	e.notify("textDocument/didOpen", fmt.Sprintf(`{"textDocument":{"uri":%q,"languageId":"markdown","version":1,"text":"a"}}`, uri.File(filepath.Join(root, "AGENTS.md"))))
	_, err := e.call("workspace/executeCommand", status)
	if code(t, err) != -32603 {
		t.Errorf("answer to the request that panics: %v", err)
	}
	explode.Store(false)
	e.must("workspace/executeCommand", status)
	if log := e.log.String(); !strings.Contains(log, "boom") || !strings.Contains(log, "goroutine") {
		t.Errorf("the log has no stack:\n%s", log)
	}
	e.stop()
}

// Ten thousand requests, a third of them cancelled before, while or after they
// run: every one is answered once, with a result or as cancelled.
func TestCancellationAtRandom(t *testing.T) {
	const requests = 10_000
	root := t.TempDir()
	if err := os.WriteFile(filepath.Join(root, "AGENTS.md"), []byte("be kind"), 0o600); err != nil {
		t.Fatal(err)
	}
	c := startRaw(t, Options{})
	sent := c.send(request(1, "initialize", workspaceParams(root, "{}")))
	c.answer("1")
	sent.Wait()

	random := rand.New(rand.NewPCG(1, 2))
	u := uri.File(filepath.Join(root, "x.go"))
	var out bytes.Buffer
	for id := 2; id < requests+2; id++ {
		switch random.IntN(3) {
		case 0:
			out.WriteString(request(id, "textDocument/hover", fmt.Sprintf(`{"textDocument":{"uri":%q},"position":{"line":0,"character":0}}`, u)))
		case 1:
			out.WriteString(request(id, "workspace/executeCommand", fmt.Sprintf(`{"command":"foreword.instructions.explain","arguments":[{"uri":%q}]}`, u)))
		default:
			out.WriteString(request(id, "workspace/executeCommand", fmt.Sprintf(`{"command":"foreword.context.touch","arguments":[{"session":"s","uris":[%q],"kind":"read"}]}`, u)))
		}
		if random.IntN(3) == 0 {
			out.WriteString(note("$/cancelRequest", fmt.Sprintf(`{"id":%d}`, 2+random.IntN(id))))
		}
	}
	sent = c.send(out.String() + request(`"end"`, "shutdown", "null"))
	seen, cancelled, ended := map[string]int{}, 0, false
	for len(seen) < requests || !ended {
		message, err := c.read()
		if err != nil {
			t.Fatalf("after %d answers: %v\nlog:\n%s", len(seen), err, c.log)
		}
		if message["method"] != nil {
			continue
		}
		id := string(message["id"])
		if id == `"end"` {
			ended = true
			continue
		}
		seen[id]++
		if raw := message["error"]; raw != nil {
			var failure struct{ Code int }
			if err := json.Unmarshal(raw, &failure); err != nil || failure.Code != -32800 {
				t.Errorf("request %s: %s", id, raw)
			}
			cancelled++
		}
	}
	sent.Wait()
	for id, n := range seen {
		if n != 1 {
			t.Errorf("request %s was answered %d times", id, n)
		}
	}
	if cancelled == 0 {
		t.Error("no request was cancelled: the test shows nothing")
	}
	t.Logf("%d of %d requests were cancelled", cancelled, requests)
	c.send(note("exit", "null")).Wait()
	if got := c.code(); got != 0 {
		t.Errorf("exit code %d", got)
	}
}

// A running request ends when it is cancelled, and when the client is gone.
func TestRunningRequestsAreCancelled(t *testing.T) {
	for name, cancel := range map[string]func(*rawClient){
		"by its id":           func(c *rawClient) { c.send(note("$/cancelRequest", `{"id":2}`)).Wait() },
		"by the end of input": func(c *rawClient) { c.pipe.Close() },
	} {
		t.Run(name, func(t *testing.T) {
			running, ended := make(chan struct{}), make(chan error, 1)
			s := newServer(context.Background(), Options{}.withDefaults())
			h := s.guard(func(ctx context.Context, _ *jsonrpc2.Request) (any, error) {
				release(ctx)
				close(running)
				<-ctx.Done()
				ended <- ctx.Err()
				return nil, ctx.Err()
			})
			ours, theirs := net.Pipe()
			c := &rawClient{t: t, pipe: ours, in: bufio.NewReader(ours), log: new(lockedBuffer)}
			s.frames = newFrames(theirs, s.log, s.end)
			go s.write()
			s.conn = jsonrpc2.NewConn(jsonrpc2.NewStream(s.frames), jsonrpc2.WithCodec(codec{}))
			s.conn.Go(context.Background(), cancellable(ordered(h)))
			c.send(request(2, "x", "{}")).Wait()
			<-running
			cancel(c)
			<-ended
			if name == "by its id" {
				var failure struct{ Code int }
				if err := json.Unmarshal(c.answer("2")["error"], &failure); err != nil || failure.Code != -32800 {
					t.Errorf("answer %+v, %v", failure, err)
				}
			}
			ours.Close()
			<-s.conn.Done()
			s.frames.out.close()
			<-s.frames.out.done
		})
	}
}

// A client that stops reading must not keep the server alive.
func TestClientThatDoesNotRead(t *testing.T) {
	ours, theirs := net.Pipe()
	exited := make(chan int, 1)
	go func() { exited <- Run(context.Background(), theirs, Options{Home: t.TempDir(), TempDir: t.TempDir()}) }()
	// The answer to initialize is never read.
	if _, err := io.WriteString(ours, request(1, "initialize", hello)); err != nil {
		t.Fatal(err)
	}
	ours.Close()
	if got := <-exited; got != 1 {
		t.Errorf("exit code %d", got)
	}
}

// A client whose output is still open, but who can be told nothing any more, is
// gone.
func TestClientThatClosesOnlyItsInput(t *testing.T) {
	toServer, input := io.Pipe()
	output, fromServer := io.Pipe()
	exited := make(chan int, 1)
	go func() {
		exited <- Run(context.Background(), halves{toServer, fromServer}, Options{Home: t.TempDir(), TempDir: t.TempDir()})
	}()
	output.Close()
	if _, err := io.WriteString(input, request(1, "initialize", hello)); err != nil {
		t.Fatal(err)
	}
	if got := <-exited; got != 1 {
		t.Errorf("exit code %d", got)
	}
}

// halves is a connection of two pipes.
type halves struct {
	*io.PipeReader
	*io.PipeWriter
}

func (h halves) Close() error {
	_ = h.PipeReader.Close()
	return h.PipeWriter.Close()
}

// The server must go on reading while its client does not: a client may write
// before it reads.
func TestClientThatWritesBeforeItReads(t *testing.T) {
	c := startRaw(t, Options{})
	sent := c.send(request(1, "initialize", hello))
	c.answer("1")
	sent.Wait()
	const requests = 2000
	var out strings.Builder
	for id := range requests {
		out.WriteString(request(id, "nothing/like/this", "{}"))
	}
	c.send(out.String()).Wait()
	for range requests {
		c.nextAnswer()
	}
}

// Commands that change what is remembered run in the order of the wire.
func TestLaneKeepsTheOrder(t *testing.T) {
	l := newLane()
	var got []int
	var all sync.WaitGroup
	for i := range 100 {
		turn, leave := l.join()
		all.Go(func() {
			defer leave()
			time.Sleep(time.Duration(rand.IntN(50)) * time.Microsecond)
			<-turn
			got = append(got, i)
		})
	}
	all.Wait()
	for i, n := range got {
		if i != n {
			t.Fatalf("order %v", got)
		}
	}
}

func TestEndlessWorkIsBounded(t *testing.T) {
	w := make(workers, 1)
	leave, err := w.enter(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := w.enter(ctx); err == nil {
		t.Error("a cancelled request was let in")
	}
	leave()
	if leave, err = w.enter(context.Background()); err != nil {
		t.Fatal(err)
	}
	leave()
}
