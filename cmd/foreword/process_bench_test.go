//go:build unix

package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"go.lsp.dev/uri"
)

// The load of the benchmarks is that of commands.BenchmarkTurn: forty of
// everything that a prompt is made of, and a long conversation.
const (
	loadInstructions = 40
	loadTools        = 40
	loadBuffers      = 40
	loadMessages     = 1000
)

// load is a committed repository, and a program built from this source.
type load struct {
	program, home, root, target string
}

func newLoad(b *testing.B, files int) *load {
	b.Helper()
	base, err := filepath.EvalSymlinks(b.TempDir())
	if err != nil {
		b.Fatal(err)
	}
	l := &load{program: filepath.Join(base, "foreword"), home: filepath.Join(base, "home"), root: filepath.Join(base, "repo")}
	write := func(path, text string) {
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			b.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			b.Fatal(err)
		}
	}
	write(filepath.Join(l.home, "keep"), "")
	dir := l.root
	for i := range loadInstructions / 2 {
		write(filepath.Join(dir, "AGENTS.md"), fmt.Sprintf("Rule %d.\n%s", i, strings.Repeat("Keep functions short and errors explicit.\n", 10)))
		write(filepath.Join(dir, "CLAUDE.md"), fmt.Sprintf("Note %d.\n%s", i, strings.Repeat("Say why, not what.\n", 10)))
		dir = filepath.Join(dir, fmt.Sprintf("d%d", i))
	}
	for i := range files {
		write(l.file(i), "package p\n")
	}
	l.target = filepath.Join(dir, "x.go")
	write(l.target, "package x\n")
	for _, args := range [][]string{
		{"go", "build", "-o", l.program, "."},
		{"git", "-C", l.root, "init", "-q"},
		{"git", "-C", l.root, "add", "-A"},
		{"git", "-C", l.root, "-c", "user.name=t", "-c", "user.email=t@example.org", "-c", "commit.gpgsign=false", "commit", "-q", "-m", "begin"},
	} {
		if said, err := exec.Command(args[0], args[1:]...).CombinedOutput(); err != nil {
			b.Fatalf("%v: %v\n%s", args, err, said)
		}
	}
	return l
}

func (l *load) file(i int) string {
	return filepath.Join(l.root, fmt.Sprintf("pkg%d", i/25), fmt.Sprintf("file%d.go", i))
}

// peak is the most memory that an ended process had, in bytes.
func peak(b *testing.B, ended *os.ProcessState) float64 {
	b.Helper()
	usage, ok := ended.SysUsage().(*syscall.Rusage)
	if !ok {
		b.Fatalf("the system does not tell of memory: %T", ended.SysUsage())
	}
	if runtime.GOOS == "darwin" {
		return float64(usage.Maxrss) // bytes there, else kilobytes
	}
	return float64(usage.Maxrss) * 1024
}

const mebibyte = 1 << 20

// BenchmarkCold is the time from the start of the program to its end, with a
// prompt written between, and the most memory that it had.
func BenchmarkCold(b *testing.B) {
	for _, files := range []int{50, 50_000} {
		b.Run(fmt.Sprintf("prompt/files=%d", files), func(b *testing.B) {
			l := newLoad(b, files)
			most := 0.0
			for b.Loop() {
				c := exec.Command(l.program, "prompt", l.target, "--home", l.home)
				if said, err := c.CombinedOutput(); err != nil || len(said) == 0 {
					b.Fatalf("%v: %s", err, said)
				}
				most = max(most, peak(b, c.ProcessState))
			}
			b.ReportMetric(most/mebibyte, "MiB-peak")
		})
	}
	b.Run("version", func(b *testing.B) { // what of it every program of its size takes
		l := newLoad(b, 1)
		for b.Loop() {
			if said, err := exec.Command(l.program, "version").CombinedOutput(); err != nil {
				b.Fatalf("%v: %s", err, said)
			}
		}
	})
}

// client speaks to a server on its standard input and output.
type client struct {
	command *exec.Cmd
	in      io.WriteCloser
	out     *bufio.Reader
	id      int
	body    []byte
}

func startServer(b *testing.B, l *load) *client {
	b.Helper()
	c := &client{command: exec.Command(l.program, "serve", "--home", l.home)}
	c.command.Stderr = os.Stderr
	in, err := c.command.StdinPipe()
	if err != nil {
		b.Fatal(err)
	}
	out, err := c.command.StdoutPipe()
	if err != nil {
		b.Fatal(err)
	}
	c.in, c.out = in, bufio.NewReaderSize(out, 64<<10)
	if err := c.command.Start(); err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() {
		_ = in.Close() // an editor that is gone; the server ends
		_ = c.command.Wait()
	})
	c.ask(b, "initialize", map[string]any{"processId": nil, "capabilities": map[string]any{}, "rootUri": uri.File(l.root), "workspaceFolders": []any{map[string]any{"uri": uri.File(l.root), "name": "repo"}}})
	c.tell(b, "initialized", map[string]any{})
	return c
}

