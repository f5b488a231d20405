// Package config merges foreword's settings: the defaults, the user's foreword.toml, the workspace's foreword.toml
// and what the editor sends, each over the ones before it, and remembers where each value came from.
//
// A mistake costs its own part only: a wrong key or value is left out and reported, a file that is no TOML is left
// out and reported, and everything else holds.
//
// A workspace's file comes with the repository, so it is not the user speaking. It cannot set what would weaken
// the user's protection; Setting.Scope says which keys those are. No setting trusts a folder.
package config

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"foreword/workspace/fsys"
)

// FileName is the name of a settings file: in foreword's folder of the user's configuration, and in the root of a
// workspace.
const FileName = "foreword.toml"

// Config is the settings that hold for one workspace folder. The table in settings.go describes each.
type Config struct {
	Model, Provider, Profile string
	// Window and Reserve count tokens; 0 means what the model's own table says.
	Window, Reserve int
	// Exclude are patterns like those of .gitignore, of all sources: the workspace's, then the user's, then the editor's,
	// so that where two disagree the user has the last word.
	Exclude      []string
	Instructions Instructions
	Tree         Budget
	Buffers      Budget
	Diagnostics  Budget
	Updates      Budget
	Cache        Cache
	Skills       Budget
	// Active bounds the files that are chosen for a message.
	Active  Budget
	History History
	Context Context
	// References are the user's own, then the workspace's, in the order of the files.
	References []Reference
	// AgentFolder is the assistant's own folder, absolute; "" for none.
	AgentFolder string
	Hover       Hover
	CodeLens    CodeLens
	Commands    Commands
	// ContextCommands are the user's own, then the workspace's, where there are any.
	ContextCommands []ContextCommand
	// Sources and Hooks are the user's own, then the workspace's, in the order of the files.
	Sources []Source
	Hooks   []Hook
	// DefaultAgent is the agent of requests that name none, "" for foreword's own.
	DefaultAgent string
	// Agents are declared or changed by the user's file, then by the workspace's.
	Agents []Agent
	// UserAbout is what the user says about themselves.
	UserAbout string
	Project   Project
	// PlanFile tells that the plan of plan mode is written to a file.
	PlanFile bool
	// Values holds every setting with its origin, sorted by key.
	Values []Value
}

// History says what is told of earlier conversations.
type History struct {
	Tokens int
	// Everywhere adds those of other repositories, OtherTools those of other tools.
	Everywhere, OtherTools bool
}

// Cache is what is assumed of a provider's cache.
type Cache struct {
	// Minutes for which a provider keeps what it cached.
	Minutes int
}

// Project is what the project is called, and what it is; empty for what its files say.
type Project struct{ Name, About string }

// Instructions are the settings of instruction files.
type Instructions struct {
	// Names are file names, most important first; none for the profile's own.
	Names []string
	// Rules tells that the folders of rules of other tools are read.
	Rules bool
	// Files are those that the settings name: the user's, then the workspace's,
	// then the editor's, each as it was written.
	Files []Named
	// NearestFirst tells that the nearest file is said first, not last.
	NearestFirst bool
	// OtherTools tells that files written for one other tool are sent, too.
	OtherTools bool
	// UserFile is an absolute path, "" for the default place.
	UserFile string
}

// Named is a file, a pattern of files or an address that instructions.files or context.files names.
type Named struct {
	// Item as it was written.
	Item string
	// Base is the folder of the file that names it, which relative paths begin at; for the editor's, the workspace
	// folder.
	Base string
	// Origin of the value, as in Value. Path is the file that names it and Line the line there, from 1; "" and 0 for
	// the editor.
	Origin string
	Path   string
	Line   int
	// User tells that the user's own file names it. The editor's settings may come with the workspace, so they do not
	// count as the user's here.
	User bool
}

// Budget is how much a part of the prompt may take.
type Budget struct{ Tokens int }

// Commands says what programs that the configuration names are given.
type Commands struct {
	// HideEnv and KeepEnv are patterns of names of environment variables.
	HideEnv, KeepEnv []string
}

