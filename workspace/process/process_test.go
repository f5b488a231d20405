package process

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"
	"pgregory.net/rapid"
)

// The test binary is the program that the tests run: it behaves as FOREWORD_PLAY says.
func TestMain(m *testing.M) {
	if play, ok := os.LookupEnv("FOREWORD_PLAY"); ok {
		os.Exit(playProgram(play))
	}
	goleak.VerifyTestMain(m)
}

func playProgram(play string) int {
	switch play {
	case "args":
		fmt.Printf("%q", os.Args[1:])
	case "echo":
		_, _ = io.Copy(os.Stdout, os.Stdin)
	case "read": // tells when its input ends
		n, err := io.Copy(io.Discard, os.Stdin)
		fmt.Print(n, err)
	case "where":
		dir, err := os.Getwd()
		fmt.Print(dir, err, os.Getenv("PWD"))
	case "fail":
		fmt.Print("part")
		fmt.Fprint(os.Stderr, "\n\x1b[31m--\n  it is\tbroken\x1b[0m \nmore\n")
		return 3
	case "flood":
		block := strings.Repeat("y\n", 1<<15)
		for {
			if _, err := fmt.Print(block); err != nil {
				return 1
			}
		}
	case "hang":
		fmt.Println("ready")
		time.Sleep(time.Hour) // not select: the runtime ends a program that can never go on
	case "leave": // ends, and leaves a child that holds the output
		child := exec.Command(os.Args[0])
		child.Env = append(os.Environ(), "FOREWORD_PLAY=hold")
		child.Stdout, child.Stderr = os.Stdout, os.Stderr
		if err := child.Start(); err != nil {
			return 1
		}
		fmt.Println(child.Process.Pid)
	case "parent": // hangs, with a child that does
		child := exec.Command(os.Args[0])
		child.Env = append(os.Environ(), "FOREWORD_PLAY=hold")
		child.Stdout = os.Stdout
		if err := child.Start(); err != nil {
			return 1
		}
		if err := os.WriteFile(os.Args[1], fmt.Appendln(nil, child.Process.Pid), 0o600); err != nil {
			return 1
		}
		_ = child.Wait()
	case "hold":
		// A pipe that nobody writes to: it ends with its writers, this process itself.
		r, w, err := os.Pipe()
		if err != nil {
			return 1
		}
		defer w.Close()
		_, _ = bufio.NewReader(r).ReadByte()
	}
	return 0
}

func play(t *testing.T, what string) Command {
	t.Helper()
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return Command{
		Argv: []string{program}, Dir: t.TempDir(), Env: []string{"FOREWORD_PLAY=" + what, "PATH=" + os.Getenv("PATH")},
		MaxStdout: 1000, MaxStderr: 1000,
	}
}

// Words reach the program as they are: there is no shell that could read them.
func TestWordsAreNotRead(t *testing.T) {
	c := play(t, "args")
	words := []string{"$(touch PWNED)", "`id`", "; echo x", "${x@P}", "a b", "", "*", "\"'\\", "-x\n"}
	c.Argv = append(c.Argv, words...)
	r, err := Do(t.Context(), c)
	if err != nil || string(r.Stdout) != fmt.Sprintf("%q", words) {
		t.Errorf("%s, %v", r.Stdout, err)
	}
}

func TestInputAndBounds(t *testing.T) {
	c := play(t, "echo")
	c.Stdin = []byte(strings.Repeat("0123456789", 100_000))
	r, err := Do(t.Context(), c)
	if err != nil || string(r.Stdout) != string(c.Stdin[:1000]) || r.StdoutBytes != len(c.Stdin) || !r.Cut() || r.ExitCode != 0 {
		t.Errorf("%d of %d bytes, %v", len(r.Stdout), r.StdoutBytes, err)
	}
	c = play(t, "read")
	if r, err = Do(t.Context(), c); err != nil || string(r.Stdout) != "0 <nil>" || r.Cut() {
		t.Errorf("no input: %s, %v", r.Stdout, err)
	}
	c = play(t, "args") // does not read a large input
	c.Stdin = make([]byte, 1<<20)
	if r, err = Do(t.Context(), c); err != nil || string(r.Stdout) != "[]" {
		t.Errorf("unread input: %s, %v", r.Stdout, err)
	}
	c = play(t, "where")
	real, err := filepath.EvalSymlinks(c.Dir)
	if err != nil {
		t.Fatal(err)
	}
	c.Dir = real
	if r, err = Do(t.Context(), c); err != nil || string(r.Stdout) != real+"<nil>"+real {
		t.Errorf("where: %s, %v", r.Stdout, err)
	}
}

