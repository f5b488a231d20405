package commands

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"foreword/promptbuilder/sources"
	"foreword/workspace/config"
	"foreword/workspace/process"
	"foreword/workspace/trust"
)

// programs runs what the configuration names: it asks whether it may, and
// remembers for a moment what was printed, so that a preview, a build and the
// rounds of one turn run a program once.
type programs struct {
	trust   *trust.Store
	environ func() []string

	mu    sync.Mutex // guards known
	known map[[sha256.Size]byte]*ranProgram
}

// ranProgram is the last run of one program with one input.
type ranProgram struct {
	turn   chan struct{} // holds one token; who has it runs the program or reads what is below
	done   bool
	at     time.Time
	result process.Result
	err    error
}

const (
	// programFresh is how old an answer may be for a turn: the rounds of one turn
	// and the preview beside it take less.
	programFresh = 5 * time.Second
	// programFreshPreview is how old it may be for a preview that is shown again
	// with every edit.
	programFreshPreview = time.Minute
	// programsKnown bounds what is remembered; an answer may have half a megabyte.
	programsKnown = 64
	// programComplaint is how many bytes of standard error are kept.
	programComplaint = 16 << 10
)

func newPrograms(o Options, store *trust.Store) *programs {
	p := &programs{trust: store, environ: o.Environ, known: map[[sha256.Size]byte]*ranProgram{}}
	if p.environ == nil {
		p.environ = func() []string {
			var env []string
			for _, name := range basicEnvironment {
				if value := o.Env(name); value != "" {
					env = append(env, name+"="+value)
				}
			}
			return env
		}
	}
	return p
}

// basicEnvironment are the variables that programs get where only single ones
// can be looked up.
var basicEnvironment = []string{
	"APPDATA", "COMSPEC", "HOME", "LANG", "LC_ALL", "LOCALAPPDATA", "LOGNAME", "PATH", "PATHEXT", "SYSTEMDRIVE", "SYSTEMROOT", "TEMP", "TMP", "TMPDIR", "TZ", "USER",
	"USERNAME", "USERPROFILE", "WINDIR", "XDG_CACHE_HOME", "XDG_CONFIG_HOME",
}

// run runs a program at a place, or answers with what it said less than fresh
// ago.
func (r *programs) run(ctx context.Context, p *place, home string, program sources.Program, fresh time.Duration) (process.Result, error) {
	env := process.Environment(r.environ(), p.config.Commands.KeepEnv, p.config.Commands.HideEnv)
	if err := r.allowed(p, env, program); err != nil {
		return process.Result{}, err
	}
	dir := p.root
	if dir == "" {
		dir = home
	}
	if dir == "" {
		return process.Result{}, errors.New("there is no workspace folder and no home folder to run it in")
	}
	known := r.entry(dir, program)
	select {
	case known.turn <- struct{}{}:
	case <-ctx.Done():
		return process.Result{}, context.Cause(ctx)
	}
	defer func() { <-known.turn }()
	if known.done && time.Since(known.at) < fresh {
		return known.result, known.err
	}
	result, err := process.Do(ctx, process.Command{
		Argv: program.Argv, Dir: dir, Stdin: program.Stdin, Env: env, Timeout: program.Timeout,
		MaxStdout: program.MaxStdout, MaxStderr: programComplaint,
	})
	if ctx.Err() != nil {
		return result, err // cut short for this asker, not for the next
	}
	known.done, known.at, known.result, known.err = true, time.Now(), result, err
	return result, err
}

// entry is what is remembered of a program with this input.
func (r *programs) entry(dir string, program sources.Program) *ranProgram {
	words, err := json.Marshal([]any{dir, program.Argv, program.MaxStdout, len(program.Stdin)})
	if err != nil { // strings and numbers always encode
		panic(err)
	}
	key := sha256.Sum256(append(words, program.Stdin...))
	r.mu.Lock()
	defer r.mu.Unlock()
	known, ok := r.known[key]
	if !ok {
		if len(r.known) >= programsKnown {
			clear(r.known) // those that run go on; their answers are for who waits
		}
		known = &ranProgram{turn: make(chan struct{}, 1)}
		r.known[key] = known
	}
	return known
}

