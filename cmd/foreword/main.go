// Command foreword decides what an AI chat panel sends to its model, and shows
// it: as a language server for editors, and on the command line.
//
// Each subcommand has a file of its own and no logic beyond reading flags,
// calling a command of the package commands, and printing.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"foreword/commands"
)

// version is set by the release build.
var version = "0.1.0"

// Exit codes, as docs/commands.md lists them.
const (
	exitDone     = 0
	exitFindings = 1
	exitUsage    = 2
	exitFailed   = 3
)

func main() {
	os.Exit(run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}

// run is the program with its surroundings given, so that tests can call it.
func run(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	p := &program{stdin: stdin, stdout: stdout, stderr: stderr}
	root := p.root()
	root.SetArgs(args)
	root.SetIn(stdin)
	root.SetOut(stdout)
	root.SetErr(stderr)
	if err := root.ExecuteContext(ctx); err != nil {
		return p.fail(err)
	}
	return p.code
}

// program is one run of the command line.
type program struct {
	stdin          io.Reader
	stdout, stderr io.Writer
	surroundings   surroundings
	json           bool
	code           int
}

func (p *program) root() *cobra.Command {
	root := &cobra.Command{
		Use:   "foreword",
		Short: "Decides what an AI chat panel sends to its model, and shows it",
		Long: `foreword writes what stands before a conversation with a model: who the assistant
is, which project this is, and which AGENTS.md and CLAUDE.md rules hold for the
file at hand. It is a language server for editors (foreword serve) and answers
the same questions on the command line.`,
		Example: `  foreword prompt src/main.go        what a model is told about this file
  foreword explain src/main.go       which instruction files apply, and why the others do not
  foreword serve                     the language server, on standard input and output`,
		Version:       version,
		SilenceUsage:  true,
		SilenceErrors: true,

		SuggestionsMinimumDistance: 2,
		Args:                       noSuchCommand,
		RunE:                       func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	p.surroundings.flags(root)
	root.SetFlagErrorFunc(func(c *cobra.Command, err error) error {
		return usageError{fmt.Errorf("%w; see %s --help", err, c.CommandPath())}
	})
	root.AddCommand(p.serveCommand(), p.promptCommand(), p.explainCommand(), p.listCommand(), p.skillsCommand(), p.sessionCommand(), p.checkCommand(), p.countCommand(), p.turnCommand(),
		p.historyCommand(), p.compressCommand(), p.densityCommand(), p.touchCommand(), p.toolCommand(), p.doctorCommand(), p.trustCommand(), p.versionCommand())
	return root
}

// failure is what --json prints in place of a result.
type failure struct {
	Error failed `json:"error"`
}

type failed struct {
	Code    commands.Code `json:"code"`
	Message string        `json:"message"`
	Data    any           `json:"data,omitempty"`
}

// noSuchCommand refuses what is no subcommand, with the nearest that is one.
func noSuchCommand(c *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	hint := "see foreword --help"
	if near := c.SuggestionsFor(args[0]); len(near) > 0 {
		hint = fmt.Sprintf("did you mean %s?", strings.Join(near, " or "))
	}
	return usageError{fmt.Errorf("unknown command %q; %s", args[0], hint)}
}

// onePath wants exactly one PATH.
func onePath(c *cobra.Command, args []string) error {
	if len(args) != 1 {
		return usageError{fmt.Errorf("want one PATH, got %d arguments; see %s --help", len(args), c.CommandPath())}
	}
	return nil
}

// usageError is a wrong call, told with exit code 2.
type usageError struct{ error }

func (e usageError) Unwrap() error { return e.error }

// fail prints an error for the person who must act and gives the exit code.
// With --json the error is the one object on standard output too.
func (p *program) fail(err error) int {
	fmt.Fprintln(p.stderr, "foreword:", err)
	code := exitFailed
	var fault *commands.Error
	if errors.As(err, &fault) {
		if fault.Code == commands.CodeInvalidParams || fault.Code == commands.CodeNotInWorkspace || fault.Code == commands.CodeUnknownProfile {
			code = exitUsage
		}
		if p.json {
			p.printJSON(failure{failed{fault.Code, fault.Message, fault.Data}})
		}
		return code
	}
	var usage usageError
	if errors.As(err, &usage) || isCobraUsage(err) {
		code = exitUsage
	}
	if p.json {
		p.printJSON(failure{failed{Code: commands.CodeFailed, Message: err.Error()}})
	}
	return code
}