// Hover says what hovers show.
type Hover struct{ Sources bool }

// CodeLens says whether code lenses are shown.
type CodeLens struct{ Enabled bool }

// Value is one setting as it holds.
type Value struct {
	Key   string
	Value any // string, int, bool or []string
	// Origin is "default", "editor", "user <file>:<line>" or "workspace <file>:<line>", joined with ", " where lists are
	// joined.
	Origin string
}

// Problem is something in a settings file, or in the editor's settings, that was left out.
type Problem struct {
	// Path is the file; "" for the editor's settings.
	Path string
	// Line counts from 1; 0 where there is none.
	Line int
	// Message is for the person who must act.
	Message string
}

// found is one value that a source sets, before anybody looked at what it is.
type found struct {
	key   string
	value any
	line  int // 0 for the editor
}

// source is one place that settings come from.
type source struct {
	name      string // "user", "workspace", "editor"
	path      string // "" for the editor
	shown     string // the path for people
	workspace bool
	values    []found
}

// UserFile returns where the user's settings are: foreword.toml in foreword's folder of XDG_CONFIG_HOME, or of
// ~/.config where that is not set to an absolute path.
func UserFile(home string, env func(string) string) string {
	config := env("XDG_CONFIG_HOME")
	if !filepath.IsAbs(config) {
		if home == "" {
			return ""
		}
		config = filepath.Join(home, ".config")
	}
	return filepath.Join(config, "foreword", FileName)
}

// Load merges the settings that hold in the workspace folder root ("" for none). Editor holds the editor's settings,
// nested or with dotted keys. Trusted says whether the user trusts the workspace. The problems are in the order
// of the sources and lines.
func Load(fs fsys.FS, home string, env func(string) string, root string, editor map[string]any, trusted bool) (Config, []Problem) {
	var problems []Problem
	var sources []source
	user := UserFile(home, env)
	if user != "" {
		s := source{name: "user", path: user, shown: display(user, home)}
		sources = append(sources, s.read(fs, &problems))
	}
	if root != "" {
		s := source{name: "workspace", path: filepath.Join(root, FileName), workspace: true}
		s.shown = display(s.path, home)
		files := fs
		if !trusted {
			files = fsys.Confine(fs, root) // a link must not lead out of the workspace
		}
		if s.path != user { // else somebody works on their own settings, which are read already
			sources = append(sources, s.read(files, &problems))
		}
	}
	s := source{name: "editor"}
	s.values = flatten(editor)
	sources = append(sources, s)

	var c Config
	merged := map[string]Value{}
	for _, setting := range settings {
		merged[setting.Key] = Value{Key: setting.Key, Value: setting.Default, Origin: "default"}
	}
	lists := map[string][]layer{}
	for _, s := range sources {
		c.apply(s, home, trusted, merged, lists, &problems)
	}
	if layers := lists["exclude"]; len(layers) > 0 {
		merged["exclude"] = joined("exclude", layers)
	}
	if layers := lists[filesKey]; len(layers) > 0 {
		c.Instructions.Files, merged[filesKey] = named(filesKey, layers, root)
	}
	if layers := lists[contextFilesKey]; len(layers) > 0 {
		c.Context.Files, merged[contextFilesKey] = named(contextFilesKey, layers, root)
	}
	if layers := lists[contextCommandKey]; len(layers) > 0 {
		merged[contextCommandKey] = c.nameCommands(layers)
	}
	merged[agentsKey] = c.agentNames()
	merged[sourcesKey], merged[hooksKey] = c.names(sourcesKey), c.names(hooksKey)
	merged[referencesKey] = c.referenceNames()
	for _, setting := range settings {
		value := merged[setting.Key]
		if list, ok := value.Value.([]string); ok {
			value.Value = slices.Clone(list)
		}
		c.set(value.Key, value.Value)
		c.Values = append(c.Values, value)
	}
	return c, problems
}

