package commands

import (
	"context"
	"path/filepath"

	"foreword/workspace"
	"foreword/workspace/instructions"
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
	// Pending tells that the files are still counted.
	Pending bool
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
	return path == userFile(snap, p) || filepath.Base(path) == instructions.SkillFile || instructions.IsName(filepath.Base(path), p.config.Instructions.Names)
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
		n, err := s.countFiles(ctx, snap, p, e.Scope)
		r.Files, r.Truncated, r.Pending = n.files, n.truncated, n.pending
		return r, err
	}
	return nil, failf(CodeUnreadable, "%s is no instruction file that the profile foreword knows", p.display(snap, p.target))
}

// sentBy lists the other tools that send an instruction file, or tell the model
// of a skill, when they are
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
		for _, e := range d.Entries {
			told := e.Sent || e.Kind == instructions.KindSkill && e.State == instructions.ModelDecides
			if told && e.Path == p.target {
				tools = append(tools, profile.Title)
			}
		}
	}
	return tools, nil
}
