package commands

import (
	"context"
	"path/filepath"

	"foreword/workspace"
	"foreword/workspace/ignore"
	"foreword/workspace/instructions"
)

// discover finds the instruction files for a directory, once per snapshot.
func (s *Service) discover(ctx context.Context, snap *workspace.Snapshot, p *place, dir string) (*instructions.Discovery, error) {
	if p.root == "" {
		return &instructions.Discovery{}, ctx.Err()
	}
	type key struct {
		root, dir string
		trusted   bool
	}
	type found struct {
		discovery *instructions.Discovery
		err       error
	}
	f := snap.MemoDisk(key{p.root, dir, p.trusted}, func() any {
		d, err := instructions.Discover(context.WithoutCancel(ctx), snap.FS(), p.instructionRequest(snap, dir))
		return found{d, err}
	}).(found)
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return f.discovery, f.err
}

func (p *place) instructionRequest(snap *workspace.Snapshot, dir string) instructions.Request {
	req := instructions.Request{
		Dir: dir, Root: p.root, Home: snap.Home(), Names: p.config.Instructions.Names, Trusted: p.trusted,
		UserFile: userFile(snap, p),
	}
	if len(p.config.Exclude) > 0 {
		patterns := ignore.Compile(p.config.Exclude)
		req.Exclude = func(rel string) (string, bool) { return excludedBy(patterns, rel) }
	}
	return req
}

// userFile is the user's own instruction file.
func userFile(snap *workspace.Snapshot, p *place) string {
	file := p.config.Instructions.UserFile
	switch {
	case file == "":
		dir := configDir(snap.Home(), snap.Env)
		if dir == "" {
			return ""
		}
		return filepath.Join(dir, "AGENTS.md")
	case filepath.IsAbs(file):
		return filepath.Clean(file)
	case len(file) > 1 && file[:2] == "~/":
		return filepath.Join(snap.Home(), file[2:])
	}
	return filepath.Join(snap.Home(), file)
}

func (s *Service) discoveryWarnings(d *instructions.Discovery) []Warning {
	warnings := make([]Warning, 0, len(d.Warnings))
	for _, w := range d.Warnings {
		warnings = append(warnings, Warning{Code: w.Code, Message: w.Message, URI: fileURI(w.Path)})
	}
	return warnings
}
