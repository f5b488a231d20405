package commands

import (
	"context"
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"foreword/workspace"
	"foreword/workspace/fsys"
	"foreword/workspace/ignore"
	"foreword/workspace/instructions"
	"foreword/workspace/instructions/lint"
	"foreword/workspace/vcs"
)

// CheckInstructionsParams says what to check.
type CheckInstructionsParams struct {
	// URIs of files and folders whose diagnostics are wanted; all of the workspace by default.
	URIs []string `json:"uris,omitempty"`
	// Tools whose rules count, by profile; * for all. By default those that the workspace shows signs of using.
	Tools []string `json:"tools,omitempty"`
	// ToolVersion is the version of the tool, where tools names one; the newest that the profile knows by default.
	ToolVersion string `json:"toolVersion,omitempty"`
	// ToolSettings are the tools' own settings, dotted or nested, in place of what stands in their files.
	ToolSettings map[string]any `json:"toolSettings,omitempty"`
}

// CheckInstructionsResult is what is wrong.
type CheckInstructionsResult struct {
	Head
	// Tools whose rules were held against the files.
	Tools []string `json:"tools"`
	// Files is the number of instruction files that were looked at.
	Files int `json:"files"`
	// Diagnostics sorted by file and place.
	Diagnostics []InstructionDiagnostic `json:"diagnostics"`
}

// InstructionDiagnostic is one thing that is wrong with an instruction file.
type InstructionDiagnostic struct {
	// URI of the file.
	URI string `json:"uri"`
	// Path relative to the workspace folder.
	Path string `json:"path"`
	// Range in the file; its first line where the whole file is meant.
	Range Range `json:"range"`
	// Code is the stable name of the rule.
	Code string `json:"code"`
	// Severity is how much it matters.
	Severity string `json:"severity" enum:"error,warning,info,hint"`
	// Message says what is wrong, for whom, and what to do.
	Message string `json:"message"`
	// Tools that it concerns, by profile.
	Tools []string `json:"tools"`
	// Source is where the fact behind it stands.
	Source string `json:"source"`
}

// CheckInstructions finds what is wrong with the instruction files of the
// workspace.
func (s *Service) CheckInstructions(ctx context.Context, params CheckInstructionsParams) (*CheckInstructionsResult, error) {
	snap := s.snapshot(ctx)
	tools, err := toolNames(params.Tools)
	if err != nil {
		return nil, err
	}
	if params.ToolVersion != "" && len(tools) != 1 {
		return nil, failf(CodeInvalidParams, "toolVersion: want exactly one tool in tools to have this version")
	}
	scans, err := s.scansOf(snap, params.URIs)
	if err != nil {
		return nil, err
	}
	r := &CheckInstructionsResult{Head: head(), Tools: []string{}, Diagnostics: []InstructionDiagnostic{}}
	for _, scan := range scans {
		found, err := s.find(ctx, snap, scan.folder)
		if err != nil {
			return nil, err
		}
		w := s.lintWorkspace(ctx, snap, scan, found, question{version: params.ToolVersion, settings: instructions.Flatten(params.ToolSettings)})
		if w.Tools = tools; len(tools) == 0 {
			w.Tools = lint.Signs(w.FS, w.Root, found.Files)
		}
		diagnostics, err := lint.Check(ctx, w)
		if err != nil {
			return nil, err
		}
		r.add(snap, s.scanned(snap, scan.folder), scan, w, diagnostics)
	}
	slices.Sort(r.Tools)
	r.Tools = slices.Compact(r.Tools)
	return r, nil
}