// allowed says whether a program may run. The user's own needs no leave, unless
// it would run a file of the workspace: then it is the workspace that speaks.
func (r *programs) allowed(p *place, env []string, program sources.Program) error {
	if !needsApproval(p, program) {
		return nil
	}
	name := fmt.Sprintf("%s (%s)", quoteWords(program.Argv), program.From.Origin)
	if !p.trusted {
		return &trust.Refusal{State: trust.NeedsTrust, Why: fmt.Sprintf(
			"%s would run what came with a folder that is not trusted; run foreword trust, then foreword trust --approve-commands", name)}
	}
	command, err := trust.Describe(p.root, program.Argv, process.Lookup(env, "PATH"))
	if err != nil {
		return err
	}
	switch r.trust.Verdict(command) {
	case trust.Approved:
		return nil
	case trust.Changed:
		return &trust.Refusal{State: trust.NeedsApproval, Why: fmt.Sprintf(
			"%s has changed since it was approved; look at it, then run foreword trust --approve-commands", name)}
	}
	return &trust.Refusal{State: trust.NeedsApproval, Why: fmt.Sprintf(
		"%s is not approved; look at it, then run foreword trust --approve-commands", name)}
}

// needsApproval tells of a program that runs only as the user has approved it.
func needsApproval(p *place, program sources.Program) bool {
	return program.From.Workspace || p.root != "" && namesRelativeFile(p.root, program.Argv)
}

// namesRelativeFile tells whether a word names a file below a folder by a
// relative path: a program that a repository brings, or a script of it.
func namesRelativeFile(root string, argv []string) bool {
	for i, word := range argv {
		names := []string{word}
		if _, value, ok := strings.Cut(word, "="); ok && i > 0 {
			names = append(names, value)
		}
		for _, name := range names {
			if name == "" || filepath.IsAbs(name) || i == 0 && !strings.ContainsAny(name, `/\`) {
				continue
			}
			if info, err := os.Stat(filepath.Join(root, filepath.FromSlash(name))); err == nil && info.Mode().IsRegular() {
				return true
			}
		}
	}
	return false
}

func quoteWords(argv []string) string {
	words := make([]string, len(argv))
	for i, word := range argv {
		words[i] = word
		if word == "" || strings.ContainsFunc(word, func(r rune) bool { return r <= ' ' || r == '"' || r == '\'' || r == 0x7f }) {
			words[i] = fmt.Sprintf("%q", word)
		}
	}
	return strings.Join(words, " ")
}

// own is what the configuration adds at a place.
func (s *Service) own(ctx context.Context, p *place, home string) sources.Own {
	fresh := programFresh
	if ctx.Value(forPreview{}) != nil {
		fresh = programFreshPreview
	}
	snap := s.snapshot(ctx)
	return sources.Own{
		Context: p.config.ContextCommands, Sources: p.config.Sources, UserFiles: snap.FS(),
		Run: func(ctx context.Context, program sources.Program) (process.Result, error) {
			return s.programs.run(ctx, p, home, program, fresh)
		},
		Fetch: func(ctx context.Context, address string, from config.Declared) (string, error) {
			if from.Workspace && !p.trusted {
				return "", &trust.Refusal{State: trust.NeedsTrust, Why: fmt.Sprintf(
					"%s is not fetched: %s names it, and the folder is not trusted; run foreword trust", address, from.Origin)}
			}
			key := addressKey{address, !from.Workspace}
			s.addresses.await(ctx, []addressKey{key})
			said := s.addresses.known(address, !from.Workspace)
			switch {
			case said.File != nil:
				return said.File.Text, nil
			case said.Problem != "":
				return "", fmt.Errorf("%s: %s", address, said.Problem)
			}
			return "", fmt.Errorf("%s has not answered yet", address)
		},
	}
}

type forPreview struct{}

// previewing marks a context: what is shown again with every edit must not run
// programs with every edit.
func previewing(ctx context.Context) context.Context {
	return context.WithValue(ctx, forPreview{}, true)
}
