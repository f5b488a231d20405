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
	root    string
	params  map[string]any
	n       int // turns of the session
	session int
}

// benchTurns is after how many turns a session is begun anew, so that a
// conversation has about benchMessages however long is measured.
const benchTurns = 50

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
	time.Sleep(5 * time.Second) // what was written just now is read again by every turn
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
	bench := &turnBench{service: s, root: root, params: map[string]any{
		"uri": string(uri.File(target)), "wire": "anthropic", "model": "claude-sonnet-4-5", "window": 1_000_000, "tools": tools,
	}}
	bench.begin(b)
	return bench
}

// begin begins a session with benchMessages messages, and takes its first turns.
func (t *turnBench) begin(b *testing.B) {
	t.session++
	t.params["session"], t.n = fmt.Sprintf("bench %d", t.session), 0
	var all []message
	for i := 0; i < benchMessages; i += 2 {
		all = append(all, user(fmt.Sprintf("u%d", i), fmt.Sprintf("question %d %s", i, strings.Repeat("with some words ", 20))), says(fmt.Sprintf("a%d", i), fmt.Sprintf("answer %d %s", i, strings.Repeat("with more words ", 40))))
	}
	t.prepare(b, t.ask(b, all))
	for range 2 {
		t.prepare(b, t.next(b))
	}
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

// ask is the JSON of a request, as a client sends it.
func (t *turnBench) ask(b *testing.B, messages []message) []byte {
	b.Helper()
	t.params["append"] = messages
	raw, err := json.Marshal(t.params)
	if err != nil {
		b.Fatal(err)
	}
	return raw
}

func (t *turnBench) prepare(b *testing.B, raw []byte) {
	b.Helper()
	command, _ := Lookup("foreword.turn.prepare")
	if _, err := command.Call(context.Background(), t.service, raw); err != nil {
		b.Fatal(err)
	}
}

// next asks for a turn that follows: an answer and a question.
func (t *turnBench) next(b *testing.B) []byte {
	t.n++
	return t.ask(b, []message{says(fmt.Sprintf("b%d", t.n), "an answer"), user(fmt.Sprintf("v%d", t.n), "a question")})
}

// BenchmarkTurn measures a follow-up message of a long conversation, from the
// JSON of its parameters to the request body, the session stored.
func BenchmarkTurn(b *testing.B) {
	for _, files := range []int{50, 50_000} {
		for _, since := range []struct {
			name   string
			happen func(b *testing.B, t *turnBench)
		}{
			{"nothing happened", func(*testing.B, *turnBench) {}},
			{"a keystroke", func(b *testing.B, t *turnBench) {
				doc := t.service.Workspace().Snapshot().Documents()[0]
				if err := t.service.Workspace().DidChange(doc.URI, doc.Version+1, []workspace.Change{{Text: fmt.Sprintf("package p\n\nconst N = %d\n", doc.Version)}}); err != nil {
					b.Fatal(err)
				}
			}},
			// The editor tells of a file that was written: git and the cache of files are asked anew.
			{"a file was saved", func(b *testing.B, t *turnBench) {
				path := filepath.Join(t.root, "pkg1", "file30.go")
				if err := os.WriteFile(path, fmt.Appendf(nil, "package p\n\nconst N = %d\n", t.session*benchTurns+t.n), 0o644); err != nil {
					b.Fatal(err)
				}
				t.service.FilesChanged([]string{path})
			}},
		} {
			b.Run(fmt.Sprintf("files=%d/%s", files, since.name), func(b *testing.B) {
				bench := newTurnBench(b, files)
				b.ReportAllocs()
				for b.Loop() {
					b.StopTimer()
					if bench.n >= benchTurns {
						bench.begin(b)
					}
					since.happen(b, bench)
					raw := bench.next(b)
					b.StartTimer()
					bench.prepare(b, raw)
				}
			})
		}
	}
}
