package commands

import (
	"context"
	"errors"
	"path/filepath"
	"time"

	"foreword/workspace"
	"foreword/workspace/fsys"
	"foreword/workspace/instructions"
	"foreword/workspace/vcs"
)

// Reach is what an instruction file is for: which files it holds for, and what
// it costs.
type Reach struct {
	// Everywhere marks the user's own file, which holds for every project.
	Everywhere bool
	// Files is the number of files below Scope that git does not ignore.
	Files int
	// Truncated tells that there are more than were counted.
	Truncated bool
	// Scope is the directory, relative to the repository; "." for all of it.
	Scope string
	// Tokens of the file's text.
	Tokens int
	// Counter is exact or estimate.
	Counter string
	// Kind, State and Why are those of the file for a file in its own directory.
	Kind, State, Why string
	// SameAs is the file that says the same already.
	SameAs string
	// Tools that send the file too, by their own names.
	Tools []string
}

// IsInstructionFile tells whether a document has the name of an instruction
// file.
func (s *Service) IsInstructionFile(document string) bool {
	snap := s.workspace.Snapshot()
	path, err := filePath(document)
	if err != nil {
		return false
	}
	p, err := s.locate(snap, document, "")
	if err != nil {
		return instructions.IsName(filepath.Base(path), nil)
	}
	return path == userFile(snap, p) || instructions.IsName(filepath.Base(path), p.config.Instructions.Names)
}

// Reach says what an instruction file reaches.
func (s *Service) Reach(ctx context.Context, document string) (*Reach, error) {
	snap := s.snapshot(ctx)
	p, err := s.locate(snap, document, "")
	if err != nil {
		return nil, err
	}
	profile, err := p.profileNamed(instructions.Own)
	if err != nil {
		return nil, err
	}
	d, err := s.discover(ctx, snap, p, profile)
	if err != nil {
		return nil, err
	}
	counter, count := s.counter(p.config.Model)
	for _, e := range d.Entries {
		if e.Path != p.target {
			continue
		}
		r := &Reach{
			Everywhere: e.Personal, Tokens: count(e.Text()), Counter: counter.Kind(),
			Kind: string(e.Kind), State: string(e.State), Why: e.Why,
		}
		if e.SameAs != "" {
			r.SameAs = p.display(snap, e.SameAs)
		}
		if r.Tools, err = s.sentBy(ctx, snap, p); err != nil {
			return nil, err
		}
		if e.Personal {
			return r, nil
		}
		r.Scope = p.display(snap, e.Scope)
		r.Files, r.Truncated, err = s.countFiles(ctx, snap, p, e.Scope)
		return r, err
	}
	return nil, failf(CodeUnreadable, "%s is no instruction file that the profile foreword knows", p.display(snap, p.target))
}

// sentBy lists the other tools that send an instruction file when they are
// started in its directory and a file there is read.
func (s *Service) sentBy(ctx context.Context, snap *workspace.Snapshot, p *place) ([]string, error) {
	here := *p
	here.cwd, here.target = p.dir, filepath.Join(p.dir, "file")
	var tools []string
	for _, name := range instructions.ProfileNames() {
		if name == instructions.Own {
			continue
		}
		profile, err := p.profileNamed(name)
		if err != nil {
			s.log("error", err.Error())
			continue
		}
		d, err := s.resolve(ctx, snap, &here, question{profile: profile, event: instructions.Event{Kind: "read", Path: here.target}})
		if err != nil {
			return nil, err
		}
		for _, e := range d.Sent() {
			if e.Path == p.target {
				tools = append(tools, profile.Title)
			}
		}
	}
	return tools, nil
}

// countFresh is how long a count of files is shown without counting again. It
// is a figure for people, so an old one does no harm.
const countFresh = 10 * time.Second

// countLimit bounds the count where there is no git to ask.
const countLimit = 20_000

// countFiles counts the files below a directory that git does not ignore.
func (s *Service) countFiles(ctx context.Context, snap *workspace.Snapshot, p *place, dir string) (files int, truncated bool, err error) {
	if !p.repository {
		return walkCount(ctx, p.files(snap), dir)
	}
	sub, _ := relative(p.root, dir)
	if sub == "." {
		sub = ""
	}
	files, err = s.repos.countFiles(ctx, p.root, sub)
	if errors.Is(err, vcs.ErrNoGit) {
		return walkCount(ctx, p.files(snap), dir)
	}
	return files, false, err
}

func walkCount(ctx context.Context, files fsys.FS, dir string) (n int, truncated bool, err error) {
	pending := []string{dir}
	for len(pending) > 0 {
		if err := ctx.Err(); err != nil {
			return 0, false, err
		}
		next := pending[len(pending)-1]
		pending = pending[:len(pending)-1]
		entries, err := files.ReadDir(next)
		if err != nil {
			continue // a directory that cannot be listed is not counted
		}
		for _, e := range entries {
			switch {
			case e.Name == ".git":
			case e.Kind == fsys.KindDir:
				pending = append(pending, filepath.Join(next, e.Name))
			case e.Kind == fsys.KindFile:
				if n++; n >= countLimit {
					return n, true, nil
				}
			}
		}
	}
	return n, false, nil
}

// countFiles counts what git lists below a directory of a repository.
func (r *repositories) countFiles(ctx context.Context, root, sub string) (int, error) {
	repo := r.at(root)
	repo.mu.Lock()
	defer repo.mu.Unlock()
	if c, ok := repo.counts[sub]; ok && time.Since(c.asked) < countFresh {
		return c.files, nil
	}
	paths, err := vcs.ListFiles(ctx, root, sub)
	if err != nil {
		return 0, err
	}
	if repo.counts == nil {
		repo.counts = map[string]fileCount{}
	}
	repo.counts[sub] = fileCount{files: len(paths), asked: time.Now()}
	return len(paths), nil
}

type fileCount struct {
	files int
	asked time.Time
}