func TestExitCodeIsNoError(t *testing.T) {
	r, err := Do(t.Context(), play(t, "fail"))
	if err != nil || r.ExitCode != 3 || string(r.Stdout) != "part" || r.State != "exit status 3" {
		t.Errorf("%+v, %v", r, err)
	}
	if got := r.Complaint(100); got != "it is broken" {
		t.Errorf("complaint %q", got)
	}
	if got := r.Complaint(4); len(got) > 4 {
		t.Errorf("complaint %q", got)
	}
}

func TestTimeEndsTheCommand(t *testing.T) {
	c := play(t, "hang")
	c.Timeout = 50 * time.Millisecond
	if _, err := Do(t.Context(), c); !errors.Is(err, ErrTimeout) || !strings.Contains(err.Error(), "50ms") {
		t.Fatalf("%v", err)
	}
}

// The end of a command is the end of everything that it started.
func TestEndOfTheGroup(t *testing.T) {
	c := play(t, "parent")
	file := filepath.Join(c.Dir, "child")
	c.Argv = append(c.Argv, file)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	done := make(chan error)
	go func() {
		_, err := Do(ctx, c)
		done <- err
	}()
	var child []byte
	for !strings.HasSuffix(string(child), "\n") {
		child, _ = os.ReadFile(file) // not there yet
		runtime.Gosched()
	}
	cancel()
	if err := <-done; !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
	gone(t, string(child))
}

// A program that ends and leaves a child with its output costs a moment, and the child ends too.
func TestChildThatHoldsTheOutput(t *testing.T) {
	r, err := Do(t.Context(), play(t, "leave"))
	if err != nil || !r.Held || r.ExitCode != 0 {
		t.Fatalf("%+v, %v", r, err)
	}
	gone(t, string(r.Stdout))
}

func TestFloodIsEnded(t *testing.T) {
	r, err := Do(t.Context(), play(t, "flood"))
	if !errors.Is(err, ErrFlood) || len(r.Stdout) != 1000 || r.StdoutBytes < flood {
		t.Errorf("%d bytes, %v", r.StdoutBytes, err)
	}
}

func TestCancelEndsTheCommand(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	c := play(t, "hang")
	done := make(chan error)
	go func() {
		_, err := Do(ctx, c)
		done <- err
	}()
	cancel()
	if err := <-done; !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
	if _, err := Do(ctx, c); !errors.Is(err, context.Canceled) {
		t.Errorf("begun after the end: %v", err)
	}
}

func TestText(t *testing.T) {
	for _, c := range []struct {
		printed, text string
		ok            bool
	}{
		{"", "", true},
		{"\ufeffa\r\nb\n", "a\nb\n", true},
		{"\x1b[1;31mred\x1b[0m\x1b]0;title\x07 end\x1b(B\x1b[K", "red end", true},
		{"caf\xe9 \xff\xfe", "caf\ufffd \ufffd", true},
		{"a\x00b", "a\x00b", false},
	} {
		if text, ok := Text([]byte(c.printed)); text != c.text || ok != c.ok {
			t.Errorf("%q: %q, %v", c.printed, text, ok)
		}
	}
}

