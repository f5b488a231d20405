package commands

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"foreword/promptbuilder/sources"
	"foreword/workspace/config"
	"foreword/workspace/process"
	"foreword/workspace/trust"
)

// TrustCommandsParams says which commands of a folder are shown or approved.
type TrustCommandsParams struct {
	// Folder is the URI of a folder of the workspace; the first one by default.
	Folder string `json:"folder,omitempty"`
	// Approve lists the ids of the commands that the user approves, as they were shown.
	Approve []string `json:"approve,omitempty"`
	// Revoke takes back all approvals of the folder first.
	Revoke bool `json:"revoke,omitempty"`
}

// TrustCommandsResult lists what would run on behalf of the folder.
type TrustCommandsResult struct {
	Head
	// Folder is the URI of the root in which the commands run.
	Folder string `json:"folder"`
	// Trusted tells that the folder is trusted; without that no command runs.
	Trusted bool `json:"trusted"`
	// Commands in the order of the settings: context commands, sources, hooks.
	Commands []DeclaredCommand `json:"commands"`
}

// DeclaredCommand is a command that came with a folder, or that would run a file of it.
type DeclaredCommand struct {
	// ID stands for the words and the content of the files; another content is another id.
	ID string `json:"id"`
	// Argv is the program and its arguments.
	Argv []string `json:"argv"`
	// Use says what it is run for.
	Use string `json:"use"`
	// Origin is where it is declared.
	Origin string `json:"origin"`
	// Files that its words name; a change of one ends the approval. What a program reads beside them does not.
	Files []CommandFile `json:"files"`
	// State says whether it would run.
	State string `json:"state" enum:"approved,needs-approval,changed,unavailable"`
	// Why says what is wrong where it is unavailable, and since when it is approved.
	Why string `json:"why,omitempty"`
}

// CommandFile is a file that a command names.
type CommandFile struct {
	// Path is relative to the folder.
	Path string `json:"path"`
	// SHA256 is the sum of its bytes, in hex.
	SHA256 string `json:"sha256"`
}

// TrustCommands shows the commands that need the user's approval, and takes it.
// It is the user who calls it with approve: a client on a click, or the command
// line; nothing in a workspace can.
func (s *Service) TrustCommands(ctx context.Context, params TrustCommandsParams) (*TrustCommandsResult, error) {
	p, err := s.locate(s.snapshot(ctx), params.Folder, "")
	if err != nil {
		return nil, err
	}
	if p.root == "" {
		return nil, failf(CodeInvalidParams, "folder: there is no workspace folder, so name one")
	}
	var corrupt *trust.CorruptError
	r := &TrustCommandsResult{Head: head(), Folder: fileURI(p.root), Trusted: p.trusted, Commands: []DeclaredCommand{}}
	change := func(err error) error {
		if errors.As(err, &corrupt) { // the change is made, what could not be read was kept aside
			r.Warnings = append(r.Warnings, Warning{Code: "trust-list", Message: corrupt.Error()})
			return nil
		}
		if err != nil {
			return failf(CodeFailed, "cannot change the list of approved commands: %w", err)
		}
		return nil
	}
	described := s.describeCommands(p)
	if params.Revoke {
		for _, d := range described {
			if d.err == nil {
				if err := change(s.trust.Revoke(d.command.Folder)); err != nil {
					return nil, err
				}
				break
			}
		}
	}
	var approved []trust.Command
	for _, id := range params.Approve {
		i := slices.IndexFunc(described, func(d describedCommand) bool { return d.err == nil && d.command.ID() == id })
		if i < 0 {
			return nil, failf(CodeConflict, "approve: %.80q is no command of %s as it is now; it may have changed since it was shown: list the commands again", id, p.root)
		}
		approved = append(approved, described[i].command)
	}
	if len(approved) > 0 {
		if err := change(s.trust.Approve(approved...)); err != nil {
			return nil, err
		}
	}
	approvals, err := s.trust.Approvals()
	if err != nil {
		return nil, failf(CodeFailed, "cannot read the list of approved commands: %w", err)
	}
	for _, d := range described {
		r.Commands = append(r.Commands, d.shown(s.trust, approvals))
	}
	return r, nil
}

// describedCommand is a command that needs approval, as it is now.
type describedCommand struct {
	use     string
	program sources.Program
	command trust.Command
	err     error
}

// describeCommands lists the commands of a place that need approval.
func (s *Service) describeCommands(p *place) []describedCommand {
	env := process.Environment(s.programs.environ(), p.config.Commands.KeepEnv, p.config.Commands.HideEnv)
	var all []describedCommand
	add := func(use string, argv []string, from config.Declared) {
		d := describedCommand{use: use, program: sources.Program{Argv: argv, From: from}}
		if !needsApproval(p, d.program) {
			return
		}
		d.command, d.err = trust.Describe(p.root, argv, process.Lookup(env, "PATH"))
		all = append(all, d)
	}
	for _, c := range p.config.ContextCommands {
		add("context command", c.Argv, c.Declared)
	}
	for _, source := range p.config.Sources {
		if len(source.Command) > 0 {
			add("source "+source.Key, source.Command, source.Declared)
		}
	}
	for _, h := range p.config.Hooks {
		add("hook "+h.Name, h.Command, h.Declared)
	}
	return all
}

func (d describedCommand) shown(store *trust.Store, approvals []trust.Approval) DeclaredCommand {
	c := DeclaredCommand{Argv: d.program.Argv, Use: d.use, Origin: d.program.From.Origin, Files: []CommandFile{}}
	if d.err != nil {
		c.State, c.Why = "unavailable", d.err.Error()
		return c
	}
	c.ID = d.command.ID()
	for _, f := range d.command.Files {
		c.Files = append(c.Files, CommandFile(f))
	}
	switch store.Verdict(d.command) {
	case trust.Approved:
		c.State = "approved"
		for _, a := range approvals {
			if a.ID() == c.ID {
				c.Why = "approved " + a.Since.UTC().Format(time.RFC3339)
			}
		}
	case trust.Changed:
		c.State, c.Why = "changed", "the same words were approved with another content of the files"
	default:
		c.State, c.Why = trust.NeedsApproval, "never approved"
	}
	return c
}

// commandProblems tells of commands that do not run, for the status.
func (s *Service) commandProblems(p *place) []Problem {
	var problems []Problem
	approvals, _ := s.trust.Approvals() // a list that cannot be read approves nothing, which is what is told
	for _, d := range s.describeCommands(p) {
		c := d.shown(s.trust, approvals)
		if c.State == "approved" && p.trusted {
			continue
		}
		problem := Problem{Severity: "info", URI: optionalURI(d.program.From.Path), Line: d.program.From.Line}
		switch {
		case c.State == "unavailable":
			problem.Severity, problem.Message = "warning", fmt.Sprintf("the %s cannot run: %s", c.Use, c.Why)
		case !p.trusted:
			problem.Message = fmt.Sprintf("the %s does not run, since the folder is not trusted; run foreword trust, then foreword trust --approve-commands", c.Use)
		default:
			problem.Message = fmt.Sprintf("the %s does not run (%s); look at it, then run foreword trust --approve-commands", c.Use, c.Why)
		}
		problems = append(problems, problem)
	}
	return problems
}