func (r *CheckInstructionsResult) add(snap *workspace.Snapshot, files fsys.FS, scan scan, w lint.Workspace, diagnostics []lint.Diagnostic) {
	r.Tools = append(r.Tools, w.Tools...)
	r.Warnings = append(r.Warnings, truncatedWarning(scan, w.Found)...)
	mappers := map[string]*workspace.Mapper{}
	for _, f := range w.Found.Files {
		if scan.wants(f.Path) {
			r.Files++
		}
		mappers[f.Path] = workspace.NewMapper(f.Text)
	}
	for _, d := range diagnostics {
		if mappers[d.Path] == nil { // a file that an instruction file imports, or one of settings
			text := ""
			if file, err := files.ReadFile(d.Path); err == nil {
				text = file.Text
			}
			mappers[d.Path] = workspace.NewMapper(text)
		}
		r.Diagnostics = append(r.Diagnostics, InstructionDiagnostic{
			URI: fileURI(d.Path), Path: instructions.Display(scan.folder, snap.Home(), d.Path), Range: rangeOf(mappers[d.Path], d.Place),
			Code: d.Code, Severity: d.Severity.String(), Message: d.Message, Tools: append([]string{}, d.Tools...), Source: d.Source,
		})
	}
}

func truncatedWarning(scan scan, found *lint.Found) []Warning {
	if !found.Truncated {
		return nil
	}
	return []Warning{{Code: "truncated", URI: fileURI(scan.folder), Message: scan.folder + " holds more files than are looked at; name a folder of it"}}
}

// rangeOf is a place in a text in the units of the contract; the first line
// where there is none.
func rangeOf(m *workspace.Mapper, place *instructions.Place) Range {
	if place == nil {
		place = &instructions.Place{EndColumn: len(m.Text())}
	}
	start, end, ok := m.LineOffsets(place.Line)
	if !ok {
		return Range{}
	}
	at := func(column int) Position {
		p := m.Position(min(start+max(0, column), end), workspace.UTF16)
		return Position{Line: p.Line, Character: p.Character}
	}
	return Range{Start: at(place.Column), End: at(max(place.Column, place.EndColumn))}
}

// toolNames checks the names of profiles; * stands for all of them.
func toolNames(tools []string) ([]string, error) {
	if slices.Contains(tools, "*") {
		return instructions.ProfileNames(), nil
	}
	var names []string
	for _, name := range tools {
		profile, ok, err := instructions.LookupProfile(name)
		switch {
		case err != nil:
			return nil, failf(CodeFailed, "cannot read the profiles: %w", err)
		case !ok || name == "":
			return nil, failf(CodeUnknownProfile, "tools: profile %q is not known; the profiles are %s", name, strings.Join(instructions.ProfileNames(), ", "))
		case !slices.Contains(names, profile.Name):
			names = append(names, profile.Name)
		}
	}
	return names, nil
}

// scan is a folder that is searched, and the parts of it that are wanted.
type scan struct {
	folder string
	only   []string // files and folders in it; all where it is empty
}

func (s scan) wants(path string) bool {
	return len(s.only) == 0 || slices.ContainsFunc(s.only, func(o string) bool { return fsys.Within(o, path) })
}

// scansOf says which folders to search for some documents, in the order of the
// workspace.
func (s *Service) scansOf(snap *workspace.Snapshot, documents []string) ([]scan, error) {
	var scans []scan
	if len(documents) == 0 {
		for _, f := range snap.Folders() {
			scans = append(scans, scan{folder: f.Path})
		}
		return scans, nil
	}
	for _, document := range documents {
		path, err := filePath(document)
		if err != nil {
			return nil, failf(CodeInvalidParams, "uris: %w", err)
		}
		p, err := s.locate(snap, document, "")
		if err != nil {
			return nil, err
		}
		folder := p.root
		if f, ok := snap.FolderOf(path); ok {
			folder = f.Path
		}
		if folder == "" {
			continue
		}
		at := slices.IndexFunc(scans, func(s scan) bool { return s.folder == folder })
		if at < 0 {
			at, scans = len(scans), append(scans, scan{folder: folder})
		}
		scans[at].only = append(scans[at].only, path)
	}
	return scans, nil
}