// frame is a message as it is sent.
func frame(b *testing.B, message any) []byte {
	b.Helper()
	raw, err := json.Marshal(message)
	if err != nil {
		b.Fatal(err)
	}
	return fmt.Appendf(nil, "Content-Length: %d\r\n\r\n%s", len(raw), raw)
}

func (c *client) send(b *testing.B, bytes []byte) {
	b.Helper()
	if _, err := c.in.Write(bytes); err != nil {
		b.Fatal(err)
	}
}

func (c *client) tell(b *testing.B, method string, params any) {
	b.Helper()
	c.send(b, frame(b, map[string]any{"jsonrpc": "2.0", "method": method, "params": params}))
}

func (c *client) ask(b *testing.B, method string, params any) []byte {
	b.Helper()
	c.send(b, c.request(b, method, params))
	return c.answer(b)
}

func (c *client) request(b *testing.B, method string, params any) []byte {
	b.Helper()
	c.id++
	return frame(b, map[string]any{"jsonrpc": "2.0", "id": c.id, "method": method, "params": params})
}

// answer reads messages until the answer to the newest request. It does not
// decode it: how long that takes is the editor's matter.
func (c *client) answer(b *testing.B) []byte {
	b.Helper()
	for {
		length := 0
		for {
			line, err := c.out.ReadString('\n')
			if err != nil {
				b.Fatal(err)
			}
			if line = strings.TrimSpace(line); line == "" {
				break
			}
			if value, ok := strings.CutPrefix(line, "Content-Length: "); ok {
				if length, err = strconv.Atoi(value); err != nil {
					b.Fatal(err)
				}
			}
		}
		if cap(c.body) < length {
			c.body = make([]byte, length)
		}
		c.body = c.body[:length]
		if _, err := io.ReadFull(c.out, c.body); err != nil {
			b.Fatal(err)
		}
		start := c.body[:min(len(c.body), 200)]
		if bytes.Contains(start, []byte(`"method":`)) {
			continue // a request or notification of the server
		}
		if bytes.Contains(start, []byte(`"error":`)) {
			b.Fatalf("%s", start)
		}
		return c.body
	}
}

// BenchmarkServer is a turn that follows in a long conversation, from the first
// byte that is written to a server process to the last one that it answers, and
// the most memory that the server had.
func BenchmarkServer(b *testing.B) {
	const turns = 50 // after so many a session is begun anew
	for _, files := range []int{50, 50_000} {
		b.Run(fmt.Sprintf("turn/files=%d", files), func(b *testing.B) {
			l := newLoad(b, files)
			c := startServer(b, l)
			for i := range loadBuffers {
				c.tell(b, "textDocument/didOpen", map[string]any{"textDocument": map[string]any{
					"uri": uri.File(l.file(i)), "languageId": "go", "version": 1, "text": fmt.Sprintf("package p\n\nfunc F%d() int { return %d }\n", i, i),
				}})
			}
			var tools []any
			for i := range loadTools {
				tools = append(tools, map[string]any{"name": fmt.Sprintf("tool%02d", i), "description": "Does one thing and says what it did.", "parameters": map[string]any{"type": "object", "properties": map[string]any{"path": map[string]any{"type": "string", "description": "The file."}}}})
			}
			session, n := 0, 0
			turn := func(messages ...any) []byte {
				return c.request(b, "workspace/executeCommand", map[string]any{"command": "foreword.turn.prepare", "arguments": []any{map[string]any{
					"session": fmt.Sprintf("bench %d", session), "uri": uri.File(l.target), "wire": "anthropic", "model": "claude-sonnet-4-5", "window": 1_000_000,
					"tools": tools, "append": messages,
				}}})
			}
			said := func(id, role, text string) any { return map[string]any{"id": id, "role": role, "content": text} }
			next := func() []byte {
				n++
				return turn(said(fmt.Sprintf("b%d", n), "assistant", "an answer"), said(fmt.Sprintf("v%d", n), "user", "a question"))
			}
			begin := func() {
				session, n = session+1, 0
				var all []any
				for i := 0; i < loadMessages; i += 2 {
					all = append(all, said(fmt.Sprintf("u%d", i), "user", fmt.Sprintf("question %d %s", i, strings.Repeat("with some words ", 20))),
						said(fmt.Sprintf("a%d", i), "assistant", fmt.Sprintf("answer %d %s", i, strings.Repeat("with more words ", 40))))
				}
				c.send(b, turn(all...))
				c.answer(b)
				for range 2 {
					c.send(b, next())
					c.answer(b)
				}
			}
			begin()
			size := 0
			for b.Loop() {
				b.StopTimer()
				if n >= turns {
					begin()
				}
				request := next()
				b.StartTimer()
				c.send(b, request)
				size = len(c.answer(b))
			}
			b.ReportMetric(float64(size)/1e3, "kB-answer")
			c.ask(b, "shutdown", nil)
			c.tell(b, "exit", nil)
			if err := c.command.Wait(); err != nil {
				b.Fatal(err)
			}
			b.ReportMetric(peak(b, c.command.ProcessState)/mebibyte, "MiB-peak")
		})
	}
}
