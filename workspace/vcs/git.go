package vcs

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// timeout is how long one git process may take. A status of 20,000 files takes 50 ms with a warm cache;
// a prompt must not wait for a network disk.
const timeout = 2 * time.Second

// NoProgram as Git.Program means that there is no git binary.
const NoProgram = "-"

// ErrNoGit says that there is no git binary to ask.
var ErrNoGit = errors.New("git is not installed or not on the PATH")

// Git says how the git binary is called. The zero value is right for any folder: the git of the PATH, the
// process's own environment, and no trust in the repository.
type Git struct {
	// Program is the git binary: "" for the one on the PATH, NoProgram for none.
	Program string
	// Home is the user's home folder, where git finds their settings; "" for the process's own.
	Home string
	// Env looks up an environment variable; nil for the process's own.
	Env func(name string) string
	// Trusted lets the repository's clean filters and submodules take part. It is for folders that the user
	// trusts; see the package comment.
	Trusted bool
}

// safeArgs come before every subcommand; the package comment says what each is against.
var safeArgs = []string{
	"--no-pager",
	"--no-optional-locks",
	"-c", "core.fsmonitor=false",
	"-c", "core.hooksPath=" + os.DevNull,
	"-c", "core.quotePath=false",
	"-c", "safe.bareRepository=explicit",
}

// passedOn are the environment variables that git gets from ours: what it needs to find its settings, its own
// programs and a place for temporary files on the systems that we run on. Everything else stays behind.
var passedOn = []string{
	"APPDATA", "COMSPEC", "DEVELOPER_DIR", "HOMEDRIVE", "HOMEPATH", "LD_LIBRARY_PATH", "LOCALAPPDATA", "LOGNAME",
	"PATH", "PATHEXT", "PROGRAMDATA", "PROGRAMFILES", "SYSTEMDRIVE", "SYSTEMROOT", "TEMP", "TMP", "TMPDIR",
	"USER", "USERNAME", "USERPROFILE", "WINDIR", "XDG_CONFIG_HOME",
}

// Lookup returns an environment variable as g says.
func (g Git) Lookup(name string) string {
	if g.Env == nil {
		return os.Getenv(name)
	}
	return g.Env(name)
}

// HomeFolder returns the user's home folder as g says; "" where it is not known.
func (g Git) HomeFolder() string {
	if g.Home != "" {
		return g.Home
	}
	return g.Lookup("HOME")
}

// environment returns the variables of a git process that works on root, sorted.
func (g Git) environment(root string) []string {
	env := []string{
		"GIT_ALLOW_PROTOCOL=",
		"GIT_CEILING_DIRECTORIES=" + filepath.Dir(root),
		"GIT_NO_LAZY_FETCH=1",
		"GIT_OPTIONAL_LOCKS=0",
		"GIT_TERMINAL_PROMPT=0",
		"GIT_WORK_TREE=" + root,
		"LC_ALL=C",
	}
	if home := g.HomeFolder(); home != "" {
		env = append(env, "HOME="+home)
	}
	for _, name := range passedOn {
		if value := g.Lookup(name); value != "" {
			env = append(env, name+"="+value)
		}
	}
	slices.Sort(env)
	return env
}

// program returns the absolute path of the git binary, or ErrNoGit.
func (g Git) program() (string, error) {
	switch g.Program {
	case NoProgram:
		return "", ErrNoGit
	case "":
		// LookPath refuses a git that it finds in the current folder, which may be the workspace.
		path, err := exec.LookPath("git")
		if err != nil {
			return "", ErrNoGit
		}
		return path, nil
	}
	return g.Program, nil
}

// run runs one git subcommand in root and hands what it prints to out. It waits for the process, and for every
// process that it started, at most until the time is up.
func (g Git) run(ctx context.Context, root string, stdin io.Reader, out io.Writer, args ...string) error {
	program, err := g.program()
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	cmd := exec.CommandContext(ctx, program, append(slices.Clone(safeArgs), args...)...)
	cmd.Dir = root
	cmd.Env = g.environment(root)
	cmd.Stdin = stdin
	cmd.Stdout = out
	complaint := &head{limit: 512}
	cmd.Stderr = complaint
	ownGroup(cmd)
	// A process that left the group and holds our pipe does not hold us: the pipes are closed after this time.
	cmd.WaitDelay = 200 * time.Millisecond
	err = cmd.Run()
	if list, ok := out.(*records); ok && err == nil && len(list.rest) > 0 {
		return fmt.Errorf("git %s in %s: the answer ends in the middle: %.80q", args[0], root, list.rest)
	}
	if err == nil {
		return nil
	}
	if ctx.Err() != nil {
		return fmt.Errorf("git %s in %s: %w", args[0], root, context.Cause(ctx))
	}
	if text := complaint.line(); text != "" {
		return fmt.Errorf("git %s in %s: %w: %s", args[0], root, err, text)
	}
	return fmt.Errorf("git %s in %s: %w", args[0], root, err)
}

// exitCode returns the exit code that err tells of, or -1.
func exitCode(err error) int {
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		return exit.ExitCode()
	}
	return -1
}

// head keeps the beginning of what is written to it.
type head struct {
	text  []byte
	limit int
}

func (h *head) Write(p []byte) (int, error) {
	if room := h.limit - len(h.text); room > 0 {
		h.text = append(h.text, p[:min(room, len(p))]...)
	}
	return len(p), nil
}

// line returns the first line of what was kept.
func (h *head) line() string {
	text, _, _ := strings.Cut(strings.TrimSpace(string(h.text)), "\n")
	return text
}

// records cuts what is written to it at NUL bytes and hands each piece on. The piece is valid until each returns.
type records struct {
	rest []byte
	each func(record []byte)
}

func (r *records) Write(p []byte) (int, error) {
	written := len(p)
	for {
		end := bytes.IndexByte(p, 0)
		if end < 0 {
			r.rest = append(r.rest, p...)
			return written, nil
		}
		if len(r.rest) > 0 {
			r.rest = append(r.rest, p[:end]...)
			r.each(r.rest)
			r.rest = r.rest[:0]
		} else {
			r.each(p[:end])
		}
		p = p[end+1:]
	}
}
