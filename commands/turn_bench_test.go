package commands

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"go.lsp.dev/uri"

	"foreword/workspace"
)

// The load of the benchmark: forty of everything that a prompt is made of, and
// a long conversation.
const (
	benchInstructions = 40
	benchTools        = 40
	benchBuffers      = 40
	benchMessages     = 1000
)

// turnBench is a session that has been going on for benchMessages messages.
type turnBench struct {
	service *Service
	params  map[string]any
	n       int
}

func newTurnBench(b *testing.B, files int) *turnBench {
	b.Helper()
	base, err := filepath.EvalSymlinks(b.TempDir())
	if err != nil {
		b.Fatal(err)
	}
	home, root := filepath.Join(base, "home"), filepath.Join(base, "repo")
	write := func(path, text string) {
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			b.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			b.Fatal(err)
		}
	}
	if err := os.MkdirAll(home, 0o755); err != nil {
		b.Fatal(err)
	}
	dir := root
	for i := range benchInstructions / 2 {
		write(filepath.Join(dir, "AGENTS.md"), fmt.Sprintf("Rule %d.\n%s", i, strings.Repeat("Keep functions short and errors explicit.\n", 10)))
		write(filepath.Join(dir, "CLAUDE.md"), fmt.Sprintf("Note %d.\n%s", i, strings.Repeat("Say why, not what.\n", 10)))
		dir = filepath.Join(dir, fmt.Sprintf("d%d", i))
	}
	for i := range files {
		write(filepath.Join(root, fmt.Sprintf("pkg%d", i/25), fmt.Sprintf("file%d.go", i)), "package p\n")
	}
	target := filepath.Join(dir, "x.go")
	write(target, "package x\n")
	commitAll(b, root)
	s, err := Open(Options{Home: home, Roots: []Folder{{Path: root, Name: "repo"}}, Now: time.Now})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() {
		if err := s.Close(); err != nil {
			b.Error(err)
		}
	})
	for i := range benchBuffers {
		path := filepath.Join(root, "pkg0", fmt.Sprintf("file%d.go", i))
		s.Workspace().DidOpen(uri.File(path), "go", 1, fmt.Sprintf("package p\n\nfunc F%d() int { return %d }\n", i, i))
	}
	var tools []map[string]any
	for i := range benchTools {
		tools = append(tools, map[string]any{"name": fmt.Sprintf("tool%02d", i), "description": "Does one thing and says what it did.", "parameters": map[string]any{"type": "object", "properties": map[string]any{"path": map[string]any{"type": "string", "description": "The file."}}}})
	}
	bench := &turnBench{service: s, params: map[string]any{
		"session": "bench", "uri": string(uri.File(target)), "wire": "anthropic", "model": "claude-sonnet-4-5", "window": 1_000_000, "tools": tools,
	}}
	var all []message
	for i := 0; i < benchMessages; i += 2 {
		all = append(all, user(fmt.Sprintf("u%d", i), fmt.Sprintf("question %d %s", i, strings.Repeat("with some words ", 20))), says(fmt.Sprintf("a%d", i), fmt.Sprintf("answer %d %s", i, strings.Repeat("with more words ", 40))))
	}
	bench.prepare(b, all)
	return bench
}

// commitAll makes a repository of a folder, with all that it holds committed.
func commitAll(b *testing.B, root string) {
	b.Helper()
	for _, args := range [][]string{{"init", "-q"}, {"add", "-A"}, {"-c", "user.name=t", "-c", "user.email=t@example.org", "-c", "commit.gpgsign=false", "commit", "-q", "-m", "begin"}} {
		command := exec.Command("git", append([]string{"-C", root}, args...)...)
		command.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + root, "GIT_CONFIG_NOSYSTEM=1"}
		if said, err := command.CombinedOutput(); err != nil {
			b.Fatalf("git %v: %v\n%s", args, err, said)
		}
	}
}

func (t *turnBench) prepare(b *testing.B, messages []message) {
	b.Helper()
	t.params["append"] = messages
	raw, err := json.Marshal(t.params)
	if err != nil {
		b.Fatal(err)
	}
	command, _ := Lookup("foreword.turn.prepare")
	if _, err := command.Call(context.Background(), t.service, raw); err != nil {
		b.Fatal(err)
	}
}

// next is one turn that follows: an answer and a question.
func (t *turnBench) next(b *testing.B) {
	t.n++
	t.prepare(b, []message{says(fmt.Sprintf("b%d", t.n), "an answer"), user(fmt.Sprintf("v%d", t.n), "a question")})
}

// BenchmarkTurn measures a follow-up message of a long conversation, from the
// JSON of its parameters to the request body, the session stored.
func BenchmarkTurn(b *testing.B) {
	for _, files := range []int{50, 50_000} {
		b.Run(fmt.Sprintf("append/files=%d", files), func(b *testing.B) {
			bench := newTurnBench(b, files)
			bench.next(b)
			b.ReportAllocs()
			for b.Loop() {
				bench.next(b)
			}
		})
	}
	b.Run("after a keystroke", func(b *testing.B) {
		bench := newTurnBench(b, 50)
		bench.next(b)
		doc := bench.service.Workspace().Snapshot().Documents()[0]
		b.ReportAllocs()
		for n := 2; b.Loop(); n++ {
			if err := bench.service.Workspace().DidChange(doc.URI, int32(n), []workspace.Change{{Text: fmt.Sprintf("package p\n\nconst N = %d\n", n)}}); err != nil {
				b.Fatal(err)
			}
			bench.next(b)
		}
	})
}
