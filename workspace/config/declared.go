package config

import (
	"cmp"
	"fmt"
	"maps"
	"net/url"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"
)

// Keys of what the user adds to a prompt.
const (
	sourcesKey        = "sources"
	hooksKey          = "hooks"
	contextCommandKey = "contextCommand"
)

// FileOnly tells that a setting is read from files named foreword.toml alone. An editor's settings may come with the
// repository, and it does not say which of them do; a program must not run because of them.
func FileOnly(key string) bool {
	switch key {
	case agentsKey, sourcesKey, hooksKey, referencesKey, contextCommandKey, "commands.hideEnv", "commands.keepEnv":
		return true
	}
	return false
}

// Declared is where something was declared.
type Declared struct {
	// Workspace tells that it came with the workspace: its programs and addresses need the user's trust.
	Workspace bool
	// Path of the file, and the line that begins it, from 1.
	Path string
	Line int
	// Origin is the same for people, such as "user ~/.config/foreword/foreword.toml:3".
	Origin string
}

// ContextCommand is a program whose output is told to the model.
type ContextCommand struct {
	Argv []string
	Declared
}

// Source is one table of [[sources]]: an ingredient of the prompt that is the user's own. One of File, Glob, URL and
// Command is set.
type Source struct {
	// Key is a namespace, a slash and a name, and unlike those of foreword's own sources.
	Key string
	// Layer is core, cacheable or dynamic.
	Layer string
	// Title is a short heading.
	Title string
	// File and Glob are relative to the workspace's root, absolute, or begin with ~/ (made absolute here).
	File, Glob string
	// URL is an https address.
	URL string
	// Command is a program and its arguments.
	Command []string
	// Update and Removal are what the model is told when the text changed and when it is gone; empty for the usual words. In
	// Update {text} stands for the new text, in both {before} for the old one.
	Update, Removal string
	// Timeout is how long the program may take; zero for the usual time.
	Timeout time.Duration
	Declared
}

// Hook is one table of [[hooks]]: a program that sees a prompt before it is sent and may change it.
type Hook struct {
	// Name is unique among the hooks.
	Name string
	// At lists the events at which it runs.
	At []string
	// Command is a program and its arguments.
	Command []string
	// Stable tells that the same prompt gets the same answer in every turn, so that it may change what stands before the cache boundary.
	Stable bool
	// Timeout is how long it may take; zero for the usual time.
	Timeout time.Duration
	Declared
}

// HookEvents are the moments at which a hook can run.
var HookEvents = []string{"system", "messages", "compacting"}

const (
	// maxTables bounds what one file may declare: a prompt of more parts than this was made by a fault.
	maxTables = 64
	// maxTimeout is how long anybody waits for a prompt.
	maxTimeout = 60 * time.Second
)

// reservedSpaces are the namespaces of foreword's own sources.
var reservedSpaces = []string{"agent", "context", "core", "editor", "hook", "instructions", "references", "skills"}

// ownKey is narrower than what a key may be, since it is typed by hand and named on command lines.
var (
	ownKey   = regexp.MustCompile(`^([a-z0-9][a-z0-9._-]*)/[A-Za-z0-9][A-Za-z0-9._/-]*$`)
	hookName = regexp.MustCompile(`^[a-z0-9][a-z0-9._-]*$`)
)

// declare takes over the tables of [[sources]], [[hooks]] or [[references]] that one file holds under one key.
func (c *Config) declare(s source, f found, home string, report *reporter) {
	list, ok := f.value.([]any)
	if !ok {
		report.add(f.line, fmt.Sprintf("%s must be a list of tables, each begun with [[%s]]", f.key, f.key))
		return
	}
	for _, item := range list {
		table, ok := item.(map[string]any)
		if !ok {
			report.add(f.line, fmt.Sprintf("%s must be a list of tables, each begun with [[%s]]", f.key, f.key))
			return
		}
		if len(c.Sources)+len(c.Hooks)+len(c.References) >= 2*maxTables {
			report.add(f.line, fmt.Sprintf("only the first %d tables of sources, hooks and references are used", 2*maxTables))
			return
		}
		t := &entry{fields: table, home: home, Declared: Declared{
			Workspace: s.workspace, Path: s.path, Line: f.line, Origin: fmt.Sprintf("%s %s:%d", s.name, s.shown, f.line),
		}}
		switch f.key {
		case hooksKey:
			c.addHook(t, report)
		case referencesKey:
			c.addReference(t, report)
		default:
			c.addSource(t, report)
		}
	}
}