func TestPrograms(t *testing.T) {
	dir := t.TempDir()
	for name, mode := range map[string]os.FileMode{"tool": 0o755, "text": 0o644} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("#!/bin/sh\n"), mode); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		name, path string
		found      bool
	}{
		{"tool", dir, true},
		{"tool", "relative" + string(filepath.ListSeparator) + dir, true},
		{"tool", ".", false},
		{"tool", "", false},
		{"./tool", "", true},
		{"text", dir, false},
		{"./text", "", false},
		{"./none", dir, false},
		{filepath.Join(dir, "tool"), "", true},
	} {
		t.Chdir(dir)
		got, err := Program(c.name, dir, c.path)
		if (err == nil) != c.found || (c.found && got != filepath.Join(dir, "tool")) || (err != nil && !errors.Is(err, ErrNotFound)) {
			t.Errorf("%s on %q: %s, %v", c.name, c.path, got, err)
		}
	}
	for _, argv := range [][]string{nil, {""}, {"no-such-program-anywhere"}} {
		if _, err := Do(t.Context(), Command{Argv: argv, Dir: dir}); !errors.Is(err, ErrNotFound) {
			t.Errorf("%q: %v", argv, err)
		}
	}
	if _, err := Do(t.Context(), Command{Argv: []string{"./tool", "a\x00b"}, Dir: dir}); err == nil {
		t.Error("a NUL byte in a word")
	}
	c := play(t, "args")
	c.Dir = filepath.Join(dir, "gone")
	if _, err := Do(t.Context(), c); err == nil {
		t.Error("a folder that is not there")
	}
}

func TestEnvironment(t *testing.T) {
	all := []string{
		"PATH=/bin", "HOME=/home/u", "LANG=C.UTF-8", "USER=u", "TERM=xterm", "PWD=/x", "OLDPWD=/y", "XDG_SESSION_ID=1", "KEYBOARD=us", "TOKENIZERS_PARALLELISM=1", "GOPATH=/go", "=C:=x", "broken",
		"OPENAI_API_KEY=x", "AWS_ACCESS_KEY_ID=x", "GITHUB_TOKEN=x", "githubtoken=x", "PGPASSWORD=x", "MYSQL_PWD=x", "DB_PASS=x", "CLIENT_SECRET_FILE=x", "MySecretThing=x", "GOOGLE_APPLICATION_CREDENTIALS=x", "SENTRY_DSN=x",
		"SSH_AUTH_SOCK=/s", "DATABASE=postgres://u:p@host/db", "PLAIN_URL=https://host/a:b", "NOTE=sk-abcdefghijklmnop", "PEM=-----BEGIN RSA PRIVATE KEY-----", "MINE_x=1",
	}
	names := func(keep, hide []string) (out []string) {
		for _, pair := range Environment(all, keep, hide) {
			name, _, _ := strings.Cut(pair, "=")
			out = append(out, name)
		}
		return out
	}
	want := []string{"GOPATH", "HOME", "KEYBOARD", "LANG", "MINE_x", "NO_COLOR", "OLDPWD", "PATH", "PLAIN_URL", "TERM", "TOKENIZERS_PARALLELISM", "USER", "XDG_SESSION_ID"}
	if got := names(nil, nil); !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
	want = []string{"GITHUB_TOKEN", "GOPATH", "HOME", "KEYBOARD", "LANG", "NO_COLOR", "OLDPWD", "PATH", "PLAIN_URL", "TERM", "TOKENIZERS_PARALLELISM", "USER", "XDG_SESSION_ID"}
	if got := names([]string{"GITHUB_*", "mine_*"}, []string{"MINE_?", "["}); !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
	if Lookup(all, "HOME") != "/home/u" || Lookup([]string{"A=1", "A=2"}, "A") != "2" || Lookup(all, "NONE") != "" {
		t.Error("lookup")
	}
}

// No name that ends with a word for a secret is handed on, whatever stands before it.
func TestNoKeyIsHandedOn(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		name := rapid.StringMatching(`[A-Za-z0-9_]{0,8}`).Draw(t, "before") + rapid.SampledFrom(keyWords).Draw(t, "word") + rapid.StringMatching(`(_[A-Z]{0,4})?`).Draw(t, "after")
		for _, pair := range Environment([]string{name + "=SECRETVALUE"}, nil, nil) {
			if strings.Contains(pair, "SECRETVALUE") {
				t.Errorf("%s is handed on", name)
			}
		}
	})
}
