package commands

import (
	"context"
	"errors"
	"io/fs"
	"runtime"

	"foreword/promptbuilder/epoch/store"
	"foreword/workspace"
	"foreword/workspace/config"
	"foreword/workspace/vcs"
)

// StatusParams may name a file to be told about.
type StatusParams struct {
	// URI of a file; with it the answer says how many instructions apply there.
	URI string `json:"uri,omitempty"`
	// Model whose counter is used.
	Model string `json:"model,omitempty"`
}

// StatusResult is what the server is working with.
type StatusResult struct {
	Head
	// Server is the version of the program.
	Server string `json:"server"`
	// Go is the version it was built with.
	Go string `json:"go"`
	// Platform is the operating system and processor.
	Platform string `json:"platform"`
	// Folders of the workspace.
	Folders []FolderStatus `json:"folders"`
	// Profile in force.
	Profile string `json:"profile"`
	// Settings with the origin of each value.
	Settings []SettingStatus `json:"settings"`
	// Watcher says how changes on disk are noticed.
	Watcher string `json:"watcher"`
	// Caches and their sizes.
	Caches []CacheStatus `json:"caches"`
	// Buffers is the number of open documents.
	Buffers int `json:"buffers"`
	// Sessions is the number of conversations remembered.
	Sessions int `json:"sessions"`
	// Calibrations say how far estimates of tokens were off, as the usage that
	// panels reported tells.
	Calibrations []CalibrationStatus `json:"calibrations"`
	// Instructions that apply to URI.
	Instructions *InstructionStatus `json:"instructions,omitempty"`
	// Problems found, each with what to do.
	Problems []Problem `json:"problems"`
}

// FolderStatus is one folder of the workspace.
type FolderStatus struct {
	// URI of the folder.
	URI string `json:"uri"`
	// Name of the folder, as the editor calls it.
	Name string `json:"name"`
	// Trusted tells that the user or the editor trusts it.
	Trusted bool `json:"trusted"`
	// Repository is the URI of the repository's root, where there is one.
	Repository string `json:"repository,omitempty"`
	// Branch that is checked out.
	Branch string `json:"branch,omitempty"`
}

// SettingStatus is one setting and where its value comes from.
type SettingStatus struct {
	// Key as in foreword.toml, tables joined with dots.
	Key string `json:"key"`
	// Value in force: a string, a number, a boolean or a list of strings.
	Value any `json:"value"`
	// Origin is default, editor, or a file with its line.
	Origin string `json:"origin"`
}

// CacheStatus is one cache.
type CacheStatus struct {
	// Name of the cache.
	Name string `json:"name"`
	// Entries that it holds.
	Entries int `json:"entries"`
	// Hits are questions that it answered.
	Hits int `json:"hits"`
	// Misses are questions that it passed on.
	Misses int `json:"misses"`
}

// InstructionStatus counts the instruction files of one file.
type InstructionStatus struct {
	// URI of the file that was asked about.
	URI string `json:"uri"`
	// Applies is the number of files that are sent.
	Applies int `json:"applies"`
	// Tokens of their text.
	Tokens int `json:"tokens"`
	// LeftOut is the number of files that are not.
	LeftOut int `json:"leftOut"`
	// Counter is exact or estimate.
	Counter string `json:"counter" enum:"exact,estimate"`
}

// Problem is something that a person should mend.
type Problem struct {
	// Severity is how much it matters.
	Severity string `json:"severity" enum:"error,warning,info"`
	// Message says what is wrong and what to do.
	Message string `json:"message"`
	// URI of the file, where it is in one.
	URI string `json:"uri,omitempty"`
	// Line of the file, from 1; 0 for the whole.
	Line int `json:"line,omitempty"`
}

// Status says what the service is working with.
func (s *Service) Status(ctx context.Context, params StatusParams) (*StatusResult, error) {
	snap := s.snapshot(ctx)
	r := &StatusResult{
		Head: head(), Server: s.version, Go: runtime.Version(), Platform: platform(), Watcher: s.watching(),
		Buffers: len(snap.Documents()), Sessions: s.ledger.Len(),
		Folders: []FolderStatus{}, Settings: []SettingStatus{}, Caches: []CacheStatus{}, Problems: []Problem{},
		Calibrations: s.calibrations(ctx, snap, func(string) bool { return true }),
	}
	p, err := s.locate(snap, params.URI, "")
	if err != nil {
		return nil, err
	}
	for _, folder := range snap.Folders() {
		r.Folders = append(r.Folders, s.folderStatus(snap, folder))
	}
	for _, v := range p.config.Values {
		r.Settings = append(r.Settings, SettingStatus{Key: v.Key, Value: v.Value, Origin: v.Origin})
	}
	files := snap.Cache().Stats()
	r.Caches = append(r.Caches, CacheStatus{Name: "files", Entries: files.Entries, Hits: files.Hits, Misses: files.Misses})
	for _, problem := range p.problems {
		r.Problems = append(r.Problems, Problem{Severity: "warning", Message: problem.Message, URI: optionalURI(problem.Path), Line: problem.Line})
	}
	r.Problems = append(r.Problems, s.commandProblems(p)...)
	if trouble := s.checkSessions(ctx, snap); trouble != "" {
		r.Problems = append(r.Problems, Problem{Severity: "warning", Message: trouble})
	}
	for _, news := range s.ledger.News() {
		r.Problems = append(r.Problems, Problem{Severity: "warning", Message: news})
	}
	profile, err := p.profileNamed("")
	if err != nil {
		return nil, err
	}
	r.Profile = profile.Name
	d, err := s.discover(ctx, snap, p, profile)
	if err != nil {
		return nil, err
	}
	for _, w := range d.Warnings {
		r.Problems = append(r.Problems, Problem{Severity: "warning", Message: w.Message, URI: optionalURI(w.Path)})
	}
	if p.target != "" {
		counter, count := s.counter(p.model(params.Model))
		r.Instructions = &InstructionStatus{
			URI: p.uri, Applies: len(d.Sent()), LeftOut: len(d.LeftOut()), Tokens: count(instructionText(ctx, snap, p, profile, d)), Counter: counter.Kind(),
		}
	}
	return r, nil
}

func (s *Service) folderStatus(snap *workspace.Snapshot, folder workspace.Folder) FolderStatus {
	f := FolderStatus{URI: fileURI(folder.Path), Name: folder.Name, Trusted: snap.Trusted(folder.Path)}
	if root, ok := vcs.Root(snap.FS(), folder.Path, snap.Home()); ok {
		f.Repository = fileURI(root)
		if head, err := vcs.ReadHead(root); err == nil && (f.Trusted || vcs.Owns(root)) {
			f.Branch = head.Branch
		}
	}
	return f
}

func configWarnings(problems []config.Problem) []Warning {
	warnings := make([]Warning, 0, len(problems))
	for _, p := range problems {
		w := Warning{Code: "setting", Message: p.Message, URI: optionalURI(p.Path)}
		if p.Line > 0 {
			w.Range = &Range{Start: Position{Line: p.Line - 1}, End: Position{Line: p.Line}}
		}
		warnings = append(warnings, w)
	}
	return warnings
}

// checkSessions says what is wrong with the file of sessions, where there is one.
func (s *Service) checkSessions(ctx context.Context, snap *workspace.Snapshot) string {
	path := store.Path(snap.Home(), snap.Env)
	if path == "" {
		return ""
	}
	if _, err := snap.FS().Lstat(path); errors.Is(err, fs.ErrNotExist) {
		return "" // nothing was remembered yet, and asking makes no file
	}
	return s.ledger.Check(ctx)
}
