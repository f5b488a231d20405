package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
)

// subcommand is a part of the program's command line with its own help.
type subcommand struct {
	Name string // "foreword prompt"
	Help string // what --help prints, without the flags that all have
}

// commandLine is what the program says of itself.
type commandLine struct {
	Help        string // of the program
	Subcommands []subcommand
}

// listed is a line of "Available Commands:".
var listed = regexp.MustCompile(`(?m)^  ([a-z]+) +\S`)

// own are the commands that cobra adds, which need no page.
var own = map[string]bool{"help": true, "completion": true}

// readCommandLine builds the program and asks it for its help, so that the
// reference has the flags that exist.
func readCommandLine(root string) (*commandLine, error) {
	dir, err := os.MkdirTemp("", "foreword-help-")
	if err != nil {
		return nil, err
	}
	defer func() { _ = os.RemoveAll(dir) }() // it is in the temporary folder anyway
	program := filepath.Join(dir, "foreword")
	build := exec.Command("go", "build", "-o", program, "./cmd/foreword")
	build.Dir = root
	if out, err := build.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("generate: go build ./cmd/foreword: %w\n%s", err, out)
	}
	help := func(args ...string) (string, error) {
		out, err := exec.Command(program, append(args, "--help")...).Output()
		if err != nil {
			return "", fmt.Errorf("generate: foreword %s --help: %w", strings.Join(args, " "), err)
		}
		return strings.TrimSpace(string(out)), nil
	}

	c := &commandLine{}
	if c.Help, err = help(); err != nil {
		return nil, err
	}
	_, list, found := strings.Cut(c.Help, "\nAvailable Commands:\n")
	if !found {
		return nil, fmt.Errorf("generate: foreword --help lists no commands:\n%s", c.Help)
	}
	list, _, _ = strings.Cut(list, "\n\n")
	for _, line := range listed.FindAllStringSubmatch(list, -1) {
		if own[line[1]] {
			continue
		}
		text, err := help(line[1])
		if err != nil {
			return nil, err
		}
		text, _, _ = strings.Cut(text, "\n\nGlobal Flags:\n")
		c.Subcommands = append(c.Subcommands, subcommand{"foreword " + line[1], text})
	}
	return c, nil
}
