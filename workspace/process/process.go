// Package process runs one program for foreword: a command that gives context, a hook.
//
// A command is a list of words, never a line for a shell. It gets bytes or nothing on its standard input, a working
// directory, a time and an environment without keys; what it prints is kept up to a bound. When it ends, is too
// slow or prints without end, everything that it started in its process group (on Windows: its job) ends with it, and no goroutine
// is left behind. Whether a command may be run at all is not decided here but by package trust.
package process

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// The outcomes of a command that did not end by itself. [errors.Is] finds them in the error of [Do].
var (
	// ErrTimeout says that the command took longer than it may.
	ErrTimeout = errors.New("took longer than it may")
	// ErrFlood says that the command printed more than anybody can want.
	ErrFlood = errors.New("printed without end")
	// ErrNotFound says that there is no such program.
	ErrNotFound = errors.New("no such program")
)

const (
	// grace is how long the pipes of a command that has ended stay open. A program that it left running may hold them for ever.
	grace = 200 * time.Millisecond
	// flood is how many bytes a command may print before it is ended: far above any bound on what is kept, and
	// reached by a program that never stops before it has cost a second of time.
	flood = 64 << 20
)

// Command is what is run, and what it may take.
type Command struct {
	// Argv is the program and its arguments. A program without a separator in its name is looked for in the absolute folders of PATH of
	// Env; a relative one is relative to Dir.
	Argv []string
	// Dir is the working directory, absolute.
	Dir string
	// Stdin is what the command reads; it sees the end of its input after that.
	Stdin []byte
	// Env holds NAME=value pairs, nothing else of the process's own environment is passed on; see [Environment].
	Env []string
	// Timeout is how long it may take; not bounded when zero.
	Timeout time.Duration
	// MaxStdout and MaxStderr are how many bytes of each are kept.
	MaxStdout, MaxStderr int
}

// Result is what a command printed and how it ended. It is filled as far as possible beside an error, too.
type Result struct {
	// Stdout and Stderr are the first bytes of what was printed.
	Stdout, Stderr []byte
	// StdoutBytes and StderrBytes count all that was printed.
	StdoutBytes, StderrBytes int
	// ExitCode is that of the program, -1 where it was ended by a signal.
	ExitCode int
	// State says how it ended in words, such as "exit status 3" or "signal: killed".
	State string
	// Held tells that the program ended and left another one running that held its output.
	Held bool
}

// Cut tells that not all of the standard output was kept.
func (r Result) Cut() bool { return r.StdoutBytes > len(r.Stdout) }

// Complaint is the first line with a letter or digit in it that was printed on standard error, at most limit bytes.
func (r Result) Complaint(limit int) string {
	text, _ := Text(r.Stderr)
	for line := range strings.Lines(text) {
		line = strings.Map(printable, strings.TrimSpace(line))
		if strings.ContainsFunc(line, isWord) {
			return strings.ToValidUTF8(line[:min(len(line), limit)], "")
		}
	}
	return ""
}

// Do runs the command and waits for it and for everything that it started in its group. A program that ends with an exit code
// other than 0 is no error: the caller decides what it means.
func Do(ctx context.Context, c Command) (Result, error) {
	if len(c.Argv) == 0 || c.Argv[0] == "" {
		return Result{}, fmt.Errorf("the command is empty: %w", ErrNotFound)
	}
	if i := slices.IndexFunc(c.Argv, func(word string) bool { return strings.ContainsRune(word, 0) }); i >= 0 {
		return Result{}, fmt.Errorf("word %d of the command holds a NUL byte, which no program can be given", i+1)
	}
	program, err := Program(c.Argv[0], c.Dir, Lookup(c.Env, "PATH"))
	if err != nil {
		return Result{}, err
	}
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	if c.Timeout > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeoutCause(ctx, c.Timeout, fmt.Errorf("%w, %s", ErrTimeout, c.Timeout))
		defer cancel()
	}
	tooMuch := func() { stop(fmt.Errorf("%w, more than %d MiB", ErrFlood, flood>>20)) }
	stdout, stderr := &capture{limit: c.MaxStdout, tooMuch: tooMuch}, &capture{limit: c.MaxStderr, tooMuch: tooMuch}

	cmd := exec.CommandContext(ctx, program, c.Argv[1:]...)
	cmd.Args[0] = c.Argv[0]
	cmd.Dir = c.Dir
	cmd.Env = append(slices.Clone(c.Env), "PWD="+c.Dir)
	if c.Stdin != nil {
		cmd.Stdin = bytes.NewReader(c.Stdin)
	}
	cmd.Stdout, cmd.Stderr = io.Writer(stdout), io.Writer(stderr)
	cmd.WaitDelay = grace
	group, err := newGroup(cmd)
	if err != nil {
		return Result{}, fmt.Errorf("cannot start %s: %w", c.Argv[0], err)
	}
	defer group.close()
	if err := cmd.Start(); err != nil {
		if ctx.Err() != nil {
			return Result{}, fmt.Errorf("%s: %w", c.Argv[0], context.Cause(ctx))
		}
		return Result{}, fmt.Errorf("cannot start %s: %w", c.Argv[0], err)
	}
	group.started(cmd)
	err = cmd.Wait()
	group.end()
	r := Result{
		Stdout: stdout.kept, Stderr: stderr.kept, StdoutBytes: stdout.total, StderrBytes: stderr.total,
		ExitCode: cmd.ProcessState.ExitCode(), State: cmd.ProcessState.String(), Held: errors.Is(err, exec.ErrWaitDelay),
	}
	var exit *exec.ExitError
	switch {
	case ctx.Err() != nil && (err != nil || !cmd.ProcessState.Success()):
		return r, fmt.Errorf("%s: %w", c.Argv[0], context.Cause(ctx))
	case err == nil, r.Held, errors.As(err, &exit):
		return r, nil
	}
	return r, fmt.Errorf("%s: %w", c.Argv[0], err)
}

// Program is the absolute path of a program. A name without a separator is looked for in the absolute folders of path, so that
// a relative one cannot make a file of the working directory a program; another name is relative to dir.
func Program(name, dir, path string) (string, error) {
	if strings.ContainsRune(name, '/') || strings.ContainsRune(name, filepath.Separator) {
		if !filepath.IsAbs(name) {
			if !filepath.IsAbs(dir) {
				return "", fmt.Errorf("%s is relative to no folder: %w", name, ErrNotFound)
			}
			name = filepath.Join(dir, filepath.FromSlash(name))
		}
		found, err := exec.LookPath(name)
		if err != nil {
			return "", fmt.Errorf("%s: %w, or it may not be run", name, ErrNotFound)
		}
		return found, nil
	}
	for _, folder := range filepath.SplitList(path) {
		if !filepath.IsAbs(folder) {
			continue
		}
		if found, err := exec.LookPath(filepath.Join(folder, name)); err == nil {
			return found, nil
		}
	}
	return "", fmt.Errorf("%s: %w on the PATH", name, ErrNotFound)
}

// capture keeps the beginning of what is written to it and counts the rest. One goroutine of os/exec writes to each, and
// the wait for the command is the wait for that goroutine.
type capture struct {
	kept    []byte
	limit   int
	total   int
	tooMuch func()
}

func (c *capture) Write(p []byte) (int, error) {
	if room := c.limit - len(c.kept); room > 0 {
		c.kept = append(c.kept, p[:min(room, len(p))]...)
	}
	before := c.total
	c.total += len(p)
	if before <= flood && c.total > flood {
		c.tooMuch()
	}
	return len(p), nil
}