// find searches a folder for instruction files: through git where it is a
// repository's, else by walking.
func (s *Service) find(ctx context.Context, snap *workspace.Snapshot, folder string) (*lint.Found, error) {
	listing, err := s.listing(ctx, snap, folder)
	if err != nil {
		return nil, err
	}
	return lint.Find(ctx, lint.Search{
		Root: folder, FS: s.scanned(snap, folder), Listing: listing, Ignored: s.ignored(snap, folder), Secret: ignore.Secret,
		Progress: toldInCounts(ctx, "directories"),
	})
}

// ignored says what git's ignore files leave out of a folder that is walked; nil
// where it lies in no repository.
func (s *Service) ignored(snap *workspace.Snapshot, folder string) func(context.Context, []string) (map[string]string, error) {
	root, ok := vcs.Root(snap.FS(), folder, snap.Home())
	if !ok {
		return nil
	}
	return s.repos.ignoring(s.scanned(snap, root), root).IgnoredPaths
}

// scanned is what may be read of a folder that is searched.
func (s *Service) scanned(snap *workspace.Snapshot, folder string) fsys.FS {
	if snap.Trusted(folder) {
		return snap.FS()
	}
	return fsys.Confine(snap.FS(), folder)
}

// listing is what git lists in a folder, relative to it; nil where git knows
// nothing of it, or ignores it all.
func (s *Service) listing(ctx context.Context, snap *workspace.Snapshot, folder string) ([]string, error) {
	root, ok := vcs.Root(snap.FS(), folder, snap.Home())
	if !ok {
		return nil, nil
	}
	sub, ok := relative(root, folder)
	if !ok {
		return nil, nil
	}
	prefix := ""
	if sub != "." && sub != "" {
		prefix = strings.TrimSuffix(sub, "/") + "/"
	}
	listed, err := vcs.Git{Home: s.repos.home, Env: s.repos.env}.ListFiles(ctx, root, strings.TrimSuffix(prefix, "/"))
	if err != nil {
		if ctx.Err() != nil || errors.Is(err, context.Canceled) {
			return nil, ctx.Err()
		}
		return nil, nil // no git facts: the folder is walked
	}
	if len(listed) == 0 {
		return nil, nil
	}
	for i := range listed {
		listed[i] = strings.TrimPrefix(listed[i], prefix)
	}
	return listed, nil
}

// lintWorkspace is a folder as the rules see it. The engine confines what it
// reads by itself. Directories are placed once, whoever asks.
func (s *Service) lintWorkspace(ctx context.Context, snap *workspace.Snapshot, scan scan, found *lint.Found, q question) lint.Workspace {
	type placed struct {
		once sync.Once
		p    *place
	}
	var mu sync.Mutex // guards places
	places := map[string]*placed{}
	at := func(dir string) *place {
		mu.Lock()
		d := places[dir]
		if d == nil {
			d = &placed{}
			places[dir] = d
		}
		mu.Unlock()
		d.once.Do(func() { d.p = s.placeOfDirectory(snap, scan.folder, dir) })
		return d.p
	}
	return lint.Workspace{
		Root: scan.folder, FS: snap.FS(), Found: found, Only: scan.wants, Progress: toldInCounts(ctx, "questions to tools"),
		Request: func(profile *instructions.Profile, dir string) instructions.Request {
			asked := q
			asked.profile = profile
			return s.instructionRequest(snap, at(dir), asked)
		},
	}
}

// placeOfDirectory locates a directory; one that cannot be located, such as a
// link out of the workspace, belongs to the folder.
func (s *Service) placeOfDirectory(snap *workspace.Snapshot, folder, dir string) *place {
	if p, err := s.locate(snap, fileURI(dir), ""); err == nil && p.root != "" {
		return p
	}
	return &place{target: filepath.Join(dir, "file"), dir: dir, root: folder, base: folder, cwd: folder}
}