// set puts a checked value into its field.
func (c *Config) set(key string, value any) {
	switch key {
	case "active.tokens":
		c.Active.Tokens = value.(int)
	case "agent.folder":
		c.AgentFolder = value.(string)
	case "buffers.tokens":
		c.Buffers.Tokens = value.(int)
	case "codeLens.enabled":
		c.CodeLens.Enabled = value.(bool)
	case "commands.hideEnv":
		c.Commands.HideEnv = slices.Clone(value.([]string))
	case "commands.keepEnv":
		c.Commands.KeepEnv = slices.Clone(value.([]string))
	case "context.tokens":
		c.Context.Tokens = value.(int)
	case "defaultAgent":
		c.DefaultAgent = value.(string)
	case "diagnostics.tokens":
		c.Diagnostics.Tokens = value.(int)
	case "exclude":
		c.Exclude = slices.Clone(value.([]string))
	case "history.everywhere":
		c.History.Everywhere = value.(bool)
	case "history.otherTools":
		c.History.OtherTools = value.(bool)
	case "history.tokens":
		c.History.Tokens = value.(int)
	case "hover.sources":
		c.Hover.Sources = value.(bool)
	case "instructions.order":
		c.Instructions.NearestFirst = value.(string) == nearestFirst
	case "instructions.otherTools":
		c.Instructions.OtherTools = value.(bool)
	case "instructions.names":
		c.Instructions.Names = slices.Clone(value.([]string))
	case "instructions.rules":
		c.Instructions.Rules = value.(bool)
	case "instructions.userFile":
		c.Instructions.UserFile = value.(string)
	case "model":
		c.Model = value.(string)
	case "plan.file":
		c.PlanFile = value.(bool)
	case "profile":
		c.Profile = value.(string)
	case "project.about":
		c.Project.About = value.(string)
	case "project.name":
		c.Project.Name = value.(string)
	case "provider":
		c.Provider = value.(string)
	case "reserve":
		c.Reserve = value.(int)
	case "skills.tokens":
		c.Skills.Tokens = value.(int)
	case "tree.tokens":
		c.Tree.Tokens = value.(int)
	case "cache.minutes":
		c.Cache.Minutes = value.(int)
	case "updates.tokens":
		c.Updates.Tokens = value.(int)
	case "user.about":
		c.UserAbout = value.(string)
	case "window":
		c.Window = value.(int)
	}
}

// layer is one source's part of a list that is joined.
type layer struct {
	source
	list   []string
	origin string
	line   int
}

// joined joins the lists of all sources, the workspace's first: the last matching pattern decides, and a
// repository must not re-include what the user excludes.
func joined(key string, layers []layer) Value {
	slices.SortStableFunc(layers, func(a, b layer) int {
		switch {
		case a.workspace == b.workspace:
			return 0
		case a.workspace:
			return -1
		}
		return 1
	})
	list, origins := []string{}, []string{}
	for _, l := range layers {
		list = append(list, l.list...)
		origins = append(origins, l.origin)
	}
	return Value{Key: key, Value: list, Origin: strings.Join(origins, ", ")}
}

