package commands

import (
	"context"
	"path/filepath"
	"strings"

	"foreword/workspace"
	"foreword/workspace/ignore"
	"foreword/workspace/instructions"
)

// question is what an answer about instruction files depends on, beside the
// place.
type question struct {
	profile  *instructions.Profile
	event    instructions.Event
	version  string
	settings instructions.Settings
}

// profileNamed finds a profile; an empty name means the setting's.
func (p *place) profileNamed(name string) (*instructions.Profile, error) {
	if name == "" {
		name = p.config.Profile
	}
	profile, ok, err := instructions.LookupProfile(name)
	switch {
	case err != nil:
		return nil, failf(CodeFailed, "cannot read the profiles: %w", err)
	case !ok:
		return nil, failf(CodeUnknownProfile, "profile %q is not known; the profiles are %s", name, strings.Join(instructions.ProfileNames(), ", "))
	}
	return profile, nil
}

// discover says what a profile loads for a target, by the rules at launch.
func (s *Service) discover(ctx context.Context, snap *workspace.Snapshot, p *place, profile *instructions.Profile) (*instructions.Discovery, error) {
	return s.resolve(ctx, snap, p, question{profile: profile})
}

// resolve answers a question about the instruction files of a place. Answers
// without settings of the request's own are kept for the snapshot.
func (s *Service) resolve(ctx context.Context, snap *workspace.Snapshot, p *place, q question) (*instructions.Discovery, error) {
	if p.root == "" {
		return &instructions.Discovery{Profile: q.profile.Name}, ctx.Err()
	}
	type key struct {
		root, target, cwd, profile, version string
		event                               instructions.Event
		trusted                             bool
		fetched                             int64
	}
	type found struct {
		discovery *instructions.Discovery
		err       error
	}
	look := func() any {
		d, err := instructions.Resolve(context.WithoutCancel(ctx), snap.FS(), q.profile, s.instructionRequest(snap, p, q))
		return found{d, err}
	}
	var f found
	if len(q.settings) > 0 {
		f = look().(found)
	} else {
		f = snap.MemoDisk(key{p.root, p.target, p.cwd, q.profile.Name, q.version, q.event, p.trusted, s.addresses.generation()}, look).(found)
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return f.discovery, f.err
}

func (s *Service) instructionRequest(snap *workspace.Snapshot, p *place, q question) instructions.Request {
	req := instructions.Request{
		Target: p.target, Dir: p.dir, Root: p.root, Cwd: p.cwd, Home: snap.Home(), Env: snap.Env, Event: q.event,
		Version: q.version, Settings: q.settings, Secret: ignore.Secret, Trusted: p.trusted,
	}
	if q.profile.Name == instructions.Own {
		req.Settings, req.Origin = p.ownSettings(q.settings), p.settingOrigin
		req.Configured, req.Addresses = p.configured(), s.addresses.known
	}
	if len(p.config.Exclude) > 0 {
		patterns := ignore.Compile(p.config.Exclude)
		req.Exclude = func(rel string) (string, bool) { return excludedBy(patterns, rel) }
	}
	return req
}

// ownSettings are foreword's own settings as its profile names them.
func (p *place) ownSettings(given instructions.Settings) instructions.Settings {
	own := p.config.Instructions
	settings := instructions.Settings{"instructions.rules": own.Rules, "instructions.otherTools": own.OtherTools}
	if own.NearestFirst {
		settings["instructions.order"] = "nearest-first"
	}
	if len(p.config.Instructions.Names) > 0 {
		settings["instructions.names"] = p.config.Instructions.Names
	}
	if p.config.Instructions.UserFile != "" {
		settings["instructions.userFile"] = p.config.Instructions.UserFile
	}
	for key, value := range given {
		settings[key] = value
	}
	return settings
}

// configured lists what the settings name beside the files of the walk.
func (p *place) configured() []instructions.Configured {
	var out []instructions.Configured
	for _, n := range p.config.Instructions.Files {
		out = append(out, instructions.Configured{Item: n.Item, Base: n.Base, Origin: n.Origin, Path: n.Path, Line: n.Line, User: n.User})
	}
	return out
}

// settingOrigin says where a setting comes from; empty for a default.
func (p *place) settingOrigin(key string) string {
	for _, v := range p.config.Values {
		if v.Key == key && v.Origin != "default" {
			return v.Origin
		}
	}
	return ""
}

// userFile is where the user's own instruction file is, or would be.
func userFile(snap *workspace.Snapshot, p *place) string {
	if p.config.Instructions.UserFile != "" {
		return p.config.Instructions.UserFile
	}
	dir := configDir(snap.Home(), snap.Env)
	if dir == "" {
		return ""
	}
	return filepath.Join(dir, "AGENTS.md")
}

// parseEvent reads launch, or a kind and a file URI such as read:file:///w/a.go.
func parseEvent(event string) (instructions.Event, error) {
	if event == "" || event == "launch" {
		return instructions.Event{}, nil
	}
	kind, document, ok := strings.Cut(event, ":")
	known := []string{"read", "open", "attach", "edit", "list"}
	for _, k := range known {
		if !ok || k != kind {
			continue
		}
		path, err := filePath(document)
		if err != nil {
			return instructions.Event{}, failf(CodeInvalidParams, "event: %w", err)
		}
		return instructions.Event{Kind: kind, Path: path}, nil
	}
	return instructions.Event{}, failf(CodeInvalidParams, "event: %q is not known; want launch, or one of %s with a file URI, such as read:file:///home/me/project/main.go", event, strings.Join(known, ", "))
}

func (s *Service) discoveryWarnings(d *instructions.Discovery) []Warning {
	warnings := make([]Warning, 0, len(d.Warnings))
	for _, w := range d.Warnings {
		warning := Warning{Code: w.Code, Message: w.Message, URI: fileURI(w.Path)}
		if w.Place != nil {
			warning.Range = &Range{Start: Position{w.Place.Line, w.Place.Column}, End: Position{w.Place.Line, w.Place.EndColumn}}
		}
		warnings = append(warnings, warning)
	}
	return warnings
}
