package commands

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"foreword/promptbuilder/models"
	"foreword/promptbuilder/sources"
	"foreword/promptbuilder/templates"
	"foreword/promptbuilder/wire"
	"foreword/workspace"
)

// request is what the sources are told about a request.
func (s *Service) request(snap *workspace.Snapshot, p *place, params BuildPromptParams, attachments []string) (sources.Request, []Warning) {
	agent, warnings := s.agent(snap, p, params.Agent)
	texts, more := s.texts(snap, p)
	warnings = append(warnings[:len(warnings):len(warnings)], more...)
	tools, more := sourceTools(params.Tools, params.Compat)
	warnings = append(warnings, more...)
	tools = slices.DeleteFunc(tools, func(t sources.Tool) bool { return !agent.Uses(t.Name) })
	r := sources.Request{
		Provider: params.Provider, Agent: agent, Mode: params.Mode,
		Interactive: params.Interactive == nil || *params.Interactive, Compact: params.Compact, Prompt: params.Prompt,
		Tools: tools, ToolFormat: params.ToolFormat, OutputSchema: params.OutputSchema, Compat: params.Compat,
		Attachments: attachments, Texts: texts, Selective: params.Context == "selective", Include: params.Include,
	}
	if params.Model == "" {
		params.Model = agent.Model
	}
	if params.Provider == "" {
		r.Provider = p.config.Provider
	}
	r.Model = models.LookupAt(r.Provider, p.model(params.Model))
	return r, warnings
}

// texts are foreword's prompt texts, with the user's own and those of a trusted
// workspace in place of the built-in ones.
func (s *Service) texts(snap *workspace.Snapshot, p *place) (templates.Set, []Warning) {
	type key struct {
		texts   string
		trusted bool
	}
	type found struct {
		set      templates.Set
		warnings []Warning
	}
	f := snap.MemoDisk(key{p.root, p.trusted}, func() any {
		var f found
		var folders []templates.Folder
		if dir := configDir(snap.Home(), snap.Env); dir != "" {
			folders = append(folders, templates.Folder{Files: snap.FS(), Path: filepath.Join(dir, "templates")})
		}
		if p.root != "" {
			dir := filepath.Join(p.root, ".foreword", "templates")
			switch _, err := snap.FS().Lstat(dir); {
			case p.trusted:
				folders = append(folders, templates.Folder{Files: snap.FS(), Path: dir})
			case err == nil:
				f.warnings = append(f.warnings, Warning{Code: "templates-need-trust", URI: fileURI(dir),
					Message: "the prompt texts of this workspace are left out, because it is not trusted; run foreword trust"})
			}
		}
		var problems []templates.Problem
		f.set, problems = templates.Load(folders...)
		for _, problem := range problems {
			f.warnings = append(f.warnings, Warning{Code: "template", Message: problem.Message, URI: fileURI(problem.Path)})
		}
		return f
	}).(found)
	return f.set, f.warnings
}

// aboutUser is what the user says about themselves: the setting, else the file.
func (s *Service) aboutUser(snap *workspace.Snapshot, p *place) sources.About {
	if p.config.UserAbout != "" {
		return sources.About{Text: p.config.UserAbout, Name: "setting user.about"}
	}
	dir := configDir(snap.Home(), snap.Env)
	if dir == "" {
		return sources.About{}
	}
	path := filepath.Join(dir, "user.md")
	file, err := snap.FS().ReadFile(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return sources.About{}
	case err != nil:
		return sources.About{Path: path, Problem: err.Error()}
	}
	return sources.About{Text: file.Text, Path: path, Hash: file.Hash, Dirty: file.Dirty}
}

// sourceTools are the tools as sources and providers see them: by name, since
// the order in which a panel registered them is no reason to lose the cache, and
// with a description that every provider takes.
func sourceTools(tools []Tool, compat string) ([]sources.Tool, []Warning) {
	var warnings []Warning
	out := make([]sources.Tool, len(tools))
	for i, t := range tools {
		out[i] = sources.Tool{
			Name: t.Name, Description: t.Description, Instructions: t.Instructions, Examples: t.Examples, Parameters: t.Parameters, Formats: t.Formats.byName(),
		}
		for _, f := range t.Functions {
			out[i].Functions = append(out[i].Functions, sources.Function{Signature: f.Signature, Description: f.Description})
		}
		if out[i].Shorten(compat) {
			rest := "the rest stands in the system text"
			if out[i].Rest == "" {
				rest = "the rest is lost, as with " + compat
			}
			warnings = append(warnings, Warning{Code: "tool-description-long", Message: fmt.Sprintf(
				"the description of the tool %s has more than the %d characters that every provider takes; it is cut, and %s", t.Name, sources.MaxToolDescription, rest)})
		}
	}
	slices.SortStableFunc(out, func(a, b sources.Tool) int { return strings.Compare(a.Name, b.Name) })
	return out, warnings
}

// refusedTools warns of the tools for whose names the provider refuses the whole request. They are sent as they are: the
// panel gets the names back in calls, and has to know them.
func refusedTools(format string, tools []sources.Tool) []Warning {
	var warnings []Warning
	for _, t := range tools {
		if why := wire.RefusesTool(format, t.Name); why != "" {
			warnings = append(warnings, Warning{Code: "tool-name-refused", Message: fmt.Sprintf(
				"providers of %s refuse a request that offers the tool %s: %s; give it another name, or take it out", format, shown(t.Name), why)})
		}
	}
	return warnings
}

// byName lists the texts that are given, by the names of the formats.
func (f *ToolFormats) byName() map[string]string {
	if f == nil {
		return nil
	}
	texts := map[string]string{}
	for _, format := range []struct {
		name string
		text *string
	}{{"markdown", f.Markdown}, {"xml", f.XML}, {"tool", f.Tool}} {
		if format.text != nil {
			texts[format.name] = *format.text
		}
	}
	return texts
}
