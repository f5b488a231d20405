package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"go.lsp.dev/uri"

	"foreword/commands"
)

// surroundings are the flags that every subcommand has: what the program takes
// from the machine, and what is given in its place.
type surroundings struct {
	roots []string
	home  string
	now   string
	env   []string
	// forgetful sessions end with the program.
	forgetful bool
}

func (s *surroundings) flags(root *cobra.Command) {
	f := root.PersistentFlags()
	f.StringArrayVar(&s.roots, "root", nil, "workspace `folder` (repeatable); default: the repository of the path, else the working directory")
	f.StringVar(&s.home, "home", "", "home `folder` in place of the real one")
	f.StringVar(&s.now, "now", "", "`time` in place of the clock, as 2006-01-02T15:04:05Z07:00 or 2006-01-02")
	f.StringArrayVar(&s.env, "env", nil, "`NAME=VALUE` in place of the environment (repeatable; the first one empties it)")
	if err := root.MarkPersistentFlagDirname("root"); err != nil {
		panic(err)
	}
}

// options are those of a service for this machine, with what the flags say in
// its place.
func (s *surroundings) options() (commands.Options, error) {
	home := s.home
	if home == "" {
		found, err := os.UserHomeDir()
		if err != nil {
			return commands.Options{}, fmt.Errorf("cannot find the home folder: %w; set HOME or give --home", err)
		}
		home = found
	}
	home, err := filepath.Abs(home)
	if err != nil {
		return commands.Options{}, err
	}
	if s.home != "" {
		if info, err := os.Stat(home); err != nil || !info.IsDir() {
			return commands.Options{}, usageError{fmt.Errorf("--home %s: no such folder", s.home)}
		}
	}
	o := commands.Options{Home: home, Env: os.Getenv, Environ: os.Environ, Now: time.Now, Version: version, Forgetful: s.forgetful}
	if s.env != nil {
		given := map[string]string{}
		for _, pair := range s.env {
			name, value, ok := strings.Cut(pair, "=")
			if !ok || name == "" {
				return o, usageError{fmt.Errorf("--env %q: want NAME=VALUE", pair)}
			}
			given[name] = value
		}
		o.Env = func(name string) string { return given[name] }
		o.Environ = func() []string { return slices.Clone(s.env) }
	}
	if s.now != "" {
		at, err := parseTime(s.now)
		if err != nil {
			return o, err
		}
		o.Now = func() time.Time { return at }
	}
	for _, root := range s.roots {
		folder, err := folder(root)
		if err != nil {
			return o, err
		}
		o.Roots = append(o.Roots, folder)
	}
	return o, nil
}

func parseTime(text string) (time.Time, error) {
	for _, layout := range []string{time.RFC3339, "2006-01-02T15:04:05", "2006-01-02"} {
		if at, err := time.Parse(layout, text); err == nil {
			return at, nil
		}
	}
	return time.Time{}, usageError{fmt.Errorf("--now %q: want a time as 2006-01-02T15:04:05Z07:00 or a day as 2006-01-02", text)}
}

func folder(path string) (commands.Folder, error) {
	absolute, err := filepath.Abs(path)
	if err != nil {
		return commands.Folder{}, err
	}
	info, err := os.Stat(absolute)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return commands.Folder{}, usageError{fmt.Errorf("--root %s: no such folder", path)}
	case err != nil:
		return commands.Folder{}, fmt.Errorf("--root %s: %w", path, err)
	case !info.IsDir():
		return commands.Folder{}, usageError{fmt.Errorf("--root %s: not a folder", path)}
	}
	return commands.Folder{Path: absolute, Name: filepath.Base(absolute)}, nil
}

// open builds a service for paths of the shell; none stands for the working
// directory.
func (s *surroundings) open(paths ...string) (*commands.Service, error) {
	o, err := s.options()
	if err != nil {
		return nil, err
	}
	if len(o.Roots) == 0 {
		working, err := os.Getwd()
		if err != nil {
			return nil, fmt.Errorf("cannot tell the working directory: %w; give --root", err)
		}
		if len(paths) == 0 {
			paths = []string{""}
		}
		for _, path := range paths {
			root, err := commands.DefaultRoot(path, working, o.Home)
			if err != nil {
				return nil, err
			}
			if !slices.Contains(o.Roots, root) {
				o.Roots = append(o.Roots, root)
			}
		}
	}
	return commands.Open(o)
}

// target is a path of the shell as a URI. A file that does not exist yet is
// fine, a directory that does not is a slip of the pen.
func (p *program) target(path string) (string, error) {
	absolute, err := filepath.Abs(path)
	if err != nil {
		return "", err
	}
	if _, err := os.Lstat(absolute); errors.Is(err, fs.ErrNotExist) {
		if _, err := os.Stat(filepath.Dir(absolute)); err != nil {
			return "", usageError{fmt.Errorf("%s: no such file, and no such directory", path)}
		}
		fmt.Fprintf(p.stderr, "foreword: %s does not exist; answering for a file that would\n", path)
	}
	return string(uri.File(absolute)), nil
}

// targets are several paths of the shell as URIs.
func (p *program) targets(paths []string) ([]string, error) {
	var uris []string
	for _, path := range paths {
		target, err := p.target(path)
		if err != nil {
			return nil, err
		}
		uris = append(uris, target)
	}
	return uris, nil
}