// apply merges what the source sets and reports what it may not or cannot set.
func (c *Config) apply(s source, home string, trusted bool, merged map[string]Value, lists map[string][]layer, problems *[]Problem) {
	report := &reporter{path: s.path, problems: problems}
	if s.path != "" {
		c.declareAgents(s, report)
	}
	for _, f := range s.values {
		setting, known := lookup(f.key)
		switch {
		case isAgent(f.key) && s.path != "":
			continue
		case !known && s.path == "" && clientOnly(f.key):
			continue
		case !known:
			if !report.full() {
				report.add(f.line, s.unknown(f.key))
			}
			continue
		case s.path == "" && FileOnly(f.key):
			if list, ok := f.value.([]any); !ok || len(list) > 0 {
				report.add(f.line, fmt.Sprintf("%s is read from %s alone, since an editor's settings may come with the repository", f.key, FileName))
			}
			continue
		case setting.Type == Tables:
			c.declare(s, f, home, report)
			continue
		case s.workspace && setting.Scope == UserOnly:
			report.add(f.line, fmt.Sprintf("%s cannot be set by a workspace; set it in the user's own %s", f.key, FileName))
			continue
		case s.workspace && setting.Scope == TrustedWorkspace && !trusted:
			report.add(f.line, fmt.Sprintf("%s is left out because this workspace is not trusted; run foreword trust", f.key))
			continue
		}
		if s.path == "" && setting.Type == String && f.value == "" {
			continue // editors send the empty text of a setting that nobody filled in
		}
		kept, faults := sound(setting, f.value)
		for _, fault := range faults {
			report.add(f.line, fmt.Sprintf("%s %v", f.key, fault))
		}
		if list, ok := kept.([]any); ok && len(list) == 0 && len(faults) > 0 {
			continue // as if it were not set
		}
		value, err := check(setting, kept, home)
		if err != nil {
			report.add(f.line, fmt.Sprintf("%s %v", f.key, err))
			continue
		}
		origin := s.name
		if s.path != "" {
			origin = fmt.Sprintf("%s %s:%d", s.name, s.shown, f.line)
		}
		if list, ok := value.([]string); ok && (f.key == "exclude" || f.key == filesKey || f.key == contextFilesKey || f.key == contextCommandKey) {
			if len(list) == 0 {
				continue // nothing joins
			}
			lists[f.key] = append(lists[f.key], layer{s, list, origin, f.line})
			continue
		}
		merged[f.key] = Value{Key: f.key, Value: value, Origin: origin}
	}
}

// unknown is the message for a key that is not in the table.
func (s source) unknown(key string) string {
	if s.workspace && aboutTrust(key) {
		return fmt.Sprintf("%s cannot be set by a workspace: only the user says what is trusted, with foreword trust or in the editor", key)
	}
	if head, _, below := strings.Cut(key, "."); below && (head == sourcesKey || head == hooksKey || head == referencesKey) {
		return fmt.Sprintf("%s must be a list of tables, each begun with [[%s]]", head, head)
	}
	if isPrefix(key) {
		return fmt.Sprintf("%s must be a table, whose settings are written as %s", key, strings.Join(below(key), ", "))
	}
	if near := nearest(key); near != "" {
		return fmt.Sprintf("unknown setting %s; did you mean %s?", key, near)
	}
	if len(key) > 60 {
		key = strings.ToValidUTF8(key[:60], "") + "…"
	}
	return fmt.Sprintf("unknown setting %s", key)
}

// aboutTrust says that a key looks like an attempt to be trusted.
func aboutTrust(key string) bool {
	key = strings.ToLower(key)
	return strings.Contains(key, "trust") || strings.Contains(key, "approve") || strings.Contains(key, "allow")
}

// clientOnly says that a key of the editor's section is for the editor's own side: where the binary is, what is
// logged. The server knows nothing of them and does not complain.
func clientOnly(key string) bool {
	head, _, _ := strings.Cut(key, ".")
	switch head {
	case "trace", "server", "path", "client", "statusBar":
		return true
	}
	return false
}

// maxProblems is how many problems of one source are reported; the next ones say nothing new.
const maxProblems = 50

// reporter adds problems of one source.
type reporter struct {
	path     string
	problems *[]Problem
	reported int
}

func (r *reporter) add(line int, message string) {
	if r.full() {
		return
	}
	if r.reported++; r.full() {
		message = "there are more problems; mend these first"
	}
	*r.problems = append(*r.problems, Problem{Path: r.path, Line: line, Message: message})
}

// full says that no more is reported, so that no message need be made.
func (r *reporter) full() bool { return r.reported >= maxProblems }

// display shortens a path below home.
func display(path, home string) string {
	if home != "" && path != home && fsys.Within(home, path) {
		rel, err := filepath.Rel(home, path)
		if err == nil {
			return "~/" + filepath.ToSlash(rel)
		}
	}
	return path
}