func (c *Config) addSource(t *entry, report *reporter) {
	s := Source{
		Key: t.text("key"), Layer: t.oneOf("layer", "dynamic", "core", "cacheable", "dynamic"), Title: t.text("title"),
		File: t.path("file"), Glob: t.path("glob"), URL: t.address("url"), Command: t.command("command"),
		Update: t.text("update"), Removal: t.text("removal"), Timeout: t.seconds("timeout"), Declared: t.Declared,
	}
	s.Title = cmp.Or(s.Title, s.Key)
	t.end(sourcesKey)
	ways := 0
	for _, set := range []bool{s.File != "", s.Glob != "", s.URL != "", len(s.Command) > 0} {
		if set {
			ways++
		}
	}
	switch space := ownKey.FindStringSubmatch(s.Key); {
	case t.fault != "":
	case s.Key == "":
		t.fault = "has no key; want one like notes/today"
	case len(s.Key) > 200 || space == nil:
		t.fault = fmt.Sprintf("has the key %.60q; want a namespace, a slash and a name of letters, digits and ._/-, like notes/today", s.Key)
	case slices.Contains(reservedSpaces, space[1]):
		t.fault = fmt.Sprintf("has the key %q, but %s/ is for foreword's own sources; take another namespace", s.Key, space[1])
	case ways != 1:
		t.fault = fmt.Sprintf("(%s) must have one of file, glob, url and command, and has %d of them", s.Key, ways)
	case strings.ContainsAny(s.Title, "\n\r"):
		t.fault = fmt.Sprintf("(%s) must have a title of one line", s.Key)
	}
	if i := slices.IndexFunc(c.Sources, func(other Source) bool { return other.Key == s.Key }); i >= 0 && t.fault == "" {
		t.fault = fmt.Sprintf("(%s) is left out: that key is declared before, by %s", s.Key, c.Sources[i].Origin)
	}
	if t.fault != "" {
		report.add(t.Line, "a table of [[sources]] "+t.fault)
		return
	}
	c.Sources = append(c.Sources, s)
}

func (c *Config) addHook(t *entry, report *reporter) {
	h := Hook{
		Name: t.text("name"), At: t.events("at"), Command: t.command("command"), Stable: t.flag("stable"), Timeout: t.seconds("timeout"), Declared: t.Declared,
	}
	t.end(hooksKey)
	switch {
	case t.fault != "":
	case h.Name == "":
		t.fault = "has no name"
	case h.Name == "editor":
		t.fault = "has the name editor, which is for the editor's own callbacks; take another"
	case len(h.Name) > 60 || !hookName.MatchString(h.Name):
		t.fault = fmt.Sprintf("has the name %.60q; want small letters, digits and ._-", h.Name)
	case len(h.At) == 0:
		t.fault = fmt.Sprintf("(%s) does not say when it runs: want at = [\"system\"], or messages or compacting", h.Name)
	case len(h.Command) == 0:
		t.fault = fmt.Sprintf("(%s) has no command", h.Name)
	}
	if i := slices.IndexFunc(c.Hooks, func(other Hook) bool { return other.Name == h.Name }); i >= 0 && t.fault == "" {
		t.fault = fmt.Sprintf("(%s) is left out: that name is declared before, by %s", h.Name, c.Hooks[i].Origin)
	}
	if t.fault != "" {
		report.add(t.Line, "a table of [[hooks]] "+t.fault)
		return
	}
	c.Hooks = append(c.Hooks, h)
}

// nameCommands keeps the context command of each file: a workspace's does not take the place of the user's own.
func (c *Config) nameCommands(layers []layer) Value {
	var words, origins []string
	for _, l := range layers {
		c.ContextCommands = append(c.ContextCommands, ContextCommand{Argv: l.list, Declared: Declared{
			Workspace: l.workspace, Path: l.path, Line: l.line, Origin: l.origin,
		}})
		words, origins = append(words, l.list...), append(origins, l.origin)
	}
	return Value{Key: contextCommandKey, Value: words, Origin: strings.Join(origins, ", ")}
}

// names are what the values of sources and hooks are shown as: the keys and names that hold.
func (c *Config) names(key string) Value {
	v := Value{Key: key, Value: []string{}, Origin: "default"}
	var list, origins []string
	for _, s := range c.Sources {
		if key == sourcesKey {
			list, origins = append(list, s.Key), append(origins, s.Origin)
		}
	}
	for _, h := range c.Hooks {
		if key == hooksKey {
			list, origins = append(list, h.Name), append(origins, h.Origin)
		}
	}
	if len(list) > 0 {
		v.Value, v.Origin = list, strings.Join(origins, ", ")
	}
	return v
}

// entry is one table of a list; the first fault is kept.
type entry struct {
	fields map[string]any
	known  []string
	fault  string
	home   string
	Declared
}

func (t *entry) take(name string) (value any, set bool) {
	t.known = append(t.known, name)
	value, set = t.fields[name]
	return value, set
}

func (t *entry) wrong(name, want string, value any) {
	if t.fault == "" {
		t.fault = fmt.Sprintf("has a wrong %s: it is %s; want %s", name, typeName(value), want)
	}
}

func (t *entry) text(name string) string {
	value, set := t.take(name)
	text, ok := value.(string)
	if set && !ok {
		t.wrong(name, "a string", value)
	}
	if strings.ContainsRune(text, 0) && t.fault == "" {
		t.fault = fmt.Sprintf("has a NUL character in its %s", name)
	}
	return text
}

func (t *entry) oneOf(name, usual string, allowed ...string) string {
	text := t.text(name)
	if text == "" {
		return usual
	}
	if !slices.Contains(allowed, text) && t.fault == "" {
		t.fault = fmt.Sprintf("has the %s %.60q; want %s", name, text, strings.Join(allowed, ", "))
	}
	return text
}

func (t *entry) flag(name string) bool {
	value, set := t.take(name)
	flag, ok := value.(bool)
	if set && !ok {
		t.wrong(name, "true or false", value)
	}
	return flag
}

// path makes what begins with ~/ absolute.
func (t *entry) path(name string) string {
	text := t.text(name)
	if rest, ok := strings.CutPrefix(text, "~/"); ok {
		if t.home == "" {
			if t.fault == "" {
				t.fault = fmt.Sprintf("has a %s in the home folder, and there is none", name)
			}
			return text
		}
		return filepath.Join(t.home, filepath.FromSlash(rest))
	}
	return text
}

func (t *entry) address(name string) string {
	text := t.text(name)
	if text == "" {
		return ""
	}
	if u, err := url.Parse(text); (err != nil || u.Scheme != "https" || u.Host == "" || u.User != nil) && t.fault == "" {
		t.fault = fmt.Sprintf("has a %s that is no address like https://example.com/notes.md, without a name or password before the host", name)
	}
	return text
}

// command reads the words of a program. A single string is a line for a shell, and there is none.
func (t *entry) command(name string) []string {
	value, set := t.take(name)
	if !set {
		return nil
	}
	words, ok := texts(value)
	if !ok {
		t.wrong(name, `a list of words such as ["git", "log", "-3"], since no shell reads it`, value)
		return nil
	}
	if _, err := commandWords(words); err != nil && t.fault == "" {
		t.fault = fmt.Sprintf("has a %s that %v", name, err)
	}
	return words
}

// commandWords refuses what can be no program.
func commandWords(words []string) ([]string, error) {
	for i, word := range words {
		if strings.ContainsRune(word, 0) || i == 0 && strings.TrimSpace(word) == "" {
			return nil, fmt.Errorf("must begin with the name of a program and hold no NUL character")
		}
	}
	return words, nil
}

func (t *entry) seconds(name string) time.Duration {
	value, set := t.take(name)
	if !set {
		return 0
	}
	n, ok := integer(value)
	if !ok || n < 1 || time.Duration(n) > maxTimeout/time.Second {
		if t.fault == "" {
			t.fault = fmt.Sprintf("has a %s that is no whole number of seconds from 1 to %d", name, maxTimeout/time.Second)
		}
		return 0
	}
	return time.Duration(n) * time.Second
}

// events reads one event or a list of them, and puts them in order.
func (t *entry) events(name string) []string {
	value, set := t.take(name)
	if !set {
		return nil
	}
	list, ok := texts(value)
	if one, single := value.(string); single {
		list, ok = []string{one}, true
	}
	if !ok {
		t.wrong(name, "a list of "+strings.Join(HookEvents, ", "), value)
		return nil
	}
	var events []string
	for _, event := range HookEvents {
		if slices.Contains(list, event) {
			events = append(events, event)
		}
	}
	if i := slices.IndexFunc(list, func(event string) bool { return !slices.Contains(HookEvents, event) }); i >= 0 && t.fault == "" {
		t.fault = fmt.Sprintf("runs at %.60q; want %s", list[i], strings.Join(HookEvents, ", "))
	}
	return events
}

// end refuses fields that nothing has asked for.
func (t *entry) end(kind string) {
	for _, name := range slices.Sorted(maps.Keys(t.fields)) {
		if !slices.Contains(t.known, name) && t.fault == "" {
			t.fault = fmt.Sprintf("has the unknown key %.60q; %s have %s", name, kind, strings.Join(t.known, ", "))
		}
	}
}
